"""Keeps Python's garbage collection from delaying tables."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects before a collection of the youngest ones, such collections before one of the middle generation, and those before a full
# one. A page creates thousands of objects, and nearly all of them end without a collection. A full one visits all matches in memory.
THRESHOLDS = 10_000, 20, 25


def collect_rarely() -> None:
    """Lets this process collect less often than Python does by default, which costs a server 5 % of its processor time."""
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
