"""`ludoglot.api`, the name of the public API: `from ludoglot.api import load`. The implementation is in
engine/api."""

from ludoglot.engine.api import ApiError, Game, Match, Option, Rank, load, resume

__all__ = ["ApiError", "Game", "Match", "Option", "Rank", "load", "resume"]
