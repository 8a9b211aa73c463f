from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ludoglot.dsl.ruleset import load
from ludoglot.engine.position.position import Game

TESTS = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def game() -> Callable[..., Game]:
    """`game("hex")`, `game("parry", 3)`: a game of the rules folder or a toy, compiled once."""
    made: dict[tuple, Game] = {}

    def make(name: str, players: int | None = None) -> Game:
        if (name, players) not in made:
            folder = TESTS.parent / "rules" / name
            made[name, players] = Game(load(folder if folder.is_dir() else TESTS / "games" / name, players))
        return made[name, players]
    return make
