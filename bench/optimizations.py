"""Measures each optimisation of the compiler: `python bench/optimizations.py [--games hex,chess] [--count 100]`.

Plays the same random games in the direct-style form, with everything on and with one optimisation off. Prints the
processor time per decision as a ratio: 1.20 means that games are 20 % slower without it. The best of seven rounds
counts. Delete an optimisation that is below 1.10 in every game.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from pathlib import Path

from ludoglot.dsl.backend_python.module import GameSimulation
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.ir.optimizations import ENVIRONMENT_VARIABLE, OPTIMIZATIONS

RULES = Path(__file__).parent.parent / "rules"
ROUNDS = 7


def build_simulation(game: str, switched_off: str) -> GameSimulation:
    """Returns the compiled direct-style form of a game without these optimisations, after a first game."""
    os.environ[ENVIRONMENT_VARIABLE] = switched_off
    simulation = load_ruleset(RULES / game).build_simulation()
    simulation.run(0, random.Random(0).random, 300)
    return simulation


def seconds_per_decision(simulation: GameSimulation, count: int) -> float:
    """Returns the processor time of `count` random games, divided by their decisions."""
    rng, started = random.Random(1), time.process_time()
    decisions = sum(simulation.run(seed, rng.random, 300)[1] for seed in range(count))
    return (time.process_time() - started) / decisions


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", default="tic-tac-toe,connect-four,hex,breakthrough,amazons,chess,english-draughts")
    arguments.add_argument("--count", type=int, default=20, help="games in each round (default: 20)")
    options = arguments.parse_args()
    names = ["", *OPTIMIZATIONS, "all"]
    print("game".ljust(20) + "".join((name or "microseconds").rjust(20) for name in names))
    for game in options.games.split(","):
        simulations = {name: build_simulation(game, name) for name in names}
        best = dict.fromkeys(names, float("inf"))
        for _ in range(ROUNDS):
            for name in names:
                best[name] = min(best[name], seconds_per_decision(simulations[name], options.count))
        cells = [f"{1e6 * best['']:.2f}", *(f"{best[name] / best['']:.2f}" for name in names[1:])]
        print(game.ljust(20) + "".join(cell.rjust(20) for cell in cells), flush=True)


if __name__ == "__main__":
    main()
