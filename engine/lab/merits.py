"""What a card, an action, an option is worth: how those who chose it often fared.

In each game the seats that chose a thing more often than the others did on the average are set against the others: by how
much their mean share of the points is larger (in a game without points, or with some below zero: their part of the victory). A game in
which all chose it alike says nothing. Games being independent, the mean over them has Student's interval; which of many things differ
more than chance is settled by Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate" (1995).

This is how things go together, not what brings what about: who is rich anyway may buy more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy
from scipy import stats

from .compared import between
from .figures import SURE
from .playouts import Played

ENOUGH = 8                           # games that must say something of a thing before it is judged


@dataclass(frozen=True)
class Merit:
    """Of a thing: how often it was chosen in a game, in how many of the games; how much larger the share of those is who chose it more
    (None: too few games to say), with its interval; `clear`: that this is more than chance."""

    thing: str
    times: float
    games: int
    by: float | None = None
    low: float = 0.0
    high: float = 0.0
    clear: bool = False

    def data(self) -> dict[str, Any]:
        return {"thing": self.thing, "times": round(self.times, 4), "games": self.games,
                "worth": None if self.by is None else {"by": round(self.by, 4), "low": round(self.low, 4), "high": round(self.high, 4),
                                                       "clear": self.clear}}


def merits(games: Sequence[Played]) -> list[Merit]:
    """Of all things that were chosen in games that ended, those chosen most often first."""
    ended = [game for game in games if game.ended]
    points = by_points(ended)
    shares = [shares_of(game, points) for game in ended]
    found, likely = [], []
    for thing in sorted({thing for game in ended for thing in game.chosen}):
        counts = [game.chosen.get(thing, []) for game in ended]
        times = sum(map(sum, counts)) / len(ended)
        differences = numpy.array([by for count, share in zip(counts, shares) if (by := difference(count, share)) is not None])
        merit = Merit(thing, times, sum(map(bool, counts)))
        if len(differences) >= ENOUGH:
            low, high = between(differences, SURE)
            merit = replace(merit, by=float(differences.mean()), low=low, high=high)
            likely.append(float(stats.ttest_1samp(differences, 0).pvalue) if differences.std() > 0 else float(not differences.any()))
        found.append(merit)
    if likely:
        corrected = iter(stats.false_discovery_control(likely))
        found = [merit if merit.by is None else replace(merit, clear=bool(next(corrected) <= 1 - SURE)) for merit in found]
    return sorted(found, key=lambda merit: (-merit.times, merit.thing))


def by_points(games: Sequence[Played]) -> bool:
    """Whether a share of the points means something: some were made, and none are below zero."""
    return any(sum(game.scores) for game in games) and all(score >= 0 for game in games for score in game.scores)


def shares_of(game: Played, points: bool) -> list[float]:
    total = sum(game.scores)
    return [score / total for score in game.scores] if points and total else [game.won(seat) for seat in range(len(game.ranks))]


def difference(counts: Sequence[int], shares: Sequence[float]) -> float | None:
    """By how much the shares of those who chose it more than the others are larger; None where all chose it alike."""
    if not counts or min(counts) == max(counts):
        return None
    mean = fmean(counts)
    more = [share for count, share in zip(counts, shares) if count > mean]
    less = [share for count, share in zip(counts, shares) if count <= mean]
    return fmean(more) - fmean(less)
