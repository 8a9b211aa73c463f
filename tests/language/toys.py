"""Creates small games for the tests of the language: a shared base of declarations, and rules in a separate directory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game
from tmp_files import filled

TOYS = Path(__file__).parent / "toys"


def make(data: str, rules: str, players: int | None = None, settings: dict[str, Any] | None = None) -> Game:
    """Creates a game from the text of its game.yaml and its rules."""
    with tempfile.TemporaryDirectory() as name:
        return Game(load_ruleset(filled(Path(name), {"game.yaml": data, "toy.rules": rules}), players, settings or {}, display_path="toy"))


def data_of(toy: str) -> str:
    """Returns the game.yaml of a toy base."""
    return (TOYS / f"{toy}.yaml").read_text(encoding="utf-8")
