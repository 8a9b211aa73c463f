"""Who plays in turns, and what comes of it: rates by processor time, and how many times those of ours they are."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from .availability import NAMES

Slice = tuple[int, int, float]                  # games, their decisions, seconds of the processor
Racer = Callable[[float], Slice]                # plays whole games for about so many seconds
OURS = {"c": "Ludoglot, C", "python": "Ludoglot, Python"}
BESIDE = ("c", "python")                        # which of ours are set beside each
CATAN = "catanatron"                            # beside which games unlike its own are set
WARM = 1.0                                      # seconds of the turn before, at least: node is half as fast until it has compiled


@dataclass(frozen=True)
class Times:
    """How many times as much: the median of the turns, the least and the most."""

    median: float
    least: float
    most: float


@dataclass
class Row:
    """A contender in one game. `times`: for some of ours how many times its decisions theirs were in the same turn; in a race of unlike
    games, for catanatron, how many times the decisions of that its own were."""

    label: str
    games: float                                # a second of the processor, all turns together
    decisions: float                            # likewise
    length: float                               # decisions a game
    times: dict[str, Times] = field(default_factory=dict)


@dataclass
class Race:
    """One game, or several that are `unlike`, of which only decisions stand beside each other."""

    name: str
    rows: list[Row]
    unlike: bool = False


@dataclass
class Report:
    """A whole run. `versions` and `left_out` by the labels of the peers; `load`: how many tasks wanted a processor at the beginning and
    at the end, as the machine told for the last minute, or nothing."""

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
        """As JSON has it."""
        return asdict(self)


def race(name: str, racers: dict[str, Racer], seconds: float, turns: int, failed: dict[str, str], unlike: bool = False) -> Race:
    """All racers in turns, so that a slow moment of the machine hits all: in each turn each plays for its part of `seconds`. A turn before
    counts for nothing: compilers that compile while games run have done their work then. Who fails is left out and noted in `failed`."""
    slices: dict[str, list[Slice]] = {label: [] for label in racers}
    for turn in range(turns + 1):
        for label, racer in racers.items():
            if label not in slices:
                continue
            try:
                found = racer(seconds / turns if turn else max(WARM, seconds / turns))
            except Exception as reason:         # whatever somebody else's program comes up with, the others go on
                if label not in NAMES:
                    raise
                failed.setdefault(label, f"failed in {name}: {type(reason).__name__} {' '.join(str(reason).split())[:120]}".strip())
                del slices[label]
                continue
            if turn:
                slices[label].append(found)
    return Race(name, rows_of(slices, unlike), unlike)


def rows_of(slices: dict[str, list[Slice]], unlike: bool) -> list[Row]:
    """What each did in as many turns, as rates, beside some of them. Decisions are set beside each other, not games: in chess these are of
    very different lengths, and of a slow peer few go into a turn."""
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
