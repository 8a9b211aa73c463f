"""Placeholders for values that a seat may not see, used on a copy of a position.

A placeholder can be assigned, counted and moved, because that requires no knowledge. Any operation that
needs the real value raises HiddenValueError."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn


class HiddenValueError(Exception):
    """Raised if a rule needs a value that the player does not know.

    `open_place` is the range of slots that count things in a visible place, if a masked thing was put there."""

    def __init__(self, open_place: range | None = None) -> None:
        super().__init__()
        self.open_place = open_place


class MaskedValue:
    """A placeholder for a value that the seat may not see."""

    __slots__ = ()

    def return_self(self, *_: object) -> MaskedValue:
        """Returns the placeholder itself: the result of an operation that stays unknown."""
        return self

    def __repr__(self) -> str:
        return type(self).__name__

    def raise_hidden(self, *_: object) -> NoReturn:
        """Raises HiddenValueError: the operation needs the value."""
        raise HiddenValueError

    def bit_count(self) -> int:
        raise HiddenValueError

    def __index__(self) -> int:
        raise HiddenValueError

    def __lt__(self, other: object) -> bool:
        raise HiddenValueError

    def __ge__(self, other: object) -> bool:
        raise HiddenValueError

    __add__ = __radd__ = __sub__ = __rsub__ = __getitem__ = return_self
    __bool__ = __eq__ = __ne__ = __le__ = __gt__ = __hash__ = __len__ = __iter__ = raise_hidden
    __contains__ = __int__ = __and__ = __rand__ = __or__ = __ror__ = __lshift__ = __rlshift__ = raise_hidden
    __rshift__ = __rrshift__ = __mul__ = __rmul__ = __neg__ = __invert__ = __mod__ = __floordiv__ = raise_hidden


MASKED = MaskedValue()


class MaskedSet(MaskedValue):
    """A placeholder for a set whose size is public."""

    __slots__ = ("many",)

    def __init__(self, count: int) -> None:
        self.many = count

    def bit_count(self) -> int:
        return self.many

    def __repr__(self) -> str:
        return f"Sized{self.many}"


@dataclass
class MaskingState:
    """The state shared by the placeholders of one lookahead.

    - `s`: the slot list of the position being played on, empty outside of a simulation
    - `closed`: hidden places that count things: the first slot, and the number of slots
    - `overlay`: those of these places in which a masked thing was counted
    - `luck`: whether chance took something out of such a place"""

    s: list[Any] = field(default_factory=list)
    closed: dict[int, int] = field(default_factory=dict)
    overlay: set[int] = field(default_factory=set)
    luck: bool = False


@dataclass(frozen=True, eq=False)
class HiddenBag:
    """A hidden bag whose total is public. It stands for the bag until something is added or removed. `kinds` is the
    number of different things that may be in it."""

    entries: MaskingState
    kinds: int
    many: int


class MaskedCount(MaskedValue):
    """A placeholder for the slot of a hidden bag that counts the things of one kind, plus
    `more`. Only the sum of all slots of a bag is known."""

    __slots__ = ("at", "bag", "more")

    def __init__(self, bag: HiddenBag, at: int, more: int = 0) -> None:
        self.bag, self.at, self.more = bag, at, more

    def drawn(self) -> MaskedThing:
        """Returns a random thing from the bag: a placeholder."""
        self.bag.entries.luck = True
        return MaskedThing(self.bag.entries, self.bag.kinds)

    def add(self, *more: object) -> MaskedValue:
        """Returns the placeholder for a higher count."""
        return MaskedCount(self.bag, self.at, self.more + more[0]) if isinstance(more[0], int) else MASKED

    def subtract(self, *less: object) -> MaskedValue:
        """Returns the placeholder for a lower count."""
        return MaskedCount(self.bag, self.at, self.more - less[0]) if isinstance(less[0], int) else MASKED

    def add_to_sum(self, *before: object) -> Any:
        """Adds this slot to the sum before it. The first slot is added to 0, the start value of `sum`."""
        return MaskedSum(self.bag, 0, 0).add(self) if before[0] == 0 and self.at == 0 else MASKED

    __add__ = add
    def __repr__(self) -> str:
        """Slots with the same meaning have the same text, so that equal positions can be recognized."""
        return f"{self.bag.many}.{self.at}{self.more:+}"

    __sub__ = subtract
    __radd__ = add_to_sum


class MaskedSum(MaskedValue):
    """A placeholder for the sum of the first slots of a hidden bag. The sum of all of them is a known number."""

    __slots__ = ("bag", "more", "next")

    def __init__(self, bag: HiddenBag, max_count: int, more: int) -> None:
        self.bag, self.next, self.more = bag, max_count, more

    def add(self, *other: object) -> Any:
        """Adds the next slot of the same bag."""
        entry = other[0]
        if not isinstance(entry, MaskedCount) or entry.bag is not self.bag or entry.at != self.next:
            return MASKED
        more = self.more + entry.more
        return self.bag.many + more if self.next + 1 == self.bag.kinds else MaskedSum(self.bag, self.next + 1, more)

    __add__ = add


class MaskedThing(MaskedValue):
    """A placeholder for a thing that is known to be there. It is one of `kinds` different things.

    It can be put into a hidden place that counts such things (a hand, a pile),
    because that changes nothing that the seat knows."""

    __slots__ = ("entries", "kinds")

    def __init__(self, entries: MaskingState, kinds: int) -> None:
        self.entries, self.kinds = entries, kinds

    def __lt__(self, other: object) -> bool:
        return super().__lt__(other) if other != 0 else False

    def __ge__(self, other: object) -> bool:
        return super().__ge__(other) if other != 0 else True

    def make_slot(self, *first: object) -> MaskedValue:
        """Returns the slot that counts this thing, given the slot that counts the first kind."""
        return MaskedSlot(self, first[0]) if isinstance(first[0], int) else self.raise_hidden()

    __add__ = __radd__ = make_slot
    __sub__ = __rsub__ = __getitem__ = MaskedValue.raise_hidden


class MaskedSlot(MaskedValue):
    """A placeholder for the slot that counts things of a masked kind. `first` is the slot of the first kind."""

    __slots__ = ("first", "thing")

    def __init__(self, thing: MaskedThing, first: int) -> None:
        self.thing, self.first = thing, first

    def __index__(self) -> int:
        there = self.current_counts
        if there and len({isinstance(entry, MaskedValue) for entry in there}) == 1:
            return self.first                                      # any slot can stand for all of them, unless only some are masked
        raise HiddenValueError(None if there else range(self.first, self.first + self.thing.kinds))

    @property
    def current_counts(self) -> list[Any]:
        """The counts in this place, or an empty list if the seat may look there."""
        entries, kinds = self.thing.entries, self.thing.kinds
        return entries.s[self.first : self.first + kinds] if entries.closed.get(self.first) == kinds else []

    def store_count(self, value: object) -> None:
        """Changes the count of a masked kind by the difference of this value. All counts of the place become masked."""
        first, there, kinds = self.__index__(), self.current_counts, self.thing.kinds
        self.thing.entries.overlay.add(first)
        many, by = sum(there), count_difference(value, there[0])
        now = make_masked_counts(self.thing.entries, kinds, many + by) if by is not None and type(many) is int else [MASKED] * kinds
        list.__setitem__(self.thing.entries.s, slice(first, first + kinds), now)

    def shift(self, *more: object) -> MaskedValue:
        """Returns the slot at a different offset."""
        return MaskedSlot(self.thing, self.first + more[0]) if isinstance(more[0], int) else self.raise_hidden()

    __add__ = __radd__ = shift
    __sub__ = __rsub__ = __getitem__ = MaskedValue.raise_hidden


def count_difference(value: object, before: object) -> int | None:
    """Returns the difference between two counts of a bag, or None if it is unknown."""
    if isinstance(value, int) and isinstance(before, int):
        return value - before
    if isinstance(value, MaskedCount) and isinstance(before, MaskedCount) and (value.bag, value.at) == (before.bag, before.at):
        return value.more - before.more
    return None


def make_masked_counts(entries: MaskingState, kinds: int, count: int) -> list[Any]:
    """Returns the slots of a hidden bag with this many things. An empty bag is fully known."""
    bag = HiddenBag(entries, kinds, count)
    return [MaskedCount(bag, at) for at in range(kinds)] if count else [0] * kinds
