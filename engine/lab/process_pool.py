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

from .plan import LOADED_GAMES, GameKey, LabPlan, PlanChunk, play_chunk, unload_game
from .playout import GameResult
from .runner import FinishedGames, Workers, WorkersLostError, WorkQueue

FLUSH_SECONDS = 0.1                          # seconds for which a worker keeps games before it hands them on
MAX_WORKER_CRASHES = 3                           # workers that may die one after the other without having brought anything
SPAWN_CONTEXT = multiprocessing.get_context("spawn")


class WorkerProcess:
    """A process that plays what it is sent; `chunk` is what it is playing, without the games that have come back."""

    def __init__(self) -> None:
        self.pipe, other = SPAWN_CONTEXT.Pipe()
        self.process: BaseProcess = SPAWN_CONTEXT.Process(target=worker_main, args=(other,), daemon=True)
        with sigint_blocked():
            self.process.start()
        other.close()
        self.chunk: PlanChunk | None = None
        self.since = 0.0

    def send_chunk(self, chunk: PlanChunk) -> None:
        self.chunk, self.since = chunk, monotonic()
        self.pipe.send_bytes(pickle.dumps(chunk))

    def receive_games(self) -> tuple[FinishedGames, float]:
        """Games that have come back, and the seconds since the last ones, or since it was given the portion. Raises EOFError and OSError
        when it is gone, and whatever went wrong there."""
        found: list[GameResult] | Exception = self.pipe.recv()
        if isinstance(found, Exception):
            raise found
        assert self.chunk is not None
        now, before, done = monotonic(), self.since, self.chunk
        seeds = done.seeds[len(found) :]
        self.chunk, self.since = PlanChunk(done.plan, done.side, seeds) if seeds else None, now
        return (done.side, found), now - before

    def kill(self) -> None:
        self.process.kill()
        self.pipe.close()


class ProcessPool:
    """So many processes; they stay from one round of games to the next."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.workers: list[WorkerProcess] = []
        self.deaths = 0

    def play(self, plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
        """Play these games. Raises NobodyLeft, and what goes wrong with a worker."""
        self.portions, whole = WorkQueue(plan, keys, self.count), False
        try:
            while self.portions or any(worker.chunk for worker in self.workers):
                self.assign_chunks()
                yield from self.collect_results(None)
            whole = True
        except KeyboardInterrupt:                                  # what lies ready is taken along
            yield from self.collect_results(0)
            raise
        finally:
            if not whole:                                          # they are in the midst of something
                self.close()

    def close(self) -> None:
        while self.workers:
            self.workers.pop().kill()

    def assign_chunks(self) -> None:
        """Let everybody have something to play, as far as there is anything."""
        for worker in [*self.workers]:
            if worker.chunk is None and self.portions:
                self.send_next_chunk(worker)
        while self.portions and len(self.workers) < self.count:
            self.workers.append(WorkerProcess())
            self.send_next_chunk(self.workers[-1])

    def send_next_chunk(self, worker: WorkerProcess) -> None:
        with suppress(OSError):                                    # it is gone: that shows itself when it is listened to
            worker.send_chunk(self.portions.next_chunk())

    def collect_results(self, seconds: float | None) -> Iterator[FinishedGames]:
        """What has come back; what the dead had not brought is handed out again. Raises NobodyLeft."""
        of = {worker.pipe: worker for worker in self.workers}
        for pipe in wait(list(of), seconds):
            assert isinstance(pipe, Connection)
            worker = of[pipe]
            try:
                done, took = worker.receive_games()
            except (EOFError, OSError):
                self.remove_dead_worker(worker)
                continue
            self.deaths = 0
            self.portions.record_pace(len(done[1]), took)
            yield done

    def remove_dead_worker(self, worker: WorkerProcess) -> None:
        self.workers.remove(worker)
        worker.kill()
        if worker.chunk is not None:
            self.portions.return_seeds(worker.chunk.side, worker.chunk.seeds)
        self.deaths += 1
        if self.deaths > MAX_WORKER_CRASHES:
            raise WorkersLostError


@contextmanager
def process_workers(count: int) -> Iterator[Workers]:
    """In so many processes of this machine."""
    crew = ProcessPool(count)
    try:
        yield crew.play
    finally:
        crew.close()


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """What is begun meanwhile never hears of Ctrl-C, not even before it runs a line of its own: who began it hears of it, and ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def worker_main(pipe: Connection) -> None:
    """A worker's life: it plays portions until nobody gives it any. It leaves with who made it, however that one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def exit_with_parent() -> None:
        parent.join()
        os._exit(1)
    threading.Thread(target=exit_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            run_chunk(pipe, pipe.recv())


def run_chunk(pipe: Connection, chunk: PlanChunk) -> None:
    """Play a portion, and hand each game on soon; what goes wrong is told instead. Rules that its plan does not name are forgotten."""
    for rules in LOADED_GAMES.keys() - set(chunk.plan.rules):
        unload_game(rules)
    ready: list[GameResult] = []
    sent = monotonic()
    try:
        for played in play_chunk(chunk):
            ready.append(played)
            if monotonic() - sent >= FLUSH_SECONDS:
                pipe.send_bytes(pickle.dumps(ready))
                ready, sent = [], monotonic()
    except OSError:
        raise
    except Exception as error:
        pipe.send_bytes(pickle.dumps(error))
        return
    if ready:
        pipe.send_bytes(pickle.dumps(ready))
