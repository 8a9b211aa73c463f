"""Paths that tests share. The package is found as it is installed; an uninstalled checkout is not supported on purpose."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--record` writes what is said or drawn now as what shall be."""
    parser.addoption("--record", action="store_true", help="write the expected texts of tests/golden and tests/table anew")


@pytest.fixture(scope="session")
def rules() -> Path:
    """The folder of the games that ship with Ludoglot."""
    return TESTS.parent / "rules"


@pytest.fixture(scope="session")
def toys() -> Path:
    """Small games that only tests use."""
    return TESTS / "games"
