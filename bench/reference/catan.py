"""Random playouts of Catan as catanatron plays it with its own random players, in Python throughout. No game of ours."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

try:
    import catanatron
except ImportError:
    catanatron = None

SEEDS = 2**31


def available() -> bool:
    """Whether catanatron is installed; without it GAMES is empty."""
    return catanatron is not None


def _playout() -> Callable[[Random], int]:
    players = [catanatron.RandomPlayer(colour) for colour in catanatron.Color]

    def play(rng: Random) -> int:
        """Play one random game of four players and return the number of decisions, those with a single option too: to roll, to end a turn.
        A game that nobody has won after a thousand turns is over. The chances of Python's own `random` begin anew with each game."""
        game = catanatron.Game(players, seed=rng.randrange(1, SEEDS))
        game.play()
        return len(game.state.actions)

    return play


GAMES = {"catan": _playout()} if available() else {}
