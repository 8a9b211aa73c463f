"""A slot list of a position that calls a function before each write."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

# Called with the index or slice, the new value, and the Python frame that writes. Returns whether the list stores the value.
WriteHook = Callable[[Any, Any, FrameType], bool]


class ObservedSlots(list[Any]):
    """A slot list that calls `on_write` before each write of the rules. A copy of it is a plain list."""

    def __init__(self, values: Iterable[Any], on_write: WriteHook) -> None:
        super().__init__(values)
        self.on_write = on_write

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.on_write(key, value, sys._getframe(1)):
            super().__setitem__(key, value)
