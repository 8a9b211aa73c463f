"""Checks that one run shows all mistakes of a pack, and none that are only consequences of others."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan
from ludoglot.engine.library.find import GameLocation, find_game_location
from ludoglot.engine.project.check import check_game
from ludoglot.engine.project.further_findings import iter_named_words

from .conftest import make_pack

MISTAKES = {                                                       # a part of a pack -> its finding
    "needs: [nothing-here]": "H016",
    "set: {text: 'The {nothing} of Red.'}": "H013",
    "words: {event.placde: 'x', ask.game.cell: '{whoo}, where?'}": "W208 W209",
    "steps: [{after: 'game: stone[cel] = player', rules: let a = 1}]": "H008",
    "rules: |\n  def foo(player) = count(c in Cell where stoone[c] == player)\n"
    "  def bar(player, other: Playr) = foo(player)": "R101 R102",
    "clauses: {HEX-NEW-01: 'Say {nothing}.'}": "T012 W301",
}


def codes_of(folder: Path, *parts: str) -> list[str]:
    pack = folder / "many.yaml"
    pack.write_text("\n".join(["house: many", "for: hex", *parts]) + "\n", encoding="utf-8")
    found = DiagnosticList()
    check_game(find_game_location("hex"), [pack], found)
    return sorted({one.code for one in found.without_duplicates().items} - {"W202", "W201", "W103"})


@pytest.mark.parametrize("left_out", [
    pytest.param("needs", id="unknown names"), pytest.param("needs steps", id="unknown types", marks=pytest.mark.long),
    pytest.param("needs rules", id="a step", marks=pytest.mark.long),
])
def test_one_run_shows_all_mistakes(tmp_path, left_out):
    parts = {part: codes for part, codes in MISTAKES.items() if part.partition(":")[0] not in left_out.split()}
    shown = codes_of(tmp_path, *parts)
    wanted = {code for codes in parts.values() for code in codes.split()} - {"H013"}
    assert wanted <= set(shown) and set(shown) - wanted <= {"H013", "T012"}, shown


def test_a_missing_pack_hides_only_names_that_resemble_no_other(tmp_path):
    shown = codes_of(tmp_path, *MISTAKES, "add: {numbers: {wide: gale}}", "remove: [number_of_the_other_pack, def winz]")
    assert {"H016", "H006", "H008", "R101", "R102", "T012", "W208", "W209", "Y012"} <= set(shown) and "H009" not in shown, shown


ORDER = """
set:
  sidee: 9
  text: {en: Connect., itt: Collega.}
words: {event.placed: '{playr} on {cell}.'}
table: {colours: {Player: {red: purpel, west: red}}}
steps:
  - {after: 'game: stone[cell] = player'}
  - {drop: 'game: stone[cel] = player'}
rules: |
  def foo(player) = count(c in Cell where stone[c] ==)
  deff odd = 1
  def bar(player, other: Playr) = foo(player)
  proc pick(player):
  if true: stop
"""


@pytest.mark.parametrize("more", ["version: one", "stes: [{drop: 'game: x'}]", "needs: 3", "remove: {a: 1}"])
def test_a_wrong_key_or_value_hides_no_other_mistake(tmp_path, more):
    shown = codes_of(tmp_path, more, *ORDER.splitlines())
    first = "Y010" if more.startswith("stes") else "Y012"
    assert shown == sorted({first, "B004", "H002", "H008", "H011", "Y010", "R006", "R007", "R008", "R102", "W209", "Y012"}), shown


@pytest.mark.parametrize(("parts", "codes"), [
    (["rules: |\n  def foo(player) = stoone(player)\n  def bar(player) = foo(player)",
      "words: {score.foo: 'Foo'}"], ["R219"]),                       # bar and the text follow from foo
    (["add: {numbers: {gale: 1}}", "steps: [{after: 'game: stone[cel] = player', rules: let a = gale}]"], ["H008"]),
    (["clauses: {HEX-NEW-01: 'A new one.'}", "rules: |\n  def foo(player) = stoone(player) @HEX-NEW-01"], ["R219"]),
    (["rules: |\n  proc pick(player) by player:\n      choose cell in Celll or stop",
      "words: {ask.pick.cell: 'Where?'}"], ["R101", "R102"]),
])
def test_no_consequence_of_a_mistake_is_shown(tmp_path, parts, codes):
    shown = codes_of(tmp_path, *parts)
    assert shown and set(shown) <= set(codes), shown


@pytest.mark.parametrize(("steps", "codes"), [
    ("{after: 'game: stone[cel] = player', rules: 'stone[cell = player'}", ["H008", "R011"]),
    ("{before: 'game: stone[cel] = player', rules: 'stoen[cell] = size(player)'}", ["H008", "R101"]),
    ("{before: 'game: stone[cel]', rules: 'cell == none'}, {after: 'game: stone[cel]', rules: 'x: stop'}", ["H008"]),
])
def test_a_wrong_step_name_hides_no_mistake_in_its_lines(tmp_path, steps, codes):
    assert codes_of(tmp_path, f"steps: [{steps}]") == codes


def kiosk_findings(folder: Path, text: str) -> set[tuple[str, int]]:
    """Returns the codes and lines of the errors, and of the warnings about the pack."""
    found = DiagnosticList()
    check_game(GameLocation("kiosk", folder, "kiosk"), [make_pack(text)], found)
    return {(one.code, one.place.line if one.place.path == "one.yaml" else 0) for one in found.items
            if one.severity == "error" or one.place.path == "one.yaml"}


@pytest.mark.parametrize(("text", "wanted"), [
    pytest.param("add: {Cake.tart: {price: lots, prcie: 5, sweet: so, text: 'For {prise}.'}}\n"
                 "rules: 'proc effect[tart](player): sold += 1'", {("G014", 3), ("W108", 3), ("G010", 3), ("T012", 3)}, id="one entry"),
    pytest.param("add: {tables: {more: {values: [x], form: 0}}}", {("Y010", 3), ("G011", 3)}, id="one table"),
    pytest.param("add: {Cake.tart: {price: lots, text: 'For {prise}.'}}", {("G014", 3), ("R114", 0), ("T012", 3)}, id="no case"),
    pytest.param("set: {purse: {by: playerss, 2: 4}}", {("G027", 3)}, id="cases of nothing"),
    pytest.param("add: {options: {late: {values: [false, true], default: soon}}}\nsteps: [{after: 'buy: begin', rules: 'if late: stop'}]",
                 {("G002", 3)}, id="an option without its default"),
    pytest.param("remove: [def open]\nsteps: [{drop: KI-BUY-05}]", {("H024", 4), ("H018", 0)}, id="a step of a removed rule"),
    pytest.param("set: {prse: 3}\nadd: {Coupon.large: {n: 2}}", {("H002", 3), ("G009", 4)}, id="a missing attribute"),
    pytest.param("set: {prse: 3}\nremove: [Cake.bun, Cake.piee]", {("H002", 3), ("H009", 4), ("H018", 0)}, id="removed and in use"),
    pytest.param("steps:\n- {drop: 'open: cake != bunn'}\nremove: [Cake.bun]", {("H008", 4)}, id="dropped in vain"),
    pytest.param("steps:\n- after: 'buy: effect[cake](player)'\n  rules: |\n    coins[playr] += 1\n    if sold > 3 then:\n      solld = 1\n"
                 "    for c in Caek: sold += 1\n    sold =+ 1", {("R101", 6), ("R013", 7), ("R101", 8), ("R102", 9), ("R013", 10)},
                 id="lines of a step"),
    pytest.param("replace: |\n  def open(cake, player) where:\n    coins[plyer] > 0\n    cake <> bun\n    let x = 1\n    slod >= 0",
                 {("R101", 5), ("R013", 6), ("R008", 7), ("R101", 8)}, id="conditions"),
    pytest.param("replace: |\n  proc close():\n    let n = sold +\n    sold = n", {("R007", 5)}, id="name of a damaged line"),
    pytest.param("replace: |\n  proc close(): solld = 0 @99", {("R101", 4), ("R104", 4)}, id="name and clause"),
])
def test_a_mistake_hides_no_other_one_next_to_it(kiosk, text, wanted):
    assert kiosk_findings(kiosk, text) == wanted


def test_an_unknown_name_hides_no_unknown_clause(tmp_path):
    assert codes_of(tmp_path, "steps: [{after: 'game: stone[cell] = player', rules: 'stone[cel] = player @HEX-NO-01'}]") == ["C001", "R101"]


def test_too_few_players_are_no_news_if_a_player_is_wrong(kiosk):
    data = kiosk / "game.yaml"
    data.write_text(data.read_text().replace("  Weather:", "  Player: {members: {a: {}, b: {}, c: {}}}\n  Weather:"))
    assert kiosk_findings(kiosk, "set: {players: 2..4}\nadd: {Player.d: {age: old}}") == {("G010", 4)}


@pytest.mark.parametrize(("name", "words"), [("Card.fertile.text", ["Card", "fertile", "text"]), ("event.placed", ["placed"])])
def test_only_the_head_of_a_text_key_names_nothing(name, words):
    assert list(iter_named_words(Diagnostic("H013", SourceSpan("a.yaml"), {"name": name, "meant": "other"}))) == words


@pytest.mark.parametrize(("text", "wanted"), [
    pytest.param("remove: [Cake.bun, def open, proc effect[bun], Cake.piee]", {("Y003", 3), ("H009", 3), ("H018", 0)}, id="brackets"),
    pytest.param("add: {Cake.tart: {price: lots}}\nset: {prse: 3}", {("G014", 3), ("R114", 0), ("H002", 4)}, id="a copied case"),
])
def test_a_mistake_in_the_form_of_a_pack_hides_no_other_one(kiosk, text, wanted):
    assert kiosk_findings(kiosk, text) >= wanted


def test_a_finding_in_a_corrected_line_has_its_own_column(kiosk):
    rules = "      for a in Cake if solld == 3: sold += 1"
    findings = DiagnosticList()
    check_game(GameLocation("kiosk", kiosk, "kiosk"), [make_pack(f"rules: |\n  proc more():\n{rules}")], findings)
    assert {(one.code, one.place.column) for one in findings.errors} == {("R013", 7), ("R101", rules.index("solld") + 1)}


def test_a_pack_for_a_misspelt_game_is_checked_all_the_same(tmp_path):
    pack = tmp_path / "many.yaml"
    pack.write_text("house: many\nfor: hexx\nset: {sidee: 3}\n", encoding="utf-8")
    found = DiagnosticList()
    check_game(find_game_location("hex"), [pack], found)
    assert [one.code for one in found.errors] == ["H001", "H002"]
