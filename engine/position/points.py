"""The points of each player as people read them, computed from the first value of the standing."""

from __future__ import annotations

from collections.abc import Iterable

from ...dsl.lowering.score_terms import is_penalty
from .position import Game, Position
from .ranking import Rank


def has_points(game: Game) -> bool:
    """Whether the game counts points. Otherwise its standing only says who has won."""
    return game.module.has_points


def points_sign(game: Game) -> int:
    """Returns -1 if the standing ranks the fewest points first (`-points[player]`), otherwise 1.

    Every display of points is the first value of the standing times this sign."""
    return -1 if is_penalty(game.ruleset.program.goals["standing"]) else 1


def points_by_seat(position: Position) -> dict[int, int]:
    """Returns the points of each seat, the best seat first. Empty if the game counts no points. Raises RuleError."""
    return points_of_ranks(position.game, position.standing()) if has_points(position.game) else {}


def points_of_ranks(game: Game, ranks: Iterable[Rank]) -> dict[int, int]:
    """Returns the points of the seats in a standing, in its order. Empty if the game counts no points."""
    sign = points_sign(game)
    return {rank.seat: sign * rank.values[0] for rank in ranks} if has_points(game) else {}
