"""Measures each optimisation of the compiler: `python bench/optimizations.py [--games hex,chess] [--players 4] [--seconds 0.5]`.

Plays the same random games with everything on and with one optimisation off, in Python and in C. Prints the
processor time per decision as a ratio: 1.20 means that games are 20 % slower without it. The best of five rounds
counts. Delete an optimisation that is below 1.10 in every game.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from array import array
from collections.abc import Callable
from pathlib import Path

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.ir.optimizations import ENVIRONMENT_VARIABLE, OPTIMIZATIONS
from ludoglot.engine.bots.native import NativeGame
from ludoglot.engine.position.position import Game, random_playout

RULES = Path(__file__).parent.parent / "rules"
MAX_ROUNDS = 60  # limit for games in which all animals have died out
TURNS = 5

Player = Callable[[int], int]  # plays the random game with this number, or a hundred of them, and returns the number of decisions


def build_players(name: str, players: int | None, switched_off: str) -> dict[str, Player]:
    """Returns a player of random games in Python and in C, compiled without these optimisations."""
    os.environ[ENVIRONMENT_VARIABLE] = switched_off
    game = Game(load_ruleset(RULES / name, players))
    native = NativeGame(game)
    native.wait()

    def play_in_python(seed: int) -> int:
        position, rng, count = game.start(seed), random.Random(seed), 0
        while not position.over and position.rounds <= MAX_ROUNDS:
            count += random_playout(position, rng, 50)
        return count

    def play_in_c(seed: int) -> int:
        assert native.found is not None
        chances = array("Q", random.Random(seed).randbytes(16 * 100))
        return sum(native.found.games(chances[:100], chances[100:], rounds=MAX_ROUNDS).decisions)

    return {"Python": play_in_python, **({"C": play_in_c} if native.found is not None else {})}


def seconds_per_decision(play: Player, seconds: float) -> float:
    """Returns the processor time of the first games, divided by their decisions."""
    decisions, seed, started = 0, 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        decisions += play(seed)
        seed += 1
    return spent / decisions


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", default="dominant-species,evolution,trias,chess,connect-four,hex,amazons,english-draughts,go")
    arguments.add_argument("--players", type=int, help="number of players (default: the fewest)")
    arguments.add_argument("--seconds", type=float, default=0.3, help="processor time for each measurement (default: 0.3)")
    options = arguments.parse_args()
    names = ["", *OPTIMIZATIONS, "all"]
    print("game".ljust(24) + "".join((name or "microseconds").rjust(18) for name in names))
    for game in options.games.split(","):
        contenders = {name: build_players(game, options.players, name) for name in names}
        for language in contenders[""]:
            best = dict.fromkeys(names, float("inf"))
            for _ in range(TURNS):
                for name in names:
                    best[name] = min(best[name], seconds_per_decision(contenders[name][language], options.seconds))
            cells = [f"{1e6 * best['']:.2f}", *(f"{best[name] / best['']:.2f}" for name in names[1:])]
            print(f"{game}, {language}".ljust(24) + "".join(cell.rjust(18) for cell in cells), flush=True)


if __name__ == "__main__":
    main()
