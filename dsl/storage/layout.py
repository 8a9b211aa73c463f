"""Where everything lies in the flat list of a position: control words (control.py), states, frames of procedures, remembered values.

Each state is a `Cell`, one kind for each way of lying:

* `Cell`: one entry for each combination of the axes.
* `Packed`: a bool over axes, one mask over the last axis for each combination of the others.
* `Counts`: a bag, a count for each kind, side by side.
* `Sparse`: a state over an open board, one dict for each combination of the other axes, holding only what differs from the default. Such a
  dict is never changed in place.

What an entry holds is the business of its codec (codec.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

from ..core.program import Program, Routine, State
from ..model.canonical import canonical_value
from ..model.codec import Codec, CodecTable
from ..model.model import Enumeration, GameModel
from ..types.types import BagOf, Bool, Type
from .control_slots import FIRST_STATE_SLOT

PositionSlots = list[Any]                                                 # a position


@dataclass(eq=False)
class StateStorage:
    """How one state is stored, from `base` on. `sizes` are those of the axes that are entries, `enums` what all the axes are; `open_axis`
    names the one over an open board. An index is the numbers of the members of all axes, in their order."""

    state: State
    base: int
    enums: list[Enumeration]
    codec: Codec[Any]
    sizes: list[int] = field(init=False)
    width: int = field(init=False, default=1)                      # entries for each combination (kinds of a bag)
    open_axis: int | None = field(init=False, default=None)

    form: ClassVar[str] = "plain"

    def __post_init__(self) -> None:
        self.sizes = [len(enum) for enum in self.enums]

    @property
    def default(self) -> Any:
        """What a place holds before anything is put there."""
        return self.codec.default

    @property
    def fill(self) -> Any:
        """The same as an entry of the position."""
        return self.default

    @property
    def count(self) -> int:
        """How many entries of the position it takes."""
        n = self.width
        for size in self.sizes:
            n *= size
        return n

    def offset(self, index: Sequence[int]) -> int:
        """Where an index (without an axis that is no entry) begins, from the base on."""
        at = 0
        for n, size in zip(index, self.sizes):
            at = at * size + n
        return at * self.width

    # ------------------------------------------------------------ one place

    def get(self, s: PositionSlots, index: Sequence[int]) -> Any:
        """The raw value at an index."""
        return s[self.base + self.offset(index)]

    def store(self, s: PositionSlots, index: Sequence[int], raw: Any) -> None:
        """Write a raw value, as `get` reads it (not into what is remembered of the states)."""
        s[self.base + self.offset(index)] = raw

    # ------------------------------------------------------------ all places

    def entries(self, s: PositionSlots) -> PositionSlots:
        """The part of a position that belongs to the state."""
        return s[self.base : self.base + self.count]

    def clear(self, s: PositionSlots) -> None:
        """Empty the state: everything as it is before anything is put there."""
        s[self.base : self.base + self.count] = [self.fill] * self.count

    def store_all(self, s: PositionSlots, raw: Any) -> None:
        """Write one raw value everywhere (not over an open board, which has no everywhere)."""
        s[self.base : self.base + self.count] = [raw] * self.count

    def is_clear(self, s: PositionSlots) -> bool:
        """Whether the state is as `clear` leaves it."""
        return all(entry == self.fill for entry in self.entries(s))

    def list_axis_members(self, s: PositionSlots, before: Sequence[int] = ()) -> list[int]:
        """The members of the axis that follows those that are given: all there are; of an open board those cells that hold something."""
        return list(range(len(self.enums[len(before)])))

    def iter_values(self, s: PositionSlots) -> Iterable[tuple[list[int], Any]]:
        """Every place with its raw value. Over an open board: those that hold something. Nobody may change an index."""
        return zip(self.indices, self.list_values(s))

    def list_values(self, s: PositionSlots) -> PositionSlots:
        """The raw values of all places, in their order (not over an open board)."""
        return self.entries(s)

    @cached_property
    def indices(self) -> list[list[int]]:
        """Every index, in the order in which the places lie."""
        return [*map(list, product(*(range(len(enum)) for enum in self.enums)))]

    def list_canonical_entries(self, s: PositionSlots) -> list[Any]:
        """The entries as positions are compared and hashed by (see plain.py)."""
        return list(map(int if self.numeric else canonical_value, self.entries(s)))

    @property
    def numeric(self) -> bool:
        """Whether each entry is a number."""
        return self.codec.numeric

    def fits(self, entry: Any) -> bool:
        """Whether this can stand in an entry of the state."""
        return self.codec.fits(entry)


class BitmaskStorage(StateStorage):
    form: ClassVar[str] = "mask"

    def __post_init__(self) -> None:
        self.sizes = [len(enum) for enum in self.enums[:-1]]

    @property
    def fill(self) -> Any:
        return 0

    def get(self, s: PositionSlots, index: Sequence[int]) -> Any:
        return s[self.base + self.offset(index[:-1])] >> index[-1] & 1

    def store(self, s: PositionSlots, index: Sequence[int], raw: Any) -> None:
        at = self.base + self.offset(index[:-1])
        s[at] = s[at] & ~(1 << index[-1]) | int(raw) << index[-1]

    def store_all(self, s: PositionSlots, raw: Any) -> None:
        super().store_all(s, (1 << len(self.enums[-1])) - 1 if raw else 0)

    def list_values(self, s: PositionSlots) -> PositionSlots:
        bits = range(len(self.enums[-1]))
        return [entry >> n & 1 for entry in self.entries(s) for n in bits]

    @property
    def numeric(self) -> bool:
        return True

    def fits(self, entry: Any) -> bool:
        return isinstance(entry, int) and 0 <= entry < 1 << len(self.enums[-1])


class BagStorage(StateStorage):
    form: ClassVar[str] = "bag"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.width = len(self.default)

    @property
    def fill(self) -> Any:
        return 0

    def get(self, s: PositionSlots, index: Sequence[int]) -> Any:
        at = self.base + self.offset(index)
        return tuple(s[at : at + self.width])

    def store(self, s: PositionSlots, index: Sequence[int], raw: Any) -> None:
        at = self.base + self.offset(index)
        s[at : at + self.width] = raw

    def list_values(self, s: PositionSlots) -> PositionSlots:
        entries, width = self.entries(s), self.width
        return [tuple(entries[at : at + width]) for at in range(0, len(entries), width)] if width else [()] * len(self.indices)

    @property
    def numeric(self) -> bool:
        return True

    def fits(self, entry: Any) -> bool:
        return isinstance(entry, int) and entry >= 0


class SparseStorage(StateStorage):
    form: ClassVar[str] = "sparse"
    axis: int

    def __post_init__(self) -> None:
        self.open_axis = self.axis = next(n for n, enum in enumerate(self.enums) if enum.kind == "open")
        self.sizes = [len(enum) for n, enum in enumerate(self.enums) if n != self.axis]

    @property
    def fill(self) -> Any:
        return {}

    def find_entry(self, index: Sequence[int]) -> int:
        """The entry with the dict that an index leads to."""
        return self.base + self.offset([n for axis, n in enumerate(index) if axis != self.axis])

    def get(self, s: PositionSlots, index: Sequence[int]) -> Any:
        return s[self.find_entry(index)].get(index[self.axis], self.default)

    def store(self, s: PositionSlots, index: Sequence[int], raw: Any) -> None:
        at, key = self.find_entry(index), index[self.axis]
        s[at] = {**s[at], key: raw} if raw != self.default else {k: v for k, v in s[at].items() if k != key}

    def list_axis_members(self, s: PositionSlots, before: Sequence[int] = ()) -> list[int]:
        if len(before) != self.axis:
            return super().list_axis_members(s, before)
        start, count = self.base, self.count
        for n, size in zip(before, self.sizes):
            count //= size
            start += n * count
        return sorted({key for part in s[start : start + count] for key in part})

    def list_canonical_entries(self, s: PositionSlots) -> list[Any]:
        value: Callable[[Any], Any] = int if self.codec.numeric else canonical_value
        return [tuple([(key, value(part[key])) for key in sorted(part)]) for part in self.entries(s)]

    def iter_values(self, s: PositionSlots) -> Iterator[tuple[list[int], Any]]:
        ranges = [range(len(enum)) if axis != self.axis else sorted({key for part in self.entries(s) for key in part})
                  for axis, enum in enumerate(self.enums)]
        for index in product(*ranges):
            raw = self.get(s, index)
            if raw != self.default:
                yield list(index), raw

    def fits(self, entry: Any) -> bool:
        return isinstance(entry, dict) and all(isinstance(k, int) and v != self.default and self.codec.fits(v) for k, v in entry.items())


def build_storage(state: State, base: int, enums: list[Enumeration], codec: Codec[Any]) -> StateStorage:
    """How a state lies, by its type and its axes."""
    kind = StateStorage
    if any(enum.kind == "open" for enum in enums):
        kind = SparseStorage
    elif isinstance(state.type, Bool) and enums:
        kind = BitmaskStorage
    elif isinstance(state.type, BagOf):
        kind = BagStorage
    return kind(state, base, enums, codec)


@dataclass
class Layout:
    """Where the states of a program lie, and what their types are in a position; the compiler adds the frames."""

    model: GameModel
    cells: dict[State, StateStorage] = field(default_factory=dict)
    initial: list[Any] = field(default_factory=lambda: [0] * FIRST_STATE_SLOT)
    frames: dict[Routine, int] = field(default_factory=dict)       # routine -> where its frame starts (the return address)
    states_end: int = 0

    def __post_init__(self) -> None:
        self.codecs = CodecTable(self.model)

    def is_open(self, found: Type) -> bool:
        """Whether `found` is a cell of a board without an edge."""
        return self.codecs.is_open(found)

    def is_mask_element(self, of: Type) -> bool:
        """Whether a set of these is a mask (else a frozenset)."""
        return self.codecs.is_mask_element(of)

    def default(self, found: Type) -> Any:
        """What a place of this type holds before anything is put there."""
        return self.codecs.codec_for(found).default

    def none(self, found: Type) -> Any:
        """How `none` of a `found?` is written."""
        return self.codecs.codec_for(found).none

    def add_states(self, program: Program) -> None:
        """Lay out the states of a program."""
        for state in program.states.values():
            self.add_state(state)
        self.states_end = len(self.initial)

    def add_state(self, state: State) -> None:
        """Lay out one more state."""
        enums = [self.model.enums[domain] for _, domain in state.axes]
        cell = self.cells[state] = build_storage(state, len(self.initial), enums, self.codecs.codec_for(state.type))
        self.initial += [cell.fill] * cell.count

    def reserve_frame(self, size: int) -> int:
        """Room for `size` entries at the end; returns where it starts."""
        start = len(self.initial)
        self.initial += [0] * size
        return start


def build_layout(program: Program) -> Layout:
    """The layout of a program's states, without first values of their own."""
    layout = Layout(program.model)
    layout.add_states(program)
    return layout
