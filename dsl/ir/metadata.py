"""What the engine knows of a compiled game beside its code: decisions, events, and what is alive where it waits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..core.program import Routine
from ..types.types import Type, domain_of


@dataclass(frozen=True)
class OptionField:
    """One chosen name of an option: value = code digit + low. The digit of a set is the set, as a number."""

    name: str
    type: Type
    radix: int
    low: int = 0
    secret: bool = False  # what was chosen is not for others, also not when it has been done
    most: int | None = None  # of a set: how many things it holds at most, where the rules say so

    @property
    def domain(self) -> str | None:
        """The type of the things that are chosen, one or a set of them; None for a number."""
        return domain_of(self.type)


@dataclass
class DecisionBranch:
    """One way to answer: a menu entry, or the only one (name None). Its codes begin at `offset`."""

    name: str | None
    slots: list[OptionField]
    offset: int = 0

    @property
    def size(self) -> int:
        n = 1
        for slot in self.slots:
            n *= slot.radix
        return n


@dataclass
class LiveVariable:
    """A name in sight where a decision waits, and the entry of the position that holds it. A secret one is for those seats only that
    all of `seers` name: the entry with a player, or with a member and the state that says who decides for it; or a fixed seat (~seat).
    Each also names the closed state that the value came from."""

    name: str
    type: Type
    slot: int
    secret: bool = False
    seers: tuple[tuple[int, str | None, str], ...] = ()


REMAINING = "remaining"  # the hidden local that holds what is left while a set is chosen member by member


@dataclass
class DecisionKind:
    """A kind of decision: what is asked, where in the rules, and which names its message may use."""

    key: str
    choices: list[DecisionBranch]
    optional: bool  # may be declined (or, when `several`, stopped)
    several: bool  # asked again and again until done
    path: str
    line: int
    column: int
    cites: tuple[str, ...]
    routine: str
    secret: bool = False  # the options depend on what others may not see
    shows: tuple[str, ...] = ()  # hidden states that the options show to whoever decides
    told: frozenset[str] = frozenset()  # names in sight that are no secret any more once it has been made
    scope: list[LiveVariable] = field(default_factory=list)

    @property
    def menu(self) -> bool:
        """Whether deeds are offered by name, and not things of one kind."""
        return any(choice.name is not None for choice in self.choices)

    @property
    def chosen_set(self) -> LiveVariable | None:
        """The set that is being chosen member by member; None for every other decision."""
        if not any(variable.name == f".{REMAINING}" for variable in self.scope):
            return None
        return [variable for variable in self.scope if not variable.name.startswith(".")][-1]


@dataclass
class ResumePoint:
    """A place where the rules can go on: what is alive in the frame there, and the decision that waits (None: a return)."""

    routine: str
    return_slot: int
    live: list[LiveVariable]
    decision: DecisionKind | None = None
    origin: Any = None  # the rule line that waits: path, line, column
    frame: int = 0  # the number of the procedure's frame


@dataclass(frozen=True)
class FunctionOwner:
    """The procedure that a Python function was written for: with the member whose entry it is, and its frame where it can ask."""

    routine: Routine
    member: int | None = None
    frame: int | None = None


@dataclass
class EventKind:
    """What a `tell` says."""

    key: str
    slots: list[tuple[str, Type]]
    path: str = ""
    line: int = 0


@dataclass
class MemoSlot:
    """A remembered value: its entry in the position and the names of the states it depends on."""

    name: str
    slot: int
    reads: tuple[str, ...]
    build: str = ""                                                # of a kept set, the function that works it out from nothing


NO_SEAT = 1 << 20  # no seat
