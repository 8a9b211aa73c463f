"""The search of one position in several threads.

Each thread grows a tree of its own in C, which needs no lock and no Python. The numbers of playouts are added
at the root ("root parallelization": Chaslot, Winands and van den Herik, "Parallel Monte-Carlo tree search",
2008). How far each thread comes depends on the machine, so only searches with a time limit use more than one."""

from __future__ import annotations

import os
import random
from array import array
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import Protocol

from ...dsl.backend_c.ffi import NativeError
from ..position.position import Position
from .search_tree import OptionStats, is_decided, merge_option_stats

MAX_SEARCH_THREADS = 8                       # each thread has a tree of its own, and a tree can take up 256 MB


def count_search_threads(spare: int = 0) -> int:
    """Returns the number of threads for one search: the processors that this process may use, less `spare`."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(MAX_SEARCH_THREADS, cores - spare))


class SearchContext(Protocol):
    """A native context that can search a position (see `NativeBots.weigh`)."""

    def weigh(self, position: Position, work: int, rng: random.Random, seconds: float = 0,
              stop: array[int] | None = None) -> list[OptionStats]:
        """Returns the options as the search ranks them."""


class ParallelSearch:
    """Native contexts that search the same position at the same time. `contexts` has one for each thread."""

    def __init__(self, contexts: Sequence[SearchContext]) -> None:
        self.contexts = contexts

    def weigh(
        self, position: Position, work: int, rng: random.Random, seconds: float, stop: array[int] | None = None
    ) -> list[OptionStats]:
        """Returns the options as all searches together rank them (see `NativeBots.weigh`).

        All searches end as soon as one of them has proven the best value. Raises NativeError, NotMarshallableError."""
        flag = array("q", [0]) if stop is None else stop
        found: list[list[OptionStats]] = []

        def search(context: SearchContext, generator: random.Random) -> None:
            stats = context.weigh(position, work, generator, seconds, flag)
            found.append(stats)
            if is_decided(stats):
                flag[0] = 1

        def help_search(context: SearchContext, generator: random.Random) -> None:
            with suppress(NativeError):                            # for example out of memory: the others go on
                search(context, generator)

        threads = [Thread(target=help_search, args=(context, random.Random(rng.getrandbits(64))), daemon=True)
                   for context in self.contexts[1:]]
        try:
            for thread in threads:
                with suppress(RuntimeError):                       # the system has no threads left
                    thread.start()
            search(self.contexts[0], rng)
        except BaseException:
            flag[0] = 1
            raise
        finally:
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
        return merge_option_stats(found)
