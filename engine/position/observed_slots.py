"""A slot list of a position that calls a function before each write."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

# Called with the index or slice, the new value, and the Python frame that writes. Returns whether the list stores the value.
WriteHook = Callable[[Any, Any, FrameType], bool]


class ObservedSlots(list[Any]):
    """A slot list that calls `on_write` before each write of the rules. A copy of it is a plain list.

    An observer may save time: single writes to slots before `first`, and those of `unobserved_frame`, are stored without a call."""

    def __init__(self, values: Iterable[Any], on_write: WriteHook, first: int = 0) -> None:
        super().__init__(values)
        self.on_write, self.first = on_write, first
        self.unobserved_frame: FrameType | None = None

    def __setitem__(self, key: Any, value: Any) -> None:
        frame = sys._getframe(1)
        if type(key) is int and (key < self.first or frame is self.unobserved_frame) or self.on_write(key, value, frame):
            list.__setitem__(self, key, value)
