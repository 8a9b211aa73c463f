"""Checks that `check` names the cause of a mistake in a text or a name of a pack, with the way out."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.packs import PackBundle
from ludoglot.engine.library.find import GameLocation
from ludoglot.engine.project.check import check_game

from .conftest import RULES, make_pack


def find_hints(folder, text: str, *codes: str) -> list[tuple[str, int, str]]:
    """Returns the findings about a pack with these codes: code, line, and the name that the hint gives."""
    findings = DiagnosticList()
    check_game(GameLocation("kiosk", folder, "kiosk"), [make_pack(text)], findings)
    found = [one for one in findings.without_duplicates().in_source_order() if one.code in codes]
    return [(one.code, one.place.line, one.args.get("meant") or one.hint or "") for one in found]


def add_rules(folder, text: str) -> None:
    rules = folder / "kiosk.rules"
    rules.write_text(f"{rules.read_text()}\n{text}\n")


def test_a_misspelt_attribute_is_reported_although_the_rules_use_it(kiosk):
    rules = "rules: 'proc effect[tart](player): coins[player] += tart.prcie'"
    assert find_hints(kiosk, f"add: {{Cake.tart: {{prcie: 4}}}}\n{rules}", "W108") == [("W108", 3, "price")]


def test_a_misspelt_number_of_other_members_is_suggested(kiosk):
    data = kiosk / "game.yaml"
    data.write_text(data.read_text().replace("name: pie, price: 3,", "name: pie, price: 3, crumbs: 2,"))
    add_rules(kiosk, "def more(player) = coins[player] + pie.crumbs")
    rules = "rules: 'proc effect[tart](player): sold += tart.{0}'\nadd: {{Cake.tart: {{{0}: 4}}}}"
    assert find_hints(kiosk, rules.format("crubms"), "W107", "W108") == [("W108", 4, "crumbs")]
    assert find_hints(kiosk, rules.format("weight"), "W107", "W108") == []


@pytest.mark.parametrize("text", [
    "words: {de: {state.sold: Verkauft}}", "words: {state.sold: {en: Sold, de: Verkauft}}", "set: {text: {de: Ein Kiosk}}\nfits: text",
    "nouns: {de: {n.coin: {sg: Taler}}}", "clauses: {KI-BUY-01: {fr: Vendu}}",
])
def test_a_foreign_language_is_named_with_the_known_ones(kiosk, text):
    assert find_hints(kiosk, text, "Y010", "H012", "W405") == [("Y010", 3, "known_keys")]


@pytest.mark.parametrize(("key", "count"), [
    ("event.sold.none", 1), ("event.sold.decline", 1), ("ask.buy.cake.none", 1), ("option.buy.cake.none", 1), ("did.buy.cake.decline", 1),
    ("decline.buy.cake", 1), ("decline.buy.extra", 0), ("did.buy.extra.decline", 0), ("event.counted.none", 0),
])
def test_a_text_for_none_or_for_declining_must_be_possible(kiosk, key, count):
    rules = kiosk / "kiosk.rules"
    rules.write_text(rules.read_text().replace("choose as extra", "tell sold(player)\n    tell counted(n=sold)\n    may choose as extra"))
    assert len(find_hints(kiosk, f"words: {{{key}: 'Nothing.'}}", "W209", "W405")) == count


def test_a_text_in_braces_without_quotation_marks_hides_nothing(kiosk):
    words = "words:\n  ask.buy.cake: {en: {player} chooses, it: ecco}\n  event.a: Buy #3 now\n  event.b: {en: Buy #3, it: ecco}"
    assert find_hints(kiosk, f"{words}\nset: {{prse: 3}}", "Y003", "W501", "Y017", "H002") == [
        ("Y003", 4, "quote_braces"), ("W501", 5, ""), ("Y017", 6, "hash_cuts"), ("H002", 7, "purse")]


@pytest.mark.parametrize(("step", "meant"), [
    ("before: 'game: close()'", "rounds until sold >= 3"), ("before: 'game: begin'", "rounds until sold >= 3"),
    ("before: 'buy: effect[cake](player)'", "repeat n until sold >= 3"),
])
def test_a_while_becomes_rounds_in_a_phase_only(kiosk, step, meant):
    assert find_hints(kiosk, f"steps: [{{{step}, rules: 'while sold < 3: sold += 1'}}]", "R013") == [("R013", 3, meant)]


def test_an_unknown_position_of_a_scenario_is_reported(kiosk):
    text = "tests:\n- {name: a, position: nowhere}\n- {name: b, postion: first}\n- {name: c, expect: {slod: 1}}"
    assert find_hints(kiosk, text, "Y010", "Y016", "Y018") == [("Y016", 4, ""), ("Y010", 5, "position"), ("Y018", 6, "sold")]


def test_a_wrong_key_of_a_scenario_hides_no_other_scenario(kiosk):
    text = "positions: {first: {}}\nscenarios:\n- {name: a, position: frist}\n- {name: b, postion: first}"
    pack = PackBundle("one", {"house.yaml": "house: one\nfor: kiosk\nset: {purse: 6}\n", "tests/a.yaml": text}, single=False)
    findings = DiagnosticList()
    check_game(GameLocation("kiosk", kiosk, "kiosk"), [pack], findings)
    found = [(one.code, one.args["meant"]) for one in findings.in_source_order() if one.code[0] == "Y"]
    assert found == [("Y016", "first"), ("Y010", "position")]


@pytest.mark.parametrize(("text", "found"), [
    ("set: {week.only: {lnog: 2..3}}", [("Y013", 3, "long")]), ("set: {week.only: {long: 3..2}}", [("G016", 3, "")]),
    ("set: {week.only: {long: 3..4}}", [("G016", 3, "")]), ("set: {week.only: {long: 3}}", []), ("set: {players: 3}", []),
    ("add: {options: {late: {values: [false, true], default: false, only: {yes: 2, true: 4}}}}", [("G016", 3, ""), ("Y013", 3, "")]),
])
def test_the_players_of_a_value_of_an_option_are_checked(kiosk, text, found):
    data = kiosk / "game.yaml"
    data.write_text(f"{data.read_text()}\noptions: {{week: {{values: [short, long], default: short, only: {{long: 2}}}}}}\n")
    assert sorted(find_hints(kiosk, text, "G016", "G026", "Y013", "Y015")) == found


def test_a_removed_name_is_reported_once_with_the_number_of_other_places(kiosk):
    findings = DiagnosticList()
    check_game(GameLocation("kiosk", kiosk, "kiosk"), [make_pack("remove: [state sold, state here]\nset: {prse: 3}")], findings)
    found = [(one.args["name"], one.place.line, one.args.get("count", 0)) for one in findings.in_source_order() if one.code == "H018"]
    lines = RULES.split("\n")
    first, here = (next(n for n, line in enumerate(lines, 1) if words in line) for words in ("if sold > 3", "here = cell"))
    assert found == [("state sold", first, 7), ("state here", here, 0)]


@pytest.mark.parametrize(("text", "found"), [
    ("remove: KI-BUY-05", [("W414", 3, "restate_clause")]),
    ("remove: KI-BUY-05\nsteps: [{drop: KI-BUY-05}]", []), ("remove: KI-BUY-09", []),
])
def test_a_removed_clause_that_rules_cite_is_reported(kiosk, text, found):
    (kiosk / "clauses.yaml").write_text("KI-BUY-05: You must have a coin.\nKI-BUY-09: {excuse: component}\n")
    assert find_hints(kiosk, text, "W414", "H009") == found



def test_a_name_in_a_pack_has_no_fields(kiosk):
    assert find_hints(kiosk, "set: {Cake.pie.name: 'pie {price}'}", "T012") == [("T012", 3, "")]


def test_the_hint_is_at_a_misspelt_attribute_that_others_have(kiosk):
    data = kiosk / "game.yaml"
    data.write_text(data.read_text().replace("name: pie, price: 3,", "name: pie, price: 3, crumbs: 2,"))
    add_rules(kiosk, "def more(player) = coins[player] + pie.crumbs")
    pack = "add: {Cake.tart: {crubms: 4, text: 'Loses {crumbs}.'}}\nrules: 'proc effect[tart](player): sold += tart.crumbs'"
    assert find_hints(kiosk, pack, "W108", "R215", "T012") == [("W108", 3, "crumbs"), ("T012", 3, ""), ("R215", 4, "")]


@pytest.mark.parametrize(("text", "found"), [
    ("set:\n  purse: 3\n    prse: 3", [("Y003", 5, "align_line"), ("H002", 5, "purse")]),          # deeper than the key above
    ("set:\n    purse: 3\n  prse: 3\n  porse: 3", [("Y003", 5, "align_line"), ("H002", 5, "purse"), ("H002", 6, "purse")]),
    (" set:\n  prse: 3", [("Y003", 3, "align_line"), ("H002", 4, "purse")]),
    ("set:\n  purse: 3\n  porse:3\n  prse: 3", [("Y003", 5, "porse: 3"), ("H002", 5, "purse"), ("H002", 6, "purse")]),
    ("set:\n  purse:3", [("Y012", 4, "purse: 3")]), ("set:\nprse: 3", [("Y010", 4, "indent_below"), ("Y012", 3, "")]),
    ("rules:\n  proc more(player):\n    sold += 1", [("Y012", 4, "block_text")]),
])
def test_a_mistake_of_the_layout_names_its_place_and_hides_nothing(kiosk, text, found):
    assert sorted(find_hints(kiosk, text, "Y003", "Y010", "Y012", "H002")) == sorted(found)


@pytest.mark.parametrize(("text", "found"), [
    ("take a {cake}, pay, and go", [("Y003", 3, "quote_braces")]), ("take one, pay {price}~n.vp, and go", [("Y003", 3, "quote_braces")]),
    ("take one, pay, and go", [("Y022", 3, "comma_cuts")]),
    ("take one, and go, Cake.bun.text: take two, and stay", [("Y022", 3, "comma_cuts"), ("Y022", 3, "comma_cuts")]),
])
def test_a_text_that_commas_cut_is_reported_once(kiosk, text, found):
    assert find_hints(kiosk, f"set: {{Cake.pie.text: {text}}}", "Y003", "Y022", "Y010", "H002") == found


@pytest.mark.parametrize(("text", "code"), [
    ("set: {purse: 99999999999999999999999}", "G014"), ("set: {street.rows: -99999999999999999999}", "Y012"),
])
def test_a_number_with_too_many_digits_is_called_too_large(kiosk, text, code):
    assert find_hints(kiosk, text, "G014", "Y012") == [(code, 3, "number_too_long")]


@pytest.mark.parametrize(("rules", "code", "hint"), [
    ("proc more(player):\n    sold >= 3", "R008", "value_alone"), ("proc more(player):\n    not sold", "R008", "value_alone"),
    ("proc more(player):\n    sold + 3", "R008", "value_alone"), ("proc more(player):\n    coins(player) = 3", "R220", "coins[player]"),
    ("def more(player) = coins(player)", "R220", "coins[player]"), ("Proc more(player):\n    sold += 1", "R006", "proc"),
    ("proc more(player):\n    Repeat 3: sold += 1", "R006", "repeat"),
    ("proc more(player):\n    xyzzy = 3\n    sold += xyzzy", "R101", "let_first"),
])
def test_a_habit_of_another_language_gets_its_equivalent(kiosk, rules, code, hint):
    text = "rules: |\n" + "".join(f"  {line}\n" for line in rules.split("\n"))
    assert [one[::2] for one in find_hints(kiosk, text, "R006", "R008", "R101", "R220")] == [(code, hint)]


def test_a_rule_of_the_game_that_a_pack_makes_pointless_names_the_change(kiosk):
    add_rules(kiosk, "def far() = any(line in lines(purse) where size(line) > 1)")
    findings = DiagnosticList()
    check_game(GameLocation("kiosk", kiosk, "kiosk"), [make_pack("set: {purse: 40}")], findings)
    assert [[place.line for place in one.also] for one in findings.items if one.code == "W105"] == [[3]]
