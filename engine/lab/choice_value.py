"""What a card, an action, an option is worth: how those who chose it often fared.

In each game the seats that chose a thing more often than the others did on the average are set against the others: by how
much their mean share of the points is larger (in a game without points, or with some below zero: their part of the victory). Of each share
is taken off what its seat has on the average over all games, so that a thing which some seats choose more often than others, or fare better
with, is not taken for what the seat does: seats are strata, and only what differs within them counts. A game in which all chose
it alike says nothing, and a thing that the same seats always chose more often says nothing in any game. Games being independent, the mean
over them has Student's interval; which of many things differ more than chance is settled by Y. Benjamini and Y. Hochberg, "Controlling the
false discovery rate" (1995).

What a thing is worth by two rules is compared by the test of B. L. Welch (Biometrika 34, 1947), how often it was chosen pair by pair. Of
the 5 in 100 false discoveries that may be among all of that, half belong to the few things whose numbers house rules set: of these it was
asked before anything was played.

This is how things go together, not what brings what about: who is rich anyway may buy more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import numpy
from scipy import stats

from .ab_test import t_interval
from .game_statistics import CONFIDENCE_LEVEL
from .playout import GameResult

Numbers = numpy.ndarray[Any, Any]
MIN_INFORMATIVE_GAMES = 8                           # games that must say something of a thing before it is judged


@dataclass(frozen=True)
class ChoiceValue:
    """Of a thing: how often it was chosen in a game, in how many of the games; how much larger the share of those is who chose it more
    (None: too few games to say), with its interval; `clear`: that this is more than chance."""

    thing: str
    times: float
    games: int
    by: float | None = None
    low: float = 0.0
    high: float = 0.0
    clear: bool = False
    worths: Numbers = field(default_factory=lambda: numpy.array([]), repr=False, compare=False)    # of each game that says something

    def data(self) -> dict[str, Any]:
        return {"thing": self.thing, "times": round(self.times, 4), "games": self.games,
                "worth": None if self.by is None else {"by": round(self.by, 4), "low": round(self.low, 4), "high": round(self.high, 4),
                                                       "clear": self.clear}}


def compute_choice_values(games: Sequence[GameResult], judged: Callable[[str], bool] = lambda thing: True) -> list[ChoiceValue]:
    """Of all things that were chosen in games that ended, those chosen most often first; `judged`: which of them may be worth something."""
    ended = [game for game in games if game.has_ended]
    shares = subtract_seat_means([seat_shares(game, has_meaningful_points(ended)) for game in ended])
    found, likely = [], []
    for thing in sorted({thing for game in ended for thing in game.chosen}):
        counts = [game.chosen.get(thing, []) for game in ended]
        differences = differences_by_game(counts, shares) if judged(thing) else numpy.array([])
        merit = ChoiceValue(thing, sum(map(sum, counts)) / len(ended), sum(map(bool, counts)), worths=differences)
        if len(differences) >= MIN_INFORMATIVE_GAMES:
            low, high = t_interval(differences, CONFIDENCE_LEVEL)
            merit = replace(merit, by=float(differences.mean()), low=low, high=high)
            likely.append(float(stats.ttest_1samp(differences, 0).pvalue) if differences.std() > 0 else float(not differences.any()))
        found.append(merit)
    if likely:
        corrected = iter(stats.false_discovery_control(likely))
        found = [merit if merit.by is None else replace(merit, clear=bool(next(corrected) <= 1 - CONFIDENCE_LEVEL)) for merit in found]
    return sorted(found, key=lambda merit: (-merit.times, merit.thing))


def subtract_seat_means(shares: Sequence[Sequence[float]]) -> list[list[float]]:
    """The shares of each game by seat, less what each seat has on the average."""
    means = [fmean(column) for column in zip(*shares)]
    return [[share - mean for share, mean in zip(row, means)] for row in shares]


def differences_by_game(counts: Sequence[Sequence[int]], shares: Sequence[Sequence[float]]) -> Numbers:
    """Of each game that says something, by how much those are better off who chose a thing more often; of none, where the same seats always
    do."""
    more = {tuple(count > fmean(row) for count in row) for row in counts if row and min(row) < max(row)}
    if len(more) < 2:
        return numpy.array([])
    return numpy.array([by for row, share in zip(counts, shares) if (by := share_difference(row, share)) is not None])


def has_meaningful_points(games: Sequence[GameResult]) -> bool:
    """Whether a share of the points means something: some were made, and none are below zero."""
    return any(sum(game.scores) for game in games) and all(score >= 0 for game in games for score in game.scores)


def seat_shares(game: GameResult, points: bool) -> list[float]:
    total = sum(game.scores)
    return [score / total for score in game.scores] if points and total else [game.victory_share(seat) for seat in range(len(game.ranks))]


def share_difference(counts: Sequence[int], shares: Sequence[float]) -> float | None:
    """By how much the shares of those who chose it more than the others are larger; None where all chose it alike."""
    if not counts or min(counts) == max(counts):
        return None
    mean = fmean(counts)
    more = [share for count, share in zip(counts, shares) if count > mean]
    less = [share for count, share in zip(counts, shares) if count <= mean]
    return fmean(more) - fmean(less)


@dataclass(frozen=True)
class ChoiceShift:
    """What two rules make of a thing: its worth, or how often it was chosen in a game (`worth`: which of the two), by the rules compared
    with (`before`) and by those asked about, with the interval of the difference; `clear`: that it is more than chance."""

    thing: str
    worth: bool
    before: float
    after: float
    low: float
    high: float
    clear: bool = False

    @property
    def by(self) -> float:
        return self.after - self.before


def compute_choice_shifts(after: Sequence[GameResult], before: Sequence[GameResult], judged: Callable[[str], bool] = lambda thing: True,
           asked: Collection[str] = ()) -> list[ChoiceShift]:
    """How things changed from the games by the one rules to those by the others with the same seeds, game by game in the same order.
    `asked`: the things that house rules speak of."""
    pairs = [pair for pair in zip(after, before, strict=True) if all(game.has_ended for game in pair)]
    found: list[ChoiceShift] = []
    likely: list[float] = []
    if len(pairs) < MIN_INFORMATIVE_GAMES:
        return found
    worths = [{merit.thing: merit for merit in compute_choice_values([pair[side] for pair in pairs], judged)} for side in (0, 1)]
    for thing in sorted(thing for thing in worths[0].keys() | worths[1].keys() if judged(thing)):
        times = [numpy.array([sum(pair[side].chosen.get(thing, [])) for pair in pairs], dtype=float) for side in (0, 1)]
        change = times[0] - times[1]
        if change.any():
            found.append(ChoiceShift(thing, False, float(times[1].mean()), float(times[0].mean()), *t_interval(change, CONFIDENCE_LEVEL)))
            likely.append(float(stats.ttest_1samp(change, 0).pvalue) if change.std() > 0 else 0.0)
        one, two = (side.get(thing) for side in worths)
        if one is not None and two is not None and one.by is not None and two.by is not None and one.worths.std() + two.worths.std() > 0:
            welch = stats.ttest_ind(one.worths, two.worths, equal_var=False)
            ends = welch.confidence_interval(CONFIDENCE_LEVEL)
            found.append(ChoiceShift(thing, True, two.by, one.by, float(ends.low), float(ends.high)))
            likely.append(float(welch.pvalue))
    families = [[n for n, shift in enumerate(found) if (shift.thing in asked) == first] for first in (True, False)]
    families = [family for family in families if family]
    for family in families:
        for n, chance in zip(family, stats.false_discovery_control([likely[n] for n in family]), strict=True):
            found[n] = replace(found[n], clear=bool(chance <= (1 - CONFIDENCE_LEVEL) / len(families)))
    return found
