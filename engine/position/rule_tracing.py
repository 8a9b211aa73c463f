"""Base class for tracing compiled rules while they run."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any, Self


class RuleTracer:
    """A context manager that installs `enter` as Python's trace function (see sys.settrace)."""

    _before: Any = None

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self.enter)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        sys.settrace(self._before)

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Called when a function begins. Returns the trace function for its lines, or None to ignore them."""
        raise NotImplementedError
