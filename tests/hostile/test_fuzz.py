"""Runs each campaign of bench/fuzz.py for a short time with a fixed seed, then a longer one, and repeats its earlier findings."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from pathlib import Path

import pytest
from ludoglot.engine.match.save_reader import parse_save
from ludoglot.engine.match.setup import SaveError
from tmp_files import bench

HERE = Path(__file__).parent
KNOWN_FINDINGS = sorted(HERE.glob("*.json"))
QUICK_RUNS = [("saves", 40), ("typed", 50), ("lines", 20), ("files", 3), ("readers", 100)]
LONG_RUNS = [("flips", 60), ("typed", 300), ("files", 30), ("packs", 20), ("words", 15), ("tests", 10), ("readers", 600)]


@pytest.fixture
def fuzz():
    """Returns the campaigns after background work of earlier tests has ended, because they measure this whole process."""
    for thread in threading.enumerate():
        if thread.name.endswith("(make)"):                         # a library that is compiled in the background
            thread.join(120)
    return bench("fuzz")


@pytest.fixture
def judging():
    return bench("fuzzing.judging")


@pytest.mark.long
@pytest.mark.parametrize("name, count", QUICK_RUNS)
def test_a_short_run_finds_nothing(fuzz, name, count):
    ((_, tally),) = fuzz.fuzz([name], seed=11, count=count)
    assert tally.tried >= count and tally.findings == []


@pytest.mark.long
@pytest.mark.parametrize("name, count", LONG_RUNS)
def test_a_longer_run_finds_nothing(fuzz, name, count):
    ((_, tally),) = fuzz.fuzz([name], seed=12, count=count)
    assert tally.findings == [] and tally.tried >= count


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="asks for a terminal of its own")
def test_keys_at_a_terminal_do_not_end_a_session(fuzz):
    ((_, tally),) = fuzz.fuzz(["terminal"], seed=5, count=150)
    assert tally.findings == [] and tally.tried >= 150


@pytest.mark.long
def test_campaigns_notice_planted_errors(fuzz, judging, monkeypatch):
    """A program that trusts its input has findings: each damage that it does not notice is one, and so is an internal error."""
    monkeypatch.setattr("ludoglot.engine.match.save_reader.is_valid_line", lambda before, line: line.endswith(b"\n"))
    ((_, tally),) = fuzz.fuzz(["saves"], seed=11, count=60)
    assert tally.findings
    monkeypatch.setattr(judging, "run", lambda args, typed="": (3, "", ""))
    ((_, tally),) = fuzz.fuzz(["lines"], seed=11, count=5)
    assert len(tally.findings) == 5


@pytest.mark.long
def test_excessive_time_memory_and_exceptions_are_findings(judging):
    tally = judging.Tally()
    with judging.watched(tally, "x", {}, usual=-judging.LIMIT + 0.01):
        end = time.process_time() + 0.03
        while time.process_time() < end:
            pass
    with judging.watched(tally, "x", {}):
        raise ValueError("odd")
    if judging.peak():
        with judging.watched(tally, "x", {}):
            assert bytearray(os.urandom(1)) * ((judging.ROOM + 50) << 20)
    told = " ".join(one.what for one in tally.findings)
    assert "s of processor" in told and "ValueError came through at test_fuzz.py" in told and (not judging.peak() or "MB" in told)


@pytest.mark.long_cases(
    "a-thousand-words", "comment-at-the-end", "event-of-a-number", "forty-wide-boards", "line-separator-between", "marks-of-utf8",
    "save-nul",
)
@pytest.mark.parametrize("path", KNOWN_FINDINGS, ids=lambda path: path.stem)
def test_known_findings_stay_fixed(fuzz, judging, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = json.loads(path.read_text(encoding="utf-8"))
    tally = judging.Tally()
    if found["campaign"] == "saves":
        with contextlib.suppress(SaveError):
            parse_save(Path("x"), found["raw"].encode("latin-1"), strict=False)
        return
    if found["campaign"] == "readers":
        how = found["how"]
        with judging.watched(tally, path.stem, how):
            fuzz.readers.read(how["reader"], how["raw"].encode("latin-1"), how["lang"], tmp_path)
    elif found["campaign"] in ("files", "packs", "words", "tests"):
        fuzz.files.reproduced(tally, found["how"], tmp_path / "game")
    else:
        typed = "\n".join(found.get("lines", [])) + "\n"
        args = found.get("args", ["play", found.get("game", ""), "--seats", "human,human", "--seed", "1", "--save", "one.ludoglot"])
        judging.judged(tally, path.stem, found, args, typed)
    assert tally.findings == []


def test_known_findings_exist():
    assert len(KNOWN_FINDINGS) >= 8
