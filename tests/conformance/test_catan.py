"""Compares Catan with catanatron, an engine that was written without our rules: moves, hands, roads, titles, and points."""

from __future__ import annotations

from collections import Counter

import pytest
from shared_games import shared

pytest.importorskip("catanatron")
from .catan import GamePair


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4])
def test_catan_matches_another_engine(players):
    seen: Counter[str] = Counter()
    for seed in range(2):
        pair = GamePair(shared("catan", players), seed)
        assert pair.play() > 300
        seen += pair.seen
    assert {"rolled seven", "gave back", "robbed", "harbour", "traded", "knight", "city"} <= set(seen)
