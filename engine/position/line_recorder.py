"""Which lines of the rules run from one decision to the next, in their order, with the position and the names in sight at each: for whoever
looks at rules line by line, forwards and backwards."""

from __future__ import annotations

from dataclasses import dataclass
from types import FrameType
from typing import Any

from ...dsl.core.nodes import LocalVar
from .position import Game, Position
from .rule_tracing import RuleTracer

MAX_RECORDED_LINES = 4_000                           # lines of one step that are kept; what runs beyond them is not seen


@dataclass(frozen=True)
class TracedLine:
    """A line that is about to run. `known`: the names in sight with their raw values; `s`: the position as it is then."""

    path: str
    number: int
    known: tuple[tuple[LocalVar, Any], ...]
    s: list[Any]


class LineRecorder(RuleTracer):
    """A context in which a position plays and every rule line that runs is noted."""

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
            assert at is not None                                  # `enter` follows nothing else
            known = tuple((module.names[name], value) for name, value in frame.f_locals.items() if name in module.names)
            if self.lines and (self.lines[-1].path, self.lines[-1].number) == at:
                self.lines.pop()                                   # several steps of one line: how it is when the last of them begins
            self.lines.append(TracedLine(*at, known, self.position.s.copy()))
        return self._trace_line
