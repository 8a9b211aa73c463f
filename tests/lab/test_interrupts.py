"""Checks Ctrl-C during many games: finished games are kept, and all processes exit immediately."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")]
GAMES = 100_000                      # many more than are played before Ctrl-C


def start_simulation(market: Path, out: Path, *args: str) -> subprocess.Popen[str]:
    """Starts a simulation in its own process group, like the foreground job of a terminal. Returns after its first games."""
    playing = subprocess.Popen([sys.executable, "-m", "ludoglot", "simulate", str(market), "--games", str(GAMES), "--lang",
                                "en", "--out", str(out), *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               start_new_session=True, env={**os.environ, "LUDOGLOT_C": "off"})
    deadline = time.monotonic() + 120
    while not (out / "games.jsonl").exists() or not (out / "games.jsonl").stat().st_size:
        assert time.monotonic() < deadline and playing.poll() is None
        time.sleep(0.02)
    return playing


def has_group_ended(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_interrupt_ends_all_processes_and_keeps_games(market, tmp_path, jobs, times):
    out = tmp_path / "out"
    playing = start_simulation(market, out, "--jobs", jobs)
    time.sleep(1)
    sure = (out / "games.jsonl").read_text(encoding="utf-8").count("\n")
    pressed = time.monotonic()
    for _ in range(times):
        os.killpg(playing.pid, signal.SIGINT)
        time.sleep(0.05)
    said = playing.communicate(timeout=30)[1]
    assert time.monotonic() - pressed < 10 and "Traceback" not in said
    lines = (out / "games.jsonl").read_text(encoding="utf-8").splitlines()
    assert 0 < sure <= len(lines) < GAMES and all(json.loads(line) for line in lines)
    if times == 1:
        assert playing.returncode == 130
        kept = f"{len(lines):,} finished games are in {out / 'games.jsonl'}. To continue from there, run the same command again."
        assert list(filter(None, said.splitlines())) == [kept, "Interrupted."]
    deadline = time.monotonic() + 10
    while not has_group_ended(playing.pid):
        assert time.monotonic() < deadline, "workers are still running"
        time.sleep(0.05)
