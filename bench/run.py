"""Measures speed in one run on one core: `python bench/run.py [--seconds 2] [--json]`.

For each game and number of players, it measures random games and decisions per second. It does so in Python (a position object, a move
chosen by its code), and in C if possible. It compares them with a loop written by hand for each classic, and with OpenSpiel, PettingZoo,
python-chess, pydraughts and catanatron if they are installed. All contenders take turns, so that a slow moment of the machine affects all.
Then it measures copies and hashes per second, the memory of a position, and the start of `ludoglot games`, cold and warm. Only ratios
within one run are meaningful. `bench/peers.py` compares Ludoglot with more engines, and makes a page of the results.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from ludoglot.dsl.game.ruleset import load_ruleset  # noqa: E402
from ludoglot.engine.bots.native import NativeGame  # noqa: E402
from ludoglot.engine.position.position import Game, random_playout  # noqa: E402

from bench.reference import catan, loops, openspiel, pettingzoo, pydraughts, pythonchess  # noqa: E402

MODULES = {"openspiel": openspiel, "pettingzoo": pettingzoo, "python-chess": pythonchess, "pydraughts": pydraughts,
           "catanatron": catan}
OUTSIDE = ("openspiel", "pydraughts", "catanatron")   # engines for the table of well-known games: the first one that has the game
CLASSICS = ["tic-tac-toe", "connect-four", "breakthrough", "hex"]
HEAVY = [("dominant-species", players) for players in (2, 3, 4, 5, 6)]
HEAVY += [("evolution", players) for players in (2, 4, 8)] + [("trias", players) for players in (2, 4, 5)]
LEAST, LONG = 100, 0.02  # random games in one call of C, at least. It is doubled while a call takes less than LONG seconds
# Options that make our game as short as the shorter game of another engine.
AS_THERE: dict[str, dict[str, str | bool]] = {"hearts": {"length": "one_deal"}}
PLAYERS_THERE = {"catan": 4}           # if the other engine does not play with the fewest players
ROUNDS = 60  # heavy games do not end otherwise if all animals have died out


def one_core() -> None:
    """Keeps the process on one core, so that nothing runs in parallel with the measurement."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def played(play: Callable[[], int | tuple[int, int]], seconds: float) -> tuple[int, int, float]:
    """Returns the games, their decisions and the processor time, after at least `seconds` of calls of `play`.

    `play` plays one game and returns its decisions, or plays several games and returns games and decisions. Only the time of this process
    counts, because others may run at the same time.
    """
    games = decisions = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        found = play()
        more, made = found if isinstance(found, tuple) else (1, found)
        decisions += made
        games += more
    return games, decisions, spent


def speed(play: Callable[[], int | tuple[int, int]], seconds: float) -> tuple[float, float, float]:
    """Returns games per second, decisions per second, and decisions per game."""
    games, decisions, spent = played(play, seconds)
    return games / spent, decisions / spent, decisions / games


def contenders(name: str, players: int | None) -> dict[str, Callable[[], int | tuple[int, int]]]:
    """Returns functions that play one game of `name`, by label."""
    ruleset = load_ruleset(ROOT / "rules" / name, players or PLAYERS_THERE.get(name), AS_THERE.get(name, {}))
    game = Game(ruleset)
    rng = random.Random(1)
    seeds = iter(range(10**9))
    limit = ROUNDS if name in dict(HEAVY) else 10**6

    def play_in_python() -> int:
        position = game.start(next(seeds))
        count = 0
        while not position.over and position.rounds <= limit:
            count += random_playout(position, rng, 50)
        return count

    found: dict[str, Callable[[], int | tuple[int, int]]] = {"python": play_in_python}
    native = NativeGame(game)
    native.wait()
    if native.found is not None:
        player = native.found
        size = LEAST

        def batch() -> tuple[int, int]:
            nonlocal size
            count, start = size, time.perf_counter()
            chances = array("Q", rng.randbytes(16 * count))
            played = player.games(chances[:count], chances[count:], rounds=limit)
            if time.perf_counter() - start < LONG:
                size *= 2
            return count, sum(played.decisions)

        found["c"] = batch
    if name in loops.GAMES:
        found["loop"] = lambda: loops.GAMES[name](rng)
    for label, module in MODULES.items():
        if name in module.GAMES:
            found[label] = lambda module=module: module.GAMES[name](rng)
    return found


def compare(name: str, players: int | None, seconds: float, turns: int = 3) -> dict[str, dict[str, float]]:
    """Lets every contender of a game play in turns, and returns the median of its rates."""
    results: dict[str, list[tuple[float, float, float]]] = {}
    for _ in range(turns):
        for label, play in contenders(name, players).items():
            play()
            results.setdefault(label, []).append(speed(play, seconds / turns))
    return {
        label: {
            "games_per_second": statistics.median(r[0] for r in rates),
            "decisions_per_second": statistics.median(r[1] for r in rates),
            "decisions_per_game": statistics.mean(r[2] for r in rates),
        }
        for label, rates in results.items()
    }


def position_costs(name: str, players: int) -> dict[str, float]:
    """Measures a copy, a hash and a save in microseconds, and counts bytes and entries of a position in the middle of a game."""
    game = Game(load_ruleset(ROOT / "rules" / name, players))
    position = game.start(1)
    random_playout(position, random.Random(1), 60)

    def micro(work: Callable, n: int) -> float:
        best = 1e9
        for _ in range(5):
            start = time.perf_counter()
            for _ in range(n):
                work()
            best = min(best, time.perf_counter() - start)
        return best / n * 1e6

    return {
        "copy_us": micro(position.copy, 5000),
        "digest_us": micro(position.digest, 200),
        "save_us": micro(position.to_data, 200),
        "entries": len(position.s),
        "bytes": sys.getsizeof(position.s) + sum(sys.getsizeof(v) for v in {id(v): v for v in position.s}.values()),
    }


def starts(times: int = 5) -> dict[str, float]:
    """Measures the start of `ludoglot games` in seconds: the first one with empty caches, and the median of the next ones."""
    command = [sys.executable, "-c", "from ludoglot.engine.commands.main import run; run()", "games"]

    def once(environment: dict[str, str]) -> float:
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=True)
        return time.perf_counter() - start

    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_CACHE_HOME": folder, "HOME": folder}
        cold = once(environment)
        warm = statistics.median(once(environment) for _ in range(times))
    bare = statistics.median(_bare() for _ in range(times))
    return {"cold_s": cold, "cached_s": warm, "python_alone_s": bare}


def _bare() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


def shown(key: str, found: dict[str, dict[str, float]]) -> None:
    """Prints the rates of a game, and their ratios to Python and to the other engines."""
    print(key)
    for label, rates in found.items():
        beside = "".join(f"   x{rates['games_per_second'] / found[other]['games_per_second']:.2f} of {other}"
                         for other in ("python", *OUTSIDE) if other in found)
        print(f"  {label:<12}{rates['games_per_second']:>12,.0f} games/s {rates['decisions_per_second']:>12,.0f} decisions/s"
              f" {rates['decisions_per_game']:>9.1f} decisions/game{beside}")


def row(name: str, found: dict[str, dict[str, float]]) -> str:
    """Returns a row of the table of `--library`, with the ratio to the other engine."""
    rates = {label: one["games_per_second"] for label, one in found.items()}
    other = next(label for label in OUTSIDE if label in rates)
    games = [f"{float(f'{rates[label]:.3g}'):,.10g}" if label in rates else "–" for label in ("python", "c", other)]
    times = [f"{rates[label] / rates[other]:.2g}" if label in rates else "–" for label in ("python", "c")]
    return f"| {' | '.join([name, *games, *times])} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", help="only these, with commas between them: random games a second, with as few players as can be")
    arguments.add_argument("--library", action="store_true", help="every game that is played outside too, the same way, as a table")
    arguments.add_argument("--seconds", type=float, default=2.0, help="for each contender")
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    one_core()
    if options.games:
        for name in options.games.split(","):
            shown(name, compare(name, None, options.seconds))
        return
    if options.library:
        print("| random games a second | Python | C | outside | Python beside it | C beside it |\n|---|---|---|---|---|---|", flush=True)
        for name in sorted(openspiel.GAMES | pydraughts.GAMES | catan.GAMES):
            print(row(name, compare(name, None, options.seconds, turns=1)), flush=True)
        return
    report: dict = {"python": sys.version.split()[0], "games": {}, "positions": {}, "start": starts()}
    for name, players in [(name, 2) for name in CLASSICS] + HEAVY:
        key = f"{name} {players}p"
        report["games"][key] = found = compare(name, players, options.seconds)
        if not options.json:
            shown(key, found)
    for name, players in [("tic-tac-toe", 2), ("hex", 2), ("dominant-species", 2), ("dominant-species", 6)]:
        key = f"{name} {players}p"
        report["positions"][key] = costs = position_costs(name, players)
        if not options.json:
            print(
                f"{key}: copy {costs['copy_us']:.2f} us, hash {costs['digest_us']:.0f} us, save {costs['save_us']:.0f} us,"
                f" {costs['entries']} entries, {costs['bytes'] / 1024:.1f} KiB"
            )
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        print("start of `ludoglot games`: " + ", ".join(f"{key} {value:.2f}" for key, value in report["start"].items()))


if __name__ == "__main__":
    main()
