"""Games played by the workers of a Dask cluster: https://distributed.dask.org

Each of its machines needs Ludoglot, and the files of the game at the same paths; that they say the same is looked at. When a worker dies,
the cluster gives what it was playing to another.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

from distributed import Client, Future, KilledWorker, Security
from distributed.comm import connect

from .plan import GameKey, LabPlan, PlanChunk, RulesChangedError
from .runner import CHUNK_SECONDS, FinishedGames, Workers, WorkersLostError, WorkQueue, play_for_seconds

RESPONSE_TIMEOUT_SECONDS = 10.0                      # seconds for a cluster to answer
# seconds after which it is looked whether the cluster is still there, and who works for it
HEALTH_CHECK_SECONDS = 1.0
CHUNKS_AHEAD_PER_WORKER = 2                            # portions that lie ready for each worker
MAX_WORKER_CRASHES = 3                           # portions whose workers may die one after the other
SILENCED_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")     # whose log is their own


class ClusterUnavailableError(Exception):
    """Nobody answers at an address, or not as a cluster does."""


class ClusterNotReadyError(Exception):
    """The machines of a cluster cannot play: they have no Ludoglot, or not all of its packages."""


@contextmanager
def cluster_workers(address: str, waits: Callable[[], None] = lambda: None) -> Iterator[Workers]:
    """The workers behind a scheduler's address. `waits` is called when nobody works there yet. Raises NoCluster."""
    for name in SILENCED_LOGGERS:                                              # that a worker is gone is no news for who waits for games
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        # a client waits for ever for who listens and says nothing
        asyncio.run(asyncio.wait_for(check_scheduler(address), RESPONSE_TIMEOUT_SECONDS))
        client = Client(address, timeout=RESPONSE_TIMEOUT_SECONDS, set_as_default=False)                # type: ignore[no-untyped-call]
    except Exception as error:                                     # addresses of no sense, certificates that are missing, other releases
        raise ClusterUnavailableError(address) from error

    def play_games(plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
        yield from ClusterRun(client, plan, keys, waits).play()
    try:
        yield play_games
    finally:
        close_client(client)


async def check_scheduler(address: str) -> None:
    """Return when a scheduler answers there."""
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
    """Let the cluster go, also where it is gone."""
    try:
        client.close(timeout=2)                                    # type: ignore[no-untyped-call]
    except Exception:
        client.status = "closed"                                   # or it tries once more when Python ends


class ClusterRun:
    """Games on their way through a cluster."""

    def __init__(self, client: Client, plan: LabPlan, keys: list[GameKey], waits: Callable[[], None]) -> None:
        self.client, self.waits = client, waits
        self.portions = WorkQueue(plan, keys, 1)
        self.out: dict[Any, tuple[Future[Any], PlanChunk]] = {}
        self.done: SimpleQueue[Any] = SimpleQueue()
        self.deaths = self.losses = 0                              # workers, and portions called off, one after the other

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
        """How many work there now. Raises NobodyLeft when the cluster is gone."""
        try:
            if self.client.status in ("connecting", "closing", "closed"):
                raise WorkersLostError
            ncores: Any = getattr(self.client.scheduler, "ncores", None)
            hands = sum(self.client.sync(ncores, callback_timeout=RESPONSE_TIMEOUT_SECONDS).values())       # type: ignore[no-untyped-call]
        except Exception:                                          # it breaks in many ways
            raise WorkersLostError from None
        if not hands:
            self.waits()
        self.portions.hands = max(1, hands)

    def submit_chunks(self) -> None:
        while self.portions and len(self.out) < CHUNKS_AHEAD_PER_WORKER * self.portions.hands:
            chunk = self.portions.next_chunk()
            future = self.client.submit(play_for_seconds, chunk, CHUNK_SECONDS, pure=False)
            self.out[future.key] = future, chunk
            future.add_done_callback(lambda future: self.done.put(future.key))              # type: ignore[no-untyped-call]

    def collect_result(self, future: Future[Any], chunk: PlanChunk) -> Iterator[FinishedGames]:
        """What a portion came to; what was not played of it is handed out again. Raises NobodyLeft, Unready and ChangedRules."""
        games = []
        try:
            games, seconds = future.result(timeout=RESPONSE_TIMEOUT_SECONDS)
        except KilledWorker:
            self.deaths += 1
            if self.deaths > MAX_WORKER_CRASHES:
                raise WorkersLostError from None
        except RulesChangedError:
            raise
        except ImportError as error:
            raise ClusterNotReadyError(str(error)) from None
        except (Exception, asyncio.CancelledError):                # of a cluster that is gone; of portions that were called off
            self.refresh_worker_count()
            self.losses += 1
            called_off = bool(future.cancelled())                  # type: ignore[no-untyped-call]
            if not called_off or self.losses > MAX_WORKER_CRASHES * CHUNKS_AHEAD_PER_WORKER * self.portions.hands:
                raise WorkersLostError from None
        else:
            self.deaths = self.losses = 0
            self.portions.record_pace(len(games), seconds)
        if len(games) < len(chunk.seeds):
            self.portions.return_seeds(chunk.side, chunk.seeds[len(games) :])
        if games:
            yield chunk.side, games
