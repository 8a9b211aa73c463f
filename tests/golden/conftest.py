"""`--record` writes what is said now as what shall be said."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the expected texts of tests/golden anew")
