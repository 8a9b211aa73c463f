"""Engine and referee at one table over many random games: `python bench/duels.py --game trias --games 50`. Prints what was seen and
where the two disagreed, with both sides of it."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules"
sys.path.insert(0, str(ROOT / "tests"))

from conformance import evolution, heavy, trias  # noqa: E402
from ludoglot.dsl.rulesets.ruleset import load  # noqa: E402
from ludoglot.engine.position.position import Game, RuleError  # noqa: E402

# One way to play a game: what it is called, the game, and what plays a seed and returns decisions, keys and whether it ended.
Table = tuple[str, Game, Callable[[int], tuple[int, set[str], bool]]]


def dominant_species() -> Iterator[Table]:
    found = FOUND["dominant-species"][1]
    for players in range(2, 7):
        for number, settings in heavy.settings_for(players):
            game = heavy.game_of(RULES, players, settings)
            shift = 1000 * (10 * number + players)  # the same seed would often give the same game at two tables
            yield f"{players} players, options {number}", game, lambda seed, game=game, n=shift: heavy.play(game, n + seed, found=found)


def trias_readings() -> Iterator[Table]:
    for players in range(2, 6):
        for number, reading in enumerate(trias.READINGS):
            game = trias.game_of(RULES, players, reading)
            yield f"{players} players, options {number}", game, lambda seed, game=game: (*trias.play(game, seed)[:2], True)


def evolution_settings() -> Iterator[Table]:
    for players in range(2, 9):
        for number, settings in enumerate(evolution.SETTINGS):
            game = Game(load(RULES / "evolution", players, settings))
            yield f"{players} players, options {number}", game, lambda seed, game=game: evolution.play(game, seed)


# Besides kinds of decision, what should come up, and what did.
FOUND: dict[str, tuple[set[str], Counter[str]]] = {"dominant-species": (heavy.EVERYTHING, Counter())}
TABLES = {"dominant-species": dominant_species, "trias": trias_readings, "evolution": evolution_settings}


def run(name: str, games: int, first: int) -> int:
    """Play so many games at each table of a game; how often engine and referee disagreed."""
    keys: Counter[str] = Counter()
    every: set[str] = set()
    all_games = all_decisions = disagreements = 0
    for label, game, play in TABLES[name]():
        every |= {decision.key for decision in game.module.decisions}
        start, decisions, ended, agreed = time.time(), 0, 0, 0
        for seed in range(first, first + games):
            try:
                count, seen, over = play(seed)
            except (AssertionError, RuleError) as error:
                print(f"{name}, {label}, seed {seed}: {error}", flush=True)
                continue
            agreed += 1
            decisions += count
            ended += over
            keys.update(seen)
        print(
            f"{name}, {label}: {agreed} of {games} games and {decisions} decisions agreed, {ended} ended, {time.time() - start:.0f} s",
            flush=True,
        )
        all_games += games
        all_decisions += decisions
        disagreements += games - agreed
    print(f"{name}: {all_games} games, {all_decisions} decisions, {disagreements} disagreements")
    print(f"{len(keys)} of {len(every)} kinds of decision came up; never: {', '.join(sorted(every - set(keys))) or 'none'}")
    if name in FOUND:
        wanted, found = FOUND[name]
        print(f"{len(wanted & set(found))} of {len(wanted)} things came up; never: {', '.join(sorted(wanted - set(found))) or 'none'}")
    return disagreements


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--game", choices=TABLES, action="append", help="all of them if not said")
    arguments.add_argument("--games", type=int, default=100, help="at each table: a number of players, with a table of options")
    arguments.add_argument("--seed", type=int, default=1000)
    options = arguments.parse_args()
    sys.exit(1 if sum(run(name, options.games, options.seed) for name in options.game or TABLES) else 0)


if __name__ == "__main__":
    main()
