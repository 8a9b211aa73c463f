"""A plan is carried out: which games are missing, who plays them, when it is enough.

Games come from their seeds alone, and whether it is enough is asked after counts that the plan gives; so the result is the same whoever
plays, in whatever order.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from .journal import Journal
from .plan import Chunk, Key, Plan, play_chunk
from .playouts import Played

LARGEST = 25                         # games of a chunk
SHARES = 8                           # chunks that each worker gets at least, where there are games enough
DEATHS = 3                           # workers that may die one after the other without having brought anything
Done = tuple[Chunk, list[Played]]
Workers = Callable[[list[Chunk]], Iterator[Done]]     # plays chunks and gives each back when it is finished
Enough = Callable[[dict[Key, Played], int], bool]     # whether so many games by each of the rules give a clear answer


@dataclass
class Run:
    """A plan on its way; `games` are those that have been played."""

    plan: Plan
    workers: Workers
    journal: Journal | None = None
    hands: int = 1                                                 # how many workers there are
    tell: Callable[[int], None] = lambda count: None               # hears how many games have just come in
    games: dict[Key, Played] = field(default_factory=dict)

    def carry_out(self, stops: Iterable[int], enough: Enough = lambda games, count: True) -> int:
        """Play up to each of these counts in turn, until it is enough; how many games by each of the rules there are then."""
        if self.journal is not None:
            self.games = dict(self.journal.games)
        count = 0
        for count in stops:
            self.play([key for key in self.plan.keys(count) if key not in self.games])
            if enough(self.games, count):
                break
        self.games = {key: self.games[key] for key in self.plan.keys(count)}
        return count

    def play(self, missing: list[Key]) -> None:
        for chunk, games in self.workers(self.chunks(missing)):
            if self.journal is not None:
                self.journal.add(chunk.side, games)
            self.games |= {(chunk.side, played.seed): played for played in games}
            self.tell(len(games))

    def chunks(self, missing: list[Key]) -> list[Chunk]:
        """The missing games in portions, none so large that much goes with it or that others wait for it."""
        size = max(1, min(LARGEST, len(missing) // (SHARES * self.hands)))
        out = []
        for side in range(len(self.plan.rules)):
            seeds = [seed for one, seed in missing if one == side]
            out += [Chunk(self.plan, side, tuple(seeds[n : n + size])) for n in range(0, len(seeds), size)]
        return sorted(out, key=lambda chunk: chunk.seeds[0])


def alone(chunks: list[Chunk]) -> Iterator[Done]:
    """In this process."""
    for chunk in chunks:
        yield chunk, play_chunk(chunk)


def by_processes(count: int) -> Workers:
    """In so many processes of this machine. When one of them is killed, what it had not brought back is played again by others."""
    def work(chunks: list[Chunk]) -> Iterator[Done]:
        left, deaths = dict(enumerate(chunks)), 0
        while left:
            pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=made_ready)
            futures = {pool.submit(play_chunk, chunk): n for n, chunk in left.items()}
            try:
                for future in as_completed(futures):
                    games = future.result()
                    deaths = 0
                    yield left.pop(futures[future]), games
            except BrokenProcessPool:
                deaths += 1
                if deaths > DEATHS:
                    raise
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
    return work


def made_ready() -> None:
    """A worker leaves with who made it, however that one ends, and lets it alone hear of Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)
    threading.Thread(target=follow, daemon=True).start()
