"""Measures the strength of a bot: `python bench/strength.py --game dominant-species --games 100 --bots greedy,random [--players 2]
[--json]`.

Bots play each other, with the same seed once from each seat. The list of bots moves one seat further in each game. Games that do not end
by rule stop after `--rounds` rounds, and the standing then counts. For each kind of bot, the script reports:

- the games that it won alone, their share with a 95 % interval, and the games with a shared first place,
- the share of victories, in which a shared first place counts as half a victory (with more players, as a part),
- the mean points of a seat (the first value of the standing),
- the lead of the first kind over the others in the same game, with a 95 % interval,
- the cost of a decision with more than one move: steps of the game in lookahead and playouts (the same on every machine), and
  milliseconds of processor time (only a hint).

With `--c`, bots think in C. They choose the same moves, and steps are not counted. `--ms` finds the work that `hard` can do there in this
number of milliseconds of processor time. The script prints it, so that `--work` can play the same games again.

With `--former REV`, the bot `former` is `greedy` at that revision, with the rules of that revision. With `--c`, it thinks in C if it
existed in C. If the old rules cannot read current positions, only the defs in `--defs` come from that revision.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.bots import greedy as bots_here
from ludoglot.engine.bots.greedy import BOTS, Chooser
from ludoglot.engine.bots.native import NativeBots, NativeGame
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.position.position import Game, Position
from old_bots import former

ROOT = Path(__file__).parent.parent
FEW, TRIED = 10, 6000                # searches that measure the speed, and the work of each
Choose = Callable[[str, Position, int, random.Random], int]


class Counter:
    """Counts the steps of all positions while it is open."""

    def __enter__(self) -> Counter:
        self.steps, self.plain = 0, Position.step

        def step(position: Position, code: int) -> object:
            self.steps += 1
            return self.plain(position, code)
        Position.step = step  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *_: object) -> None:
        Position.step = self.plain  # type: ignore[method-assign]


def wilson(wins: int, games: int, z: float = 1.959964) -> tuple[float, float]:
    """Returns the 95 % confidence interval of a share.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American Statistical
    Association 22 (1927), 209-212. Unlike the share plus or minus its deviation, it is correct for few games and for shares near 0 and 1.
    """
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def interval(values: list[float]) -> tuple[float, float, float]:
    """Returns the mean, and the ends of its 95 % confidence interval. The interval is about right for 20 values or more."""
    middle = statistics.mean(values)
    half = 2.1 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return middle, middle - half, middle + half


def play(game: Game, bots: list[str], seed: int, rounds: int, costs: dict[str, list[tuple[int, float]]], choose: Choose) -> Position:
    """Plays one game like the command line does, and adds the cost of each decision to `costs`."""
    position, number = game.start(seed), 0
    while not position.over and position.rounds <= rounds:
        decision = position.decision
        assert decision is not None
        code = decision.codes[0]
        if len(decision) > 1 or decision.kind.secret:
            bot = bots[decision.seat]
            with Counter() as counter:
                start = time.process_time()
                code = choose(bot, position, decision.seat, decision_rng(seed, decision.seat, number))
                spent = time.process_time() - start
            if len(decision) > 1:
                costs[bot].append((counter.steps, 1000 * spent))
        position.step(code)
        number += 1
    return position


def measure(game: Game, bots: list[str], games: int, seed: int, rounds: int, choose: Choose) -> dict[str, dict]:
    """Plays the games, and returns the results by kind of bot."""
    kinds = list(dict.fromkeys(bots))
    costs: dict[str, list[tuple[int, float]]] = {kind: [] for kind in kinds}
    wins, shared = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0)
    parts: dict[str, list[float]] = {kind: [] for kind in kinds}                 # by game, the share of the victory
    points: dict[str, list[float]] = {kind: [] for kind in kinds}                # by game, the mean over its seats
    for n in range(games):
        turn = n % len(bots)
        seats = bots[-turn:] + bots[:-turn] if turn else bots
        position = play(game, seats, seed + n // len(bots), rounds, costs, choose)
        winners = [seats[rank.seat] for rank in position.standing() if rank.rank == 1]
        first = set(winners)
        for kind in first:
            (wins if len(first) == 1 else shared)[kind] += 1
        scored = {rank.seat: rank.values[0] for rank in position.standing()}
        for kind in kinds:
            parts[kind].append(winners.count(kind) / len(winners))
            points[kind].append(statistics.mean(scored[seat] for seat, other in enumerate(seats) if other == kind))
        said = ", ".join(f"{kind} {wins[kind]} ({points[kind][-1]:.0f} points)" for kind in kinds)
        print(f"{n + 1} of {games} games, {position.rounds} rounds; won: {said}", file=sys.stderr, flush=True)
    report = {}
    for kind in kinds:
        steps, times = ([cost[n] for cost in costs[kind]] or [0] for n in (0, 1))
        low, high = wilson(wins[kind], games)
        report[kind] = {
            "seats": bots.count(kind), "games": games, "wins": wins[kind], "shared": shared[kind],
            "share": wins[kind] / games, "low": low, "high": high, "decisions": len(costs[kind]),
            "steps_median": int(statistics.median(steps)), "steps_most": max(steps),
            "victory": (statistics.mean(parts[kind]), *wilson(sum(parts[kind]), games)), "points": statistics.mean(points[kind]),
            "ms_median": statistics.median(times), "ms_most": max(times),
        }
    if len(kinds) > 1:
        ahead = [own - statistics.mean(others) for own, *others in zip(*points.values(), strict=True)]
        report[kinds[0]]["ahead"] = interval(ahead)
    return report


def ahead(found: dict) -> str:
    """Returns the lead of a kind in points as text, with its interval."""
    return ", {:.1f} above the others ({:.1f} to {:.1f})".format(*found["ahead"]) if "ahead" in found else ""


def work_in(game: Game, thinker: NativeBots, ms: float) -> int:
    """Estimates the work that a search does in `ms` milliseconds of processor time, from searches all along a random game."""
    rng, position, thoughts = random.Random(1), game.start(1), []
    while not position.over and len(thoughts) < 40 * FEW:
        codes = position.decision.codes if position.decision is not None else []
        if len(codes) > 1:
            thoughts.append(position.copy())
        position.step(rng.choice(codes))
    work, spent = 0, 0.0
    for once in thoughts[:: max(1, len(thoughts) // FEW)] * 2:
        start = time.process_time()
        work += thinker.choose(once, TRIED, rng)[1]
        spent += time.process_time() - start
    found = work / spent * ms / 1000
    digits = 10 ** max(0, len(str(int(found))) - 2)
    return round(found / digits) * digits


def worked(choose: Choose, thinker: NativeBots, work: int) -> Choose:
    """Returns a chooser in which `hard` has another budget."""
    def chosen(kind: str, position: Position, seat: int, rng: random.Random) -> int:
        return thinker.choose(position, work, rng)[0] if kind == "hard" else choose(kind, position, seat, rng)
    return chosen


def joined(choose: Choose, chooser: Chooser) -> Choose:
    """Returns a chooser that also has the bot `former`."""
    def chosen(kind: str, position: Position, seat: int, rng: random.Random) -> int:
        return chooser(position, seat, rng) if kind == "former" else choose(kind, position, seat, rng)
    return chosen


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--game", required=True, help="a folder of rules/")
    arguments.add_argument("--games", type=int, default=100)
    arguments.add_argument("--players", type=int, default=2)
    arguments.add_argument("--bots", default="greedy,random", help="one for each seat; the last one takes the seats that are left")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--rounds", type=int, default=60)
    arguments.add_argument("--c", action="store_true", help="think in C")
    arguments.add_argument("--work", type=int, help="with --c: the work that `hard` may do for a decision, instead of its own")
    arguments.add_argument("--ms", type=float, help="with --c: the time that `hard` may take for a decision, more or less")
    arguments.add_argument("--former", help="a revision of the repository")
    arguments.add_argument("--defs", default="", help="with --former: only these defs as they were then, the other rules as they are")
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    bots = options.bots.split(",")
    known = [*BOTS, *["former"] * (options.former is not None)]
    unknown = [bot for bot in bots if bot not in known]
    if unknown or options.games < 1 or len(bots) > options.players or not (ROOT / "rules" / options.game / "game.yaml").is_file():
        arguments.error(f"--game is a folder of rules/, --games at least 1, --bots at most one for each player, of: {', '.join(known)}")
    bots += bots[-1:] * (options.players - len(bots))
    game = Game(load_ruleset(ROOT / "rules" / options.game, options.players))
    choose = bots_here.choose_option
    if options.c:
        native = NativeGame(game)
        native.wait()
        if native.found is None:
            arguments.error("there is no C compiler, or this game is not known to C")
        work = options.work if options.ms is None else work_in(game, native.found, options.ms)
        choose = native.choose if work is None else worked(native.choose, native.found, work)
        if options.ms is not None:
            print(f"{options.ms:.0f} ms are about {work} units of work", flush=True)
    if options.former is not None:
        choose = joined(choose, former(options.former, options.game, game, options.c, options.defs.split(",") if options.defs else []))
    report = measure(game, bots, options.games, options.seed, options.rounds, choose)
    if options.json:
        print(json.dumps({"game": options.game, "players": options.players, "seed": options.seed, "bots": report}, indent=1))
        return
    for kind, found in report.items():
        print(
            f"{options.game} {options.players}p, {kind} in {found['seats']} of {options.players} seats:"
            f" won {found['wins']} of {found['games']} ({found['share']:.0%}, 95 % interval {found['low']:.1%} to {found['high']:.1%}),"
            f" shared {found['shared']}; {100 * found['victory'][0]:.0f} % of the victories ({100 * found['victory'][1]:.0f} to"
            f" {100 * found['victory'][2]:.0f} %); {found['points']:.1f} points a seat{ahead(found)};"
            f" a decision: {'' if options.c else '{steps_median} steps (most {steps_most}), '.format(**found)}"
            f"{found['ms_median']:.1f} ms (most {found['ms_most']:.0f})"
        )


if __name__ == "__main__":
    main()
