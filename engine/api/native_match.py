"""A match in C that plays ahead of its history: for programs that play many decisions and look at nothing in between."""

from __future__ import annotations

from typing import Any

from ...dsl.backend_c.ffi import NativeContext, NativeLibrary
from ...dsl.storage.control_slots import FIRST_STATE_SLOT, OPTIONS, PC, ROUND, SEAT
from ..position.position import Game, Position

CONTEXT_BYTES = 1 << 16                                            # room for lists


class NativeMatch:
    """A match that is stepped in C. `pending` is a position that has nothing but the current decision and the round.

    Raises NativeError, NotMarshallableError."""

    def __init__(self, library: NativeLibrary, position: Position) -> None:
        self.context = NativeContext(library)
        self.context.allocate(CONTEXT_BYTES)
        self.context.load(position.s)
        self.pending = position

    def step(self, code: int) -> None:
        """Plays an option, given by its code."""
        self.context.step(code)
        self.pending = read_pending(self.pending.game, self.context)


def read_pending(game: Game, context: NativeContext) -> Position:
    """Returns a position that has nothing but the current decision and the round of a match in C."""
    s: list[Any] = [0] * FIRST_STATE_SLOT
    s[PC], s[SEAT], s[ROUND], s[OPTIONS] = context.read_pending()
    return Position(game, s)
