"""Checks comparisons, sums and moves of whole bags: prices, and paying them."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.engine.position.position import Game, RuleError

from .toys import make

DATA = """
game: toy
name: Toy
players: 2
rules: [toy.rules]
enums:
  Player: {members: {anna: {}, bela: {}}}
  Good: [ore, wool, wood]
  Building:
    attributes: {cost: bag of Good}
    members: {hut: {cost: {wood: 2}}, mill: {cost: {ore: 1, wood: 1}}, farm: {cost: {wool: 3, wood: 1}}, tent: {cost: {}}}
start:
  hand: {anna: {ore: 1, wool: 2, wood: 2}, bela: {wool: 3, wood: 1}}
"""
STATES = """
state hand[Player]: bag of Good
state bank: bag of Good
state row: list of Good
state kinds: set of Good
state yes: bool
standing player: size(hand[player])
phase game:
    build()
    choose n in 1..2 by anna
proc build():
"""


def run(*lines: str) -> dict:
    """Returns the states after these statements."""
    position = play(*lines)
    return {name: position[name] for name in ("hand", "bank", "row", "yes")}


def play(*lines: str):
    game: Game = make(DATA, STATES + "".join(f"    {line}\n" for line in lines))
    position = game.new_position(1)
    position.run_to_decision()
    return position


def refuse(line: str) -> list[tuple[str, str | None]]:
    """Returns the codes of the errors that the checker reports, with their suggestions."""
    with pytest.raises(RulesRejectedError) as refused:
        make(DATA, STATES + f"    {line}\n")
    return [(found.code, found.args.get("meant")) for found in refused.value.findings.errors]


@pytest.mark.parametrize(("condition", "holds"), [
    ("hut.cost <= hand[anna]", True), ("hut.cost <= hand[bela]", False),            # two wood, one wood: not only the kind
    ("farm.cost <= hand[bela]", True), ("farm.cost <= hand[anna]", False),          # every kind must be there
    ("mill.cost <= hand[bela]", False),                                             # no ore at all
    ("tent.cost <= hand[anna]", True), ("tent.cost <= bank", True), ("hut.cost <= bank", False),
    ("hand[anna] >= hut.cost", True), ("hut.cost >= hand[anna]", False), ("hut.cost >= hut.cost", True),
    ("hand[anna] <= hand[bela]", False), ("hand[bela] <= hand[anna]", False),       # bags may contain each other neither way
    ("bank <= {}", True), ("hand[anna] <= {}", False), ("hand[anna] >= {}", True),
])
def test_bags_are_compared_kind_by_kind(condition, holds):
    assert run(f"yes = {condition}")["yes"] is holds


def test_a_bag_of_things_moves():
    after = run("move farm.cost from hand[bela] to bank", "move hut.cost from hand[anna] to row")
    assert after["hand"] == {"anna": {"ore": 1, "wool": 2}, "bela": {}}
    assert after["bank"] == {"wool": 3, "wood": 1} and after["row"] == ["wood", "wood"]


def test_a_bag_can_be_moved_out_of_itself():
    assert run("move hand[anna] from hand[anna] to bank") == {
        "hand": {"anna": {}, "bela": {"wool": 3, "wood": 1}}, "bank": {"ore": 1, "wool": 2, "wood": 2}, "row": [], "yes": False}


def test_bags_are_added_and_subtracted():
    after = run("bank += hand[bela]", "bank += bank", "hand[anna] -= hut.cost", "hand[bela] += mill.cost", "hand[bela] -= {}")
    assert after["bank"] == {"wool": 6, "wood": 2}
    assert after["hand"] == {"anna": {"ore": 1, "wool": 2}, "bela": {"ore": 1, "wool": 3, "wood": 2}}


@pytest.mark.parametrize(("line", "code"), [
    ("move hut.cost from hand[bela] to bank", "F004"),                # one wood is there, the other is not
    ("hand[bela] -= hut.cost", "F003"),
])
def test_missing_things_are_a_fault(line, code):
    with pytest.raises(RuleError) as fault:
        play(line)
    assert fault.value.diagnostic.code == code


@pytest.mark.parametrize(("line", "codes"), [
    ("choose up to 2 good in hand[anna] by anna", ["W110"]), ("choose some good in bank by anna", ["W110"]),
    ("choose up to 2 good in set(kind in hand[anna]) by anna", []), ("choose good in hand[anna] by anna or stop", []),
    ("choose up to 2 times good in hand[anna] by anna: move good from hand[anna] to bank", []),
])
def test_a_set_chosen_from_a_bag_is_pointed_out(line, codes):
    found = [warning.code for warning in play(line).game.ruleset.warnings]
    assert [code for code in found if code == "W110"] == codes


@pytest.mark.parametrize(("line", "findings"), [
    ("yes = hut.cost < hand[anna]", [("R211", "hut.cost <= hand[anna]")]),            # "less" of bags could mean two things
    ("yes = hand[anna] > hut.cost", [("R211", "hand[anna] >= hut.cost")]),
    ("yes = hand[anna] >= 3", [("R201", None)]), ("yes = hut.cost <= kinds", [("R201", None)]),
    ("yes = 3 <= hand[anna]", [("R201", None)]), ("yes = hut.cost <= row", [("R201", None)]),
    ("bank = hut.cost", [("R303", None)]), ("bank += {wood}", [("R201", None)]), ("bank -= wood", [("R201", None)]),
    ("move hut.cost from hand[anna] to yes", [("R304", None)]),
    ("move up to hut.cost from hand[anna] to bank", [("R306", None)]),
])
def test_values_that_do_not_fit_a_bag_are_refused(line, findings):
    assert refuse(line) == findings
