"""Compares two rulesets game by game: does a house rule change the game, and by how much?

Both rulesets are played with the same seeds, so the games form pairs. A *measure* is a number that each game
has, such as its length. The test looks at the differences of a measure within the pairs (see statistics.py).

**Permutation test.** If the rules made no difference, each difference could equally well have the opposite
sign. The p-value is the share of sign assignments whose mean is at least as far from 0 as the observed mean.
The test is exact for few pairs. Otherwise it draws random signs.

**Sequential looks.** The data is analyzed several times. Play stops as soon as every measure is settled: its
difference is significant, or it is negligible. Repeated looks must not raise the false alarm rate, so each
look spends only a part of ALPHA. The parts are added up, which needs no assumption about the dependence
between looks.

**Multiple measures.** Within one look, the measures share its part by Holm's method. If the rules change
nothing, at most 5 of 100 runs report a change in any measure.

**Intervals.** The interval of a difference is Student's t interval, at the level that the look leaves to one
measure. Such intervals hold for all measures and looks together (C. Jennison and B. W. Turnbull, "Repeated
confidence intervals for group sequential clinical trials", 1984).

**Open measures.** A measure that is neither significant nor negligible gets the number of pairs that would
probably settle it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy
from scipy import stats  # noqa: F401  fail before the first game, not after the last

from .game_statistics import SHARE_MEASURES, find_changing_roles
from .plan import GameKey, LabPlan
from .playout import GameResult
from .statistics import (
    ALPHA,
    MIN_TESTED_PAIRS,
    alpha_for_look,
    compute_share_interval,
    compute_t_interval,
    estimate_needed_pairs,
    holm_test,
    look_schedule,
    permutation_p_value,
)

# relative to the earlier mean; absolute for shares of games
NEGLIGIBLE_DIFFERENCE = 0.05
POINT_MEASURES = ("points", "gap")          # compared only over pairs in which both games have points
Numbers = numpy.ndarray[Any, Any]
GamePair = tuple[GameResult, GameResult]         # the game with the house rule, and the game with the rules it is compared with


@dataclass(frozen=True)
class MeasureChange:
    """The mean difference of one measure, with its confidence interval.

    `before` and `after` are the means with the two rulesets. `chance` is the p-value. `clear` means that the
    p-value was below the allowed level at this look or at an earlier one. `needed` is about the number of pairs
    that would settle an open measure."""

    measure: str
    before: float
    after: float
    low: float
    high: float
    chance: float
    clear: bool
    needed: int | None = None

    @property
    def by(self) -> float:
        return self.after - self.before

    @property
    def is_negligible(self) -> bool:
        """Whether the difference is negligible everywhere in its interval."""
        most = negligible_difference(self.measure, self.before)
        return -most <= self.low and self.high <= most

    def data(self) -> dict[str, Any]:
        return {"measure": self.measure, "before": round(self.before, 4), "after": round(self.after, 4), "low": round(self.low, 4),
                "high": round(self.high, 4), "p": round(self.chance, 5), "clear": self.clear, "small": self.is_negligible,
                "needed": self.needed}


def negligible_difference(measure: str, before: float) -> float:
    """Returns the largest difference of a measure that is negligible."""
    return NEGLIGIBLE_DIFFERENCE * (1 if measure.partition(".")[0] in SHARE_MEASURES else abs(before))


@dataclass(frozen=True)
class ComparisonResult:
    """The result of one look: the number of finished pairs, the planned number, and the change of each measure.

    `alike` means that some pairs were finished, and that the two games of each of them were identical."""

    pairs: int
    planned: int
    alike: bool
    changes: list[MeasureChange]
    left_out: int = 0                                              # pairs in which a rule failed
    unfinished: int = 0                                            # pairs with a game that reached the decision limit
    differing: int = 0                                             # pairs whose two games are known to differ
    stalled: tuple[int, int] = (0, 0)                              # games that reached the decision limit, with either set of rules

    @property
    def clear(self) -> bool:
        """Whether at least one measure differs significantly."""
        return any(change.clear for change in self.changes)

    @property
    def total_pairs(self) -> int:
        """The number of pairs played so far, including failed and unfinished ones."""
        return self.pairs + self.left_out + self.unfinished

    @property
    def comparable_pairs(self) -> int:
        """The number of pairs in which at least one game ended. Only these are known to be alike or to differ."""
        return self.pairs + 2 * self.unfinished - sum(self.stalled)

    @property
    def is_conclusive(self) -> bool:
        """Whether every measure differs significantly or negligibly, so that play may stop."""
        return all(change.clear or change.is_negligible for change in self.changes)

    def data(self) -> dict[str, Any]:
        return {"pairs": self.pairs, "planned": self.planned, "left_out": self.left_out, "unfinished": self.unfinished,
                "differing": self.differing, "alike": self.alike, "stalled": list(self.stalled), "alarms": ALPHA,
                "measures": [change.data() for change in self.changes]}


def min_pairs_needed(teams: int, points: bool, roles: int = 0) -> int:
    """Returns the smallest number of pairs with which a difference can be significant at all.

    If all n pairs differ in the same direction, the p-value is 2 ** (1 - n). It must not exceed the share of
    ALPHA that one measure gets at the look. `teams` are the teams, or the players in a game without teams.
    `points` says whether the game counts points, which adds two measures. Each of the `roles` adds one, and
    so does the first player if it changes."""
    shared = 2 + (teams if teams != 2 else 1) + (2 if points else 0) + roles
    return next(count for count in range(MIN_TESTED_PAIRS, 64) if 2.0 ** (1 - count) <= alpha_for_look(count, count) / shared)


def select_measures(pairs: Sequence[GamePair], subjects: Collection[str] = ()) -> dict[str, Callable[[GameResult], float]]:
    """Returns the measures that these games have, each as a function of one game.

    They are the length, the victory share of each seat or team, of the owner of each role and of the seat that decided first, and
    shared victories. Games at the decision limit add `stalled`. If the game counts points, the mean and the gap between the best
    and the worst seat are added. For games without an end, only their number is compared. With two seats or roles, one share
    determines the other, so only one is returned: that in `subjects`, or the first."""
    players = max(len(game.ranks) for pair in pairs for game in pair)
    found: dict[str, Callable[[GameResult], float]] = {"length": lambda game: game.decisions}
    teams = next((game.teams for pair in pairs for game in pair if game.teams), [])
    measured = [team[0] for team in teams] or range(players)
    chosen = [seat for seat in measured if f"seat.{seat}" in subjects] or measured
    for seat in measured if len(measured) != 2 else chosen[:1]:
        found[f"{'team' if teams else 'seat'}.{seat}"] = lambda game, seat=seat: game.victory_share(seat)     # type: ignore[misc]
    for name, member in find_shared_roles(pairs, subjects):
        found[f"role.{name}.{member}"] = lambda game, name=name, member=member: game.victory_share(  # type: ignore[misc]
            game.roles[name][member])
    if len({game.began for pair in pairs for game in pair if game.has_ended}) > 1:
        found["began"] = lambda game: game.victory_share(game.began)
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


def find_shared_roles(pairs: Sequence[GamePair], subjects: Collection[str] = ()) -> list[tuple[str, str]]:
    """Returns the roles, as pairs of state and member, that had an owner in both games of enough pairs.

    Of two roles that two seats share, only one is returned: that in `subjects`, or the first."""
    found = find_changing_roles(game.roles for pair in pairs for game in pair)
    roles = sorted(found, key=lambda role: f"role.{role[0]}.{role[1]}" not in subjects)
    members = Counter(name for name, _ in roles)
    seats = {seat for pair in pairs for game in pair for whose in game.roles.values() for seat in whose.values()}
    counted = [role for n, role in enumerate(roles) if not (len(seats) == members[role[0]] == 2 and role[0] in dict(roles[:n]))]
    return [role for role in counted if sum(has_role(pair, *role) for pair in pairs) >= MIN_TESTED_PAIRS]


def run_interim_analysis(
    pairs: Sequence[GamePair], games: int, seed: int, before: ComparisonResult | None = None, subjects: Collection[str] = ()
) -> ComparisonResult:
    """Analyzes the first pairs of a plan of `games` pairs.

    `before` is the result of the previous look: what was significant there stays significant. `seed` is the seed
    of the random signs. `subjects` are the measures that the rules are about."""
    whole = [pair for pair in pairs if not any(game.fault for game in pair)]
    if not whole:
        return ComparisonResult(0, games, False, [], len(pairs))
    ended = [pair for pair in whole if not any(game.stalled for game in pair)]
    known = {name: value for name, value in select_measures(whole, subjects).items() if ended or name == "stalled"}
    level = alpha_for_look(games, len(pairs))
    counted = [pair for pair in ended if all(game.scores for game in pair)]
    pairs_of = {"stalled": whole, **dict.fromkeys(POINT_MEASURES, counted)}
    pairs_of |= {f"role.{name}.{member}": [pair for pair in ended if has_role(pair, name, member)]
                 for name, member in find_shared_roles(ended, subjects)}
    values = {name: [numpy.array([value(pair[side]) for pair in pairs_of.get(name, ended)], dtype=float) for side in (0, 1)]
              for name, value in known.items()}
    likely = {name: permutation_p_value(after - earlier, seed) for name, (after, earlier) in values.items()}
    clear = {name for name, significant in zip(likely, holm_test([*likely.values()], level)) if significant}
    clear |= {change.measure for change in (before.changes if before is not None else ()) if change.clear}
    changes = [measure_change(name, after, earlier, 1 - level / len(known), likely[name], name in clear)
               for name, (after, earlier) in values.items()]
    last_level = alpha_for_look(games, games) / max(1, len(known))
    changes = [change if change.clear or change.is_negligible else
               replace(change, needed=needed_pairs(change, values[change.measure][0] - values[change.measure][1], len(pairs), last_level))
               for change in changes]
    differing = sum(one.stalled != two.stalled or not one.stalled and replace(one, seed=0) != replace(two, seed=0) for one, two in whole)
    return ComparisonResult(
        len(ended), games, bool(ended) and not differing, changes, len(pairs) - len(whole), len(whole) - len(ended), differing,
        (sum(one.stalled for one, _ in whole), sum(two.stalled for _, two in whole)),
    )


def measure_change(name: str, after: Numbers, earlier: Numbers, confidence: float, chance: float, clear: bool) -> MeasureChange:
    """Returns the change of a measure with its values in each game of the pairs."""
    interval = compute_share_interval if name.partition(".")[0] in SHARE_MEASURES else compute_t_interval
    return MeasureChange(name, float(earlier.mean()), float(after.mean()), *interval(after - earlier, confidence), chance, clear)


def needed_pairs(change: MeasureChange, differences: Numbers, played: int, level: float) -> int | None:
    """Returns about how many pairs would settle a measure, if only some of the `played` pairs have it."""
    return estimate_needed_pairs(differences, negligible_difference(change.measure, change.before), level, played / len(differences))


class SequentialTest:
    """The sequential test of one plan: analyzes its games look by look."""

    def __init__(self, plan: LabPlan, subjects: Collection[str] = ()) -> None:
        """`subjects` are the measures that the rules are about (see pack_subjects.py)."""
        self.plan, self.stops, self.subjects = plan, look_schedule(plan.games), subjects
        self.verdict: ComparisonResult | None = None

    def is_conclusive_after(self, games: dict[GameKey, GameResult], count: int) -> bool:
        """Analyzes the first `count` pairs. Returns whether every measure is settled and at least one pair was finished."""
        pairs = [(games[0, seed], games[1, seed]) for seed in range(self.plan.seed, self.plan.seed + count)]
        self.verdict = run_interim_analysis(pairs, self.plan.games, self.plan.seed, self.verdict, self.subjects)
        return self.verdict.is_conclusive and self.verdict.pairs > 0
