"""Measures `ludoglot check` with an empty cache, after a change of one rule file, and without a change.

It reports the processor time of the fastest of several runs. Each run is a separate process with its own cache folder.

    python bench/checking.py [GAME ...] [--runs 3]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RULES = Path(__file__).resolve().parent.parent / "rules"


def seconds(folder: Path, cache: Path) -> float:
    """Returns the processor time of one check of a game folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "ludoglot.engine.commands.main", "check", str(folder)], check=False, capture_output=True,
                   env={**os.environ, "LUDOGLOT_CACHE": str(cache)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(game: str) -> tuple[float, float, float]:
    """Measures a check with an empty cache, after a change of one rule file, and without a change."""
    with tempfile.TemporaryDirectory() as place:
        folder, cache = Path(place) / game, Path(place) / "cache"
        shutil.copytree(RULES / game, folder)
        cold = seconds(folder, cache)
        rules = max(folder.glob("*.rules"), key=lambda path: path.stat().st_size)
        rules.write_text(rules.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
        return cold, seconds(folder, cache), seconds(folder, cache)


def main() -> None:
    """Prints a table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("games", nargs="*")
    arguments.add_argument("--runs", type=int, default=3)
    given = arguments.parse_args()
    games = given.games or sorted(path.parent.name for path in RULES.glob("*/game.yaml"))
    print(f"{'game':<20}{'cold':>8}{'changed':>9}{'unchanged':>11}   seconds of processor, least of {given.runs}")
    total = [0.0, 0.0, 0.0]
    for game in games:
        runs = [measure(game) for _ in range(given.runs)]
        least = [min(row) for row in zip(*runs)]
        total = [one + more for one, more in zip(total, least)]
        print(f"{game:<20}{least[0]:>8.2f}{least[1]:>9.2f}{least[2]:>11.2f}", flush=True)
    print(f"{'together':<20}{total[0]:>8.2f}{total[1]:>9.2f}{total[2]:>11.2f}")


if __name__ == "__main__":
    main()
