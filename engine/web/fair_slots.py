"""Shares a few places among many tasks: owners take turns, however many tasks each of them has."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairSlots:
    """A number of places for tasks. The owner who has waited longest gets the next one, for one task."""

    def __init__(self, size: int = 1) -> None:
        self.free = size
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()      # by owner

    @asynccontextmanager
    async def use(self, owner: str) -> AsyncIterator[None]:
        """Waits for a place, and keeps it during the block."""
        if self.free:
            self.free -= 1
        else:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.setdefault(owner, deque()).append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():           # it got its place at the same time
                    self.release()
                raise
        try:
            yield
        finally:
            self.release()

    def release(self) -> None:
        """Gives a place to the next owner."""
        while self.waiting:
            owner, turns = self.waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self.waiting[owner] = turns                        # behind all other owners
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1
