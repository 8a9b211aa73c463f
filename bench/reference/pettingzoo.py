"""Random playouts of PettingZoo's board games written in Python, one step a move; its chess asks python-chess for the moves.

This file has the library's name: import it as a module of its folder's package, never with its folder itself on the path.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any

# pygame, which the games import for drawing, greets on standard output otherwise.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# The modules behind tictactoe_v3 and connect_four_v3, as importing those warns since the library has a registry.
try:
    from pettingzoo.classic.connect_four.connect_four import raw_env as connect_four_v3
    from pettingzoo.classic.tictactoe.tictactoe import raw_env as tictactoe_v3
except ImportError:
    connect_four_v3 = tictactoe_v3 = None
try:
    from pettingzoo.classic.chess.chess import raw_env as chess_v6
except ImportError:                  # it needs python-chess too
    chess_v6 = None


def available() -> bool:
    """Whether PettingZoo and what its two small games need are installed; without them GAMES is empty."""
    return tictactoe_v3 is not None


def _playout(make: Callable[[], Any]) -> Callable[[Random], int]:
    env = make()  # raw: the wrappers that check every call would make tic-tac-toe three times slower

    def play(rng: Random) -> int:
        """Play one random game and return the number of moves."""
        random = rng.random
        env.reset()
        moves = 0
        while True:
            # observe(), not last(): that one also gathers rewards and infos, which nobody reads here.
            actions = env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()
            env.step(actions[int(random() * len(actions))])
            moves += 1
            if env.terminations[env.agent_selection]:
                return moves

    return play


# Its chess takes each draw that can be claimed, the one that a move yet to be made would bring among them: so its games are shorter.
_MAKERS = {"tic-tac-toe": tictactoe_v3, "connect-four": connect_four_v3, "chess": chess_v6}
GAMES = {game: _playout(make) for game, make in _MAKERS.items() if make is not None}
