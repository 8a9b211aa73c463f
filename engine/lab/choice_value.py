"""The value of a card, an action or an option: how well the seats did that chose it often.

In each game, the seats that chose a thing more often than average are compared with the others. The
difference is that of their mean shares of the points. In games without points, or with points below zero, it
is that of their shares of the victory.

Seats are strata: from each share, the average of its seat over all games is subtracted. Otherwise a thing
that some seats choose more often would show the advantage of the seat. A game in which all seats chose a
thing equally often says nothing. A thing that the same seats choose more often in every game has no value at
all.

Games are independent, so the mean over games has Student's interval. Which of the many things differ
significantly is decided by the method of Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate"
(1995).

For two rulesets, values are compared by the test of B. L. Welch (Biometrika 34, 1947), and frequencies pair
by pair. The allowed false discovery rate of 5 in 100 is split. Half of it goes to the few things whose
numbers house rules set, since that question was asked before any game was played.

The value shows correlation, not cause: a rich player may simply buy more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import numpy

from .playout import GameResult
from .statistics import CONFIDENCE_LEVEL, compute_t_interval, control_false_discoveries, t_test_p_value, welch_test

Numbers = numpy.ndarray[Any, Any]
MIN_INFORMATIVE_GAMES = 8                           # games in which seats differ, before a thing gets a value


@dataclass(frozen=True)
class ChoiceValue:
    """How often a thing was chosen, and its value.

    `times` is the mean number of choices per game, `games` the number of games in which it was chosen. `by` is
    the difference of shares between seats that chose it more and the others, with its interval. It is None if
    there are too few informative games. `clear` means that it is significant."""

    thing: str
    times: float
    games: int
    by: float | None = None
    low: float = 0.0
    high: float = 0.0
    clear: bool = False
    worths: Numbers = field(default_factory=lambda: numpy.array([]), repr=False, compare=False)    # the difference in each informative game

    def data(self) -> dict[str, Any]:
        return {"thing": self.thing, "times": round(self.times, 4), "games": self.games,
                "worth": None if self.by is None else {"by": round(self.by, 4), "low": round(self.low, 4), "high": round(self.high, 4),
                                                       "clear": self.clear}}


def compute_choice_values(games: Sequence[GameResult], judged: Callable[[str], bool] = lambda thing: True) -> list[ChoiceValue]:
    """Returns the values of all things chosen in finished games, most frequent first.

    `judged` says which things may get a value."""
    ended = [game for game in games if game.has_ended]
    shares = subtract_seat_means([seat_shares(game, has_meaningful_points(ended)) for game in ended])
    found, likely = [], []
    for thing in sorted({thing for game in ended for thing in game.chosen}):
        counts = [game.chosen.get(thing, []) for game in ended]
        differences = differences_by_game(counts, shares) if judged(thing) else numpy.array([])
        merit = ChoiceValue(thing, sum(map(sum, counts)) / len(ended), sum(map(bool, counts)), worths=differences)
        if len(differences) >= MIN_INFORMATIVE_GAMES:
            low, high = compute_t_interval(differences, CONFIDENCE_LEVEL)
            merit = replace(merit, by=float(differences.mean()), low=low, high=high)
            likely.append(t_test_p_value(differences))
        found.append(merit)
    clear = iter(control_false_discoveries(likely, 1 - CONFIDENCE_LEVEL))
    found = [merit if merit.by is None else replace(merit, clear=next(clear)) for merit in found]
    return sorted(found, key=lambda merit: (-merit.times, merit.thing))


def subtract_seat_means(shares: Sequence[Sequence[float]]) -> list[list[float]]:
    """Returns the shares of each game minus the average of each seat."""
    means = [fmean(column) for column in zip(*shares)]
    return [[share - mean for share, mean in zip(row, means)] for row in shares]


def differences_by_game(counts: Sequence[Sequence[int]], shares: Sequence[Sequence[float]]) -> Numbers:
    """Returns the share difference in each informative game.

    The array is empty if it is always the same seats that choose the thing more often."""
    more = {tuple(count > fmean(row) for count in row) for row in counts if row and min(row) < max(row)}
    if len(more) < 2:
        return numpy.array([])
    return numpy.array([by for row, share in zip(counts, shares) if (by := share_difference(row, share)) is not None])


def has_meaningful_points(games: Sequence[GameResult]) -> bool:
    """Whether shares of the points are meaningful: there are points, none are below zero, and more points rank higher."""
    return any(sum(game.scores) for game in games) and all(
        min(game.scores) >= 0 and game.scores[game.ranks.index(1)] == max(game.scores) for game in games if game.scores)


def seat_shares(game: GameResult, points: bool) -> list[float]:
    """Returns the share of each seat in the points, or in the victory if `points` is false or nobody has any."""
    total = sum(game.scores)
    return [score / total for score in game.scores] if points and total else [game.victory_share(seat) for seat in range(len(game.ranks))]


def share_difference(counts: Sequence[int], shares: Sequence[float]) -> float | None:
    """Returns the mean share of seats above the average count minus that of the others, or None if all counts are
    equal."""
    if not counts or min(counts) == max(counts):
        return None
    mean = fmean(counts)
    more = [share for count, share in zip(counts, shares) if count > mean]
    less = [share for count, share in zip(counts, shares) if count <= mean]
    return fmean(more) - fmean(less)


@dataclass(frozen=True)
class ChoiceShift:
    """How the value or the frequency of a thing differs between two rulesets.

    `is_value` is true for the value, false for the number of choices per game. `before` belongs to the rules
    compared with, `after` to the rules of interest. `low` and `high` are the interval of the difference. `clear`
    means that it is significant."""

    thing: str
    is_value: bool
    before: float
    after: float
    low: float
    high: float
    clear: bool = False

    @property
    def by(self) -> float:
        """The difference."""
        return self.after - self.before


def compute_choice_shifts(after: Sequence[GameResult], before: Sequence[GameResult], judged: Callable[[str], bool] = lambda thing: True,
           things: Collection[str] = ()) -> list[ChoiceShift]:
    """Returns the changes of all things between two rulesets played with the same seeds.

    The games must be in the same order on both sides. `things` are the things that house rules name."""
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
            found.append(
                ChoiceShift(thing, False, float(times[1].mean()), float(times[0].mean()), *compute_t_interval(change, CONFIDENCE_LEVEL))
            )
            likely.append(t_test_p_value(change))
        one, two = (side.get(thing) for side in worths)
        if one is not None and two is not None and one.by is not None and two.by is not None and one.worths.std() + two.worths.std() > 0:
            chance, low, high = welch_test(one.worths, two.worths)
            found.append(ChoiceShift(thing, True, two.by, one.by, low, high))
            likely.append(chance)
    families = [[n for n, shift in enumerate(found) if (shift.thing in things) == first] for first in (True, False)]
    families = [family for family in families if family]
    for family in families:
        level = (1 - CONFIDENCE_LEVEL) / len(families)
        for n, clear in zip(family, control_false_discoveries([likely[n] for n in family], level), strict=True):
            found[n] = replace(found[n], clear=clear)
    return found
