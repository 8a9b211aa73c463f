"""Wakes the browsers of a table after each change, by server-sent events.

    id: 17
    event: changed
    data: 17

The number is the revision of the table. The browser then fetches its page. A browser that was away sends the last
number that it has seen, and gets an event at once if the table has changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

HEARTBEAT_SECONDS = 20.0                    # proxies close a connection on which nothing happens
RETRY_MS = 2000                             # the browser connects again after this time


@dataclass(eq=False)
class Listener:
    """An open connection. `revision` is the latest revision that it knows of."""

    revision: int = -1
    event: asyncio.Event = field(default_factory=asyncio.Event)


class ChangeBroker:
    """The connections that wait for a change of a table. Everything runs in the event loop."""

    def __init__(self, read_revision: Callable[[str], int], known_revision: Callable[[str], int | None] = lambda _: None) -> None:
        self.read_revision, self.known_revision = read_revision, known_revision
        self.waiting: dict[str, set[Listener]] = {}
        self.addresses: Counter[str] = Counter()                   # open connections of each address
        self.tasks: set[asyncio.Task[None]] = set()
        self.closed = False

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return sum(map(len, self.waiting.values()))

    def publish(self, table_id: str) -> None:
        """Wakes everybody who waits at a table."""
        if table_id in self.waiting:
            self.tasks.add(task := asyncio.get_running_loop().create_task(self.announce(table_id)))
            task.add_done_callback(self.tasks.discard)

    def publish_all(self) -> None:
        """Wakes everybody at all tables."""
        for table_id in self.waiting:
            self.publish(table_id)

    async def announce(self, table_id: str) -> None:
        """Reads the revision of a table once, for all its connections."""
        revision = self.known_revision(table_id)
        if revision is None:
            revision = await run_in_threadpool(self.read_revision, table_id)
        for listener in self.waiting.get(table_id, ()):
            listener.revision = max(listener.revision, revision)
            listener.event.set()

    def close(self) -> None:
        """Ends all streams."""
        self.closed = True
        for listeners in self.waiting.values():
            for listener in listeners:
                listener.event.set()

    async def stream(self, table_id: str, known: int, address: str, is_open: Callable[[], Awaitable[bool]]) -> AsyncIterator[str]:
        """Yields an event for each revision of a table after `known`. Ends if the seat is not open any more after a change."""
        listener = Listener()
        self.waiting.setdefault(table_id, set()).add(listener)
        self.addresses[address] += 1
        try:
            yield f"retry: {RETRY_MS}\n\n"
            await self.announce(table_id)
            while not self.closed:
                listener.event.clear()
                if listener.revision != known:
                    known = listener.revision
                    if not await is_open():
                        break
                    yield f"id: {known}\nevent: changed\ndata: {known}\n\n"
                try:
                    await asyncio.wait_for(listener.event.wait(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield ": nothing new\n\n"
        finally:
            self.addresses[address] -= 1
            if not self.addresses[address]:
                del self.addresses[address]
            self.waiting[table_id].discard(listener)
            if not self.waiting[table_id]:
                del self.waiting[table_id]
