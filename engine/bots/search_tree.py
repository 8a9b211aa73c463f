"""The tree of a search: nodes, edges, and the statistics of an option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from .search_base import WIN_HALF_POINTS

MIN_EXPLORATION_SCALE = 0.25        # part of the exploration that remains if all values are alike
PRIOR_VALUES = 16                   # imagined playouts, half of them wins, in the standard deviation of the values


@dataclass(slots=True)
class TreeEdge:
    """An edge of the tree: an option at a node, with its statistics."""

    code: int
    available: int = 0                                                 # visits at which it was available
    playouts: int = 0
    total: float = 0.0                                             # sum of the values of its playouts, for the seat that decides
    outlook: float = 0.0                                           # value from the one-step evaluation
    places: dict[tuple[int, int], TreeNode] = field(default_factory=dict)
    ended: int = 0                                                 # its playouts that reached the end of the game
    won: float = 0.0                                               # victory share of the searching seat in these, summed up
    low: int = 0                                                   # certain bounds of its value
    high: int = WIN_HALF_POINTS                                            # for the seat that decides
    lead: int = 0                                                  # sum of the searching seat's leads where playouts stopped
    loss: int = 0                                                  # what exchanges after it cost (see exchange_search.py)

    @property
    def mean(self) -> float:
        """The mean value of its playouts."""
        return self.total / self.playouts if self.playouts else 0.0


@dataclass(slots=True)
class TreeNode:
    """A node of the tree: a decision of one seat."""

    seat: int
    visits: int = 0
    evaluated: bool = False
    winning: int | None = None                                     # an option that wins
    proven: bool = False                                             # the win is proven
    sometimes: bool = False                                        # an immediate win failed in a different determinization
    edges: dict[int, TreeEdge] = field(default_factory=dict)


class ExplorationScale:
    """The weight of exploration: 1 if all playouts are won or lost, and less if their values are closer to each other.

    `scale` is twice the standard deviation of the values of the searching seat, but at least MIN_EXPLORATION_SCALE."""

    def __init__(self) -> None:
        self.count = PRIOR_VALUES
        self.total = self.squares = PRIOR_VALUES / 2
        self.scale = 1.0

    def add_value(self, value: float) -> None:
        """Adds the value of a playout."""
        self.count += 1
        self.total += value
        self.squares += value * value
        mean = self.total / self.count
        variance = self.squares / self.count - mean * mean
        self.scale = max(MIN_EXPLORATION_SCALE, 2 * sqrt(max(0.0, variance)))


@dataclass(frozen=True)
class OptionStats:
    """The statistics of an option after the search.

    `playouts` is the number of its playouts and `ended` the number of those that reached the end of the game.
    `share` is the part of these that the seat won. `lead` is its mean lead over the best opponent where playouts
    stopped, by the estimate of the game."""

    code: int
    playouts: int
    ended: int
    share: float
    lead: float
    winning: bool                                                  # in all determinizations that were tried
    low: int = 0                                                   # certain bounds of its value, in half wins
    high: int = WIN_HALF_POINTS
    loss: int = 0                                                  # what exchanges after it cost, as far as that is known


def can_be_best(edge: TreeEdge | OptionStats, low: int) -> bool:
    """Whether an option may be as good as an option worth at least `low`, and is not a loss."""
    return edge.high > low or 0 < edge.low == low


def value_bounds(place: TreeNode) -> tuple[int, int]:
    """Returns the certain lower and upper bound of a node, for the seat that decides. All its options must be known."""
    return max(edge.low for edge in place.edges.values()), max(edge.high for edge in place.edges.values())


def merge_option_stats(searches: Sequence[Sequence[OptionStats]]) -> list[OptionStats]:
    """Returns the statistics of several searches of one position as those of one search, best first.

    Playouts are added. A proof of one search counts for all. Equal options keep the order of the first search."""
    merged = []
    for first in searches[0]:
        rows = [row for search in searches for row in search if row.code == first.code]
        playouts, ended = sum(row.playouts for row in rows), sum(row.ended for row in rows)
        low, high = max(row.low for row in rows), min(row.high for row in rows)
        merged.append(OptionStats(
            first.code, playouts, ended,
            sum(row.share * row.ended for row in rows) / max(1, ended),
            sum(row.lead * row.playouts for row in rows) / max(1, playouts),
            low == WIN_HALF_POINTS or all(row.winning for row in rows), low, high, max(row.loss for row in rows)))
    lowest = max(row.low for row in merged)
    return sorted(merged, key=lambda row: (row.winning, can_be_best(row, lowest), -row.loss, row.playouts), reverse=True)


def is_decided(stats: Sequence[OptionStats]) -> bool:
    """Whether the best value of a position is proven, so that more playouts change nothing."""
    low = max(row.low for row in stats)
    return low == max(row.high for row in stats)
