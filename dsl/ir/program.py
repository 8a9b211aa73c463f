"""A whole game as an IR module: its functions, its constants, and its metadata."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..core.nodes import LocalVar
from ..core.program import Routine, State, Team
from ..storage.layout import Layout
from .builder import FunctionBuilder
from .metadata import DecisionKind, EventKind, FunctionOwner, MemoSlot, ResumePoint
from .nodes import Origin


@dataclass(frozen=True)
class LastResultCache:
    """A constant in which the runtime caches its last result for one state."""

    state: str


@dataclass(frozen=True)
class LazyTable:
    """A constant with `size` entries. Each entry is computed from the data alone when it is first read."""

    size: int
    name: str


@dataclass(frozen=True)
class RecentFloods:
    """A constant that caches the last `size` flood fills on a board. The next flood fill may continue from them."""

    board: str
    size: int


@dataclass(frozen=True)
class RecentWays:
    """A constant that caches the last `size` ways that a search found. `place` is the rule of the search."""

    place: str
    size: int


@dataclass
class ProcedureEntry:
    """The entry point of a procedure that asks: its first block, its frame, and the slots of its parameters."""

    block: str
    frame: int
    params: list[int]
    number: int = 0


@dataclass(frozen=True)
class StandingTermCode:
    """A term of the standing's first value: `factor` times the result of the function `value`.

    `defs` are the defs through which it was reached, outermost first. `place` is its rule line. `state` is the
    state that the term reads. If the term is an entry of that state, the function `entry` returns its index.
    Without `entry`, it is the only state that the term is computed from."""

    factor: int
    defs: tuple[Routine, ...]
    state: State | None
    place: tuple[str, int]
    value: str
    entry: str | None = None


@dataclass(kw_only=True)
class CompiledMetadata:
    """Metadata of a compiled game, independent of the target language."""

    initial: list[Any]
    layout: Layout
    start: int                                                     # number of the block that starts the game
    waits: dict[int, ResumePoint]
    decisions: list[DecisionKind]
    events: list[EventKind]
    chances: list[tuple[str, bool]]                                # of each chance: the drawn-from state or "", whether hidden
    memos: list[MemoSlot]
    entries: dict[str, ProcedureEntry]
    owners: dict[str, FunctionOwner]                                       # procedure of each function, by function name
    # locals of the rules by variable name, public ones only
    names: dict[str, LocalVar]
    counts: bool                                                   # whether steps are charged
    teams: list[Team]
    has_points: bool                                               # whether the standing's first value is a number of points

    def metadata_dict(self) -> dict[str, Any]:
        """Returns all metadata by field name, to construct another form of the same game."""
        return {one.name: getattr(self, one.name) for one in fields(CompiledMetadata)}


@dataclass(kw_only=True)
class IrModule(CompiledMetadata):
    """A compiled game as IR.

    Functions are called by name. `blocks` are the functions that continue the game at a number, and the first
    one ends the game. `tables` are lists of functions by member, and `values` the constants by name."""

    functions: list[FunctionBuilder]
    blocks: list[FunctionBuilder]
    tables: dict[str, list[str]]
    values: dict[str, Any]
    goals: dict[str, list[str]]
    always: list[tuple[Routine, str]]
    plain: dict[str, str]                                          # functions of procedures that never ask, by key
    shown: dict[str, tuple[Routine, str]]                          # defs for texts and table layouts: see analysis/information_flow.py
    # of the standing's first value; empty if the game counts no points
    terms: list[StandingTermCode]
    upkeep: dict[Origin, str]                                      # by location: the set kept incrementally there, or why it is not
