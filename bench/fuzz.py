"""Tries damaged and malicious input: `python bench/fuzz.py [--campaign saves] [--count 2000] [--seconds 60] [--seed 1] [--json]`.

Each campaign is a seeded stream of inputs. It changes valid inputs by accident or with malice, and tries them in this process:

    saves      bytes flipped, lines cut, doubled, swapped or rewritten, also with valid checksums, in the current and the first format
    flips      one byte of a save changed, in a save of every game
    typed      lines at the prompts of games, with words, numbers, other scripts, control characters
    lines      command lines of every command
    terminal   keys at a terminal, also incomplete and unknown ones: scrolling, full screen, menu, while its size changes
    files      rules and YAML of small games with changed letters, tokens or values, which are then loaded, played and narrated
    packs      house rules, likewise
    words      catalogues, lexicons and messages, likewise
    tests      scenarios, likewise
    readers    readers of rules, YAML, catalogues, templates, save lines and typed words, each alone, many inputs per second

A finding is an internal error, a session that a line has ended, a save that fails verification, or damage that Ludoglot did not notice.
An input is also a finding if it takes LIMIT seconds of processor time or ROOM megabytes more than the valid one (fuzzing/judging.py).
The script prints each finding with the data that reproduces it. `--keep FOLDER` writes this data to a folder. To continue a long
campaign, use the next seed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from fuzzing import files, readers, saves, sessions
from fuzzing.judging import Tally, capped

CAMPAIGNS: dict[str, tuple[Callable[[random.Random, Tally], None], int]] = {
    "saves": (saves.saves, 6_000), "flips": (saves.flips, 1_500), "typed": (sessions.typed, 6_000), "lines": (sessions.lines, 1_500),
    "terminal": (sessions.terminal, 1_500), "files": (files.files, 500), "packs": (files.packs, 500), "words": (files.words, 500),
    "tests": (files.tests, 200), "readers": (readers.readers, 4_000)}


def fuzz(names: list[str], seed: int, scale: float = 1.0, count: int | None = None, seconds: float = float("inf")
         ) -> Iterator[tuple[str, Tally]]:
    """Runs the campaigns one after the other, and yields the results of each as soon as it ends."""
    for name in names:
        campaign, usual = CAMPAIGNS[name]
        tally = Tally(count if count is not None else max(1, int(usual * scale)), seconds)
        campaign(random.Random(f"{name} {seed}"), tally)
        tally.seconds = time.monotonic() - tally.begun
        yield name, tally


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--campaign", choices=CAMPAIGNS, action="append")
    arguments.add_argument("--count", type=int, help="inputs of each campaign")
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="of the clock, for each campaign, at most")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep", type=Path, help="write what reproduces each finding to this folder")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    capped()
    found, table = 0, []
    with tempfile.TemporaryDirectory() as cache:                   # fuzzed input must not stay in the real cache
        os.environ["LUDOGLOT_CACHE"] = cache
        for name, tally in fuzz(given.campaign or list(CAMPAIGNS), given.seed, count=given.count, seconds=given.seconds):
            found += len(tally.findings)
            table.append({"campaign": name, "seed": given.seed, "tried": tally.tried, "findings": len(tally.findings),
                          "seconds": round(tally.seconds, 1), "slowest": round(tally.slowest, 2), "megabytes": tally.largest,
                          "kinds": dict(sorted(tally.kinds.items()))})
            if not given.json:
                print(f"{name}: {tally.tried} inputs, {len(tally.findings)} findings, {tally.seconds:.0f} s; the slowest step took"
                      f" {tally.slowest:.2f} s of processor, the largest {tally.largest} MB")
                for kind, many in sorted(tally.kinds.items()):
                    print(f"    {many:>6}  {kind}")
            for n, one in enumerate(tally.findings):
                if not given.json:
                    print(f"  ! {one.what}: {json.dumps(one.how)[:300]}")
                if given.keep is not None:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    kept = json.dumps({"campaign": name, "what": one.what, "how": one.how})
                    (given.keep / f"{name}-{given.seed}-{n}.json").write_text(kept, encoding="utf-8")
            sys.stdout.flush()
    if given.json:
        print(json.dumps(table, indent=2))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
