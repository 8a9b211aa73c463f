"""Random playouts of draughts as pydraughts plays it, in Python throughout."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

try:
    import draughts
except ImportError:
    draughts = None

QUIET = 50                           # moves in a row by kings alone after which a game is a draw, those of both players counted


def available() -> bool:
    """Whether pydraughts is installed; without it GAMES is empty."""
    return draughts is not None


def _playout(variant: str) -> Callable[[Random], int]:
    def play(rng: Random) -> int:
        """Play one random game and return the number of moves, a whole capture being one."""
        board, moves = draughts.Board(variant=variant), 0
        game = board._game
        while game.consecutive_noncapture_king_moves < QUIET and not game.is_threefold() and (legal := board.legal_moves()):
            board.push(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


GAMES = {"international-draughts": _playout("standard")} if available() else {}
