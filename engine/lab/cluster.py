"""Plays games on the workers of a Dask cluster: https://distributed.dask.org

Each machine needs the same version of Ludoglot, and the files of the game at the same paths. The workers check that the
versions are equal and that the files mean the same. If a worker dies, the cluster gives its chunk to another worker."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from queue import Empty, SimpleQueue
from socket import gethostname
from typing import Any

from distributed import Client, Future, KilledWorker, Security
from distributed.comm import connect

from ..errors import MessageError
from .plan import GameKey, LabPlan, PlanChunk, RulesChangedError
from .playout import GameResult
from .runner import CHUNK_SECONDS, FinishedGames, Workers, WorkersLostError, WorkQueue, play_for_seconds

RESPONSE_TIMEOUT_SECONDS = 10.0                      # how long a cluster may take to answer
# how often the cluster and its number of workers are checked
HEALTH_CHECK_SECONDS = 1.0
CHUNKS_AHEAD_PER_WORKER = 2                            # chunks queued for each worker
MAX_WORKER_CRASHES = 3                           # consecutive chunks whose workers may die
SILENCED_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")


class ClusterError(MessageError):
    """Raised if no Dask scheduler answers, or if its machines lack Ludoglot, one of its packages, or the right version."""


def play_with_version(wanted: str, chunk: PlanChunk, seconds: float) -> tuple[list[GameResult], float]:
    """Plays like `play_for_seconds`, on a worker. Raises ClusterError if its version of Ludoglot is not `wanted`."""
    found = version("ludoglot")
    if found != wanted:
        raise ClusterError("simulate.other_version", host=gethostname(), found=found, wanted=wanted)
    return play_for_seconds(chunk, seconds)


@contextmanager
def cluster_workers(address: str, waits: Callable[[], None] = lambda: None) -> Iterator[Workers]:
    """Yields the function that plays games on the cluster of this scheduler address.

    `waits` is called if the cluster has no workers yet. Raises ClusterError."""
    for name in SILENCED_LOGGERS:                                              # a lost worker is not interesting to the user
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        # a client would wait forever
        asyncio.run(asyncio.wait_for(check_scheduler(address), RESPONSE_TIMEOUT_SECONDS))
        client = Client(address, timeout=RESPONSE_TIMEOUT_SECONDS, set_as_default=False)                # type: ignore[no-untyped-call]
    except Exception as error:                                     # invalid addresses, missing certificates, other releases
        raise ClusterError("simulate.no_cluster", address=address) from error

    def play_games(plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
        yield from ClusterRun(client, plan, keys, waits).play()
    try:
        yield play_games
    finally:
        close_client(client)


async def check_scheduler(address: str) -> None:
    """Returns if a scheduler answers at the address. Raises an error otherwise."""
    scheme, _, rest = address.rpartition("://")
    if not rest or scheme not in ("", "tcp", "tls", "ws", "wss", "ucx"):
        raise ValueError(address)
    comm = await connect(address, timeout=RESPONSE_TIMEOUT_SECONDS, **Security().get_connection_args("client"))     # type: ignore[no-untyped-call]
    await comm.write({"op": "identity", "reply": True})
    said = await comm.read()
    comm.abort()
    if said.get("type") != "Scheduler":
        raise ValueError(address)


def close_client(client: Client) -> None:
    """Closes the client, even if the cluster is gone."""
    try:
        client.close(timeout=2)                                    # type: ignore[no-untyped-call]
    except Exception:
        client.status = "closed"                                   # else it tries again when Python exits


class ClusterRun:
    """One run of games on a cluster: submits chunks and collects their results."""

    def __init__(self, client: Client, plan: LabPlan, keys: list[GameKey], waits: Callable[[], None]) -> None:
        self.client, self.waits = client, waits
        self.portions = WorkQueue(plan, keys, 1)
        self.out: dict[Any, tuple[Future[Any], PlanChunk]] = {}
        self.done: SimpleQueue[Any] = SimpleQueue()
        self.deaths = self.losses = 0                              # consecutive crashes and cancelled chunks

    def play(self) -> Iterator[FinishedGames]:
        try:
            self.refresh_worker_count()
            while self.portions or self.out:
                self.submit_chunks()
                try:
                    key = self.done.get(timeout=HEALTH_CHECK_SECONDS)
                except Empty:
                    self.refresh_worker_count()
                    continue
                yield from self.collect_result(*self.out.pop(key))
        finally:
            for future, _ in self.out.values():
                future.release()                                   # type: ignore[no-untyped-call]

    def refresh_worker_count(self) -> None:
        """Updates the number of workers. Raises WorkersLostError if the cluster is gone."""
        try:
            if self.client.status in ("connecting", "closing", "closed"):
                raise WorkersLostError("simulate.cluster_left")
            ncores: Any = getattr(self.client.scheduler, "ncores", None)
            hands = sum(self.client.sync(ncores, callback_timeout=RESPONSE_TIMEOUT_SECONDS).values())       # type: ignore[no-untyped-call]
        except Exception:                                          # a broken connection raises many kinds of errors
            raise WorkersLostError("simulate.cluster_left") from None
        if not hands:
            self.waits()
        self.portions.hands = max(1, hands)

    def submit_chunks(self) -> None:
        """Submits chunks until each worker has enough of them in its queue."""
        while self.portions and len(self.out) < CHUNKS_AHEAD_PER_WORKER * self.portions.hands:
            chunk = self.portions.take_next_chunk()
            future = self.client.submit(play_with_version, version("ludoglot"), chunk, CHUNK_SECONDS, pure=False)
            self.out[future.key] = future, chunk
            future.add_done_callback(lambda future: self.done.put(future.key))              # type: ignore[no-untyped-call]

    def collect_result(self, future: Future[Any], chunk: PlanChunk) -> Iterator[FinishedGames]:
        """Yields the games of a finished chunk and puts the games that it did not play back into the queue.

        Raises WorkersLostError, ClusterError and RulesChangedError."""
        games = []
        try:
            games, seconds = future.result(timeout=RESPONSE_TIMEOUT_SECONDS)
        except KilledWorker:
            self.deaths += 1
            if self.deaths > MAX_WORKER_CRASHES:
                raise WorkersLostError("simulate.cluster_left") from None
        except (RulesChangedError, ClusterError):
            raise
        except ImportError as error:
            raise ClusterError("simulate.unready", reason=str(error)) from None
        except (Exception, asyncio.CancelledError):                # the cluster is gone, or chunks were cancelled
            self.refresh_worker_count()
            self.losses += 1
            called_off = bool(future.cancelled())                  # type: ignore[no-untyped-call]
            if not called_off or self.losses > MAX_WORKER_CRASHES * CHUNKS_AHEAD_PER_WORKER * self.portions.hands:
                raise WorkersLostError("simulate.cluster_left") from None
        else:
            self.deaths = self.losses = 0
            self.portions.record_pace(len(games), seconds)
        if len(games) < len(chunk.seeds):
            self.portions.return_seeds(chunk.side, chunk.seeds[len(games) :])
        if games:
            yield chunk.side, games
