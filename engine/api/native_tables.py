"""Describes the encoding of actions and positions (encoding.py) as tables for C, so that C computes the same numbers.

The layout of the rows is in dsl/backend_c/lockstep.h."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import comb
from typing import NamedTuple

from ...dsl.backend_c.ffi import NativeLibrary
from ...dsl.backend_c.lockstep import LockstepTables, list_fields
from ...dsl.backend_c.types import kind_tag
from ...dsl.ir.metadata import DecisionBranch, LiveVariable
from ...dsl.ir.value_types import UnsupportedConstructError
from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from .encoding import LAST_ITEMS_ENCODED, ActionEncoder, ObservationEncoder, ValueEncoding

WORD_OP, BIT_OP, OPTIONAL_OP, SET_OP, BAG_OP, LIST_OP, COUNTS_OP, MEMBERS_OP, SIZE_OP, BAG_VALUE_OP = range(10)
OPEN, HIDDEN_FROM_ALL, SEAT_SEES, KEEPER_SEES, SEERS_SEE = range(5)
NO_TEAM_OF_ALL, WINS_TOGETHER, COUNTS_TOGETHER = range(3)
BINOMIAL_ROWS = 64
FieldKey = tuple[int | None, int]                                  # the frame and the first slot of a value


class EntryRow(NamedTuple):
    """A value of a position as columns of an observation."""

    op: int
    at: int = 0
    size: int = 0
    length: int = 1
    members: int = 0
    flag: int = 0
    sized: int = 0
    sight: int = OPEN
    a: int = 0
    b: int = 0
    inverted: int = 0


class NativeTableBuilder:
    """Builds the tables of a game. Raises UnsupportedConstructError if C cannot encode a value."""

    def __init__(self, library: NativeLibrary, actions: ActionEncoder, observer: ObservationEncoder) -> None:
        self.actions, self.observer, self.game = actions, observer, actions.game
        self.fields = list_fields(library)
        self.tags = {(space.frame, space.start): kind_tag(space.kind) for space in library.words.spaces if not space.lapses}
        self.branches: list[int] = []
        self.digits: list[int] = []
        self.seers: list[int] = []

    def build(self) -> LockstepTables:
        """Returns the tables."""
        states = [row for cell, shape in self.observer.states for row in self.state_rows(cell, shape)]
        absent = [EntryRow(WORD_OP, length=len(shape.names), flag=1, sight=HIDDEN_FROM_ALL) for shape in self.observer.sight.values()]
        waits = self.game.module.waits
        asked: list[int] = []
        local: list[EntryRow] = list(absent)
        for pc in range(len(self.game.blocks)):
            kind = waits[pc].decision if pc in waits else None
            if kind is None:
                asked += [-1, 0, 1, 0]
                continue
            asked += [self.observer.kinds[kind.key], len(self.branches) // 5, len(kind.choices), len(local)]
            for choice in kind.choices:
                self.add_branch(choice)
            here = {self.observer.variable_key(variable): variable for variable in kind.scope}
            for blank, (key, shape) in zip(absent, self.observer.sight.items()):
                local.append(self.local_row(waits[pc].frame, here[key], shape) if key in here else blank)
        return LockstepTables(
            len(self.actions), len(self.observer), len(states), len(absent), LAST_ITEMS_ENCODED, words(asked), words(self.branches),
            words(self.digits), words(comb(n, k) if n < BINOMIAL_ROWS else 0 for n in range(BINOMIAL_ROWS) for k in range(BINOMIAL_ROWS)),
            words(number for row in states for number in row), words(number for row in local for number in row), words(self.seers),
            array("i", self.observer.lows), array("i", self.observer.highs), words(partners[0] for partners in self.game.partners),
            self.find_common_payoff())

    def find_common_payoff(self) -> int:
        """Returns how the payoff is computed if all players are one team, as in `payoffs`."""
        if len(self.game.teams) > 1 or self.game.players == 1:
            return NO_TEAM_OF_ALL
        return COUNTS_TOGETHER if self.game.module.has_points else WINS_TOGETHER

    # ------------------------------------------------------------ actions

    def add_branch(self, choice: DecisionBranch) -> None:
        """Adds the rows of one way to answer a decision."""
        group = self.actions.groups[id(choice)]
        spans = [high - low + 1 for low, high in zip(group.lows, group.highs)]
        shifts = [slot.low - low for slot, low in zip(choice.slots, group.lows)]
        is_set = [isinstance(slot.type, SetOf) for slot in choice.slots]
        linear = not any(is_set) and all(slot.radix == span for slot, span in zip(choice.slots[1:], spans[1:]))
        first = group.first
        if linear:
            scale = 1
            for shift, span in zip(reversed(shifts), reversed(spans)):
                first += shift * scale
                scale *= span
        self.branches += [choice.offset, first, int(linear), len(self.digits) // 4, len(choice.slots)]
        for slot, shift, span, holds in zip(choice.slots, shifts, spans, is_set):
            self.digits += [slot.radix, shift, span, slot.radix.bit_length() - 1 if holds else 0]

    # ------------------------------------------------------------ observations

    def state_rows(self, cell: StateStorage, shape: ValueEncoding) -> Iterable[EntryRow]:
        """Yields the rows of a state."""
        if not cell.indices:
            return
        at, size = self.find_field((None, cell.base))
        is_open = cell.state.seen == "open"
        if cell.form == "mask":
            last = len(cell.enums[-1])
            for n, index in enumerate(cell.indices[::last]):
                for bit in range(0, last, last if is_open else 1):
                    yield self.add_sight(cell, [*index[:-1], bit],
                                         EntryRow(BIT_OP, at + n * size, size, last if is_open else 1, bit))
            return
        op, members = self.find_op(shape, cell.state.type, self.tags[None, cell.base])
        if op == WORD_OP and is_open:
            yield EntryRow(op, at, size, len(cell.indices))
            return
        sized = int(shape.names[0] in ("count", "there"))
        for n, index in enumerate(cell.indices):
            yield self.add_sight(cell, index, EntryRow(op, at + n * size * cell.width, size, 1, members, sized=sized))

    def add_sight(self, cell: StateStorage, index: Sequence[int], row: EntryRow) -> EntryRow:
        """Returns the row of an entry with the rule who may see it, as `can_see` says."""
        seen, keeper = cell.state.seen, cell.state.keeper
        if seen == "open":
            return row
        if not isinstance(seen, int):
            return row._replace(flag=1, sight=HIDDEN_FROM_ALL)
        row = row._replace(flag=1, inverted=int(cell.state.inverted))
        if keeper is None:
            return row._replace(sight=SEAT_SEES, a=index[seen])
        at, size = self.find_field((None, self.game.cells[keeper].base))
        return row._replace(sight=KEEPER_SEES, a=at + index[seen] * size, b=size)

    def local_row(self, frame: int, variable: LiveVariable, shape: ValueEncoding) -> EntryRow:
        """Returns the row of a local in scope at a decision."""
        at, size = self.find_field((frame, variable.slot))
        op, members = self.find_op(shape, variable.type, self.tags[frame, variable.slot])
        row = EntryRow(op, at, size, 1, members, 1)
        if not variable.secret:
            return row
        first = len(self.seers) // 7
        for slot, keeper, _, inverted in variable.seers:
            place = (0, 0) if slot < 0 else self.find_field((frame, slot))
            owners = (0, 0) if keeper is None else self.find_field((None, self.game.cells[keeper].base))
            keepers = 0 if keeper is None else self.game.cells[keeper].count
            self.seers += [~slot if slot < 0 else -1, *place, *owners, keepers, int(inverted)]
        return row._replace(sight=SEERS_SEE, a=first, b=len(variable.seers))

    def find_field(self, key: FieldKey) -> tuple[int, int]:
        """Returns the offset and the size of a value in the C position."""
        if key not in self.fields:
            raise UnsupportedConstructError("a value that is in no word")
        return self.fields[key]

    def find_op(self, shape: ValueEncoding, found: Type, tag: str) -> tuple[int, int]:
        """Returns how C encodes a value of a type, and the number of its members. `tag` is the kind of the value in C."""
        of = found.of if isinstance(found, ListOf | PileOf) else None
        members = len(shape.names) - 1
        match found, tag:
            case (Int() | Bool() | MemberOf() | OptionalOf(of=Bool() | MemberOf())), "w":
                return WORD_OP, 0
            case OptionalOf(of=Int()), "w":
                return OPTIONAL_OP, 0
            case BagOf(), "w":
                return BAG_OP, members
            case BagOf(), "qw":
                return BAG_VALUE_OP, members
            case (ListOf() | PileOf()), "w" | "m" if isinstance(of, MemberOf | Int):
                return MEMBERS_OP, members - LAST_ITEMS_ENCODED
            case (ListOf() | PileOf()), "qw" if isinstance(of, MemberOf | Int):
                return LIST_OP, members - LAST_ITEMS_ENCODED
            case SetOf(), "w" | "m" if members:
                return SET_OP, members
            case SetOf(), "qw" if members:
                return COUNTS_OP, members
            case (SetOf() | ListOf() | PileOf()), _ if not members and tag.startswith("q"):
                return SIZE_OP, 0
        raise UnsupportedConstructError(f"{found} as {tag}")


def words(numbers: Iterable[int]) -> array[int]:
    """Returns numbers as an array of 64-bit words, which is never empty."""
    return array("q", [*numbers]) or array("q", [0])
