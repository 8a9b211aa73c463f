"""Provides commands as in tests/cli, and games that are compiled once."""

from __future__ import annotations

import pytest
import shared_games
from cli.conftest import CommandResult, ludoglot, run_process, save_folder, share_compiled_rules

__all__ = ["CommandResult", "ludoglot", "save_folder", "run_process", "share_compiled_rules"]


@pytest.fixture(scope="session")
def game():
    return shared_games.shared
