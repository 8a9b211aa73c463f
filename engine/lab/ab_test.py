"""Compares two rulesets game by game: does a house rule change the game, and by how much?

Both rulesets are played with the same seeds, so the games form pairs. A *measure* is a number that each game
has, such as its length. The test looks at the differences of a measure within the pairs.

**Permutation test.** If the rules made no difference, each difference could equally well have the opposite
sign. The p-value is the share of sign assignments whose mean is at least as far from 0 as the observed mean
(R. A. Fisher, "The design of experiments", 1935). The test is exact for few pairs. Otherwise it draws random
signs and counts the observed ones among them (B. Phipson and G. K. Smyth, "Permutation p-values should never
be zero", 2010; scipy.stats.permutation_test).

**Sequential looks.** The data is analyzed several times. Play stops as soon as every measure is settled: its
difference is significant, or it is negligible. Repeated looks must not raise the false alarm rate, so each
look spends only a part of ALPHA. After the part t of all games, ALPHA * ln(1 + (e - 1) t) may have been spent
in total (K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", 1983). The
parts are added up, which needs no assumption about the dependence between looks.

**Multiple measures.** Within one look, the measures share its part by Holm's method (S. Holm, "A simple
sequentially rejective multiple test procedure", 1979). If the rules change nothing, at most 5 of 100 runs
report a change in any measure.

**Intervals.** The interval of a difference is Student's t interval, at the level that the look leaves to one
measure. Such intervals hold for all measures and looks together (C. Jennison and B. W. Turnbull, "Repeated
confidence intervals for group sequential clinical trials", 1984)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy
from scipy import stats

from .game_statistics import SHARE_MEASURES, find_changing_roles, wilson_interval
from .plan import GameKey, LabPlan
from .playout import GameResult

ALPHA = 0.05                        # significance level: the share of runs without any change that may report one
INTERIM_FRACTIONS = (1 / 8, 1 / 4, 1 / 2, 1)     # parts of the planned games after which the data is analyzed
PERMUTATION_COUNT = 1999                         # random sign assignments for one measure at one look
# relative to the earlier mean; absolute for shares of games
NEGLIGIBLE_DIFFERENCE = 0.05
MIN_TESTED_PAIRS = 6                              # with fewer pairs, no sign assignment is rare enough to be significant
POINT_MEASURES = ("points", "gap")          # compared only over pairs in which both games have points
GamePair = tuple[GameResult, GameResult]         # the game with the house rule, and the game with the rules it is compared with


@dataclass(frozen=True)
class MeasureChange:
    """The mean difference of one measure, with its confidence interval.

    `before` and `after` are the means with the two rulesets. `chance` is the p-value. `clear` means that the
    p-value was below the allowed level at this look or at an earlier one."""

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
        """Whether the difference is negligible everywhere in its interval."""
        most = NEGLIGIBLE_DIFFERENCE * (1 if self.measure.partition(".")[0] in SHARE_MEASURES else abs(self.before))
        return -most <= self.low and self.high <= most

    def data(self) -> dict[str, Any]:
        return {"measure": self.measure, "before": round(self.before, 4), "after": round(self.after, 4), "low": round(self.low, 4),
                "high": round(self.high, 4), "p": round(self.chance, 5), "clear": self.clear, "small": self.is_negligible}


@dataclass(frozen=True)
class ComparisonResult:
    """The result of one look: the number of finished pairs, the planned number, and the change of each measure.

    `alike` means that the two games of every pair were identical."""

    pairs: int
    planned: int
    alike: bool
    changes: list[MeasureChange]
    left_out: int = 0                                              # pairs in which a rule failed
    unfinished: int = 0                                            # pairs with a game that reached the decision limit
    differing: int = 0                                             # pairs whose two games are not identical

    @property
    def clear(self) -> bool:
        """Whether at least one measure differs significantly."""
        return any(change.clear for change in self.changes)

    @property
    def total_pairs(self) -> int:
        """The number of pairs played so far, including failed and unfinished ones."""
        return self.pairs + self.left_out + self.unfinished

    @property
    def is_conclusive(self) -> bool:
        """Whether every measure differs significantly or negligibly, so that play may stop."""
        return all(change.clear or change.is_negligible for change in self.changes)

    def data(self) -> dict[str, Any]:
        return {"pairs": self.pairs, "planned": self.planned, "left_out": self.left_out, "unfinished": self.unfinished,
                "differing": self.differing, "alike": self.alike, "alarms": ALPHA,
                "measures": [change.data() for change in self.changes]}


def look_schedule(games: int) -> list[int]:
    """Returns the numbers of pairs after which the data is analyzed, in increasing order."""
    counts = {math.ceil(part * games) for part in INTERIM_FRACTIONS}
    return sorted(count for count in counts if count >= min(MIN_TESTED_PAIRS, games))


def alpha_for_look(games: int, count: int) -> float:
    """Returns the part of ALPHA that the look after `count` of `games` pairs may spend."""
    marks = [0, *look_schedule(games)]
    before = next(low for low, high in pairwise(marks) if high == count)
    return ALPHA * (math.log1p((math.e - 1) * count / games) - math.log1p((math.e - 1) * before / games))


def min_pairs_needed(teams: int, points: bool, roles: int = 0) -> int:
    """Returns the smallest number of pairs with which a difference can be significant at all.

    If all n pairs differ in the same direction, the p-value is 2 ** (1 - n). It must not exceed the share of
    ALPHA that one measure gets at the look. `teams` are the teams, or the players in a game without teams.
    `points` says whether the game counts points, which adds two measures. Each of the `roles` adds one."""
    shared = 2 + (teams if teams != 2 else 1) + (2 if points else 0) + roles
    return next(count for count in range(MIN_TESTED_PAIRS, 64) if 2.0 ** (1 - count) <= alpha_for_look(count, count) / shared)


def select_measures(pairs: Sequence[GamePair]) -> dict[str, Callable[[GameResult], float]]:
    """Returns the measures that these games have, each as a function of one game.

    They are the length, the victory share of each seat or team and of the owner of each role, and shared victories. Games at
    the decision limit add `stalled`. If the game counts points, the mean and the gap between the best and the worst
    seat are added. For games without an end, only their number is compared."""
    players = max(len(game.ranks) for pair in pairs for game in pair)
    found: dict[str, Callable[[GameResult], float]] = {"length": lambda game: game.decisions}
    teams = next((game.teams for pair in pairs for game in pair if game.teams), [])
    measured = [team[0] for team in teams] or range(players)
    for seat in measured if len(measured) != 2 else measured[:1]:  # with two seats or teams, one share determines the other
        found[f"{'team' if teams else 'seat'}.{seat}"] = lambda game, seat=seat: game.victory_share(seat)     # type: ignore[misc]
    for name, member in find_shared_roles(pairs):
        found[f"role.{name}.{member}"] = lambda game, name=name, member=member: game.victory_share(  # type: ignore[misc]
            game.roles[name][member])
    found["shared"] = lambda game: float(len(game.winning_teams) > 1)
    if any(game.stalled for pair in pairs for game in pair):
        found["stalled"] = lambda game: float(game.stalled)
    if any(all(game.scores for game in pair) for pair in pairs):
        found["points"] = lambda game: sum(game.scores) / len(game.scores)
        found["gap"] = lambda game: max(game.scores) - min(game.scores)
    return found


def has_role(pair: GamePair, name: str, member: str) -> bool:
    """Whether a role had an owner in both games of a pair."""
    return all(member in game.roles.get(name, ()) for game in pair)


def find_shared_roles(pairs: Sequence[GamePair]) -> list[tuple[str, str]]:
    """Returns the roles, as pairs of state and member, that had an owner in both games of enough pairs.

    Of two roles that two seats share, only one is returned: its share determines the other."""
    roles = find_changing_roles(game.roles for pair in pairs for game in pair)
    members = Counter(name for name, _ in roles)
    seats = {seat for pair in pairs for game in pair for whose in game.roles.values() for seat in whose.values()}
    counted = [role for n, role in enumerate(roles) if not (len(seats) == members[role[0]] == 2 and role[0] in dict(roles[:n]))]
    return [role for role in counted if sum(has_role(pair, *role) for pair in pairs) >= MIN_TESTED_PAIRS]


def run_interim_analysis(pairs: Sequence[GamePair], games: int, seed: int, before: ComparisonResult | None = None) -> ComparisonResult:
    """Analyzes the first pairs of a plan of `games` pairs.

    `before` is the result of the previous look: what was significant there stays significant. `seed` is the seed
    of the random signs."""
    whole = [pair for pair in pairs if not any(game.fault for game in pair)]
    if not whole:
        return ComparisonResult(0, games, False, [], len(pairs))
    ended = [pair for pair in whole if not any(game.stalled for game in pair)]
    known = {name: value for name, value in select_measures(whole).items() if ended or name == "stalled"}
    level = alpha_for_look(games, len(pairs))
    counted = [pair for pair in ended if all(game.scores for game in pair)]
    pairs_of = {"stalled": whole, **dict.fromkeys(POINT_MEASURES, counted)}
    pairs_of |= {f"role.{name}.{member}": [pair for pair in ended if has_role(pair, name, member)]
                 for name, member in find_shared_roles(ended)}
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
    """Returns the names whose p-values in `likely` are significant when all of them share `level` (Holm's method)."""
    found: set[str] = set()
    for name in sorted(likely, key=lambda name: likely[name]):
        if likely[name] > level / (len(likely) - len(found)):
            break
        found.add(name)
    return found


def permutation_p_value(differences: numpy.ndarray[Any, Any], seed: int) -> float:
    """Returns the two-sided p-value of the mean difference under random signs."""
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


def measure_interval(measure: str, differences: numpy.ndarray[Any, Any], confidence: float) -> tuple[float, float]:
    """Returns the confidence interval of the mean difference of a measure.

    If no pair differs in a share of games, the t interval has no width. It is then widened on both sides by
    Wilson's upper bound for 0 hits, since the event may still happen with that probability."""
    low, high = compute_t_interval(differences, confidence)
    if measure.partition(".")[0] in SHARE_MEASURES and low == high:
        most = wilson_interval(0, len(differences), confidence)[1]
        return low - most, high + most
    return low, high


def compute_t_interval(values: numpy.ndarray[Any, Any], confidence: float) -> tuple[float, float]:
    """Returns Student's t interval for the mean, with confidence `confidence`."""
    error = stats.sem(values) if len(values) > 1 else math.inf
    middle = float(values.mean())
    if not error or not math.isfinite(error):
        return (middle, middle) if error == 0 else (-math.inf, math.inf)
    low, high = stats.t.interval(confidence, len(values) - 1, loc=middle, scale=error)
    return float(low), float(high)


class SequentialTest:
    """The sequential test of one plan: analyzes its games look by look."""

    def __init__(self, plan: LabPlan) -> None:
        self.plan, self.stops = plan, look_schedule(plan.games)
        self.verdict: ComparisonResult | None = None

    def is_conclusive_after(self, games: dict[GameKey, GameResult], count: int) -> bool:
        """Analyzes the first `count` pairs. Returns whether every measure is settled and at least one pair was finished."""
        pairs = [(games[0, seed], games[1, seed]) for seed in range(self.plan.seed, self.plan.seed + count)]
        self.verdict = run_interim_analysis(pairs, self.plan.games, self.plan.seed, self.verdict)
        return self.verdict.is_conclusive and self.verdict.pairs > 0
