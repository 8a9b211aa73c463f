"""Paths that tests share. The package is found as it is installed; an uninstalled checkout is not supported on purpose."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from ludoglot.dsl.files import yamlfile
from ludoglot.dsl.rulesets import ruleset

TESTS = Path(__file__).parent
CACHE = tempfile.TemporaryDirectory(prefix="ludoglot-cache-")      # what the program keeps for itself, for this run alone
HEAVY = ("dominant-species", "evolution", "trias")
os.environ["LUDOGLOT_CACHE"] = CACHE.name
sys.path.insert(0, str(TESTS))
import compiled  # noqa: E402

# Trees and rules come and go by the million, and hardly any of them in a circle: looking for circles less often saves a tenth of the time.
gc.freeze()
gc.set_threshold(100_000, 50, 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--record` writes what is said or drawn now as what shall be."""
    parser.addoption("--record", action="store_true", help="write the expected texts of tests/golden, tests/table and tests/traces anew")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked `heavy_long`, the cases of the heavy games are long; those of the small games say as much in less time."""
    for item in items:
        if item.get_closest_marker("heavy_long") and any(game in item.name for game in HEAVY):
            item.add_marker("long")


@pytest.fixture(scope="session")
def rules() -> Path:
    """The folder of the games that ship with Ludoglot."""
    return TESTS.parent / "rules"


@pytest.fixture(scope="session")
def toys() -> Path:
    """Small games that only tests use."""
    return TESTS / "games"


@pytest.fixture(autouse=True, scope="module")
def nobody_spoils_what_is_shared() -> Iterator[None]:
    """Games are compiled once for many tests; who changes one would make another test fail, or pass."""
    yield
    assert compiled.changed() == []


@pytest.fixture
def shared_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands look at the files of a game as ever, and take what was read and compiled before where they find the same."""
    monkeypatch.setattr(ruleset, "build", compiled.build)
    monkeypatch.setattr(ruleset, "try_load", compiled.try_load)
    monkeypatch.setattr(yamlfile, "parse_yaml", compiled.parse_yaml)
