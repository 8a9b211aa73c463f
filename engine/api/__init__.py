"""The public API of Ludoglot: load a game, start a match, ask for the options, play them, and see what a seat
may see.

    from ludoglot.api import load

    game = load("reversi")
    match = game.start(seed=1)
    while not match.over:
        match.play(match.options[0])
    print(match.standing)

Other programs may rely on the names in `__all__`. `ludoglot.api.pettingzoo` and `ludoglot.api.openspiel`
offer the same games through those interfaces, for learning and search. docs/guides/research/api.md describes everything."""

from ..position.position import Rank
from .bots import BOTS, Hint, Rating
from .errors import ApiError
from .loading import Game, load, resume
from .match import Bot, Match, View
from .option import Option
from .pickles import register

register()
__all__ = ["BOTS", "ApiError", "Bot", "Game", "Hint", "Match", "Option", "Rank", "Rating", "View", "load", "resume"]
