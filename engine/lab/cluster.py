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

from .plan import ChangedRules, Chunk, Key, Plan
from .runner import SOON, Done, NobodyLeft, Portions, Workers, play_for

PATIENCE = 10.0                      # seconds for a cluster to answer
GLANCE = 1.0                         # seconds after which it is looked whether the cluster is still there, and who works for it
AHEAD = 2                            # portions that lie ready for each worker
DEATHS = 3                           # portions whose workers may die one after the other
LOUD = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")     # whose log is their own


class NoCluster(Exception):
    """Nobody answers at an address, or not as a cluster does."""


class Unready(Exception):
    """The machines of a cluster cannot play: they have no Ludoglot, or not all of its packages."""


@contextmanager
def by_cluster(address: str, waits: Callable[[], None] = lambda: None) -> Iterator[Workers]:
    """The workers behind a scheduler's address. `waits` is called when nobody works there yet. Raises NoCluster."""
    for name in LOUD:                                              # that a worker is gone is no news for who waits for games
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        asyncio.run(asyncio.wait_for(answer(address), PATIENCE))   # a client waits for ever for who listens and says nothing
        client = Client(address, timeout=PATIENCE, set_as_default=False)                # type: ignore[no-untyped-call]
    except Exception as error:                                     # addresses of no sense, certificates that are missing, other releases
        raise NoCluster(address) from error

    def work(plan: Plan, keys: list[Key]) -> Iterator[Done]:
        yield from Playing(client, plan, keys, waits).play()
    try:
        yield work
    finally:
        leave(client)


async def answer(address: str) -> None:
    """Return when a scheduler answers there."""
    scheme, _, rest = address.rpartition("://")
    if not rest or scheme not in ("", "tcp", "tls", "ws", "wss", "ucx"):
        raise ValueError(address)
    comm = await connect(address, timeout=PATIENCE, **Security().get_connection_args("client"))     # type: ignore[no-untyped-call]
    await comm.write({"op": "identity", "reply": True})
    said = await comm.read()
    comm.abort()
    if said.get("type") != "Scheduler":
        raise ValueError(address)


def leave(client: Client) -> None:
    """Let the cluster go, also where it is gone."""
    try:
        client.close(timeout=2)                                    # type: ignore[no-untyped-call]
    except Exception:
        client.status = "closed"                                   # or it tries once more when Python ends


class Playing:
    """Games on their way through a cluster."""

    def __init__(self, client: Client, plan: Plan, keys: list[Key], waits: Callable[[], None]) -> None:
        self.client, self.waits = client, waits
        self.portions = Portions(plan, keys, 1)
        self.out: dict[Any, tuple[Future[Any], Chunk]] = {}
        self.done: SimpleQueue[Any] = SimpleQueue()
        self.deaths = self.losses = 0                              # workers, and portions called off, one after the other

    def play(self) -> Iterator[Done]:
        try:
            self.look()
            while self.portions or self.out:
                self.give()
                try:
                    key = self.done.get(timeout=GLANCE)
                except Empty:
                    self.look()
                    continue
                yield from self.brought(*self.out.pop(key))
        finally:
            for future, _ in self.out.values():
                future.release()                                   # type: ignore[no-untyped-call]

    def look(self) -> None:
        """How many work there now. Raises NobodyLeft when the cluster is gone."""
        try:
            if self.client.status in ("connecting", "closing", "closed"):
                raise NobodyLeft
            ncores: Any = getattr(self.client.scheduler, "ncores", None)
            hands = sum(self.client.sync(ncores, callback_timeout=PATIENCE).values())       # type: ignore[no-untyped-call]
        except Exception:                                          # it breaks in many ways
            raise NobodyLeft from None
        if not hands:
            self.waits()
        self.portions.hands = max(1, hands)

    def give(self) -> None:
        while self.portions and len(self.out) < AHEAD * self.portions.hands:
            chunk = self.portions.next()
            future = self.client.submit(play_for, chunk, SOON, pure=False)
            self.out[future.key] = future, chunk
            future.add_done_callback(lambda future: self.done.put(future.key))              # type: ignore[no-untyped-call]

    def brought(self, future: Future[Any], chunk: Chunk) -> Iterator[Done]:
        """What a portion came to; what was not played of it is handed out again. Raises NobodyLeft, Unready and ChangedRules."""
        games = []
        try:
            games, seconds = future.result(timeout=PATIENCE)
        except KilledWorker:
            self.deaths += 1
            if self.deaths > DEATHS:
                raise NobodyLeft from None
        except ChangedRules:
            raise
        except ImportError as error:
            raise Unready(str(error)) from None
        except (Exception, asyncio.CancelledError):                # of a cluster that is gone; of portions that were called off
            self.look()
            self.losses += 1
            called_off = bool(future.cancelled())                  # type: ignore[no-untyped-call]
            if not called_off or self.losses > DEATHS * AHEAD * self.portions.hands:
                raise NobodyLeft from None
        else:
            self.deaths = self.losses = 0
            self.portions.took(len(games), seconds)
        if len(games) < len(chunk.seeds):
            self.portions.back(chunk.side, chunk.seeds[len(games) :])
        if games:
            yield chunk.side, games
