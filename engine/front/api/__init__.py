"""`ludoglot.api`, the name of the public API: `from ludoglot.api import load`. The implementation is in
engine/api."""

from ludoglot.engine.api import BOTS, ApiError, Bot, Game, Hint, Match, Option, Rank, Rating, View, load, resume, vector

__all__ = ["BOTS", "ApiError", "Bot", "Game", "Hint", "Match", "Option", "Rank", "Rating", "View", "load", "resume", "vector"]
