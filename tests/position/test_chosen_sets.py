"""Checks sets that players choose member by member: every order of answers reaches every set, and no order leads to a dead end."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb, factorial

import pytest
from language.set_choices import CARDINALITIES, CHOICES, make_choice_game
from ludoglot.engine.position.position import Position
from ludoglot.engine.testing.perft import count_perft
from shared_games import shared


def list_spellings(position: Position) -> list[str]:
    assert position.decision is not None
    return [option.spelling for option in position.decision.options]


def play_answers(position: Position, *answers: str) -> Position:
    """Returns the position after these answers."""
    position = position.copy()
    for answer in answers:
        assert position.decision is not None
        position.play(position.decision.seat, answer)
    return position


def allowed_sizes(how: str, size: int) -> tuple[int, int]:
    """Returns the smallest and largest number of members that may be chosen from a set of this size."""
    if how == "some":
        return 0, size
    most = min(int(how.split()[-1]), size)
    return (most if how.startswith("exactly") else 0), most


def find_reached_sets(position: Position, key: str) -> dict[frozenset[str], list[Position]]:
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
        assert here.decision.kind.chosen_set is not None and list_spellings(here) and taken.isdisjoint(list_spellings(here))
        known = amid.setdefault(taken, set())
        known.add(here)
        assert len(known) == 1, "the order of the members must not change the position"
        waiting += [(taken | {one} - {"decline"}, play_answers(here, one)) for one in list_spellings(here)]
    return found


QUICK_CASES = [("a type", "up to 2"), ("a list with doubles", "exactly 2"), ("a bag with doubles", "some")]


@pytest.mark.parametrize("choice, how", [pytest.param(choice, how, marks=[] if (choice, how) in QUICK_CASES else pytest.mark.long)
                                         for choice in CHOICES for how in CARDINALITIES])
def test_every_order_reaches_every_set(choice, how):
    position, state, size = make_choice_game(choice, how)
    fewest, most = allowed_sizes(how, size)
    found = find_reached_sets(position, "game.x")
    assert len(found) == sum(comb(size, n) for n in range(fewest, most + 1))
    for taken, ends in found.items():
        assert fewest <= len(taken) <= most
        assert len(set(ends)) == 1 and len({end.digest() for end in ends}) == 1, "equal sets must give equal positions"
        assert {f"x={one}" for one in ends[0][state]} == taken
        if taken and fewest < size:                                # a set that must be taken whole is not asked for
            assert len(ends) >= factorial(len(taken))


def test_members_can_be_answered_in_any_order():
    position, _, _ = make_choice_game("a type", "some")
    for n in range(4):
        for members in combinations(["x=apple", "x=pear", "x=plum"], n):
            for order in permutations(members):
                end = play_answers(position, *order, *(["decline"] if n < 3 else []))
                assert end["after"] == 1 and {f"x={one}" for one in end["kept"]} == set(members)


def test_a_choice_of_all_members_is_forced():
    position, _, _ = make_choice_game("a type", "exactly 3")
    for answer in ("x=apple", "x=pear", "x=plum"):
        assert list_spellings(position) == [answer]
        position = play_answers(position, answer)
    assert position["after"] == 1


def test_the_last_member_of_an_exact_choice_is_free():
    position, _, _ = make_choice_game("a type", "exactly 2")
    assert list_spellings(play_answers(position, "x=plum")) == ["x=apple", "x=pear"]


def test_positions_are_counted_once_for_all_orders():
    position, _, _ = make_choice_game("a hand", "exactly 2")
    first, second = count_perft(position, 2, positions=True)
    assert (first.lines, first.positions, second.lines, second.positions) == (4, 4, 12, 6)


def test_a_position_within_a_set_is_restored_from_data():
    position, _, _ = make_choice_game("a list with doubles", "some")
    amid = play_answers(position, "x=pear")
    assert Position.from_data(position.game, amid.to_data()) == amid and list_spellings(amid) == ["x=plum", "x=apple", "decline"]


def play_all_orders(position: Position, key: str, members: list[str], most: int) -> set[frozenset[str]]:
    """Returns the sets in which the first choice with this key can end, over all orders."""
    found = set()
    for n in range(most + 1):
        for order in permutations(members, n):
            here = position.copy()
            for one in order:
                assert here.decision is not None and here.decision.key == key and one in list_spellings(here)
                here.play(here.decision.seat, one)
            assert n == most or "decline" in list_spellings(here)
            found.add(frozenset(order))
    return found


def test_yacht_dice_can_be_picked_up_in_every_order():
    dice = [f"again=die_{n}" for n in range(1, 6)]
    assert len(play_all_orders(shared("yacht").start(5), "throw.again", dice, 5)) == 2 ** 5


@pytest.mark.long
def test_dominant_species_elements_can_be_saved_in_every_order():
    kinds = ["grub", "seed", "sun", "meat"]
    position = shared("dominant-species", 6).new_position(1)
    position.run_to_decision()
    some = dict.fromkeys(kinds, 1)
    position.set_states(["pawns", "pawn", "tray", "bag", "added"], {
        "tray": {"regression": some}, "added": {"bird": some}, "pawn": {"regression_1": "bird", "regression_2": "bird"}})
    position.game.run_procedure(position, "section[regression]", [])
    assert len(play_all_orders(position, "section[regression].kept", [f"kept={kind}" for kind in kinds], 2)) == 1 + 4 + 6
