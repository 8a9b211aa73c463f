"""Dominant Species against its referee: a seeded sample at every player count; bench/duels.py plays the large numbers."""

from __future__ import annotations

import pytest
from ludoglot.dsl.ruleset import load
from ludoglot.engine.position import Game

from .heavy import play


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_engine_and_referee_agree(rules, players):
    game = Game(load(rules / "dominant-species", players))
    for seed in range(2):
        play(game, seed, 800)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_engine_and_referee_agree_to_the_end(rules, players):
    game = Game(load(rules / "dominant-species", players))
    keys: set[str] = set()
    ended = 0
    for seed in range(100, 112):
        _, seen, over = play(game, seed)
        keys |= seen
        ended += over
    assert ended
    assert len(keys) >= 50
