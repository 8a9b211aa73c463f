"""Compares Snapszer with its referee: moves, positions, points and scores over random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ludoglot.engine.position.position import Position
from referee.snapszer import COUNTS, FACES, SUITS, Snapszer, face, suit
from shared_games import shared

from .duel import duel

SEATS = ("player_1", "player_2")


def count_points(position: Position, seat: str) -> int:
    """Counts points from the table: cards and marriages, and zero without a trick."""
    cards = position["taken"][seat]
    return sum(COUNTS[face(card)] for card in cards) + position["announced"][seat] if cards else 0


def snapshot(position: Position) -> dict:
    return {"talon": position["talon"], "turned": position["turned"], "hands": [position["hand"][seat] for seat in SEATS],
            "table": {n: card for n, seat in enumerate(SEATS) if (card := position["played"][seat]) is not None},
            "taken": [position["taken"][seat] for seat in SEATS], "points": [count_points(position, seat) for seat in SEATS],
            "score": [position["score"][seat] for seat in SEATS]}


def seldom(position: Position, decision, rng: random.Random):
    """Chooses at random, but rarely says "enough" or closes the talon (one time in ten), so that deals last longer.

    With 66 points, says "enough" half of the time.
    """
    enough = next((option for option in decision.options if option.spelling == "enough"), None)
    if enough is not None and count_points(position, SEATS[decision.seat]) >= 66 and rng.random() < 0.5:
        return enough
    calm = [option for option in decision.options if option.spelling not in ("enough", "close")]
    return rng.choice(decision.options if rng.random() < 0.1 or not calm else calm)


def compare_random_game(seed: int, choose=None) -> Counter:
    """Plays one random game on both sides. Returns counts of the moves seen."""
    position = shared("snapszer", 2).start(seed)
    seen: Counter = Counter()

    def record_moves(position: Position) -> dict:
        found = snapshot(position)
        seen.update({f"{position.decision.key} {option.spelling.split()[0]}": 1 for option in position.decision.options})
        return found

    count, _ = duel(position, Snapszer(lambda: snapshot(position)), [], record_moves, random.Random(seed), 3000, choose)
    assert position.over
    scores = [position["score"][seat] for seat in SEATS]
    assert 7 <= max(scores) <= 9
    assert [rank.seat for rank in position.standing() if rank.rank == 1] == [n for n in (0, 1) if scores[n] == max(scores)]
    seen["decisions"] = count
    return seen


@pytest.mark.long
def test_twenty_cards_count_a_hundred_and_twenty():
    assert len(SUITS) * sum(COUNTS[face] for face in FACES) == 120
    assert {suit(card) for card in shared("snapszer", 2).start(1)["hand"]["player_1"]} <= set(SUITS)


@pytest.mark.long
@pytest.mark.parametrize("seed, choose", [(1, None), (2, seldom)])
def test_engine_and_referee_agree(seed, choose):
    assert compare_random_game(seed, choose)["decisions"] > 10


@pytest.mark.long
def test_engine_and_referee_agree_in_many_games():
    seen = Counter()
    for seed in range(20):
        seen.update(compare_random_game(seed))
        seen.update(compare_random_game(100 + seed, seldom))
    for kind in ("lead.turn close", "lead.turn exchange", "lead.turn announce", "say_or_go_on.say go_on"):
        assert seen[kind] > 10, kind
