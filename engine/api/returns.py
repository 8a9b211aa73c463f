"""Returns of a finished game for each seat, for learning programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..position.position import Game, Position
from ..position.ranking import Rank

MAX_MATCH_DECISIONS = 10_000                       # a longer match is cut off, since some games need never end


@dataclass(frozen=True)
class PayoffLimits:
    """The least and the greatest payoff of a seat. `kind` is ZERO_SUM, GENERAL_SUM or IDENTICAL."""

    low: float
    high: float
    kind: str


def payoff_limits(game: Game) -> PayoffLimits:
    """Returns the limits of `payoffs`. They are infinite if all players only count points together."""
    sizes = {len(team.seats) for team in game.teams}
    if len(game.teams) == 1 < game.players:
        return PayoffLimits(-math.inf, math.inf, "IDENTICAL") if game.module.has_points else PayoffLimits(-1.0, 1.0, "IDENTICAL")
    return PayoffLimits(-1.0, 1.0, "ZERO_SUM" if len(sizes) == 1 else "GENERAL_SUM")


def payoffs(position: Position) -> list[float]:
    """Returns the payoff of each seat in a position (see `payoffs_of_standing`)."""
    return payoffs_of_standing(position.game, position.standing())


def payoffs_of_standing(game: Game, standing: Sequence[Rank]) -> list[float]:
    """Returns the payoff of each seat, from -1 to 1.

    It is the share of opponents ranked behind the seat minus the share ranked before it. With two players or teams
    this is 1 for a win, -1 for a loss and 0 for a draw. The sum is 0 if all teams have the same size.

    A team that plays alone gets 1 for a win and -1 for a loss. If it only counts points, the payoff is the points."""
    partners, ranks = game.partners, {rank.seat: rank.rank for rank in standing}
    if len(game.teams) == 1 and len(ranks) > 1:
        return [float(rank.values[0] if game.module.has_points else 3 - 2 * rank.rank) for rank in standing]
    opponents = [[other for other in ranks if other not in partners[seat]] for seat in range(len(ranks))]
    return [sum((ranks[other] > ranks[seat]) - (ranks[other] < ranks[seat]) for other in others) / max(1, len(others))
            for seat, others in enumerate(opponents)]
