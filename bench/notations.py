"""Compares game notation with that of other programs: `python bench/notations.py --games 20`.

Plays complete random games of chess (python-chess) and of English, international and Italian draughts (pydraughts). Each side reads the
moves that the other writes, and the positions must agree after each move (tests/conformance/test_notation.py). `--files 100` reads that
number of chess, draughts and go files in each style that other programs write. `--damage 100` damages files
(tests/conformance/test_files.py).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from conformance.file_styles import CHESS_STYLES, DRAUGHTS_VARIANTS
from conformance.test_draughts import GAMES
from conformance.test_files import (
    UNDAMAGED_GAMES,
    list_go_games,
    load_go,
    read_chess_game,
    read_damaged_game,
    read_draughts_game,
    read_go_game,
    shared,
)
from conformance.test_notation import compare_random_chess_game, compare_random_draughts_game

WRITTEN: dict[str, Callable[[int], int]] = {"chess": compare_random_chess_game}
WRITTEN |= {f"draughts, {variant}": partial(compare_random_draughts_game, variant=variant) for variant in GAMES}
FILES: dict[str, Callable[[int], str]] = {f"chess, {style}": partial(read_chess_game, style=style) for style in CHESS_STYLES}
FILES |= {name: partial(read_draughts_game, name=name) for name in DRAUGHTS_VARIANTS} | {"go": read_go_game}


def damage(seed: int) -> str:
    """Damages one of the files, and reads it."""
    trees = list_go_games()
    files = [(shared(name, 2), written) for name, written in UNDAMAGED_GAMES] + [(load_go("9"), written) for written in trees]
    game, written = files[seed % len(files)]
    return read_damaged_game(game, written, seed)


def read_all(name: str, read: Callable[[int], str], seeds: range) -> int:
    """Reads a file for each seed, and prints the outcomes. Returns the number of errors."""
    start, found = time.time(), Counter[str]()
    for seed in seeds:
        try:
            found[read(seed)] += 1
        except Exception as error:
            found["wrong"] += 1
            print(f"{name}, seed {seed}: {type(error).__name__}: {error}", flush=True)
    print(f"{name}: {', '.join(f'{n} {what}' for what, n in sorted(found.items()))}, {time.time() - start:.0f} s", flush=True)
    return found["wrong"]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=2000)
    arguments.add_argument("--files", type=int, default=0)
    arguments.add_argument("--damage", type=int, default=0)
    options = arguments.parse_args()
    wrong = 0
    for name, read in FILES.items() if options.files else ():
        wrong += read_all(name, read, range(options.seed, options.seed + options.files))
    wrong += read_all("damage", damage, range(options.damage)) if options.damage else 0
    for name, play in WRITTEN.items() if not options.files and not options.damage else ():
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
