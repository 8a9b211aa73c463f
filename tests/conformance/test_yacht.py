"""Compares Yacht with pyspiel: the moves at every decision, the points of each box, and the winner.

In pyspiel, the dice to roll again are one action: a number with a bit for each die, and 0 keeps all dice. Here you name the dice one by
one. The test repeats Ludoglot's rolls in pyspiel.

Five of a kind count as a full house in both (YAC-BOX-04). No deviation is known.
"""

from __future__ import annotations

import random

import pyspiel
import pytest
from shared_games import shared

DICE = range(5)
FIRST_BOX_ACTION = 32                                               # the action of the first box, after the 32 choices of dice


def compare_random_game(seed: int, players: int) -> int:
    """Plays one random game. Returns the number of compared decisions."""
    ours, theirs = shared("yacht", players).start(seed), pyspiel.load_game("yacht", {"players": players}).new_initial_state()
    rng, count = random.Random(seed), 0
    boxes = ours.game.model.enums["Box"].members

    def repeat_roll(again: int) -> None:
        """Repeats a roll in pyspiel: one number encodes the faces of the rolled dice, the first die as the lowest digit."""
        faces = [ours["face"][f"die_{n + 1}"] - 1 for n in DICE if again >> n & 1]
        theirs.apply_action(sum(face * 6**n for n, face in enumerate(faces)))

    repeat_roll(31)
    while (asked := ours.decision) is not None:
        legal, seat, count = theirs.legal_actions(), asked.seat, count + 1
        assert theirs.current_player() == seat
        action = rng.choice(legal)
        if asked.key == "throw.again":
            assert legal == list(range(FIRST_BOX_ACTION))
            left, again = list(DICE), [n for n in DICE if action >> n & 1]
            rng.shuffle(again)                                      # the rules do not fix the order of the dice
            for die in [*again, None]:
                if left:                                            # after the last die, there is no die left to name
                    assert [option.spelling for option in ours.decision.options] == [*(f"again=die_{n + 1}" for n in left), "decline"]
                    ours.play(seat, "decline" if die is None else f"again=die_{die + 1}")
                left = [n for n in left if n != die]
            theirs.apply_action(action)
            if action:
                repeat_roll(action)
        else:
            assert [option.spelling for option in asked.options] == [f"box={boxes[action - FIRST_BOX_ACTION]}" for action in legal]
            ours.play(seat, f"box={boxes[action - FIRST_BOX_ACTION]}")
            theirs.apply_action(action)
            written = [n for n in ours["sheet"][f"player_{seat + 1}"].values() if n is not None]
            assert f"Player {seat} (total: {sum(written)})" in str(theirs)
            if not theirs.is_terminal():
                repeat_roll(31)
    assert theirs.is_terminal()
    best = {rank.seat for rank in ours.standing() if rank.rank == 1}
    assert {seat for seat, value in enumerate(theirs.returns()) if value > 0} == (best if len(best) < players else set())
    return count


@pytest.mark.parametrize("seed, players", [(1, 2), (2, 3), *(pytest.param(n, 2 + n % 5, marks=pytest.mark.long) for n in range(3, 23))])
def test_both_engines_play_the_same_game(seed, players):
    assert compare_random_game(seed, players) >= 24 * players


@pytest.mark.parametrize("faces, box, points", [
    ((2, 2, 2, 2, 5), "four_of_a_kind", 13), ((2, 2, 2, 4, 4), "full_house", 14), ((1, 1, 1, 1, 1), "full_house", 5),
    ((5, 4, 3, 2, 1), "small_straight", 30), ((2, 3, 4, 5, 6), "large_straight", 30), ((6, 6, 6, 6, 6), "yacht", 50),
    ((1, 2, 3, 4, 6), "small_straight", 0), ((3, 3, 3, 1, 2), "full_house", 0), ((6, 6, 5, 2, 1), "choice", 20)])
def test_box_points_match_another_engine(faces, box, points):
    ours, theirs = shared("yacht", 2).start(1), pyspiel.load_game("yacht").new_initial_state()
    for n, face in enumerate(faces):
        ours.set_raw(ours.game.cells["face"], [n], face)
    ours.invalidate_memos()
    ours.play(0, "decline")
    ours.play(0, f"box={box}")
    theirs.apply_action(sum((face - 1) * 6**n for n, face in enumerate(faces)))
    theirs.apply_action(0)
    theirs.apply_action(FIRST_BOX_ACTION + ours.game.model.enums["Box"].members.index(box))
    assert ours["sheet"]["player_1"][box] == points and f"Player 0 (total: {points})" in str(theirs)
