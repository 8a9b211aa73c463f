"""Checks that a search for any way, which first tries the ways that it found last, gives the same answer as a new search."""

from __future__ import annotations

import random
from pathlib import Path

from ludoglot.dsl.backend_python.module import with_full_budget
from ludoglot.dsl.backend_python.runtime_trails import note_way, recall_ways
from ludoglot.engine.position.position import Game, random_playout
from shared_games import shared

EDGES = 180


def test_a_recent_way_does_not_hide_that_it_was_barred(rules: Path):
    game = Game(shared(rules / "corridors").ruleset)
    namespace = game.module.namespace
    reachable, way = (with_full_budget(namespace[name]) for name in ("r_way", "d_way"))
    rng, blocked = random.Random(5), 0
    for seed in range(4):
        position = game.start(seed)
        for _ in range(12):
            random_playout(position, rng, 2)
            for _ in range(20):
                barred = sum(1 << edge for edge in rng.sample(range(EDGES), rng.choice((2, 20, 60, 90))))
                for player in range(2):
                    expected = way(position.s, player, barred) is not None
                    assert bool(reachable(position.s, player, barred)) == expected
                    blocked += not expected
    assert 100 < blocked < 1800


def test_only_the_newest_ways_from_a_place_are_kept():
    recent: list[tuple[int, ...]] = [()] * 2
    for end in range(10, 20):
        note_way(recent, [-1, 1, 1, 0, 1, end], 3)                 # one step from place 1 to place `end`
    assert recall_ways(recent, 1) == (3, 1, 19, 3, 1, 18, 3, 1, 17, 3, 1, 16)
    note_way(recent, [-1, 2, 2, 0, 2, 5, 1, 5, 7], 3)
    assert recall_ways(recent, 2) == (6, 2, 5, 3, 5, 7)
    note_way(recent, [-1, 3, 3, 0, 3, 4], 3)
    assert recall_ways(recent, 1) == () and recall_ways(recent, 3) == (3, 3, 4)
