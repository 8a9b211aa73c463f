"""Compares Liar's Dice with pyspiel: the bids that are high enough in every round, the moments to doubt, and the player who was wrong.

In pyspiel, a game is one round of two players with equal numbers of dice, sixes are wild, and a bid is one action. Here a bid is two
decisions: the count, then the face.

The tests play whole games. If both players have equally many dice, the test repeats the round in pyspiel with the same dice. pyspiel
does not cover rounds with unequal dice, more players, or sixes that are not wild. No deviation is known.
"""

from __future__ import annotations

import random

import pyspiel
import pytest
from ludoglot.engine.position.position import Position
from shared_games import shared

FACES = ["one", "two", "three", "four", "five", "six"]
SEATS = ["player_1", "player_2"]


def read_cups(ours: Position) -> dict[str, list[int]]:
    """Returns the dice of both players."""
    owner, face = ours["owner"], ours["face"]
    return {seat: [FACES.index(face[die]) for die in owner if owner[die] == seat] for seat in SEATS}


def compare_round(ours: Position, rng: random.Random) -> int:
    """Plays a round in both engines. Returns the number of compared decisions."""
    thrown, first = read_cups(ours), ours.decision.seat
    order = [SEATS[first], SEATS[1 - first]]                        # pyspiel numbers the seats from the player who begins
    dice = len(thrown[order[0]])
    theirs = pyspiel.load_game("liars_dice", {"numdice": dice}).new_initial_state()
    for seat in order:
        for face in thrown[seat]:
            theirs.apply_action(face)
    count, doubt = 0, 12 * dice
    while not theirs.is_terminal():
        asked, legal, count = ours.decision, theirs.legal_actions(), count + 1
        assert order[theirs.current_player()] == SEATS[asked.seat]
        bids = [(action // 6 + 1, action % 6) for action in legal if action != doubt]
        counts = sorted({n for n, _ in bids})
        assert [option.spelling for option in asked.options] == [f"bid n={n}" for n in counts] + ["doubt"] * (doubt in legal)
        action = doubt if doubt in legal and (not bids or rng.random() < 0.3) else rng.choice([a for a in legal[:8] if a != doubt])
        if action == doubt:
            ours.play(asked.seat, "doubt")
        else:
            n, face = action // 6 + 1, action % 6
            ours.play(asked.seat, f"bid n={n}")
            assert [option.spelling for option in ours.decision.options] == [f"face={FACES[k]}" for m, k in bids if m == n]
            ours.play(asked.seat, f"face={FACES[face]}")
        theirs.apply_action(action)
    left = {seat: list(ours["owner"].values()).count(seat) for seat in SEATS}
    assert {seat: dice - left[seat] for seat in SEATS} == {seat: int(theirs.returns()[order.index(seat)] < 0) for seat in SEATS}
    return count


def compare_random_game(seed: int, cup: str) -> tuple[int, int]:
    """Plays a whole game. Returns the number of compared rounds and decisions."""
    ours, rng = shared("liars-dice", 2, {"cup": cup}).start(seed), random.Random(seed)
    rounds = count = 0
    while not ours.over:
        if len({len(dice) for dice in read_cups(ours).values()}) == 1:
            rounds, count = rounds + 1, count + compare_round(ours, rng)
        else:
            before = ours["played_rounds"]
            while not ours.over and ours["played_rounds"] == before:
                ours.play(ours.decision.seat, rng.choice(ours.decision.options))
    left = {seat: list(ours["owner"].values()).count(seat) for seat in SEATS}
    assert [left[SEATS[rank.seat]] > 0 for rank in ours.standing()] == [True, False]
    return rounds, count


@pytest.mark.parametrize("seed, cup", [(1, "five_dice"), (2, "one_die")])
def test_both_engines_play_the_same_rounds(seed, cup):
    rounds, count = compare_random_game(seed, cup)
    assert rounds and count > rounds


@pytest.mark.long
def test_both_engines_play_the_same_games():
    found = [compare_random_game(seed, "five_dice") for seed in range(20)]
    assert sum(rounds for rounds, _ in found) > 30 and sum(count for _, count in found) > 150


def test_sixes_count_as_twos_in_both_engines():
    ours, theirs = shared("liars-dice", 2, {"cup": "one_die"}).start(1), pyspiel.load_game("liars_dice").new_initial_state()
    for n, face in enumerate((1, 5)):
        ours.set_raw(ours.game.cells["face"], [n], face)
        theirs.apply_action(face)
    ours.invalidate_memos()
    for spelling in ("bid n=2", "face=two", "doubt"):
        ours.play(ours.decision.seat, spelling)
    for action in (7, 12):
        theirs.apply_action(action)
    assert theirs.returns() == [1, -1] and [rank.seat for rank in ours.standing()] == [0, 1] and ours.over
