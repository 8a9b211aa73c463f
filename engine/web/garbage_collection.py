"""Keeps Python's garbage collection from delaying tables."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects before a collection of the youngest ones, such collections before one of the middle generation, and those before a full
# one. The first two are Python's defaults: with larger numbers, these collections are as expensive together, and each pause is longer.
THRESHOLDS = 700, 10, 700


def avoid_full_collections() -> None:
    """Makes full collections rare in this process: about one in 4,000 moves.

    A full collection visits all matches in memory, and nothing else runs meanwhile. Python's default is one whenever the new objects are
    a quarter of the old ones."""
    gc.set_threshold(*THRESHOLDS)


@contextmanager
def exempt_from_collection(has_dropped_rules: bool) -> Iterator[None]:
    """Exempts the objects that exist afterwards from garbage collection.

    Rules are large. Each full collection would go through all of them, and delay every table. So there is one only
    after rules were dropped."""
    if has_dropped_rules:
        gc.unfreeze()
        gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect(0)                                              # what loading has left over
        gc.freeze()
