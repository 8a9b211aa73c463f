"""Checks sets that players choose member by member: every order of answers reaches every set, and no order leads to a dead end."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb, factorial

import pytest
from language.set_choices import CHOICES, HOWS, toy
from ludoglot.engine.position.position import Position
from ludoglot.engine.testing.perft import count_perft
from shared_games import shared


def spellings(position: Position) -> list[str]:
    assert position.decision is not None
    return [option.spelling for option in position.decision.options]


def after(position: Position, *answers: str) -> Position:
    """Returns the position after these answers."""
    position = position.copy()
    for answer in answers:
        assert position.decision is not None
        position.play(position.decision.seat, answer)
    return position


def allowed(how: str, size: int) -> tuple[int, int]:
    """Returns the smallest and largest number of members that may be chosen from a set of this size."""
    if how == "some":
        return 0, size
    most = min(int(how.split()[-1]), size)
    return (most if how.startswith("exactly") else 0), most


def reached(position: Position, key: str) -> dict[frozenset[str], list[Position]]:
    """Returns the final positions of all orders of answers, by the members taken. No member is offered twice, and no order is a dead
    end."""
    found: dict[frozenset[str], list[Position]] = {}
    amid: dict[frozenset[str], set[Position]] = {}
    waiting: list[tuple[frozenset[str], Position]] = [(frozenset(), position)]
    while waiting:
        taken, here = waiting.pop()
        if here.decision is None or here.decision.key != key:
            found.setdefault(taken, []).append(here)
            continue
        assert here.decision.kind.chosen_set is not None and spellings(here) and taken.isdisjoint(spellings(here))
        known = amid.setdefault(taken, set())
        known.add(here)
        assert len(known) == 1, "the same members in two orders are one position"
        waiting += [(taken | {one} - {"decline"}, after(here, one)) for one in spellings(here)]
    return found


FEW = [("a type", "up to 2"), ("a list with doubles", "exactly 2"), ("a bag with doubles", "some")]


@pytest.mark.parametrize("choice, how", [pytest.param(choice, how, marks=[] if (choice, how) in FEW else pytest.mark.long)
                                         for choice in CHOICES for how in HOWS])
def test_every_order_reaches_every_set(choice, how):
    position, state, size = toy(choice, how)
    fewest, most = allowed(how, size)
    found = reached(position, "game.x")
    assert len(found) == sum(comb(size, n) for n in range(fewest, most + 1))
    for taken, ends in found.items():
        assert fewest <= len(taken) <= most
        assert len(set(ends)) == 1 and len({end.digest() for end in ends}) == 1, "the same set is the same position"
        assert {f"x={one}" for one in ends[0][state]} == taken
        if taken and fewest < size:                                # a set that must be taken whole is not asked for
            assert len(ends) >= factorial(len(taken))


def test_any_order_is_answered():
    position, _, _ = toy("a type", "some")
    for n in range(4):
        for members in combinations(["x=apple", "x=pear", "x=plum"], n):
            for order in permutations(members):
                end = after(position, *order, *(["decline"] if n < 3 else []))
                assert end["after"] == 1 and {f"x={one}" for one in end["kept"]} == set(members)


def test_what_must_be_taken_whole_is_forced():
    position, _, _ = toy("a type", "exactly 3")
    for answer in ("x=apple", "x=pear", "x=plum"):
        assert spellings(position) == [answer]
        position = after(position, answer)
    assert position["after"] == 1


def test_the_last_member_of_an_exact_number_is_open():
    position, _, _ = toy("a type", "exactly 2")
    assert spellings(after(position, "x=plum")) == ["x=apple", "x=pear"]


def test_positions_are_counted_once_for_all_orders():
    position, _, _ = toy("a hand", "exactly 2")
    first, second = count_perft(position, 2, positions=True)
    assert (first.lines, first.positions, second.lines, second.positions) == (4, 4, 12, 6)


def test_a_position_amid_a_set_comes_back_from_data():
    position, _, _ = toy("a list with doubles", "some")
    amid = after(position, "x=pear")
    assert Position.from_data(position.game, amid.to_data()) == amid and spellings(amid) == ["x=plum", "x=apple", "decline"]


def sets_reached(position: Position, key: str, members: list[str], most: int) -> set[frozenset[str]]:
    """Returns the sets in which the first choice with this key can end, over all orders."""
    found = set()
    for n in range(most + 1):
        for order in permutations(members, n):
            here = position.copy()
            for one in order:
                assert here.decision is not None and here.decision.key == key and one in spellings(here)
                here.play(here.decision.seat, one)
            assert n == most or "decline" in spellings(here)
            found.add(frozenset(order))
    return found


def test_dice_are_picked_up_in_every_order_in_yacht():
    dice = [f"again=die_{n}" for n in range(1, 6)]
    assert len(sets_reached(shared("yacht").start(5), "throw.again", dice, 5)) == 2 ** 5


@pytest.mark.long
def test_elements_are_saved_in_every_order_in_dominant_species():
    kinds = ["grub", "seed", "sun", "meat"]
    position = shared("dominant-species", 6).new_position(1)
    position.run_to_decision()
    some = dict.fromkeys(kinds, 1)
    position.set_states(["pawns", "pawn", "tray", "bag", "added"], {
        "tray": {"regression": some}, "added": {"bird": some}, "pawn": {"regression_1": "bird", "regression_2": "bird"}})
    position.game.run_procedure(position, "section[regression]", [])
    assert len(sets_reached(position, "section[regression].kept", [f"kept={kind}" for kind in kinds], 2)) == 1 + 4 + 6
