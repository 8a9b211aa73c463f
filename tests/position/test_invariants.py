"""Checks that the invariants of games (`always`) hold at every decision of random games at each player count.

bench/termination.py plays many more games."""

from __future__ import annotations

import random

import pytest
from shared_games import shared


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_invariants_hold_over_a_few_rounds(rules, players):
    game = shared(rules / "dominant-species", players)
    assert len(game.module.always) >= 3
    for seed in range(2):
        position, rng = game.start(seed), random.Random(seed)
        while not position.over and position.rounds <= 4:
            decision = position.decision
            position.play(decision.seat, rng.randrange(len(decision)))
            assert position.broken_invariants() == [], decision.key


def test_a_violated_invariant_is_named(rules):
    game = shared(rules / "dominant-species", 2)
    position = game.start(1)
    cell = game.cells["glaciers"]
    position.s[game.cells["pool"].base] += 1
    position.s[cell.base] -= 1
    animal = next(n for n, seat in enumerate(position["keeper"].values()) if seat is not None)
    position.s[game.cells["pool"].base + animal] += 1
    assert "cubes_of_an_animal" in position.broken_invariants()
