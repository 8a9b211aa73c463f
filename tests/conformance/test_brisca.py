"""Compares Brisca and Briscola with their referee: moves, positions and points over random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ludoglot.engine.position.position import Position
from referee.brisca import Brisca
from shared_games import shared

from .duel import duel

SEATS = ("player_1", "player_2")


def snapshot(position: Position) -> dict:
    return {"talon": position["talon"], "turned": position["turned"], "hands": [position["hand"][seat] for seat in SEATS],
            "table": {n: card for n, seat in enumerate(SEATS) if (card := position["played"][seat]) is not None},
            "taken": [position["taken"][seat] for seat in SEATS], "points": [rank.values[0] for rank in sort_ranks_by_seat(position)]}


def sort_ranks_by_seat(position: Position) -> list:
    return sorted(position.standing(), key=lambda rank: rank.seat)


def compare_random_game(style: str, seed: int) -> tuple[int, set[str]]:
    """Plays one random game on both sides. Returns the number of decisions and the keys seen."""
    position = shared("brisca", 2, {"style": style}).start(seed)
    start = {"talon": position["talon"], "turned": position["turned"], "hands": [position["hand"][seat] for seat in SEATS]}
    referee = Brisca(start, changing=style == "brisca")
    count, keys = duel(position, referee, [], snapshot, random.Random(seed), 100)
    assert position.over
    points = referee.points()
    assert sum(points) == 120 and [rank.values[0] for rank in sort_ranks_by_seat(position)] == points
    winners = {n for n in (0, 1) if points[n] == max(points)}
    assert winners == ({0, 1} if points == [60, 60] else {n for n in (0, 1) if points[n] > 60})
    assert {rank.seat for rank in position.standing() if rank.rank == 1} == winners
    return count, keys


@pytest.mark.parametrize("style, seed", [("brisca", 1), ("briscola", 2)])
def test_engine_and_referee_agree(style, seed):
    assert "play.card" in compare_random_game(style, seed)[1]


@pytest.mark.long
def test_engine_and_referee_agree_in_many_games():
    asked = Counter(key for seed in range(60) for key in compare_random_game("brisca", seed)[1])
    assert asked["change.card"] > 5
    assert {key for seed in range(20) for key in compare_random_game("briscola", seed)[1]} == {"play.card"}
