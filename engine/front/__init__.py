"""Ludoglot, a multilingual rules engine for board games: the public API under its shortest name.

    import ludoglot

    match = ludoglot.load("hex").start()

The names are those of `ludoglot.api`. They are imported on first use, so that the command line does not pay for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoglot.engine.api import BOTS, ApiError, Bot, Game, Hint, Match, Option, Rank, Rating, View, load, resume, vector

__all__ = ["BOTS", "ApiError", "Bot", "Game", "Hint", "Match", "Option", "Rank", "Rating", "View", "load", "resume", "vector",
           "__version__"]

__version__: str


def __getattr__(name: str) -> Any:
    """Returns a public name, imported on first use. Raises AttributeError for any other name."""
    if name == "__version__":
        from importlib.metadata import version
        value: Any = version("ludoglot")
    elif name in __all__:
        from ludoglot.engine import api
        value = getattr(api, name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
