"""A short run of each campaign of bench/fuzz.py with a fixed seed, a longer one, and what each of them once found."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys
from pathlib import Path

import pytest
from ludoglot.engine.playing.records import record_of
from ludoglot.engine.playing.setup import SaveFault

HERE = Path(__file__).parent
FOUND = sorted(HERE.glob("*.json"))


@pytest.fixture(scope="module")
def fuzz():
    spec = importlib.util.spec_from_file_location("fuzz", HERE.parent.parent / "bench" / "fuzz.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name, count", [("saves", 120), ("typed", 200), ("lines", 80), ("files", 10)])
def test_a_short_run_finds_nothing(fuzz, name, count):
    ((_, tally),) = fuzz.fuzz([name], seed=11, count=count)
    assert tally.tried >= count and tally.findings == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["saves", "typed", "lines", "files"])
def test_a_long_run_finds_nothing(fuzz, name):
    ((_, tally),) = fuzz.fuzz([name], seed=12, scale=0.25)
    assert tally.findings == [] and tally.tried > 50


def test_the_campaign_notices_what_is_wrong(fuzz, monkeypatch):
    """A program that trusts what it reads: each accident that it does not notice is a finding, and so is an internal error."""
    monkeypatch.setattr("ludoglot.engine.playing.records.holds", lambda before, line: line.endswith(b"\n"))
    ((_, tally),) = fuzz.fuzz(["saves"], seed=11, count=60)
    assert tally.findings
    monkeypatch.setattr(fuzz, "main", lambda args: 3)
    ((_, tally),) = fuzz.fuzz(["lines"], seed=11, count=5)
    assert len(tally.findings) == 5


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found_once_is_mended(fuzz, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = json.loads(path.read_text(encoding="utf-8"))
    if found["campaign"] == "saves":
        with contextlib.suppress(SaveFault):
            record_of(Path("x"), found["raw"].encode("latin-1"), strict=False)
        return
    tally = fuzz.Tally()
    typed = "\n".join(found.get("lines", [])) + "\n"
    args = found["args"] if "args" in found else ["play", found["game"], "--seats", "human,human", "--seed", "1", "--save", "one.ludoglot"]
    fuzz.judged(tally, path.stem, found, args, typed)
    assert tally.findings == []


def test_something_was_found():
    assert len(FOUND) >= 8
