"""Plays random games of Catan in catanatron, with its own random players, entirely in Python."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

try:
    import catanatron
except ImportError:
    catanatron = None

SEEDS = 2**31


def available() -> bool:
    """Whether catanatron is installed. Without it, GAMES is empty."""
    return catanatron is not None


def _playout() -> Callable[[Random], int]:
    players = [catanatron.RandomPlayer(colour) for colour in catanatron.Color]

    def play(rng: Random) -> int:
        """Plays one random game of four players and returns the number of decisions.

        Its players make no offers to each other, so a game has fewer decisions than in Ludoglot. Decisions with a single move, such as to
        roll or to end a turn, also count. A game without a winner ends after a thousand turns. Each game seeds Python's own `random` again.
        """
        game = catanatron.Game(players, seed=rng.randrange(1, SEEDS))
        game.play()
        return len(game.state.actions)

    return play


GAMES = {"catan": _playout()} if available() else {}
