"""The call stack of the rules: the active procedures on Python's stack, and the suspended ones in the position.

Rules emit an event as a plain number with values, so events cost bots and simulations nothing. When somebody
listens, the list that collects the events is an `EventLog`. It adds the call context of each event. Fault
diagnostics show the same stack as rule lines and locals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import FrameType, TracebackType
from typing import Any

from ...dsl.backend_python.module import PythonModule
from ...dsl.backend_python.runtime import RuleFault
from ...dsl.core.nodes import LocalVar
from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.ir.limits import MAX_EVENTS_PER_DECISION, MAX_EVENTS_PER_MATCH
from ...dsl.ir.metadata import FunctionOwner, ResumePoint, iter_suspended
from ...dsl.ir.nodes import Origin
from ...dsl.storage.control_slots import PC, ROUND

MAX_CALLS_SHOWN = 12
MAX_VALUE_CHARS = 60

RawEvent = tuple[int, Any]                                              # an event as a step emits it: number and values
PieceNumbers = Mapping[tuple[str, int], int]                            # (type, member) → number shown to players
StackEntry = tuple[FunctionOwner, FrameType | ResumePoint]              # a procedure, and where it runs or waits


@dataclass(frozen=True)
class ActiveProcedure:
    """A procedure that was active when something happened.

    `kind` is phase, procedure or def. `member` is the member whose case it is. `secret`: not every seat may know
    which member that is."""

    name: str
    kind: str
    member: int | None = None
    secret: bool = False


@dataclass(frozen=True)
class CallContext:
    """The round in which something happened, and the procedures that were active then, outermost first."""

    round: int = 0
    calls: tuple[ActiveProcedure, ...] = ()


class EventLog(list[RawEvent]):
    """The events of one step, each with its call context and the numbers of the pieces in it.

    `called` reads the piece numbers when the event is emitted, because a piece may get another number later in
    the same step. A rule that emits more than `most` events stops with fault F014."""

    def __init__(
        self,
        module: PythonModule,
        s: list[Any],
        called: Callable[[RawEvent], PieceNumbers] | None = None,
        max_events: int = MAX_EVENTS_PER_DECISION,
    ) -> None:
        super().__init__()
        self.module, self.s, self.called, self.most = module, s, called, max_events
        self.midst: list[CallContext] = []
        self.numbers: list[PieceNumbers] = []

    def append(self, event: RawEvent, /) -> None:
        if len(self) >= min(self.most, MAX_EVENTS_PER_DECISION):
            raise RuleFault("F014", limit=MAX_EVENTS_PER_DECISION if self.most >= MAX_EVENTS_PER_DECISION else MAX_EVENTS_PER_MATCH)
        super().append(event)
        self.numbers.append(self.called(event) if self.called is not None else {})
        self.midst.append(CallContext(self.s[ROUND], list_calls(self.module, self.s, iter_active(self.module, self.s, sys._getframe(1)))))


def iter_active(module: PythonModule, s: list[Any], frame: FrameType | None) -> Iterator[StackEntry]:
    """Yields the procedures on Python's stack from `frame` outwards, then the suspended ones, innermost first."""
    while frame is not None:
        owner = module.owners.get(frame.f_code.co_name) if frame.f_globals is module.namespace else None
        if owner is not None:
            yield owner, frame
            if owner.frame is not None:                            # Python frames below a block belong to finished blocks
                yield from iter_waiting(module, s, s[owner.frame])
                return
        frame = frame.f_back


def iter_waiting(module: PythonModule, s: list[Any], number: int) -> Iterator[StackEntry]:
    """Yields the suspended procedures from the resume point `number` outwards, innermost first."""
    return ((module.owners[module.blocks[block].__name__], wait) for block, wait in iter_suspended(module.waits, s, number))


def list_calls(module: PythonModule, s: list[Any], stack: Iterator[StackEntry]) -> tuple[ActiveProcedure, ...]:
    """Returns the procedures of a stack, outermost first.

    If the member of a case is chosen in secret, a Python frame has no name for it, and `member` stays None."""
    calls = []
    for owner, where in stack:
        routine, member, secret = owner.routine, owner.member, False
        if member is None and routine.case is None:
            calls.append(call_without_member(routine.name, routine.kind))
            continue
        if member is None and routine.case is not None:
            if isinstance(where, ResumePoint):
                case = next((variable for variable in where.live if variable.name == routine.case.name), None)
                member, secret = (s[case.slot], case.secret) if case is not None else (None, False)
            else:
                member = next((value for local, value in named_locals(module, where) if local is routine.case), None)
        calls.append(ActiveProcedure(routine.name, routine.kind, member, secret))
    return tuple(reversed(calls))


@cache
def call_without_member(name: str, kind: str) -> ActiveProcedure:
    """Returns the active procedure of a name and a kind. It is the same object each time, because stacks are read very often."""
    return ActiveProcedure(name, kind)


def current_context(module: PythonModule, s: list[Any]) -> CallContext:
    """Returns the call context in which a position waits for a decision."""
    return CallContext(s[ROUND], list_calls(module, s, iter_waiting(module, s, s[PC])))


def rule_line(module: PythonModule, where: FrameType | ResumePoint) -> Origin | None:
    """Returns the rule line at which a procedure of the stack runs or waits."""
    return where.origin if isinstance(where, ResumePoint) else module.files.rule_origin(where.f_code, where.f_lineno, where.f_lasti)


def rule_traceback(module: PythonModule, s: list[Any], tb: TracebackType | None) -> list[Origin]:
    """Returns the rule lines of a traceback, innermost first: those on Python's stack, then those of the suspended
    procedures."""
    found: list[Origin] = []
    names: list[str] = []
    for entry in iter_rule_frames(module, tb):
        origin = module.files.rule_origin(entry.tb_frame.f_code, entry.tb_lineno, entry.tb_lasti)
        names.append(entry.tb_frame.f_code.co_name)
        if origin is not None:
            found.insert(0, origin)
    entered = next((owner for name in reversed(names) if (owner := module.owners.get(name)) is not None and owner.frame is not None), None)
    if entered is None or entered.frame is None:
        return found
    # Python frames below the running block belong to blocks that have finished
    inner = next(n for n, name in enumerate(reversed(names)) if module.owners.get(name) is entered)
    waiting = (wait.origin for _, wait in iter_suspended(module.waits, s, s[entered.frame]))
    return [*found[: inner + 1], *(origin for origin in waiting if origin is not None)]


def iter_rule_frames(module: PythonModule, tb: TracebackType | None) -> Iterator[TracebackType]:
    """Yields those entries of a traceback that are compiled rules, outermost first."""
    while tb is not None:
        if tb.tb_frame.f_globals is module.namespace:
            yield tb
        tb = tb.tb_next


def distinct_places(origins: list[Origin]) -> tuple[SourceSpan, ...]:
    """Returns the source spans of these rule lines for a diagnostic. A line that repeats in a row is listed once."""
    found: list[SourceSpan] = []
    for path, line, column in origins:
        if not found or (found[-1].path, found[-1].line) != (path, line):
            found.append(SourceSpan(path, line, column))
    return tuple(found[:MAX_CALLS_SHOWN])


def named_locals(module: PythonModule, frame: FrameType) -> list[tuple[LocalVar, Any]]:
    """Returns the locals of a rule function with their raw values, without those derived from hidden states."""
    return [(module.names[name], value) for name, value in frame.f_locals.items() if name in module.names]


def innermost_locals(module: PythonModule, tb: TracebackType | None) -> list[tuple[LocalVar, Any]]:
    """Returns the locals of the innermost rule function of a traceback."""
    entries = list(iter_rule_frames(module, tb))
    return named_locals(module, entries[-1].tb_frame) if entries else []
