"""Plays games in several processes of this machine.

Each game is returned shortly after its end. A worker that dies is replaced, and other workers play its
unfinished games. On Ctrl-C, all workers stop at once.

`concurrent.futures` does not fit: it returns whole chunks only, waits for running chunks when it is stopped,
and waits again when Python exits."""

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

FLUSH_SECONDS = 0.1                          # how long a worker collects games before it sends them
MAX_WORKER_CRASHES = 3                           # consecutive crashes without any finished game
SPAWN_CONTEXT = multiprocessing.get_context("spawn")


class WorkerProcess:
    """A process that plays chunks. `chunk` is the part of its current chunk that has not come back yet."""

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
        """Returns the games that came back, and the seconds since the previous ones or since the chunk was sent.

        Raises EOFError and OSError if the process is gone, and any error that happened in it."""
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
    """A pool of `count` worker processes, kept from one run of games to the next."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.workers: list[WorkerProcess] = []
        self.deaths = 0

    def play(self, plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
        """Plays these games. Raises WorkersLostError, and any error that happened in a worker."""
        self.portions, whole = WorkQueue(plan, keys, self.count), False
        try:
            while self.portions or any(worker.chunk for worker in self.workers):
                self.assign_chunks()
                yield from self.collect_results(None)
            whole = True
        except KeyboardInterrupt:                                  # games that are ready are still collected
            yield from self.collect_results(0)
            raise
        finally:
            if not whole:                                          # the workers are in the middle of a game
                self.close()

    def close(self) -> None:
        while self.workers:
            self.workers.pop().kill()

    def assign_chunks(self) -> None:
        """Sends a chunk to every idle worker, and starts missing workers, as long as there are games."""
        for worker in [*self.workers]:
            if worker.chunk is None and self.portions:
                self.send_next_chunk(worker)
        while self.portions and len(self.workers) < self.count:
            self.workers.append(WorkerProcess())
            self.send_next_chunk(self.workers[-1])

    def send_next_chunk(self, worker: WorkerProcess) -> None:
        with suppress(OSError):                                    # a dead worker is noticed when its pipe is read
            worker.send_chunk(self.portions.take_next_chunk())

    def collect_results(self, seconds: float | None) -> Iterator[FinishedGames]:
        """Yields the games that came back. The chunks of dead workers go back to the queue. Raises WorkersLostError."""
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
        """Removes a dead worker and puts its chunk back into the queue. Raises WorkersLostError after too many crashes."""
        self.workers.remove(worker)
        worker.kill()
        if worker.chunk is not None:
            self.portions.return_seeds(worker.chunk.side, worker.chunk.seeds)
        self.deaths += 1
        if self.deaths > MAX_WORKER_CRASHES:
            raise WorkersLostError("simulate.nobody_left")


@contextmanager
def process_workers(count: int) -> Iterator[Workers]:
    """Yields the function that plays games in `count` processes of this machine."""
    crew = ProcessPool(count)
    try:
        yield crew.play
    finally:
        crew.close()


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Blocks SIGINT, so that processes started in this context never receive Ctrl-C. The parent process stops them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def worker_main(pipe: Connection) -> None:
    """The main function of a worker: plays chunks until the pipe closes. It exits together with the parent process."""
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
    """Plays a chunk and sends its games in batches, or the error if one occurs. Unloads rules of other plans."""
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
