"""Wakes the browsers of a table after each change, by server-sent events.

    id: 17
    event: changed
    data: 17

The number is the revision of the table. The browser then fetches its page. A browser that was away sends the last
number that it has seen, and gets an event at once if the table has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool

HEARTBEAT_SECONDS = 20.0                    # proxies close a connection on which nothing happens
RETRY_MS = 2000                             # the browser connects again after this time


class ChangeBroker:
    """The connections that wait for a change of a table. Everything runs in the event loop."""

    def __init__(self) -> None:
        self.waiting: dict[str, set[asyncio.Event]] = {}
        self.closed = False

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return sum(map(len, self.waiting.values()))

    def publish(self, table_id: str) -> None:
        """Wakes everybody who waits at a table."""
        for event in self.waiting.get(table_id, ()):
            event.set()

    def publish_all(self) -> None:
        """Wakes everybody at all tables."""
        for table_id in self.waiting:
            self.publish(table_id)

    def close(self) -> None:
        """Ends all streams."""
        self.closed = True
        self.publish_all()

    async def stream(self, table_id: str, known: int, read_revision: Callable[[str], int]) -> AsyncIterator[str]:
        """Yields an event for each revision of a table after `known`."""
        event = asyncio.Event()
        self.waiting.setdefault(table_id, set()).add(event)
        try:
            yield f"retry: {RETRY_MS}\n\n"
            while not self.closed:
                event.clear()
                revision = await run_in_threadpool(read_revision, table_id)
                if revision != known:
                    known = revision
                    yield f"id: {revision}\nevent: changed\ndata: {revision}\n\n"
                try:
                    await asyncio.wait_for(event.wait(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield ": nothing new\n\n"
        finally:
            self.waiting[table_id].discard(event)
            if not self.waiting[table_id]:
                del self.waiting[table_id]
