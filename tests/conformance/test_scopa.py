"""Compares Scopa with its referee: moves, positions and points over random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ludoglot.engine.position.position import Position
from referee.scopa import Scopa
from shared_games import shared

from .duel import duel

SEATS = ("player_1", "player_2")


def snapshot(position: Position) -> dict:
    return {"talon": position["talon"], "table": position["table"], **{
        theirs: [position[ours][seat] for seat in SEATS]
        for theirs, ours in (("hands", "hand"), ("taken", "taken"), ("sweeps", "sweeps"), ("points", "points"))}}


def compare_random_game(seed: int) -> tuple[int, Counter]:
    """Plays one random game on both sides. Returns the number of decisions, and counts of keys and scopas."""
    position = shared("scopa", 2).start(seed)
    referee = Scopa(lambda: snapshot(position))
    made: Counter = Counter()

    def record_sweeps(position: Position) -> dict:
        found = snapshot(position)
        made["sweeps"] = max(made["sweeps"], *found["sweeps"])
        return found

    count, keys = duel(position, referee, [], record_sweeps, random.Random(seed), 2000)
    assert position.over and [position["points"][seat] for seat in SEATS] == referee.points
    first = position.standing()[0]
    assert referee.points[first.seat] == max(referee.points) >= 11 and referee.points[0] != referee.points[1]
    made.update(keys)
    return count, made


@pytest.mark.long
def test_engine_and_referee_agree():
    for seed in (1, 2):
        assert compare_random_game(seed)[0] > 60


@pytest.mark.long
def test_engine_and_referee_agree_in_many_games():
    made = Counter()
    for seed in range(60):
        made.update(compare_random_game(seed)[1])
    assert made["sweeps"] > 20 and made["take.other"] > 40
