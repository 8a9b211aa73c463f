"""Measures the API in random decisions per second: `python bench/api_speed.py [GAME ...] [--seconds 2] [--matches 256]`.

Each row is one interface of Ludoglot. `vector` rows include observations and masks of all matches. The rows of OpenSpiel and PettingZoo
are their own games, driven from Python, without observations in OpenSpiel. The row of Pgx is its own game too, without a call from Python
for each decision. Peers that are not installed have no row. Only ratios within one run are meaningful.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyspiel

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from ludoglot.api import Game, load  # noqa: E402
from ludoglot.api.openspiel import register  # noqa: E402
from ludoglot.api.pettingzoo import Environment  # noqa: E402
from ludoglot.engine.api import vector_matches  # noqa: E402
from ludoglot.engine.api.returns import MAX_MATCH_DECISIONS  # noqa: E402

from bench.reference import openspiel, pettingzoo, pgx_games  # noqa: E402
from bench.run import one_core, speed  # noqa: E402

DEFAULT_GAMES = ("tic-tac-toe", "connect-four", "breakthrough", "hex", "chess", "liars-dice", "hearts", "dominant-species")
STEPS = 50                                      # of a vector in one call, and decisions of a match
Play = Callable[[], int]


def play_match(game: Game) -> Play:
    """Returns a function that plays the first decisions of a match through `Match.play`."""
    rng = random.Random(1)

    def play() -> int:
        number, match, made = rng.random, game.start(rng.getrandbits(30)), 0
        while made < STEPS and (options := match.options):
            match.play(options[int(number() * len(options))])
            made += 1
        return made

    return play


def play_numbers(game: Game) -> Play:
    """Returns a function that plays the first decisions of a match by the numbers of options."""
    rng = random.Random(1)

    def play() -> int:
        number, match, made = rng.random, game.start(rng.getrandbits(30)), 0
        choose = match.play
        while made < STEPS and (count := match.option_count):
            choose(int(number() * count))
            made += 1
        return made

    return play


def play_environment(game: Game) -> Play:
    """Returns a function that plays the first decisions of a match of our PettingZoo environment."""
    env, rng = Environment(game), random.Random(1)
    env.reset(1)

    def play() -> int:
        env.reset()
        number, made = rng.random, 0
        while made < STEPS:
            actions = env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()
            env.step(actions[int(number() * len(actions))])
            made += 1
            if env.terminations[env.agent_selection]:
                break
        return made

    return play


def play_adapter(game: Game) -> Play:
    """Returns a function that plays the first decisions of a match of our OpenSpiel game."""
    new_state, rng = pyspiel.load_game(register(game)).new_initial_state, random.Random(1)

    def play() -> int:
        state, made = new_state(), 0
        while made < STEPS and (actions := state.legal_actions()):
            state.apply_action(actions[int(rng.random() * len(actions))])
            made += 1
        return made

    return play


def play_vector(game: Game, count: int, native: bool) -> Play | None:
    """Returns a function that steps matches in lockstep. None if C does not support the game."""
    compiled = vector_matches.make_library
    try:
        if not native:
            vector_matches.make_library = lambda loaded: None        # type: ignore[assignment]
        matches = vector_matches.Vector(game, count, 1, MAX_MATCH_DECISIONS, 1)
    finally:
        vector_matches.make_library = compiled
    rng = np.random.default_rng(1)

    def play() -> int:
        for _ in range(STEPS):
            matches.step(matches.sample(rng))
        return STEPS * count

    return play if matches.native == native else None


def measure(name: str, seconds: float, count: int) -> dict[str, float]:
    """Returns the decisions per second of each interface, by label."""
    game, rng = load(name), random.Random(1)
    found: dict[str, Play | None] = {
        "Match.play": play_match(game),
        "Match.play by number": play_numbers(game),
        "PettingZoo environment": play_environment(game),
        "OpenSpiel game": play_adapter(game),
        f"vector of {count} in Python": play_vector(game, min(count, 16), False),
        "vector of 1 in C": play_vector(game, 1, True),
        f"vector of {count} in C": play_vector(game, count, True),
    }
    for label, module in (("OpenSpiel, own game", openspiel), ("PettingZoo, own game", pettingzoo)):
        if name in module.GAMES:
            found[label] = lambda module=module: module.GAMES[name](rng)   # type: ignore[misc]
    found[f"Pgx, own game, {count}"] = pgx_games.make_play(name, count)
    return {label: speed(play, seconds)[1] for label, play in found.items() if play is not None}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("games", nargs="*", default=DEFAULT_GAMES)
    arguments.add_argument("--seconds", type=float, default=2.0, help="for each interface (default: 2)")
    arguments.add_argument("--matches", type=int, default=256, help="matches of a vector (default: 256)")
    options = arguments.parse_args()
    one_core()
    for name in options.games:
        print(name, flush=True)
        rates = measure(name, options.seconds, options.matches)
        for label, rate in rates.items():
            print(f"  {label:<26}{rate:>12,.0f} decisions/s   x{rate / rates['Match.play']:.1f}", flush=True)


if __name__ == "__main__":
    main()
