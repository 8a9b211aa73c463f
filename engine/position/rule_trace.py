"""Tracing of compiled rules while they run, with Python's trace function.

`LineRecorder` records the rule lines that run between two decisions. The rule debugger steps through this
recording forwards and backwards."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any, Self

from ...dsl.core.nodes import LocalVar
from ...dsl.storage.control_slots import EVENTS
from .call_stack import named_locals
from .position import Game, Position

MAX_RECORDED_LINES = 4_000                           # later lines of the step are not recorded


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


@dataclass(frozen=True)
class TracedLine:
    """A rule line that is about to run. `known`: the locals with their raw values. `s`: a copy of the position at
    that moment. `event_count`: the number of events before it."""

    path: str
    number: int
    known: tuple[tuple[LocalVar, Any], ...]
    s: list[Any]
    event_count: int = 0


class LineRecorder(RuleTracer):
    """A context manager that records every rule line that runs while `position` plays."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.game: Game = position.game
        self.lines: list[TracedLine] = []

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        module = self.game.module
        if frame.f_globals is not module.namespace or frame.f_code.co_filename not in module.files.shown:
            return None
        return self._trace_line

    def _trace_line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line" and len(self.lines) < MAX_RECORDED_LINES:
            module = self.game.module
            at = module.files.rule_line(frame.f_code, frame.f_lineno)
            assert at is not None                                  # `enter` traces rule functions only
            if self.lines and (self.lines[-1].path, self.lines[-1].number) == at:
                self.lines.pop()                                   # keep the start of the line's last part
            s = self.position.s
            self.lines.append(TracedLine(*at, tuple(named_locals(module, frame)), s.copy(), len(s[EVENTS] or ())))
        return self._trace_line
