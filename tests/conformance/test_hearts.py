"""Compares Hearts with pyspiel: the cards that you may pass or play at every decision, and the points of every deal.

In pyspiel, a game is one deal, and chance picks the direction of the pass. Here a game goes to a hundred points, so the directions
follow in turn. The test repeats each deal in pyspiel with the same cards.

pyspiel returns 26 minus the points. Whether the queen of spades breaks hearts is an option in both (HEA-LEAD-05). No deviation is known.
"""

from __future__ import annotations

import random

import pyspiel
import pytest
from ludoglot.engine.position.position import Position
from shared_games import shared

SEATS = [f"player_{n}" for n in range(1, 5)]
PASS_DIRECTIONS = ["nowhere", "to_the_left", "across", "to_the_right"]  # as pyspiel numbers them
SUITS = ["clubs", "diamonds", "hearts", "spades"]
RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
CARDS = [f"{rank}_of_{suit}" for rank in RANKS for suit in SUITS]


def repeat_deal(ours: Position, theirs) -> None:
    """Repeats the pass direction and the hands in pyspiel."""
    theirs.apply_action(PASS_DIRECTIONS.index(ours["way"]))
    hands = [list(ours["hand"][seat]) for seat in SEATS]
    for n in range(52):
        theirs.apply_action(CARDS.index(hands[n % 4][n // 4]))


def compare_random_game(seed: int, queen_breaks: bool, most: int, greed: bool = False) -> tuple[int, int]:
    """Plays a random game of at most `most` deals. Returns the number of compared decisions, and how often one player took all points.

    With `greed`, the first player always takes the highest card, and the others take the lowest.
    """
    ours, rng = shared("hearts", 4, {"queen_breaks": queen_breaks}).start(seed), random.Random(seed)
    game = pyspiel.load_game("hearts", {"qs_breaks_hearts": queen_breaks})
    count = moons = 0
    for number in range(1, most + 1):
        if ours.over:
            break
        before, theirs = ours["points"], game.new_initial_state()
        assert ours["way"] == PASS_DIRECTIONS[[0, 1, 3, 2][number % 4]]
        repeat_deal(ours, theirs)
        while not theirs.is_terminal():
            asked, count = ours.decision, count + 1
            cards = [CARDS[action] for action in theirs.legal_actions()]
            assert asked is not None and asked.seat == theirs.current_player()
            assert {option.spelling for option in asked.options} == {f"card={card}" for card in cards}
            card = (cards[-1 if asked.seat == 0 else 0]) if greed else rng.choice(cards)
            ours.play(asked.seat, f"card={card}")
            theirs.apply_action(CARDS.index(card))
        gained = [ours["points"][seat] - before[seat] for seat in SEATS]
        assert gained == [26 - value for value in theirs.returns()]
        moons += sorted(gained) == [0, 26, 26, 26]
    assert ours.over == any(points >= 100 for points in ours["points"].values())
    if ours.over:
        least = min(ours["points"].values())
        assert {SEATS[rank.seat] for rank in ours.standing() if rank.rank == 1} == {seat for seat in SEATS if ours["points"][seat] == least}
    return count, moons


@pytest.mark.parametrize("seed, queen_breaks", [(1, False), (2, True)])
def test_both_engines_play_the_same_deals(seed, queen_breaks):
    assert compare_random_game(seed, queen_breaks, 4)[0] == 3 * 12 + 4 * 52


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_both_engines_play_the_same_games(seed):
    assert compare_random_game(seed, seed % 2 == 1, 40)[0] > 400


@pytest.mark.long
def test_taking_all_points_scores_the_same_in_both_engines():
    assert sum(compare_random_game(seed, False, 4, greed=True)[1] for seed in range(8)) > 0
