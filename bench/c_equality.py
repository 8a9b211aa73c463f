"""Checks that a game runs the same in C and in Python: `python bench/c_equality.py --game NAME [--games 50] [--each 5] [--most 1000]
[--seed 1] [--bots]`.

Plays random games of random variants (a number of players, a value for each option), with `--each` games of each variant. Both versions
play side by side. At every decision, the script compares the moves, all entries of the position, the standing, and the estimates. It
compares the digest, which is computed from those entries, at one decision in 16. If there is a difference, or a variant cannot be
compiled to C, the script prints the place and exits with 1. It also prints the games per minute of processor time, with and without
loading and compiling. To continue a stopped run, use `--skip N`: it counts the first N games as played. With `--bots`, the script
compares the bots `greedy` and `easy` instead, at one decision in seven: their choice, its cost, and the state of their random generator
afterwards. tests/c plays a few such games of each game.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "c"))

from c_comparison import compare_bots_in_game, compare_random_game, compile_game, load_random_variant  # noqa: E402
from ludoglot.dsl.ir.value_types import UnsupportedConstructError  # noqa: E402
from ludoglot.engine.bots.native import NATIVE_BOT_IDS  # noqa: E402


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--game", required=True)
    arguments.add_argument("--games", type=int, default=50)
    arguments.add_argument("--each", type=int, default=5)
    arguments.add_argument("--most", type=int, default=1000, help="decisions of a game that are compared")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--skip", type=int, default=0, help="games that were played before; a multiple of --each")
    arguments.add_argument("--bots", action="store_true")
    chosen = arguments.parse_args()
    decisions = variants = refused = differing = 0
    played, spent = chosen.skip, 0.0
    while played < chosen.games:
        rng = random.Random(f"{chosen.seed}/{played}")
        game = load_random_variant(chosen.game, rng)
        what = f"{game.players} players, {', '.join(f'{name} {value}' for name, value in game.model.settings.items())}"
        variants += 1
        try:
            c = compile_game(game)
        except UnsupportedConstructError as unknown:
            refused += 1
            played += chosen.each
            print(f"{what}: not in C ({unknown})", flush=True)
            continue
        began = time.process_time()
        for _ in range(chosen.each):
            seed = rng.getrandbits(63)
            wrong, count = (
                compare_bots_in_game(game, c, seed, chosen.most, (NATIVE_BOT_IDS["greedy"], NATIVE_BOT_IDS["easy"]), 7)
                if chosen.bots
                else compare_random_game(game, c, seed, chosen.most)
            )
            played += 1
            decisions += count
            if wrong is not None:
                differing += 1
                print(f"{what}: {wrong[:500]}", flush=True)
        spent += time.process_time() - began
        print(f"{played} games, {decisions} decisions, {variants} variants, {refused} not in C, {differing} differ", flush=True)
    whole = sum(one.ru_utime + one.ru_stime for one in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    count = played - chosen.skip
    print(f"{60 * count / max(spent, 0.001):.0f} games a minute of the processor, {60 * count / whole:.0f} with loading and compiling")
    sys.exit(bool(differing or refused))


if __name__ == "__main__":
    main()
