"""Checks that `check` reports a pack if its change to an amount leaves the range of a state without proof."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.project.check import check_game

from .conftest import DATA, RULES, make_pack


def find_unproved_assignments(folder, text: str) -> list[tuple[str, str, str, int, list[str]]]:
    """Returns the unproved assignments: state, new amount, old amount, line, and the lines of the packs."""
    findings = DiagnosticList()
    check_game(find_game_location(str(folder)), [make_pack(text)], findings)
    assert not findings.errors
    return [(one.args["name"], str(one.args["now"]), str(one.args["before"]), one.place.line, [f"{at.path}:{at.line}" for at in one.also])
            for one in findings.items if one.code == "W410"]


BONUS_LINE = RULES.split("\n").index("        coins[player] += 1") + 1
PIE_LINE = RULES.split("\n").index("    coins[player] += pie.price") + 1


@pytest.mark.parametrize(("text", "found"), [
    ("set: {Cake.pie.price: 40}", [("coins", "40", "3", PIE_LINE, ["one.yaml:3"])]),
    ("set: {Cake.pie.price: 2}", []),
    ("set: {Cake.pie.price: 4}\nreplace: |\n  state coins[Player]: 0..200 = purse", []),                     # the range grows by as much
    ("set: {Cake.pie.price: 40}\nreplace: |\n  state coins[Player]: 0..200 = purse", [("coins", "40", "3", PIE_LINE, ["one.yaml:3"])]),
    ("replace: |\n  state coins[Player]: 0..20 = purse", [
        ("coins", "1", "1", BONUS_LINE, []), ("coins", "1", "1", PIE_LINE - 2, []), ("coins", "3", "3", PIE_LINE, [])]),
    ("set: {Cake.pie.price: 40}\nreplace: |\n  state coins[Player]: 0.. = purse", []),  # no upper bound, so nothing to prove
    ("set: {Cake.pie.price: 40}\nreplace: |\n  state coins[Player]: 0..99 saturating = purse", []),
    ("steps: [{after: 'effect[bun]: coins[player]', rules: 'coins[player] += 3'}]", []),                   # the same amount as for the pie
    ("steps: [{after: 'effect[bun]: coins[player]', rules: 'repeat days: coins[player] += 3'}]", [("coins", "6", "1..3", 3, [])]),
    ("steps: [{after: 'effect[bun]: coins[player]', rules: 'coins[player] = 3'}]", []),                    # always fits
], ids=range(10))
def test_unproved_amounts_are_reported(kiosk, text, found):
    assert find_unproved_assignments(kiosk, text) == found


def test_an_amount_without_a_limit_is_described_in_words(kiosk):
    (kiosk / "kiosk.rules").write_text(RULES.replace("state sold: 0..99", "state sold: 0..99\nstate debt: int"), encoding="utf-8")
    for amount, said in (("debt", "by any amount, and"), ("max(0, debt)", "by 0 or more, and"), ("min(2, debt)", "by 2 or less, and")):
        pack = f"steps: [{{after: 'effect[bun]: coins[player]', rules: 'coins[player] += {amount}'}}]"
        findings = DiagnosticList()
        check_game(find_game_location(str(kiosk)), [make_pack(pack)], findings)
        assert [said in one.message() and "range (0..99)." in one.message() for one in findings.items if one.code == "W410"] == [True]


def test_repetition_multiplies_the_amount(kiosk):
    (kiosk / "kiosk.rules").write_text(RULES.replace("        sold += 1", "        repeat bonus[2]: sold += 1"), encoding="utf-8")
    assert "repeat bonus" in (kiosk / "kiosk.rules").read_text(encoding="utf-8") and "bonus" in DATA
    (doubt,) = find_unproved_assignments(kiosk, "set: {bonus.values: [0, 1, 30]}")
    assert (doubt[0], doubt[1], doubt[2], doubt[4]) == ("sold", "0..30", "0..3", ["one.yaml:3"])
