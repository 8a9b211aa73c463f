"""Lets all bots play each other in all games and writes docs/project/strength.md: `python bench/strength_table.py --minutes 30`.

Each pair of bots plays two games in turn, with the same seed and changed seats, wherever the least time has been spent so far. So each
pair of each game gets about the same time, and the games of slow rules are few. The script stops after `--minutes`, or when all pairs have
played `--games` games. A game that is not finished by then does not count.

`--keep FILE` keeps the results in this file. If it exists, the script continues from there, so that you can add time later. `--game` plays
only this game, and can be repeated. The tables have all games. `--dry` prints them and leaves the page as it is.

Bots think in C with their usual budgets, and choose the same moves there. Games that C does not know are reported as not measured.
With more than two seats, one bot has all even seats and the other one all odd seats, and in a game of partners these are the teams. In a
game with one team, there is no opponent, and each bot plays all seats.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from ludoglot.dsl.backend_c.ffi import NativeError  # noqa: E402
from ludoglot.dsl.game.ruleset import load_ruleset  # noqa: E402
from ludoglot.engine.bots.native import NativeBots, NativeGame  # noqa: E402
from ludoglot.engine.position.position import Game  # noqa: E402

from bench.performance_page import build_table, replace_table  # noqa: E402
from bench.strength import interval, wilson  # noqa: E402

PAGE = ROOT / "docs" / "project" / "strength.md"
BOTS = ("random", "greedy", "easy", "medium", "hard")
CHUNK = 200                          # decisions between two looks at the clock
MOST_DECISIONS = 6000                # a longer game is cut off, and its standing counts
SECONDS_FOR_COMPILING = 300
NOT_MEASURED = "not measured"


@dataclass
class Pairing:
    """Two bots, or one bot alone in a team, and the results of the first: shares of the victory, or points of the team."""

    game: str
    bots: tuple[str, ...]
    results: list[float] = field(default_factory=list)
    seconds: float = 0


class Contest:
    """The games of one folder of rules. `native` is None if C does not know it, or if it is not played in this run."""

    def __init__(self, name: str, is_played: bool) -> None:
        self.name = name
        low, high = load_ruleset(ROOT / "rules" / name).source.player_range
        self.players = next((count for count in range(max(2, low), high + 1) if count % 2 == 0), low)
        self.game = Game(load_ruleset(ROOT / "rules" / name, self.players))
        self.is_team = len(self.game.teams) == 1
        self.native: NativeBots | None = None
        if is_played:
            made = NativeGame(self.game)
            made.thread.join(SECONDS_FOR_COMPILING)
            self.native = made.found

    def pairings(self) -> list[Pairing]:
        """Returns all pairs of bots without results. The stronger bot, by its name, is first."""
        if self.is_team:
            return [Pairing(self.name, (bot,)) for bot in BOTS]
        return [Pairing(self.name, (other, bot)) for bot, other in combinations(BOTS, 2)]

    def play(self, bots: tuple[str, ...], number: int, until: float) -> float | None:
        """Returns the result of the first bot in the game with this number, or None if the time is up."""
        assert self.native is not None
        turn = number % len(bots)
        seats = [bots[(seat + turn) % len(bots)] for seat in range(self.players)]
        seed, done = 1 + number // len(bots), 0
        self.native.load(self.game.start(seed).s)
        while done < MOST_DECISIONS:
            over, notes = self.native.play_bots(seed, done + CHUNK, seats, done)
            done += len(notes) // 4
            if over:
                break
            if time.monotonic() >= until:
                return None
            words = self.native.save_words()
            self.native.loaded_words = words
            self.native.reload()
        values = self.native.values()
        if self.is_team:
            return float(values[0][0])
        winners = [bot for bot, value in zip(seats, values, strict=True) if value == max(values)]
        return winners.count(bots[0]) / len(winners)


def play_all(contests: dict[str, Contest], pairings: list[Pairing], until: float, most: int) -> None:
    """Plays games until the time is up, or all pairings have `most` results."""
    while time.monotonic() < until:
        open_ = [one for one in pairings if len(one.results) < most]
        if not open_:
            return
        one = min(open_, key=lambda one: (len(one.results) >= 2, one.seconds))
        begun = time.monotonic()
        try:
            found = [contests[one.game].play(one.bots, len(one.results) + n, until) for n in range(2)]
        except NativeError as error:
            print(f"{one.game}, {one.bots}: {error}", file=sys.stderr)
            pairings.remove(one)
            continue
        one.seconds += time.monotonic() - begun
        one.results += [value for value in found if value is not None and None not in found]


def format_share(results: list[float]) -> str:
    """Returns a share of victories with its interval and the number of games."""
    if not results:
        return NOT_MEASURED
    share = statistics.mean(results)
    low, high = wilson(sum(results), len(results))
    return f"{share:.0%} ({low:.0%} to {high:.0%}), {len(results)}"


def duels_table(names: list[str], pairings: list[Pairing]) -> list[str]:
    """Returns the table of games with opponents: a row for each bot, a column for each weaker one."""
    found = {(one.game, *one.bots): one.results for one in pairings if len(one.bots) == 2}
    rows = []
    for name in names:
        for n, bot in enumerate(BOTS[1:], start=1):
            shares = [format_share(found.get((name, bot, other), [])) for other in BOTS[:n]]
            rows.append([name, bot, *shares, *[""] * (len(BOTS) - 1 - n)])
    return build_table(["game", "bot", *(f"against {other}" for other in BOTS[:-1])], rows)


def teams_table(names: list[str], pairings: list[Pairing]) -> list[str]:
    """Returns the table of games with one team: the mean points of each bot."""
    found = {(one.game, one.bots[0]): one.results for one in pairings if len(one.bots) == 1}
    rows = []
    for name in names:
        for bot in BOTS:
            results = found.get((name, bot), [])
            mean, low, high = interval(results) if len(results) > 1 else (0, 0, 0)
            rows.append([name, bot, f"{mean:.1f} ({max(0, low):.1f} to {high:.1f}), {len(results)}" if len(results) > 1 else NOT_MEASURED])
    return build_table(["game", "bot", "points of the team"], rows)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=30, help="time for all games, without compiling (default: 30)")
    arguments.add_argument("--games", type=int, default=100, help="games for each pair at most, an even number (default: 100)")
    arguments.add_argument("--game", action="append", help="a folder of rules/ (default: all of them)")
    arguments.add_argument("--keep", type=Path, help="a file with the results (default: none)")
    arguments.add_argument("--dry", action="store_true", help="print the tables only")
    options = arguments.parse_args()
    names = sorted(path.parent.name for path in (ROOT / "rules").glob("*/game.yaml"))
    contests, pairings = {}, []
    kept = json.loads(options.keep.read_text()) if options.keep is not None and options.keep.is_file() else []
    before = {(one["game"], *one["bots"]): one for one in kept}
    for name in names:
        contest = contests[name] = Contest(name, is_played=not options.game or name in options.game)
        for one in contest.pairings():
            known = before.get((name, *one.bots))
            one.results, one.seconds = (known["results"], known["seconds"]) if known is not None else ([], 0)
            pairings.append(one)
        print(f"{name}: {'ready' if contest.native is not None else 'not played'}", file=sys.stderr, flush=True)
    playing = [one for one in pairings if contests[one.game].native is not None]
    play_all(contests, playing, time.monotonic() + 60 * options.minutes, options.games)
    if options.keep is not None:
        options.keep.write_text(json.dumps([{"game": one.game, "bots": one.bots, "results": one.results, "seconds": one.seconds}
                                            for one in pairings]))
    tables = {"duels": duels_table([name for name in names if not contests[name].is_team], pairings),
              "teams": teams_table([name for name in names if contests[name].is_team], pairings)}
    for part, rows in tables.items():
        if options.dry:
            print("\n".join(rows), end="\n\n")
        else:
            PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8"), part, rows), encoding="utf-8")
    played = [one for one in pairings if one.results]
    print(f"{sum(len(one.results) for one in played)} games, {len(played)} of {len(pairings)} pairs measured")


if __name__ == "__main__":
    main()
