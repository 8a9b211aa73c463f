"""Where everything lies in the flat list of a position: control words, states, frames of procedures, remembered values.

* A number, a member, an optional member: one entry for each combination of the axes.
* A bool over axes: one mask over the last axis for each combination of the others.
* A set: a mask (a frozenset over an open board). A bag: a count for each kind. A list or pile: a tuple, first or bottom first.
* A state over an open board: one dict for each combination of the other axes, holding only what differs from the default.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..core.program import Program, Routine, State
from ..model import Model
from ..types import BagOf, Bool, Empty, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .runtime import CONTROL


@dataclass
class Cell:
    """How one state is stored. `sizes` are those of the axes that are entries; `packed`/`open` name the special last axis."""

    state: State
    base: int
    sizes: list[int]
    form: str  # plain, mask (packed bool), bag, sparse
    width: int = 1  # entries for each combination (kinds of a bag)
    default: Any = 0
    open_axis: int | None = None

    @property
    def count(self) -> int:
        n = self.width
        for size in self.sizes:
            n *= size
        return n


@dataclass
class Layout:
    model: Model
    cells: dict[State, Cell] = field(default_factory=dict)
    initial: list[Any] = field(default_factory=lambda: [0] * CONTROL)
    frames: dict[Routine, int] = field(default_factory=dict)  # routine -> where its frame starts (the return address)
    states_end: int = 0

    def is_open(self, found: Type) -> bool:
        """Whether `found` is a cell of a board without an edge."""
        if not isinstance(found, Of):
            return False
        enum = self.model.enum_of(found.name)
        return enum is not None and enum.kind == "open"

    def default(self, found: Type) -> Any:
        """What a place of this type holds before anything is put there."""
        if isinstance(found, Int):
            low, high = found.low, found.high
            return low if low is not None and low > 0 else high if high is not None and high < 0 else 0
        if isinstance(found, Bool | Of):
            return 0
        if isinstance(found, Maybe):
            return self.none(found.of)
        if isinstance(found, SetOf):
            return frozenset() if not isinstance(found.of, Of) or self.is_open(found.of) else 0
        if isinstance(found, ListOf | PileOf):
            return ()
        if isinstance(found, BagOf):
            return (0,) * len(self.model.enums[found.of.name])
        return 0

    def none(self, found: Type) -> Any:
        """How `none` of a `found?` is written."""
        return -1 if isinstance(found, Of | Bool | Empty) else None

    def make(self, program: Program) -> None:
        for state in program.states.values():
            self.state(state)
        self.states_end = len(self.initial)

    def state(self, state: State) -> None:
        enums = [self.model.enums[domain] for _, domain in state.axes]
        default = self.default(state.type)
        open_axis = next((n for n, e in enumerate(enums) if e.kind == "open"), None)
        sizes = [len(e) for n, e in enumerate(enums) if n != open_axis]
        cell = Cell(state, len(self.initial), sizes, "plain", default=default, open_axis=open_axis)
        if open_axis is not None:
            cell.form = "sparse"
            fill: list[Any] = [{}]
        elif isinstance(state.type, Bool) and sizes:
            cell.form = "mask"
            cell.sizes = sizes[:-1]
            fill = [0]
        elif isinstance(state.type, BagOf):
            cell.form = "bag"
            cell.width = len(self.model.enums[state.type.of.name])
            fill = [0] * cell.width
        else:
            fill = [default]
        n = 1
        for size in cell.sizes:
            n *= size
        self.initial += fill * n
        self.cells[state] = cell

    def frame(self, size: int) -> int:
        """Room for `size` entries at the end; returns where it starts."""
        start = len(self.initial)
        self.initial += [0] * size
        return start
