"""Lets contenders play in turns, and computes their rates by processor time and the ratios to Ludoglot."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from .availability import NAMES

Slice = tuple[int, int, float]                  # games, decisions, seconds of processor time
Racer = Callable[[float], Slice]                # plays complete games for about this time in seconds
OURS = {"c": "Ludoglot, C", "python": "Ludoglot, Python"}
BESIDE = ("c", "python")                        # forms of Ludoglot that each contender is compared with
CATAN = "catanatron"                            # contender that different games are compared with
WARM = 1.0                                      # seconds of the warm-up turn, at least: node is half as fast until it has compiled


@dataclass(frozen=True)
class Times:
    """A ratio: the median, the minimum and the maximum over the turns."""

    median: float
    least: float
    most: float


@dataclass
class Row:
    """A contender in one game.

    `times` contains, for some forms of Ludoglot, how many times as many decisions they made in the same turn. In a race of different games,
    it contains how many times as many decisions this contender made as catanatron.
    """

    label: str
    games: float                                # per second of processor time, over all turns
    decisions: float                            # the same
    length: float                               # decisions per game
    times: dict[str, Times] = field(default_factory=dict)


@dataclass
class Race:
    """One game, or several different ones (`unlike`), for which only decisions are comparable."""

    name: str
    rows: list[Row]
    unlike: bool = False


@dataclass
class Report:
    """A complete run.

    `versions` and `left_out` use the labels of the peers. `load` contains the load average of the last minute at the beginning and at the
    end, or nothing.
    """

    commit: str
    command: str
    python: str
    cores: int
    load: list[float]
    seconds: float
    turns: int
    versions: dict[str, str]
    left_out: dict[str, str]
    races: list[Race]

    def data(self) -> dict[str, Any]:
        """Returns the report as data for JSON."""
        return asdict(self)


def race(name: str, racers: dict[str, Racer], seconds: float, turns: int, failed: dict[str, str], unlike: bool = False) -> Race:
    """Lets all contenders play in turns, so that a slow moment of the machine affects all.

    In each turn each contender plays for its part of `seconds`. A warm-up turn does not count, because compilers may still work in it. If a
    contender fails, it is left out and added to `failed`.
    """
    slices: dict[str, list[Slice]] = {label: [] for label in racers}
    for turn in range(turns + 1):
        for label, racer in racers.items():
            if label not in slices:
                continue
            try:
                found = racer(seconds / turns if turn else max(WARM, seconds / turns))
            except Exception as reason:         # any error of a peer: the others continue
                if label not in NAMES:
                    raise
                failed.setdefault(label, f"failed in {name}: {type(reason).__name__} {' '.join(str(reason).split())[:120]}".strip())
                del slices[label]
                continue
            if turn:
                slices[label].append(found)
    return Race(name, rows_of(slices, unlike), unlike)


def rows_of(slices: dict[str, list[Slice]], unlike: bool) -> list[Row]:
    """Returns the rates of each contender, and the ratios to some others.

    The ratios compare decisions, not games. Games of chess have very different lengths, and a slow peer plays only a few games in a turn.
    """
    def rates(label: str) -> list[float]:
        return [decisions / seconds for _, decisions, seconds in slices[label]]
    rows = []
    for label, done in slices.items():
        games, decisions, seconds = (sum(column) for column in zip(*done))
        times = {}
        for other in (CATAN,) if unlike else BESIDE:
            if other in slices and other != label:
                above, below = (label, other) if unlike else (other, label)
                each = [one / more for one, more in zip(rates(above), rates(below))]
                times[other] = Times(statistics.median(each), min(each), max(each))
        rows.append(Row(label, games / seconds, decisions / seconds, decisions / games, times))
    return rows
