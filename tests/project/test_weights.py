"""Which tests are slow is written down, and read again."""

from __future__ import annotations

from pathlib import Path

import pytest
import weights

TESTS = Path(__file__).parent.parent


def test_what_is_listed_is_a_test_that_there_is() -> None:
    """A test that is renamed would become quick, and its old name would stay for ever."""
    missing = []
    for name in sorted(weights.slow()):
        path, function = name.split("[")[0].split("::")
        file = TESTS.parent / path
        if not file.exists() or f"def {function}(" not in file.read_text(encoding="utf-8"):
            missing.append(name)
    assert missing == []


def test_what_ran_is_weighed_and_the_others_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "LIST", tmp_path / "slow.txt")
    monkeypatch.setattr(weights, "seen", {"now slow": 2.0, "now quick": 0.01, "always quick": 0.0})
    weights.LIST.write_text("now quick\nnot run\n", encoding="utf-8")
    weights.write()
    assert weights.slow() == {"now slow", "not run"}


def test_a_slow_test_is_for_ci_alone(request: pytest.FixtureRequest) -> None:
    """Those that run with this one, at a commit, are none of the listed ones."""
    slow = weights.slow()
    assert slow
    for item in request.session.items:
        if item.nodeid in slow:
            assert item.get_closest_marker("long"), item.nodeid
