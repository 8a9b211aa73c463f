"""Compares Evolution with its referee on a seeded sample for every number of players and every option.

`bench/duels.py` plays large numbers.
"""

from __future__ import annotations

import pytest
from shared_games import shared

from .evolution import MOVE_KINDS, SETTINGS, play

# The default settings for every number of players, and the last two settings, which contain every other value of an option.
QUICK_CASES = [*((players, {}) for players in (2, 3, 4, 5, 8)), (3, SETTINGS[-2]), (2, SETTINGS[-1])]


class Sample:
    """Games on both sides, with counts of their sorts and keys."""

    def __init__(self) -> None:
        self.every: set[str] = set()
        self.keys: set[str] = set()
        self.sorts: set[str] = set()

    def play(self, folder, players: int, settings: dict[str, str], seeds: range) -> None:
        game = shared(folder, players, settings)
        self.every |= {decision.key for decision in game.module.decisions}
        for seed in seeds:
            _, keys, over = play(game, seed, self.sorts)
            assert over
            self.keys |= keys

    def assert_complete(self) -> None:
        assert self.keys == self.every
        assert self.sorts == MOVE_KINDS


@pytest.mark.long
def test_engine_and_referee_agree(rules):
    sample = Sample()
    for n, (players, settings) in enumerate(QUICK_CASES):
        sample.play(rules / "evolution", players, settings, range(2 * n + 1, 2 * n + (3 if players < 5 else 2)))
    sample.assert_complete()


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_engine_and_referee_agree_over_many_games(rules, players):
    sample = Sample()
    each = 6 if players < 5 else 2
    for n, settings in enumerate(SETTINGS):
        sample.play(rules / "evolution", players, settings, range(100 + each * n, 100 + each * (n + 1)))
    sample.assert_complete()
