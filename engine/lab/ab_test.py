"""Whether a house rule changes a game, and by how much: games with the same seeds by both rules, pair by pair.

A *measure* is a number that each game has. Of each pair its two games differ by so much in it. Were the rules to make no difference, each
difference might as well have the other sign; how rare a mean as far from 0 as the one seen is among all signs says how likely chance alone
made it (R. A. Fisher, "The design of experiments", 1935; exact for few pairs, else by signs drawn at random with the seen ones counted
among them: B. Phipson and G. K. Smyth, "Permutation p-values should never be zero", 2010; scipy.stats.permutation_test).

It is looked at several times, and playing stops as soon as all measures are settled: each differs more than chance, or hardly at all. So
that looking often does not make alarms likely, each look may spend only its part of the 5 in 100: ln(1 + (e - 1) t) of it by the time when
the part t of the games is played (K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", 1983). The parts are
summed, which needs no assumption at all about how looks hang together; within one look the measures share its part (S. Holm, "A simple
sequentially rejective multiple test procedure", 1979). So with no change at all, 5 of 100 runs at most tell of one, whichever measure it
is of.

The interval of a difference is that of Student at the level which the look leaves to one measure: such intervals hold for all measures and
looks together (C. Jennison and B. W. Turnbull, "Repeated confidence intervals for group sequential clinical trials", 1984).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy
from scipy import stats

from .game_statistics import SHARE_MEASURES, wilson_interval
from .plan import GameKey, LabPlan
from .playout import GameResult

ALPHA = 0.05                        # of runs in which nothing is different, so many may say that something is
INTERIM_FRACTIONS = (1 / 8, 1 / 4, 1 / 2, 1)     # of the games: when it is looked at
PERMUTATION_COUNT = 1999                         # drawn for one measure at one look
# a difference within such a part of what was before is of no importance; of shares, within so much
NEGLIGIBLE_DIFFERENCE = 0.05
MIN_TESTED_PAIRS = 6                              # pairs below which no signs are rare enough to mean anything
POINT_MEASURES = ("points", "gap")          # measures of points: of the pairs in which both games have some
GamePair = tuple[GameResult, GameResult]         # by the house rule, and by the rules that it is compared with


@dataclass(frozen=True)
class MeasureChange:
    """By how much a measure differs on the average, with its interval; `chance`: how likely chance alone makes so much; `clear`: that
    this is less than what the look allows, or was less at an earlier one. `before` and `after` are the means by the two rules."""

    measure: str
    before: float
    after: float
    low: float
    high: float
    chance: float
    clear: bool

    @property
    def by(self) -> float:
        return self.after - self.before

    @property
    def is_negligible(self) -> bool:
        """Whether the difference is of no importance, wherever in its interval it lies."""
        most = NEGLIGIBLE_DIFFERENCE * (1 if self.measure.partition(".")[0] in SHARE_MEASURES else abs(self.before))
        return -most <= self.low and self.high <= most

    def data(self) -> dict[str, Any]:
        return {"measure": self.measure, "before": round(self.before, 4), "after": round(self.after, 4), "low": round(self.low, 4),
                "high": round(self.high, 4), "p": round(self.chance, 5), "clear": self.clear, "small": self.is_negligible}


@dataclass(frozen=True)
class ComparisonResult:
    """What a look says: of how many pairs that came to an end, of how many planned, and whether all games were exactly alike."""

    pairs: int
    planned: int
    alike: bool
    changes: list[MeasureChange]
    left_out: int = 0                                              # pairs in which something went wrong
    unfinished: int = 0                                            # pairs of which a game had no end: they count for that alone
    differing: int = 0                                             # pairs in which the games are not alike

    @property
    def clear(self) -> bool:
        """Whether anything differs more than chance makes it."""
        return any(change.clear for change in self.changes)

    @property
    def total_pairs(self) -> int:
        """How many pairs were played so far."""
        return self.pairs + self.left_out + self.unfinished

    @property
    def is_conclusive(self) -> bool:
        return all(change.clear or change.is_negligible for change in self.changes)

    def data(self) -> dict[str, Any]:
        return {"pairs": self.pairs, "planned": self.planned, "left_out": self.left_out, "unfinished": self.unfinished,
                "differing": self.differing, "alike": self.alike, "alarms": ALPHA,
                "measures": [change.data() for change in self.changes]}


def look_schedule(games: int) -> list[int]:
    """After how many pairs it is looked at."""
    counts = {math.ceil(part * games) for part in INTERIM_FRACTIONS}
    return sorted(count for count in counts if count >= min(MIN_TESTED_PAIRS, games))


def alpha_for_look(games: int, count: int) -> float:
    """The part of the alarms that the look after `count` pairs may spend."""
    marks = [0, *look_schedule(games)]
    before = next(low for low, high in pairwise(marks) if high == count)
    return ALPHA * (math.log1p((math.e - 1) * count / games) - math.log1p((math.e - 1) * before / games))


def min_pairs_needed(players: int, points: bool) -> int:
    """How many pairs are needed before anything can be rare enough: even where all pairs differ to the same side, chance does so in one of
    2 to the power of (pairs - 1) comparisons, and the measures share what a look may spend. `points`: whether the game counts points."""
    shared = 2 + (players if players != 2 else 1) + (2 if points else 0)
    return next(count for count in range(MIN_TESTED_PAIRS, 64) if 2.0 ** (1 - count) <= alpha_for_look(count, count) / shared)


def select_measures(pairs: Sequence[GamePair]) -> dict[str, Callable[[GameResult], float]]:
    """What is compared: who is first, how long it lasts, and where points are counted how many there are and how far the last is behind.
    Games without an end are compared in their number alone."""
    players = max(len(game.ranks) for pair in pairs for game in pair)
    found: dict[str, Callable[[GameResult], float]] = {"length": lambda game: game.decisions}
    for seat in range(players if players != 2 else 1):             # of two seats one is first where the other is not
        found[f"seat.{seat}"] = lambda game, seat=seat: game.victory_share(seat)     # type: ignore[misc]
    found["shared"] = lambda game: float(len(game.winners) > 1)
    if any(game.stalled for pair in pairs for game in pair):
        found["stalled"] = lambda game: float(game.stalled)
    if any(all(game.scores for game in pair) for pair in pairs):
        found["points"] = lambda game: sum(game.scores) / len(game.scores)
        found["gap"] = lambda game: max(game.scores) - min(game.scores)
    return found


def run_interim_analysis(pairs: Sequence[GamePair], games: int, seed: int, before: ComparisonResult | None = None) -> ComparisonResult:
    """What the first pairs of so many planned say, after what the look `before` said. `seed` is that of the signs drawn."""
    whole = [pair for pair in pairs if not any(game.fault for game in pair)]
    if not whole:
        return ComparisonResult(0, games, False, [], len(pairs))
    ended = [pair for pair in whole if not any(game.stalled for game in pair)]
    known = {name: value for name, value in select_measures(whole).items() if ended or name == "stalled"}
    level = alpha_for_look(games, len(pairs))
    counted = [pair for pair in ended if all(game.scores for game in pair)]
    pairs_of = {"stalled": whole, **dict.fromkeys(POINT_MEASURES, counted)}
    values = {name: [numpy.array([value(pair[side]) for pair in pairs_of.get(name, ended)], dtype=float) for side in (0, 1)]
              for name, value in known.items()}
    likely = {name: permutation_p_value(after - earlier, seed) for name, (after, earlier) in values.items()}
    clear = select_significant(likely, level) | {
        change.measure for change in (before.changes if before is not None else ()) if change.clear
    }
    changes = [
        MeasureChange(
            name,
            float(earlier.mean()),
            float(after.mean()),
            *measure_interval(name, after - earlier, 1 - level / len(known)),
            likely[name],
            name in clear,
        )
        for name, (after, earlier) in values.items()
    ]
    differing = sum(replace(one, seed=0) != replace(two, seed=0) for one, two in whole)
    return ComparisonResult(len(ended), games, not differing, changes, len(pairs) - len(whole), len(whole) - len(ended), differing)


def select_significant(likely: dict[str, float], level: float) -> set[str]:
    """Which of these are less likely than the level allows when all of them share it (Holm)."""
    found: set[str] = set()
    for name in sorted(likely, key=lambda name: likely[name]):
        if likely[name] > level / (len(likely) - len(found)):
            break
        found.add(name)
    return found


def permutation_p_value(differences: numpy.ndarray[Any, Any], seed: int) -> float:
    """How likely a mean so far from 0 is when every difference might have the other sign."""
    if not differences.any():
        return 1.0
    found = stats.permutation_test(
        (differences,),
        numpy.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=PERMUTATION_COUNT,
        batch=500,
        alternative="two-sided",
        rng=numpy.random.default_rng(seed),
    )
    return float(found.pvalue)


def measure_interval(measure: str, differences: numpy.ndarray[Any, Any], sure: float) -> tuple[float, float]:
    """The interval of a measure. A share of games in which no pair differs is not known to be the same: what was never seen in so many may
    still be as likely as Wilson's interval says."""
    low, high = t_interval(differences, sure)
    if measure.partition(".")[0] in SHARE_MEASURES and low == high:
        most = wilson_interval(0, len(differences), sure)[1]
        return low - most, high + most
    return low, high


def t_interval(values: numpy.ndarray[Any, Any], sure: float) -> tuple[float, float]:
    """Between which ends the mean of what such values come from lies, by Student's t."""
    error = stats.sem(values) if len(values) > 1 else math.inf
    middle = float(values.mean())
    if not error or not math.isfinite(error):
        return (middle, middle) if error == 0 else (-math.inf, math.inf)
    low, high = stats.t.interval(sure, len(values) - 1, loc=middle, scale=error)
    return float(low), float(high)


class SequentialTest:
    """What the games of a plan say, look by look."""

    def __init__(self, plan: LabPlan) -> None:
        self.plan, self.stops = plan, look_schedule(plan.games)
        self.verdict: ComparisonResult | None = None

    def is_conclusive_after(self, games: dict[GameKey, GameResult], count: int) -> bool:
        """Look at the first `count` pairs; whether all is settled."""
        pairs = [(games[0, seed], games[1, seed]) for seed in range(self.plan.seed, self.plan.seed + count)]
        self.verdict = run_interim_analysis(pairs, self.plan.games, self.plan.seed, self.verdict)
        return self.verdict.is_conclusive and self.verdict.pairs > 0
