"""Compares Splendor with its referee: moves, payments, positions, and results over random games. No deviation is known."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from ludoglot.engine.position.options import Option
from ludoglot.engine.position.position import Decision, Position
from referee.splendor import GEMS, Splendor
from shared_games import shared

from .duel import duel

TOKENS = (*GEMS, "gold")
PREFERRED = 0.6                                                     # how often a player buys if that is possible, so that games end


def count_tokens(bag: dict[str, int]) -> list[int]:
    return [bag.get(token, 0) for token in TOKENS]


def snapshot(position: Position) -> dict[str, Any]:
    """Returns our position in the form of the referee."""
    names = list(position["tokens"])
    points = position.game.module.shown["points"][1]
    return {"bank": count_tokens(position["bank"]), "decks": [*position["deck"].values()],
            "market": [set(cards) for cards in position["market"].values()], "patrons": set(position["patrons"]),
            "points": [points(position.s, seat) for seat in range(len(names))],
            "seats": [(count_tokens(position["tokens"][name]),
                       *(set(position[state][name]) for state in ("mines", "held", "secret", "guests"))) for name in names]}


def choose_move(position: Position, decision: Decision, rng: random.Random) -> Option:
    buys = [option for option in decision.options if option.entry in ("buy", "buy_secret")]
    return rng.choice(buys if buys and rng.random() < PREFERRED else decision.options)


def compare_random_game(players: int, seed: int) -> tuple[int, Counter]:
    """Plays one random game on both sides. Returns the number of decisions, and how often something rare happened."""
    position, rng = shared("splendor", players).start(seed), random.Random(seed)
    assert position.decision is not None
    referee = Splendor(players, snapshot(position) | {"first": position.decision.seat})
    made: Counter = Counter()

    def choose(position: Position, decision: Decision, rng: random.Random) -> Option:
        option = choose_move(position, decision, rng)
        made[f"{decision.key} {option.entry or ''}".strip()] += 1
        made["with gold"] += "gold=" in option.spelling and decision.key == "pay.paid"
        return option

    count, _ = duel(position, referee, [], snapshot, rng, 5000, choose)
    assert position.over and snapshot(position) == referee.snapshot()
    assert [tuple(row.values) for row in sorted(position.standing(), key=lambda row: row.seat)] == referee.standing()
    made["nobody could move"] += max(points for points, _ in referee.standing()) < 15
    return count, made


def test_both_play_the_same_game():
    assert compare_random_game(2, 1)[0] > 40


@pytest.mark.long
def test_both_play_the_same_games():
    made: Counter = Counter()
    for seed in range(60):
        made.update(compare_random_game(2 + seed % 3, seed)[1])
    assert min(made[key] for key in ("pay.paid", "with gold", "give_back.back", "turn.act buy_secret", "turn.act reserve_top")) > 20, made
    assert made["welcome.patron"] > 0
