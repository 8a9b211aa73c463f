"""Random playouts of chess as python-chess plays it, in Python throughout, with the ends that our game has."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

try:
    import chess
except ImportError:
    chess = None

QUIET = 100                          # moves in a row, of both players, without a capture or a pawn's move, after which a game is a draw


def available() -> bool:
    """Whether python-chess is installed; without it GAMES is empty."""
    return chess is not None


def _playout() -> Callable[[Random], int]:
    def play(rng: Random) -> int:
        """Play one random game and return the number of moves, a promotion and what the pawn becomes being one."""
        board, random, moves = chess.Board(), rng.random, 0
        # Draws happen, as with us; is_game_over() would go on to the fifth repetition or look at what could be claimed after each move.
        while (board.halfmove_clock < QUIET and not board.is_repetition(3) and not board.is_insufficient_material()
               and (legal := list(board.legal_moves))):
            board.push(legal[int(random() * len(legal))])
            moves += 1
        return moves

    return play


GAMES = {"chess": _playout()} if available() else {}
