"""Shares a few places among many tasks: owners take turns, however many tasks each of them has."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairSlots:
    """A number of places for tasks. Each owner has at most one of them. The owner who has waited longest gets the next one."""

    def __init__(self, size: int = 1) -> None:
        self.free = size
        self.running: set[str] = set()                             # owners
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()      # by owner

    @asynccontextmanager
    async def use(self, owner: str) -> AsyncIterator[None]:
        """Waits for a place, and keeps it during the block."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(owner, deque()).append(turn)
        self.fill()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():               # also if the wait was cancelled when the place came
                self.running.discard(owner)
                self.free += 1
            self.fill()

    def fill(self) -> None:
        """Gives free places to owners who have none."""
        while self.free and (owner := next((one for one in self.waiting if one not in self.running), None)) is not None:
            turns = self.waiting.pop(owner)
            turn = turns.popleft()
            if turns:
                self.waiting[owner] = turns                        # behind all other owners
            if not turn.done():
                self.free -= 1
                self.running.add(owner)
                turn.set_result(None)
