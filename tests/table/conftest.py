from __future__ import annotations

from collections.abc import Callable

import pytest
import shared_games
from ludoglot.engine.position.position import Game


@pytest.fixture(scope="session")
def game() -> Callable[..., Game]:
    """`game("hex")`, `game("parry", 3)`: a game of the rules folder or a toy, compiled once."""
    return shared_games.shared


@pytest.fixture(autouse=True)
def cached_rules(shared_rules: None) -> None:
    """Shares compiled rules, because each Desk starts a new game."""
