"""The points of each player as people read them, computed from the first value of the standing."""

from __future__ import annotations

from ...dsl.lowering.score_terms import is_penalty, is_point_score
from .position import Game, Position


def has_points(game: Game) -> bool:
    """Whether the game counts points. Otherwise its standing only says who has won."""
    return is_point_score(game.ruleset.program.goals["standing"])


def points_sign(game: Game) -> int:
    """Returns -1 if the standing ranks the fewest points first (`-points[player]`), otherwise 1.

    Every display of points is the first value of the standing times this sign."""
    return -1 if is_penalty(game.ruleset.program.goals["standing"]) else 1


def points_by_seat(position: Position) -> dict[int, int]:
    """Returns the points of each seat, the best seat first. Empty if the game counts no points. Raises RuleError."""
    if not has_points(position.game):
        return {}
    sign = points_sign(position.game)
    return {rank.seat: sign * rank.values[0] for rank in position.standing()}
