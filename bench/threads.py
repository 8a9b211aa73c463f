"""Do threads play at once? `python bench/threads.py [--games connect-four,breakthrough,dominant-species] [--seconds 1] [--turns 5]`.

Two threads of one process, each with a context of its own, beside two processes: the same random games in C, in turns, so that a slow
moment of the machine hits both. By the wall clock, the median of the turns; beside it how many processors were used at once, which says
the same on a machine that does other things too.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import statistics
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from ludoglot.dsl.backend_c.ffi import NativeContext  # noqa: E402
from ludoglot.dsl.game.ruleset import load_ruleset  # noqa: E402
from ludoglot.engine.bots.native import NativeGame  # noqa: E402
from ludoglot.engine.position.position import Game  # noqa: E402

TWO, CALL, ROUNDS = 2, 200, 60


def play(player: NativeContext, seed: int, calls: int) -> None:
    """So many calls of C, of so many games each."""
    rng = random.Random(seed)
    for _ in range(calls):
        chances = array("Q", rng.randbytes(16 * CALL))
        player.games(chances[:CALL], chances[CALL:], rounds=ROUNDS)


def timed(workers: list[Any]) -> tuple[float, float]:
    """Seconds of the wall clock and of all processors until all workers are through."""
    def spent() -> float:
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system
    wall, used = time.perf_counter(), spent()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - wall, spent() - used


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", default="connect-four,breakthrough,dominant-species")
    arguments.add_argument("--seconds", type=float, default=1.0, help="about, for each turn")
    arguments.add_argument("--turns", type=int, default=5)
    options = arguments.parse_args()
    fork = multiprocessing.get_context("fork")
    for name in options.games.split(","):
        game = Game(load_ruleset(ROOT / "rules" / name))
        native = NativeGame(game)
        native.wait()
        if native.found is None:
            sys.exit("there is no C compiler, or this game is not known to C")
        players = [NativeContext(native.found.library) for _ in range(TWO)]
        for player in players:
            player.load(game.new_position().s)
        start = time.perf_counter()
        play(players[0], 0, 2)
        calls = max(1, int(2 * options.seconds / (time.perf_counter() - start)))
        kinds: dict[str, Callable[..., Any]] = {"threads": Thread, "processes": fork.Process}
        found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
        for turn in range(options.turns):
            for kind, worker in kinds.items():
                found[kind].append(timed([worker(target=play, args=(player, turn, calls)) for player in players]))
        ratio = statistics.median(two[0] / one[0] for one, two in zip(found["threads"], found["processes"], strict=True))
        rates = ", ".join(f"two {kind} {TWO * calls * CALL / statistics.median(wall for wall, _ in times):,.0f} games a second on "
                          f"{statistics.median(used / wall for wall, used in times):.2f} processors" for kind, times in found.items())
        print(f"{name}: {rates}; threads {ratio:.2f} of processes", flush=True)


if __name__ == "__main__":
    main()
