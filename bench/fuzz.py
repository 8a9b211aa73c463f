"""What strangers could send: `python bench/fuzz.py [--campaign saves] [--count 2000] [--seconds 60] [--seed 1] [--json]`.

Seeded campaigns, each a stream of inputs made from sound ones by accident or by malice, tried in this process:

    saves      bytes flipped, lines cut, doubled, swapped, rewritten, also with checksums that hold, in today's format and in the first
    flips      one byte of a save changed, in a save of every game
    typed      lines at the prompts of games, with words, numbers, other scripts, control characters
    lines      command lines of every command
    terminal   keys, also torn and unknown ones, at a terminal: scrolling, on the whole screen, at the menu, while its size changes
    files      rules and YAML of small games, changed by letters, tokens or values, then loaded, played and told
    packs      house rules, likewise
    words      catalogues, lexicons and messages, likewise
    tests      scenarios, likewise
    readers    what reads rules, YAML, catalogues, templates, lines of saves and typed words, each by itself, many inputs a second

A finding is an internal error, a session that a line has ended, a save that does not verify afterwards, damage that nobody noticed, or an
input that took more than LIMIT seconds of processor or ROOM megabytes beyond the sound one (fuzzing/judging.py). It is printed with what
reproduces it; `--keep FOLDER` writes each there. Another seed is another stream; to go on with a long campaign is to take the next one.
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
    """The campaigns, one after the other; each gives what it found as soon as it is over."""
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
    with tempfile.TemporaryDirectory() as cache:                   # what strangers sent is not to be kept
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
