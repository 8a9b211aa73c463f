"""Plays random games of draughts in pydraughts, entirely in Python."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

try:
    import draughts
except ImportError:
    draughts = None

QUIET = 50                           # consecutive moves by kings only, of both players, after which a game is a draw


def available() -> bool:
    """Whether pydraughts is installed. Without it, GAMES is empty."""
    return draughts is not None


def _playout(variant: str) -> Callable[[Random], int]:
    def play(rng: Random) -> int:
        """Plays one random game and returns the number of moves. A whole capture is one move."""
        board, moves = draughts.Board(variant=variant), 0
        game = board._game
        while game.consecutive_noncapture_king_moves < QUIET and not game.is_threefold() and (legal := board.legal_moves()):
            board.push(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


GAMES = {"international-draughts": _playout("standard")} if available() else {}
