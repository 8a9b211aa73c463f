"""A whole game as a machine: its functions, what they read, and what the engine knows of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..core.nodes import LocalVar
from ..core.program import Routine, State
from ..storage.layout import Layout
from .builder import FunctionBuilder
from .metadata import DecisionKind, EventKind, FunctionOwner, MemoSlot, ResumePoint
from .nodes import Origin


@dataclass(frozen=True)
class LastResultCache:
    """A constant in which the runtime remembers what it found last, for one state."""

    state: str


@dataclass(frozen=True)
class LazyTable:
    """A constant of so many entries, each worked out when it is asked for first: the value of something that only data decide."""

    size: int
    name: str


@dataclass(frozen=True)
class RecentFloods:
    """A constant: so many results of what was last worked out over a board, from which the next may go on."""

    board: str
    size: int


@dataclass(frozen=True)
class BitTable:
    """A constant: for each value of `width` bits of a mask, from bit `start` on, the members that it has."""

    start: int
    width: int


@dataclass
class ProcedureEntry:
    """How to enter a procedure that asks: its first block, its frame, and the entries of its parameters."""

    block: str
    frame: int
    params: list[int]
    number: int = 0


@dataclass(frozen=True)
class StandingTermCode:
    """A term of the standing's first value: `factor` times what the function `value` gives. `defs`: through which defs it was reached, the
    outermost first. `state`: what it is an entry of, and then the function `entry` says which, or the only state that it is worked out
    from; `place` is the rule line."""

    factor: int
    defs: tuple[Routine, ...]
    state: State | None
    place: tuple[str, int]
    value: str
    entry: str | None = None


@dataclass(kw_only=True)
class CompiledMetadata:
    """What the engine knows of a compiled game, in whatever language it is written out."""

    initial: list[Any]
    layout: Layout
    start: int                                                     # the number of the block that begins the game
    waits: dict[int, ResumePoint]
    decisions: list[DecisionKind]
    events: list[EventKind]
    chances: list[tuple[str, bool]]                                # kinds of chance: what is drawn from, or "", and whether it stays secret
    memos: list[MemoSlot]
    entries: dict[str, ProcedureEntry]
    owners: dict[str, FunctionOwner]                                       # the procedure that each function belongs to, by its name
    # what the variables of functions are called in the rules, the open ones
    names: dict[str, LocalVar]
    counts: bool                                                   # whether steps are counted: anywhere; uncut, more than once in a game

    def metadata_dict(self) -> dict[str, Any]:
        """All of it by its names, for another form of the same game."""
        return {one.name: getattr(self, one.name) for one in fields(CompiledMetadata)}


@dataclass(kw_only=True)
class IrModule(CompiledMetadata):
    """A compiled game. Functions are named; `blocks` are those that take over when the game goes on at a number, `tables` tuples of
    functions by member, `values` the constants by name. The first entry of `blocks` ends the game."""

    functions: list[FunctionBuilder]
    blocks: list[FunctionBuilder]
    tables: dict[str, list[str]]
    values: dict[str, Any]
    goals: dict[str, list[str]]
    always: list[tuple[Routine, str]]
    plain: dict[str, str]                                          # procedures that never ask, by key
    shown: dict[str, tuple[Routine, str]]                          # defs that words and tables may ask: see analysis/secrecy.py
    # of the standing's first value; none where no points are counted
    terms: list[StandingTermCode]
    before: str                                                    # uncut: the function that does what comes before anything is decided
    upkeep: dict[Origin, str]                                      # by place: what is kept instead of worked out, or why it is not
