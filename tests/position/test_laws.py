"""The laws that games declare (`always`) hold at every decision of random games at each player count; bench/termination.py plays many."""

from __future__ import annotations

import random

import pytest
from ludoglot.dsl.storage.control_slots import RANDOM
from ludoglot.engine.position.position import random_playout
from shared_games import shared


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_laws_hold_over_a_few_rounds(rules, players):
    game = shared(rules / "dominant-species", players)
    assert len(game.module.always) >= 3
    for seed in range(2):
        position, rng = game.start(seed), random.Random(seed)
        while not position.over and position.rounds <= 4:
            decision = position.decision
            position.play(decision.seat, rng.randrange(len(decision)))
            assert position.broken_invariants() == [], decision.key


def test_a_broken_law_is_named(rules):
    game = shared(rules / "dominant-species", 2)
    position = game.start(1)
    cell = game.cells["glaciers"]
    position.s[game.cells["pool"].base] += 1
    position.s[cell.base] -= 1
    animal = next(n for n, seat in enumerate(position["keeper"].values()) if seat is not None)
    position.s[game.cells["pool"].base + animal] += 1
    assert "cubes_of_an_animal" in position.broken_invariants()


@pytest.mark.long
def test_simulation_plays_the_same_kind_of_games(rules):
    """The uncut form is another compilation of the same tree: its games have the length that games in blocks have."""
    for name, low, high in [("tic-tac-toe", 7.4, 7.9), ("connect-four", 20.3, 22.3)]:
        simulation = shared(rules / name).ruleset.build_simulation()
        rng = random.Random(1)
        lengths = [simulation.run(seed, rng.random)[1] for seed in range(1500)]
        assert low < sum(lengths) / len(lengths) < high


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "hex", "english-draughts", "reversi"])
def test_simulation_plays_the_same_games(rules, name):
    """With the same random numbers it makes the same choices as somebody who takes each from the options of a position."""
    game = shared(rules / name)
    simulation = game.ruleset.build_simulation()
    for seed in range(3):
        position = game.start(seed)
        chance = game.new_position(seed).s[RANDOM]
        count = random_playout(position, random.Random(seed), 10_000)
        s, decisions, ended = simulation.run(chance, random.Random(seed).random)
        assert (s[8 : game.states_end], decisions, ended) == (position.s[8 : game.states_end], count, True)


@pytest.mark.long
def test_simulated_heavy_games_keep_the_laws(rules):
    game = shared(rules / "dominant-species", 4)
    simulation = game.ruleset.build_simulation()
    rng = random.Random(3)
    for seed in range(3):
        s, count, ended = simulation.run(seed, rng.random, 8)
        assert count > 200 and not ended
        position = game.start(0)
        position.s[8 : game.states_end] = s[8 : game.states_end]
        position.invalidate_memos()
        assert position.broken_invariants() == []
