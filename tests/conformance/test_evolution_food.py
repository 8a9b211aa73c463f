"""Checks limits of Evolution at the moment when an animal receives food.

No invariant about positions can state these limits, because the loss of a trait lowers the need.
"""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.position.position import Game
from shared_games import shared

from .evolution import choose_eventful_move


def count_meals(game: Game, seed: int) -> int:
    """Plays one game. Returns the number of times that an animal got food.

    Checks each decision: no animal gets food beyond its need (EVO-FEED-06), no fat tissue holds more than one token (EVO-FAT-04), and no
    sleeping animal gets anything (EVO-TR-HIBERNATION-01).
    """
    position, rng, came = game.start(seed), random.Random(seed), 0
    need = game.module.shown["need"][1]
    number = game.model.enums["Card"].index
    before = {name: position[name] for name in ("food", "asleep")}
    while not position.over:
        decision = position.decision
        turning = decision.key == "go.go"
        option = choose_eventful_move(position, decision, rng)
        position.play(decision.seat, option)
        food, fat, asleep = position["food"], position["fat"], position["asleep"]
        for card, eaten in food.items():
            if eaten > before["food"][card]:
                came += 1
                assert eaten <= need(position.s, number[card]), f"seed {seed}: {card} got food beyond its need by {option}"
                assert not before["asleep"][card] or not turning, f"seed {seed}: {card} ate in its sleep"
        assert all(stored <= 1 for stored in fat.values())
        before = {"food": food, "asleep": asleep}
    return came


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 4, pytest.param(6, marks=pytest.mark.long)])
def test_no_animal_gets_more_food_than_it_needs(rules, players):
    game = shared(rules / "evolution", players)
    assert sum(count_meals(game, seed) for seed in range(3)) > 40


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
def test_no_animal_gets_more_food_than_it_needs_in_many_games(rules, players):
    game = shared(rules / "evolution", players)
    assert sum(count_meals(game, seed) for seed in range(100, 130)) > 400
