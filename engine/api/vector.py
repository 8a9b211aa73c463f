"""`vector`: many matches of a game in lockstep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import require_extra
from .loading import Game, load
from .returns import MAX_MATCH_DECISIONS

if TYPE_CHECKING:
    from .vector_matches import Vector


def vector(name: str | Path | Game, count: int, players: int | None = None, options: Mapping[str, Any] | None = None,
           house: Iterable[str | Path] = (), lang: str = "en", seed: int | Sequence[int] | None = None,
           limit: int = MAX_MATCH_DECISIONS, threads: int = 1) -> Vector:
    """Returns matches of a game that are stepped together, with NumPy arrays.

    If you have a C compiler, they run in C. The first call for a game compiles it, which takes a few seconds. Later
    calls use the cache. The results are the same in Python. `pip install ludoglot[vector]` installs the requirement.

    Arguments:
        name: A game that you have loaded, or its name or path as for `load`.
        count: The number of matches.
        players: The number of players, as for `load`.
        options: Values of the game's options, as for `load`.
        house: House-rule packs, as for `load`.
        lang: The language of error messages (default: "en").
        seed: The seed of the first match, or a list with one seed per match (default: a random one). Without a list,
            each match has the seed of the one before it plus 1. When a match ends, the next one in its row has its seed
            plus `count`.
        limit: The number of decisions after which a match is cut off (default: 10,000).
        threads: The number of threads that step the matches (default: 1). More threads are faster only with many
            matches.

    Raises:
        ApiError: The game cannot be loaded, its actions or positions do not fit into fixed numbers, or a number is too
            small.

    Example:

        matches = vector("connect-four", 64, seed=1)
        matches.step(matches.masks.argmax(axis=1))       # the first legal action of each match"""
    with require_extra("vector", ("numpy",)):
        from .vector_matches import Vector
    return Vector(name if isinstance(name, Game) else load(name, players, options, house, lang), count, seed, limit, threads)
