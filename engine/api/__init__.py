"""The public API of Ludoglot: load a game, start a match, play options, ask bots, and look at the view of a seat.

    from ludoglot.api import load

    game = load("reversi")
    match = game.start(seed=1)
    while not match.over:
        match.play(match.bot("greedy"))
    print(match.standing)

The names in `__all__` stay the same from one version to the next. `ludoglot.api.pettingzoo` and
`ludoglot.api.openspiel` offer the same games through those interfaces, for learning and search."""

from ..position.ranking import Rank
from .bots import BOTS, Hint, Rating
from .errors import ApiError
from .loading import Game, load, resume
from .match import Bot, Match, View
from .option import Option
from .pickles import register
from .vector import vector

register()
__all__ = ["BOTS", "ApiError", "Bot", "Game", "Hint", "Match", "Option", "Rank", "Rating", "View", "load", "resume", "vector"]
