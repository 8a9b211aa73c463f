"""Compares the fold `longest` with a search through all trails, on random graphs."""

from __future__ import annotations

import random

import pytest
from ludoglot.dsl.backend_python import runtime
from ludoglot.dsl.backend_python.runtime import RuleFault, bits
from ludoglot.dsl.backend_python.runtime_trails import longest_trail

from .random_trails import TOWNS, TRACKS, find_longest, make_trail_game


@pytest.fixture(scope="module")
def game():
    return make_trail_game()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 20))])
def test_trails_of_a_random_game_match_a_full_search(game, seed):
    position, rng = game.start(seed), random.Random(seed)
    while position.decision:
        position.play(position.decision.seat, rng.choice(position.decision.options))
        if position.decision and position.decision.seat:
            continue
        built = [(n, *map(TOWNS.index, TRACKS[n][0]), TRACKS[n][1]) for n in bits(position.raw_value("built"))]
        priced = [step for n, one, two, cost in built for step in ((one, n, two, cost), (two, n, one, cost))]
        steps, hops = [(*step[:3], 1) for step in priced], [(here, there, there, 1) for here, _, there, _ in priced]
        towns = range(len(TOWNS))
        through = set(towns) - set(bits(position.raw_value("shut")))
        assert position.raw_value("trail") == find_longest(steps, towns, through, False)
        assert position.raw_value("paid") == find_longest(priced, [position.raw_value("start")], through, False)
        assert position.raw_value("path") == find_longest(hops, towns, through, True)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 400))])
def test_trails_of_random_steps_match_a_full_search(seed):
    """Steps can lead in one direction only, and a thing can join several pairs of places."""
    rng = random.Random(seed)
    places, things = rng.randint(2, 6), rng.randint(1, 7)
    steps = [(*step, rng.randint(0, 3)) for step in {
        (here, rng.randrange(things), there) for here, there in (rng.sample(range(places), 2) for _ in range(rng.randint(1, 14)))}]
    starts, through = ({place for place in range(places) if rng.random() < 0.7} for _ in range(2))
    found = longest_trail(steps, sum(1 << n for n in starts), sum(1 << n for n in through), False)
    assert found == max((find_longest(steps, [start], through, False) for start in starts), default=0)


def test_search_for_a_trail_is_bounded(monkeypatch):
    """The longest trail of a large grid would take far too long. The budget of a decision ends the search."""
    size = 12
    edges = [(n, n + step) for n in range(size * size - size) for step in (1, size) if step > 1 or (n + 1) % size]
    steps = [step for n, (one, two) in enumerate(edges) for step in ((one, n, two, 1), (two, n, one, 1))]
    monkeypatch.setattr(runtime, "LEFT", [100_000])
    with pytest.raises(RuleFault):
        longest_trail(steps, 1, (1 << size * size) - 1, False)
