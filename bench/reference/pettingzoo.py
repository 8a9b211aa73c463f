"""Plays random games of PettingZoo's board games written in Python, one step per move. Its chess takes the moves from python-chess.

This file has the name of the library. Import it as a module of its package, and never put its folder on the path.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any

# The games import pygame for drawing. Without this, it prints a greeting to standard output.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# The modules that implement tictactoe_v3 and connect_four_v3. Importing those names gives a warning since the library has a registry.
try:
    from pettingzoo.classic.connect_four.connect_four import raw_env as connect_four_v3
    from pettingzoo.classic.tictactoe.tictactoe import raw_env as tictactoe_v3
except ImportError:
    connect_four_v3 = tictactoe_v3 = None
try:
    from pettingzoo.classic.chess.chess import raw_env as chess_v6
except ImportError:                  # chess also needs python-chess
    chess_v6 = None


def available() -> bool:
    """Whether PettingZoo and the packages for its two small games are installed. Without them, GAMES is empty."""
    return tictactoe_v3 is not None


def _playout(make: Callable[[], Any]) -> Callable[[Random], int]:
    env = make()  # raw: wrappers that check every call would make tic-tac-toe three times slower

    def play(rng: Random) -> int:
        """Plays one random game and returns the number of moves."""
        random = rng.random
        env.reset()
        moves = 0
        while True:
            # observe() instead of last(), which also collects rewards and infos that nobody reads here.
            actions = env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()
            env.step(actions[int(random() * len(actions))])
            moves += 1
            if env.terminations[env.agent_selection]:
                return moves

    return play


# Its chess takes every draw that can be claimed, also one that the next move would bring. Its games are therefore shorter.
_MAKERS = {"tic-tac-toe": tictactoe_v3, "connect-four": connect_four_v3, "chess": chess_v6}
GAMES = {game: _playout(make) for game, make in _MAKERS.items() if make is not None}
