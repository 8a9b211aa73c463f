"""Games as players write them, beside programs from outside: `python bench/notations.py --games 20`. Random games of chess (python-chess)
and of English, international and Italian draughts (pydraughts), whole ones: what they write is read here, what we write is read there, and
the positions agree after each move (tests/conformance/test_notation.py)."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from conformance.test_draughts import GAMES
from conformance.test_notation import chess_side_by_side, draughts_side_by_side

WRITTEN: dict[str, Callable[[int], int]] = {"chess": chess_side_by_side}
WRITTEN |= {f"draughts, {variant}": partial(draughts_side_by_side, variant=variant) for variant in GAMES}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=2000)
    options = arguments.parse_args()
    wrong = 0
    for name, play in WRITTEN.items():
        start, moves, agreed = time.time(), 0, 0
        for seed in range(options.seed, options.seed + options.games):
            try:
                moves += play(seed)
                agreed += 1
            except AssertionError as error:
                print(f"{name}, seed {seed}: {error}", flush=True)
        wrong += options.games - agreed
        print(f"{name}: {agreed} of {options.games} games and {moves} moves agreed, {time.time() - start:.0f} s", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
