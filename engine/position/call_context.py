"""The call context of events: the active procedures in which something happens, and the suspended ones that
called them.

Rules emit an event as a plain number with values, so events cost bots and simulations nothing. When somebody
listens, the list that collects the events is an `EventLog`. For each event it also reads Python's stack and
the frames in the position."""

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

RawEvent = tuple[int, Any]                                              # an event as a step emits it: number and values
PieceNumbers = Mapping[tuple[str, int], int]                            # (type, member) → number shown to players


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
    """Yields the procedures on Python's stack, then the suspended ones, innermost first."""
    while frame is not None:
        owner = module.owners.get(frame.f_code.co_name) if frame.f_globals is module.namespace else None
        if owner is not None:
            yield procedure_of_frame(owner, frame.f_locals, module)
            if owner.frame is not None:                            # Python frames below a block belong to finished blocks
                yield from iter_suspended_calls(module, s, s[owner.frame])
                return
        frame = frame.f_back


def procedure_of_frame(owner: FunctionOwner, known: dict[str, Any], module: PythonModule) -> ActiveProcedure:
    """Returns the active procedure of a Python frame, given its local variables.

    If the member of a case is chosen in secret, it has no name in `known`, and `member` stays None."""
    routine, member = owner.routine, owner.member
    if member is None and routine.case is not None:
        member = next((value for name, value in known.items() if name in module.names and module.names[name] is routine.case), None)
    return ActiveProcedure(routine.name, routine.kind, member)


def iter_suspended_calls(module: PythonModule, s: list[Any], pc: int) -> Iterator[ActiveProcedure]:
    """Yields the suspended procedures, from the resume point `pc` outwards."""
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
    """Returns the call context in which a position waits for a decision."""
    return CallContext(s[ROUND], tuple(reversed(list(iter_suspended_calls(module, s, s[PC])))))
