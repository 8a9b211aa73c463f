"""The points of each player as people read them, computed from a value of the standing."""

from __future__ import annotations

from collections.abc import Iterable

from ...dsl.lowering.score_terms import is_penalty, points_place
from .position import Game, Position
from .ranking import Rank


def has_points(game: Game) -> bool:
    """Whether the game counts points. Otherwise its standing only says who has won."""
    return find_points(game) is not None


def find_points(game: Game) -> int | None:
    """Returns the place of the points among the values of the standing, or None if the game counts no points.

    Players who win together by a condition have no points."""
    place = points_place(game.ruleset.program.goals["standing"])
    return place if place == 0 or len(game.teams) > 1 else None


def points_sign(game: Game) -> int:
    """Returns -1 if the standing ranks the fewest points first (`-points[player]`), otherwise 1.

    Every display of points is the value of the standing times this sign."""
    return -1 if is_penalty(game.ruleset.program.goals["standing"]) else 1


def points_by_seat(position: Position) -> dict[int, int]:
    """Returns the points of each seat, the best seat first. Empty if the game counts no points. Raises RuleError."""
    return points_of_ranks(position.game, position.standing()) if has_points(position.game) else {}


def points_of_ranks(game: Game, ranks: Iterable[Rank]) -> dict[int, int]:
    """Returns the points of the seats in a standing, in its order. Empty if the game counts no points."""
    sign, place = points_sign(game), find_points(game)
    return {rank.seat: sign * rank.values[place] for rank in ranks} if place is not None else {}
