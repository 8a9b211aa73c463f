"""Compares Scopone scientifico with its referee: moves, positions and points over random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ludoglot.engine.position.position import Position
from referee.scopone import Scopone
from shared_games import shared

from .duel import duel

SEATS = ("player_1", "player_2", "player_3", "player_4")
PAIRS = ("first_pair", "second_pair")
TARGETS = {"twenty_one": 21, "eleven": 11}


def snapshot(position: Position) -> dict:
    return {"table": position["table"], "hands": [position["hand"][seat] for seat in SEATS],
            **{name: [position[name][pair] for pair in PAIRS] for name in ("taken", "sweeps", "points")}}


def agree(seed: int, length: str) -> Counter:
    """Plays one random game on both sides. Returns counts of decisions, of their keys, of scopas and of deals."""
    position = shared("scopone", 4, {"length": length}).start(seed)
    made: Counter = Counter()

    def deal() -> list[list[str]]:
        made["deals"] += 1
        return snapshot(position)["hands"]

    def told(position: Position) -> dict:
        found = snapshot(position)
        made["sweeps"] = max(made["sweeps"], *found["sweeps"])
        return found

    referee = Scopone(deal, TARGETS[length])
    count, keys = duel(position, referee, [], told, random.Random(seed), 4000)
    assert position.over and [position["points"][pair] for pair in PAIRS] == referee.points
    winners = {rank.seat for rank in position.standing() if rank.rank == 1}
    better = referee.points[1] > referee.points[0]
    assert winners == ({1, 3} if better else {0, 2}) and max(referee.points) >= TARGETS[length]
    made["decisions"] += count
    made.update(keys)
    return made


def test_engine_and_referee_agree():
    assert agree(1, "eleven")["decisions"] > 60


@pytest.mark.long
def test_engine_and_referee_agree_in_many_games():
    made = Counter()
    for seed in range(200):
        made.update(agree(seed, "eleven" if seed % 4 else "twenty_one"))
    assert made["deals"] > 600 and made["sweeps"] > 100 and made["take.other"] > 150
