"""The sentence about the winners of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .narrator import Narrator


def describe_result(
    narrator: Narrator, first: Sequence[int], is_draw: bool, winner_key: str = "result.winner"
) -> tuple[str, dict[str, Any]]:
    """Returns the key and the fields of the sentence about the seats in first place.

    If a team plays alone against the game and loses, `first` is empty. `is_draw` says whether the game is a draw if all
    teams are first. `winner_key` is the key for one seat that wins alone."""
    game = narrator.game
    seats = first or range(game.players)
    who: Any = [narrator.seat_value(seat) for seat in seats]
    if len(who) == 1:
        return winner_key if first else "result.loser", {"who": who[0]}
    if not first:
        return "result.team_loser", {"who": who}
    if set(first) <= set(game.partners[first[0]]):
        return "result.team_winner", {"who": who}
    return ("result.drawn", {}) if is_draw and len(first) == game.players else ("result.shared", {"who": who})
