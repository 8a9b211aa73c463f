"""Returns of a finished game for each seat, for learning programs."""

from __future__ import annotations

from ..position.position import Position

MAX_MATCH_DECISIONS = 10_000                       # a longer match is cut off, since some games need never end


def payoffs(position: Position) -> list[float]:
    """Returns the payoff of each seat, from -1 to 1, with the sum 0.

    It is the share of opponents ranked behind the seat minus the share ranked before it. With two players this is
    1 for a win, -1 for a loss and 0 for a draw."""
    ranks = {rank.seat: rank.rank for rank in position.standing()}
    others = max(1, len(ranks) - 1)
    return [sum((rank > ranks[seat]) - (rank < ranks[seat]) for rank in ranks.values()) / others for seat in range(len(ranks))]
