"""Provides commands as in tests/cli, and games that are compiled once."""

from __future__ import annotations

import pytest
import shared_games
from cli.conftest import Said, ludoglot, own_folders, process, quick

__all__ = ["Said", "ludoglot", "own_folders", "process", "quick"]


@pytest.fixture(scope="session")
def game():
    return shared_games.shared
