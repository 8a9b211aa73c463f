"""What an end is worth to each seat, for programs that learn."""

from __future__ import annotations

from ..position.position import Position

MAX_MATCH_DECISIONS = 10_000                       # decisions after which a match is cut off: some games need never end


def payoffs(position: Position) -> list[float]:
    """By seat, from -1 to 1 and 0 altogether: the share of the others that stand behind, less that of those that stand before. With two
    players this is 1 for winning, -1 for losing and 0 for a draw."""
    ranks = {rank.seat: rank.rank for rank in position.standing()}
    others = max(1, len(ranks) - 1)
    return [sum((rank > ranks[seat]) - (rank < ranks[seat]) for rank in ranks.values()) / others for seat in range(len(ranks))]
