"""Checks that one run shows all mistakes of a pack, and none that are only consequences of others."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.project.check import check_game

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


def test_a_pack_that_is_missing_hides_no_mistake_but_unknown_names(tmp_path):
    shown = codes_of(tmp_path, *MISTAKES)
    assert {"H016", "T012", "W208", "W209"} <= set(shown) and not {"R101", "R102", "H008"} & set(shown), shown


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
