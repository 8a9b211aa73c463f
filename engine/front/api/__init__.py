"""`ludoglot.api`, the name under which programs find the interface: `from ludoglot.api import load`. What is behind it is in engine/api."""

from ludoglot.engine.api import ApiError, Game, Match, Option, Rank, load, resume

__all__ = ["ApiError", "Game", "Match", "Option", "Rank", "load", "resume"]
