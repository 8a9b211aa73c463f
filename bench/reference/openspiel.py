"""Plays random games of OpenSpiel (C++), driven move by move from Python."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

try:
    import pyspiel
except ImportError:
    pyspiel = None

_NAMES = {
    "tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four", "breakthrough": "breakthrough", "hex": "hex(board_size=11)",
    "amazons": "amazons", "backgammon": "backgammon", "chess": "chess", "corridors": "quoridor", "cribbage": "cribbage",
    "english-draughts": "checkers", "go": "go(board_size=9,komi=7.5)", "hearts": "hearts", "kalah": "mancala",
    "liars-dice": "liars_dice(numdice=5)", "lines-of-action": "lines_of_action", "nine-mens-morris": "nine_mens_morris",
    "oware": "oware", "reversi": "othello", "yacht": "yacht",
}


def available() -> bool:
    """Whether OpenSpiel is installed. Without it, GAMES is empty."""
    return pyspiel is not None


def _playout(name: str) -> Callable[[Random], int]:
    new_state = pyspiel.load_game(name).new_initial_state

    def play(rng: Random) -> int:
        """Plays one random game and returns the number of moves, including throws and dealt cards."""
        random = rng.random
        state = new_state()
        legal_actions, apply_action = state.legal_actions, state.apply_action
        moves = 0
        # A finished game has no legal actions. Without calls of is_terminal(), the loop is a fifth faster.
        while actions := legal_actions():
            apply_action(actions[int(random() * len(actions))])
            moves += 1
        return moves

    return play


GAMES = {game: _playout(name) for game, name in _NAMES.items()} if available() else {}
