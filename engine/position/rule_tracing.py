"""Following compiled rules while they run: the part that all who do so share."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any, Self


class RuleTracer:
    """A context in which Python tells `enter` of each function that begins (see sys.settrace)."""

    _before: Any = None

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self.enter)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        sys.settrace(self._before)

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """A function begins: what is to be told of its lines; None: nothing."""
        raise NotImplementedError
