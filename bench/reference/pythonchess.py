"""Plays random games of chess in python-chess, entirely in Python, with the same draw rules as Ludoglot's chess."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

try:
    import chess
except ImportError:
    chess = None

QUIET = 100                          # consecutive moves of both players without a capture or a pawn's move, after which a game is a draw


def available() -> bool:
    """Whether python-chess is installed. Without it, GAMES is empty."""
    return chess is not None


def _playout() -> Callable[[Random], int]:
    def play(rng: Random) -> int:
        """Plays one random game and returns the number of moves. A promotion and its piece are one move."""
        board, random, moves = chess.Board(), rng.random, 0
        # Draws are automatic, as in Ludoglot. is_game_over() waits for the fifth repetition or checks claims after each move.
        while (board.halfmove_clock < QUIET and not board.is_repetition(3) and not board.is_insufficient_material()
               and (legal := list(board.legal_moves))):
            board.push(legal[int(random() * len(legal))])
            moves += 1
        return moves

    return play


GAMES = {"chess": _playout()} if available() else {}
