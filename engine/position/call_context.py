"""In the middle of which procedures something happens: of those that run, and of those that wait for them.

What the rules tell is a plain number with values, so that bots and simulation pay nothing for it. Where somebody listens, the list that
collects it (`Heard`) also looks, for each event, at Python's stack and at the frames in the position.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from ...dsl.backend_python.module import PythonModule
from ...dsl.backend_python.runtime import RuleFault
from ...dsl.ir.limits import MAX_EVENTS_PER_DECISION, MAX_EVENTS_PER_MATCH
from ...dsl.ir.metadata import FunctionOwner
from ...dsl.storage.control_slots import PC, ROUND

RawEvent = tuple[int, Any]                                              # an event as a step writes it: its number, its values
PieceNumbers = Mapping[tuple[str, int], int]                            # by type and member, the number by which people call it


@dataclass(frozen=True)
class ActiveProcedure:
    """A procedure that something happened in: its name, what it is, and the member whose entry it is; `secret`: which member that is may
    not be known to all."""

    name: str
    kind: str
    member: int | None = None
    secret: bool = False


@dataclass(frozen=True)
class CallContext:
    """The round in which something happened, and the procedures in the middle of which it did, the outermost first."""

    round: int = 0
    calls: tuple[ActiveProcedure, ...] = ()


class EventLog(list[RawEvent]):
    """The events of one step, each with what it happened in the middle of and, where things have numbers of the rules, with what `called`
    gives for it then: later in the same step a thing may have got another one. There are at most so many: a rule that tells more stops with
    a fault."""

    def __init__(
        self,
        module: PythonModule,
        s: list[Any],
        called: Callable[[RawEvent], PieceNumbers] | None = None,
        most: int = MAX_EVENTS_PER_DECISION,
    ) -> None:
        super().__init__()
        self.module, self.s, self.called, self.most = module, s, called, most
        self.midst: list[CallContext] = []
        self.numbers: list[PieceNumbers] = []

    def append(self, event: RawEvent, /) -> None:
        if len(self) >= min(self.most, MAX_EVENTS_PER_DECISION):
            raise RuleFault("F014", limit=MAX_EVENTS_PER_DECISION if self.most >= MAX_EVENTS_PER_DECISION else MAX_EVENTS_PER_MATCH)
        super().append(event)
        self.numbers.append(self.called(event) if self.called is not None else {})
        self.midst.append(CallContext(self.s[ROUND], tuple(reversed(list(active_calls(self.module, self.s, sys._getframe(1)))))))


def active_calls(module: PythonModule, s: list[Any], frame: FrameType | None) -> Iterator[ActiveProcedure]:
    """The procedures that Python is in, and those that wait for them, the innermost first."""
    while frame is not None:
        owner = module.owners.get(frame.f_code.co_name) if frame.f_globals is module.namespace else None
        if owner is not None:
            yield procedure_of_frame(owner, frame.f_locals, module)
            if owner.frame is not None:                            # below a block lie, on Python's stack, only blocks that have ended
                yield from iter_suspended_calls(module, s, s[owner.frame])
                return
        frame = frame.f_back


def procedure_of_frame(owner: FunctionOwner, known: dict[str, Any], module: PythonModule) -> ActiveProcedure:
    """A procedure that runs, with the names that it knows; one whose member is chosen in secret has no name there."""
    routine, member = owner.routine, owner.member
    if member is None and routine.case is not None:
        member = next((value for name, value in known.items() if name in module.names and module.names[name] is routine.case), None)
    return ActiveProcedure(routine.name, routine.kind, member)


def iter_suspended_calls(module: PythonModule, s: list[Any], pc: int) -> Iterator[ActiveProcedure]:
    """The procedures that wait, from this place on outwards."""
    while pc and pc in module.waits:
        wait = module.waits[pc]
        owner = module.owners[module.blocks[pc].__name__]
        routine, member, secret = owner.routine, owner.member, False
        if member is None and routine.case is not None:
            case = next((variable for variable in wait.live if variable.name == routine.case.name), None)
            member, secret = (s[case.slot], case.secret) if case is not None else (None, False)
        yield ActiveProcedure(routine.name, routine.kind, member, secret)
        pc = s[wait.return_slot]


def current_context(module: PythonModule, s: list[Any]) -> CallContext:
    """Where a position waits."""
    return CallContext(s[ROUND], tuple(reversed(list(iter_suspended_calls(module, s, s[PC])))))
