"""Games played in several processes of this machine. Each game comes back a moment after its end. Who is killed is replaced, and what it
had not brought back is played again by others; on Ctrl-C all leave at once.

`concurrent.futures` brings back whole portions only, waits for those that run when it is stopped, and waits once more when Python ends.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic

from .plan import OPEN, Chunk, Key, Plan, forget, play_each
from .playout import Played
from .runner import Done, NobodyLeft, Portions, Workers

OFTEN = 0.1                          # seconds for which a worker keeps games before it hands them on
DEATHS = 3                           # workers that may die one after the other without having brought anything
SPAWN = multiprocessing.get_context("spawn")


class Worker:
    """A process that plays what it is sent; `chunk` is what it is playing, without the games that have come back."""

    def __init__(self) -> None:
        self.pipe, other = SPAWN.Pipe()
        self.process: BaseProcess = SPAWN.Process(target=serve, args=(other,), daemon=True)
        with deaf():
            self.process.start()
        other.close()
        self.chunk: Chunk | None = None
        self.since = 0.0

    def give(self, chunk: Chunk) -> None:
        self.chunk, self.since = chunk, monotonic()
        self.pipe.send_bytes(pickle.dumps(chunk))

    def brought(self) -> tuple[Done, float]:
        """Games that have come back, and the seconds since the last ones, or since it was given the portion. Raises EOFError and OSError
        when it is gone, and whatever went wrong there."""
        found: list[Played] | Exception = self.pipe.recv()
        if isinstance(found, Exception):
            raise found
        assert self.chunk is not None
        now, before, done = monotonic(), self.since, self.chunk
        seeds = done.seeds[len(found) :]
        self.chunk, self.since = Chunk(done.plan, done.side, seeds) if seeds else None, now
        return (done.side, found), now - before

    def end(self) -> None:
        self.process.kill()
        self.pipe.close()


class Crew:
    """So many processes; they stay from one round of games to the next."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.workers: list[Worker] = []
        self.deaths = 0

    def play(self, plan: Plan, keys: list[Key]) -> Iterator[Done]:
        """Play these games. Raises NobodyLeft, and what goes wrong with a worker."""
        self.portions, whole = Portions(plan, keys, self.count), False
        try:
            while self.portions or any(worker.chunk for worker in self.workers):
                self.give()
                yield from self.collect(None)
            whole = True
        except KeyboardInterrupt:                                  # what lies ready is taken along
            yield from self.collect(0)
            raise
        finally:
            if not whole:                                          # they are in the midst of something
                self.end()

    def end(self) -> None:
        while self.workers:
            self.workers.pop().end()

    def give(self) -> None:
        """Let everybody have something to play, as far as there is anything."""
        for worker in [*self.workers]:
            if worker.chunk is None and self.portions:
                self.hand(worker)
        while self.portions and len(self.workers) < self.count:
            self.workers.append(Worker())
            self.hand(self.workers[-1])

    def hand(self, worker: Worker) -> None:
        with suppress(OSError):                                    # it is gone: that shows itself when it is listened to
            worker.give(self.portions.next())

    def collect(self, seconds: float | None) -> Iterator[Done]:
        """What has come back; what the dead had not brought is handed out again. Raises NobodyLeft."""
        of = {worker.pipe: worker for worker in self.workers}
        for pipe in wait(list(of), seconds):
            assert isinstance(pipe, Connection)
            worker = of[pipe]
            try:
                done, took = worker.brought()
            except (EOFError, OSError):
                self.bury(worker)
                continue
            self.deaths = 0
            self.portions.took(len(done[1]), took)
            yield done

    def bury(self, worker: Worker) -> None:
        self.workers.remove(worker)
        worker.end()
        if worker.chunk is not None:
            self.portions.back(worker.chunk.side, worker.chunk.seeds)
        self.deaths += 1
        if self.deaths > DEATHS:
            raise NobodyLeft


@contextmanager
def by_processes(count: int) -> Iterator[Workers]:
    """In so many processes of this machine."""
    crew = Crew(count)
    try:
        yield crew.play
    finally:
        crew.end()


@contextmanager
def deaf() -> Iterator[None]:
    """What is begun meanwhile never hears of Ctrl-C, not even before it runs a line of its own: who began it hears of it, and ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection) -> None:
    """A worker's life: it plays portions until nobody gives it any. It leaves with who made it, however that one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)
    threading.Thread(target=follow, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            work_off(pipe, pipe.recv())


def work_off(pipe: Connection, chunk: Chunk) -> None:
    """Play a portion, and hand each game on soon; what goes wrong is told instead. Rules that its plan does not name are forgotten."""
    for rules in OPEN.keys() - set(chunk.plan.rules):
        forget(rules)
    ready: list[Played] = []
    sent = monotonic()
    try:
        for played in play_each(chunk):
            ready.append(played)
            if monotonic() - sent >= OFTEN:
                pipe.send_bytes(pickle.dumps(ready))
                ready, sent = [], monotonic()
    except OSError:
        raise
    except Exception as error:
        pipe.send_bytes(pickle.dumps(error))
        return
    if ready:
        pipe.send_bytes(pickle.dumps(ready))
