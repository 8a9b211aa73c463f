"""Engine and referee at one table over many random games: `python bench/duels.py --games 200`. Prints what was seen; stops at the
first disagreement with both sides of it."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from conformance.heavy import play  # noqa: E402
from ludoglot.dsl.ruleset import load  # noqa: E402
from ludoglot.engine.position import Game  # noqa: E402


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=100, help="for each number of players")
    arguments.add_argument("--seed", type=int, default=1000)
    options = arguments.parse_args()
    keys: Counter[str] = Counter()
    for players in range(2, 7):
        game = Game(load(ROOT / "rules" / "dominant-species", players))
        start, decisions, ended = time.time(), 0, 0
        for seed in range(options.seed, options.seed + options.games):
            count, seen, over = play(game, seed)
            decisions += count
            ended += over
            keys.update(seen)
        print(
            f"{players} players: {options.games} games, {decisions} decisions agreed, {ended} ended, {time.time() - start:.0f} s",
            flush=True,
        )
    every = {decision.key for decision in game.module.decisions}
    print(f"{len(keys)} of {len(every)} kinds of decision came up; never: {', '.join(sorted(every - set(keys))) or 'none'}")


if __name__ == "__main__":
    main()
