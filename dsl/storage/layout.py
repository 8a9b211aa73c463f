"""The layout of a position, which is one flat list: control slots, states, frames of procedures, memoized
values.

Each state has a storage object. Its class says how the state is stored:

* `StateStorage`: one entry for each combination of the axes.
* `BitmaskStorage`: a bool over axes, as one bitmask over the last axis for each combination of the others.
* `BagStorage`: a bag, as one count for each kind, in adjacent entries.
* `SparseStorage`: a state over an open board, as one dict for each combination of the other axes. The dict
  contains only values that differ from the default. Such a dict is never changed in place.

The codec of the state's type defines what an entry contains (`model/codec.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, NamedTuple

from ..core.known_contents import find_known_contents
from ..core.program import Program, Routine, State
from ..model.canonical import canonical_value
from ..model.codec import Codec
from ..model.codec_table import CodecTable
from ..model.model import Enumeration, GameModel
from ..types.types import BagOf, Bool, Type
from .control_slots import FIRST_STATE_SLOT

PositionSlots = list[Any]                                                 # the list that is a position


class KnownSet(NamedTuple):
    """The storage of a set that includes the contents of a hidden place (see core/known_contents.py)."""

    cell: StateStorage
    axes: tuple[int, ...]
    attribute: str | None


@dataclass(eq=False)
class StateStorage:
    """How one state is stored, from slot `base` on.

    `enums` are the enums of all axes. `sizes` are the sizes of the axes that have entries of their own.
    `open_axis` is the number of the axis over an open board, if there is one. An index contains a member number
    for each axis, in order."""

    state: State
    base: int
    enums: list[Enumeration]
    codec: Codec[Any]
    sizes: list[int] = field(init=False)
    width: int = field(init=False, default=1)                      # entries for each combination: 1, or the number of kinds in a bag
    open_axis: int | None = field(init=False, default=None)
    known: list[KnownSet] = field(init=False, default_factory=list)        # of a hidden state: what invariants say about its contents

    form: ClassVar[str] = "plain"

    def __post_init__(self) -> None:
        self.sizes = [len(enum) for enum in self.enums]

    @property
    def default(self) -> Any:
        """The raw value of an index before anything is written there."""
        return self.codec.default

    @property
    def fill(self) -> Any:
        """The initial value of one entry of the position."""
        return self.default

    @property
    def count(self) -> int:
        """The number of entries that the state takes in the position."""
        n = self.width
        for size in self.sizes:
            n *= size
        return n

    def offset(self, index: Sequence[int]) -> int:
        """Returns the offset of an index from `base`. The index must contain only axes that have entries of their own."""
        at = 0
        for n, size in zip(index, self.sizes):
            at = at * size + n
        return at * self.width

    # ------------------------------------------------------------ one place

    def get(self, s: PositionSlots, index: Sequence[int]) -> Any:
        """Returns the raw value at an index."""
        return s[self.base + self.offset(index)]

    def store(self, s: PositionSlots, index: Sequence[int], raw: Any) -> None:
        """Stores a raw value at an index. Memoized values that depend on the state are not updated."""
        s[self.base + self.offset(index)] = raw

    # ------------------------------------------------------------ all places

    def entries(self, s: PositionSlots) -> PositionSlots:
        """Returns the entries of a position that belong to the state."""
        return s[self.base : self.base + self.count]

    def clear(self, s: PositionSlots) -> None:
        """Resets the whole state to its default value."""
        s[self.base : self.base + self.count] = [self.fill] * self.count

    def store_all(self, s: PositionSlots, raw: Any) -> None:
        """Stores one raw value at every index. Not possible over an open board, which has no list of all cells."""
        s[self.base : self.base + self.count] = [raw] * self.count

    def is_clear(self, s: PositionSlots) -> bool:
        """Whether the whole state has its default value."""
        return all(entry == self.fill for entry in self.entries(s))

    def list_axis_members(self, s: PositionSlots, before: Sequence[int] = ()) -> list[int]:
        """Returns the members of the next axis after the axes in `before`.

        For the axis of an open board, these are only the cells that have a value other than the default."""
        return list(range(len(self.enums[len(before)])))

    def iter_values(self, s: PositionSlots) -> Iterable[tuple[list[int], Any]]:
        """Yields every index with its raw value. Over an open board, only values other than the default.

        The index lists are shared, so callers must not change them."""
        return zip(self.indices, self.list_values(s))

    def list_values(self, s: PositionSlots) -> PositionSlots:
        """Returns the raw values of all indices, in order. Not available over an open board."""
        return self.entries(s)

    @cached_property
    def indices(self) -> list[list[int]]:
        """All indices, in the order of their entries."""
        return [*map(list, product(*(range(len(enum)) for enum in self.enums)))]

    def list_canonical_entries(self, s: PositionSlots) -> list[Any]:
        """Returns the entries in the canonical form in which positions are compared and hashed (`model/canonical.py`)."""
        return list(map(int if self.numeric else canonical_value, self.entries(s)))

    @property
    def numeric(self) -> bool:
        """Whether every entry is a number."""
        return self.codec.numeric

    def fits(self, entry: Any) -> bool:
        """Whether a value is valid as an entry of the state."""
        return self.codec.fits(entry)


class BitmaskStorage(StateStorage):
    """A bool over axes: one bitmask over the last axis for each combination of the other axes."""
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
    """A bag: the count of each kind, in adjacent entries."""
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
    """A state over an open board: a dict {cell: value} for each combination of the other axes."""
    form: ClassVar[str] = "sparse"
    axis: int

    def __post_init__(self) -> None:
        self.open_axis = self.axis = next(n for n, enum in enumerate(self.enums) if enum.kind == "open")
        self.sizes = [len(enum) for n, enum in enumerate(self.enums) if n != self.axis]

    @property
    def fill(self) -> Any:
        return {}

    def find_entry(self, index: Sequence[int]) -> int:
        """Returns the slot of the dict that contains an index."""
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
    """Builds the storage of a state. Its type and its axes decide the class."""
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
    """The storage of each state of a program, the codecs of its types, and the initial position.

    Lowering adds the frames of procedures."""

    model: GameModel
    cells: dict[State, StateStorage] = field(default_factory=dict)
    initial: list[Any] = field(default_factory=lambda: [0] * FIRST_STATE_SLOT)
    frames: dict[Routine, int] = field(default_factory=dict)       # routine -> first slot of its frame (the return address)
    states_end: int = 0

    def __post_init__(self) -> None:
        self.codecs = CodecTable(self.model)

    def is_open(self, type_: Type) -> bool:
        """Whether a type is the cell type of an open board."""
        return self.codecs.is_open(type_)

    def is_mask_element(self, of: Type) -> bool:
        """Whether a set of values of this type is a bitmask. Otherwise it is a frozenset."""
        return self.codecs.is_mask_element(of)

    def default(self, type_: Type) -> Any:
        """Returns the raw value that a place of this type has before anything is written there."""
        return self.codecs.codec_for(type_).default

    def none(self, type_: Type) -> Any:
        """Returns the raw value of `none` for the type `found?`."""
        return self.codecs.codec_for(type_).none

    def add_states(self, program: Program) -> None:
        """Adds all states of a program."""
        for state in program.states.values():
            self.add_state(state)
        self.states_end = len(self.initial)

    def add_state(self, state: State) -> None:
        """Adds one state at the end of the position."""
        enums = [self.model.enums[domain] for _, domain in state.axes]
        cell = self.cells[state] = build_storage(state, len(self.initial), enums, self.codecs.codec_for(state.type))
        self.initial += [cell.fill] * cell.count


def build_layout(program: Program) -> Layout:
    """Builds the layout of a program's states, without the initial values that rules and YAML give."""
    layout = Layout(program.model)
    layout.add_states(program)
    cells = {state.name: cell for state, cell in layout.cells.items()}
    for place, known, axes, attribute in find_known_contents(program):
        if cells[place].open_axis is None and cells[known].open_axis is None:
            cells[place].known.append(KnownSet(cells[known], axes, attribute))
    return layout
