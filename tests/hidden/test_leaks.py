"""Runs a short version of bench/information_leaks.py.

A referee, written independently from the rulebooks, decides what a seat may see.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ludoglot.engine.api import observation
from tmp_files import bench

ROOT = Path(__file__).parent.parent.parent
QUICK_GAMES = ("hearts", "liars-dice", "scopa")


@pytest.fixture
def leaks(shared_rules):
    return bench("information_leaks")


def test_every_shipped_game_with_secrets_has_a_visibility_oracle(leaks):
    shipped = {path.parent.name for path in ROOT.glob("rules/*/*.rules")
               if re.search(r"(?m)^state .*\b(hidden|seen by)\b", path.read_text(encoding="utf-8"))}
    assert shipped and shipped <= set(leaks.EYES)


@pytest.mark.long
@pytest.mark.parametrize("name", QUICK_GAMES)
def test_no_seat_sees_hidden_values_in_quick_games(leaks, name):
    found = list(leaks.watch(name, seed=7, count=40))
    assert [leak for one in found for leak in one.leaks] == []
    assert sum(one.pairs for one in found) >= 30


@pytest.mark.long
def test_no_seat_sees_hidden_values_in_other_games(leaks):
    for name in sorted(set(leaks.EYES) - set(QUICK_GAMES)):
        found = list(leaks.watch(name, seed=8, count=20))
        assert [leak for one in found for leak in one.leaks] == [] and sum(one.pairs for one in found) >= 10, name


@pytest.mark.long
@pytest.mark.parametrize("look", [True, False])
def test_the_referee_notices_views_with_too_much_or_too_little(leaks, monkeypatch, look):
    monkeypatch.setattr(observation, "can_see", lambda position, cell, index, seat: look)
    (found,) = leaks.watch("scopa", seed=7, count=6)
    assert any(("shown to whoever may not" if look else "hidden from whoever may") in leak for leak in found.leaks)
    assert any(leak.startswith("the view differs") for leak in found.leaks) is look


@pytest.mark.long
def test_the_referee_notices_leaks_in_events(leaks, monkeypatch):
    monkeypatch.setattr(leaks, "heard", lambda match, lang, seat: [str(list(match.position["hand"].values())[1 - seat])])
    (found,) = leaks.watch("scopa", seed=7, count=30)
    assert any(leak.startswith("what is heard differs") for leak in found.leaks)


@pytest.mark.long
def test_times_are_measured_for_twins_and_copies(leaks):
    found = leaks.timed("scopa", 1, 5, float("inf"))
    assert len(found.twins) == len(found.copies) == found.watched.pairs >= 5 and min(found.twins + found.copies) >= 0
