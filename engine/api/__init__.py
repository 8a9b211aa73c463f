"""Ludoglot for programs: load a game, start it, ask what may be done, do it, see what a seat may see.

    from ludoglot.api import load

    game = load("reversi")
    match = game.start(seed=1)
    while not match.over:
        match.play(match.options[0])
    print(match.standing)

What is named here is what other programs may rely on. `ludoglot.api.pettingzoo` and `ludoglot.api.openspiel` give the same games to
learners and players that know those interfaces. All of it is told in docs/programs.md.
"""

from ..position.position import Rank
from .errors import ApiError
from .loading import Game, load, resume
from .match import Match, Option
from .pickles import register

register()
__all__ = ["ApiError", "Game", "Match", "Option", "Rank", "load", "resume"]
