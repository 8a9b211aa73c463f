"""What stands on a copy of a position for what a seat may not see. It can be laid on something, counted up and put down elsewhere, for that
needs no knowledge; whatever asks what is under it is stopped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn


class HiddenValueError(Exception):
    """A rule had to know what its player cannot. `open_place`: it put something covered where the player may look, among what is counted
    in these entries."""

    def __init__(self, open_place: range | None = None) -> None:
        super().__init__()
        self.open_place = open_place


class MaskedValue:
    """Stands for what the seat may not see."""

    __slots__ = ()

    def return_self(self, *_: object) -> MaskedValue:
        return self

    def __repr__(self) -> str:
        return type(self).__name__

    def raise_hidden(self, *_: object) -> NoReturn:
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
    """Stands for a set of which everybody knows how many things are in it."""

    __slots__ = ("many",)

    def __init__(self, many: int) -> None:
        self.many = many

    def bit_count(self) -> int:
        return self.many

    def __repr__(self) -> str:
        return f"Sized{self.many}"


@dataclass
class MaskingState:
    """The position that is being played on, nothing while none is; `closed`: where things are counted and the seat may not look, the first
    entry of each such place with how many there are; `laid`: of those, where something covered was counted; `luck`: whether chance took
    something out of such a place."""

    s: list[Any] = field(default_factory=list)
    closed: dict[int, int] = field(default_factory=dict)
    laid: set[int] = field(default_factory=set)
    luck: bool = False


@dataclass(frozen=True, eq=False)
class HiddenBag:
    """Things of which everybody knows how many there are, and only that: a bag into which the seat may not look, as it is until something
    is put down there or taken away. What they are is one of so many `kinds`."""

    entries: MaskingState
    kinds: int
    many: int


class MaskedCount(MaskedValue):
    """Stands for the entry of a covered bag in which the things of one kind are counted: as many as there are, and `more`. The sum of all
    entries of a bag is known."""

    __slots__ = ("at", "bag", "more")

    def __init__(self, bag: HiddenBag, at: int, more: int = 0) -> None:
        self.bag, self.at, self.more = bag, at, more

    def drawn(self) -> MaskedThing:
        """One of the things in the bag, by chance: nobody knows which."""
        self.bag.entries.luck = True
        return MaskedThing(self.bag.entries, self.bag.kinds)

    def add(self, *more: object) -> MaskedValue:
        return MaskedCount(self.bag, self.at, self.more + more[0]) if isinstance(more[0], int) else MASKED

    def subtract(self, *less: object) -> MaskedValue:
        return MaskedCount(self.bag, self.at, self.more - less[0]) if isinstance(less[0], int) else MASKED

    def add_to_sum(self, *before: object) -> Any:
        """Added to what stands before it: of the first entry to nothing, as `sum` begins."""
        return MaskedSum(self.bag, 0, 0).add(self) if before[0] == 0 and self.at == 0 else MASKED

    __add__ = add
    def __repr__(self) -> str:
        """Entries that stand for the same are written alike: by that it is seen whether two positions are."""
        return f"{self.bag.many}.{self.at}{self.more:+}"

    __sub__ = subtract
    __radd__ = add_to_sum


class MaskedSum(MaskedValue):
    """Stands for the sum of the first entries of a covered bag; that of all of them is a number that everybody knows."""

    __slots__ = ("bag", "more", "next")

    def __init__(self, bag: HiddenBag, upto: int, more: int) -> None:
        self.bag, self.next, self.more = bag, upto, more

    def add(self, *other: object) -> Any:
        entry = other[0]
        if not isinstance(entry, MaskedCount) or entry.bag is not self.bag or entry.at != self.next:
            return MASKED
        more = self.more + entry.more
        return self.bag.many + more if self.next + 1 == self.bag.kinds else MaskedSum(self.bag, self.next + 1, more)

    __add__ = add


class MaskedThing(MaskedValue):
    """Stands for a thing of which everybody knows that it lies there; what is under it is one of so many `kinds`. Put down where such
    things are counted and nobody may look (a hand, a pile), it changes nothing that the seat knows."""

    __slots__ = ("entries", "kinds")

    def __init__(self, entries: MaskingState, kinds: int) -> None:
        self.entries, self.kinds = entries, kinds

    def __lt__(self, other: object) -> bool:
        return super().__lt__(other) if other != 0 else False

    def __ge__(self, other: object) -> bool:
        return super().__ge__(other) if other != 0 else True

    def make_slot(self, *first: object) -> MaskedValue:
        """The entry in which such things are counted, where the first of them has this one."""
        return MaskedSlot(self, first[0]) if isinstance(first[0], int) else self.raise_hidden()

    __add__ = __radd__ = make_slot
    __sub__ = __rsub__ = __getitem__ = MaskedValue.raise_hidden


class MaskedSlot(MaskedValue):
    """Stands for the entry of a position in which things of a covered kind are counted; `first` is that of the first kind."""

    __slots__ = ("first", "thing")

    def __init__(self, thing: MaskedThing, first: int) -> None:
        self.thing, self.first = thing, first

    def __index__(self) -> int:
        there = self.current_counts
        if there and len({isinstance(entry, MaskedValue) for entry in there}) == 1:
            return self.first                                      # any stands for all; some covered, some not: that would have to be known
        raise HiddenValueError(None if there else range(self.first, self.first + self.thing.kinds))

    @property
    def current_counts(self) -> list[Any]:
        """What is counted in that place; nothing where the seat may look."""
        entries, kinds = self.thing.entries, self.thing.kinds
        return entries.s[self.first : self.first + kinds] if entries.closed.get(self.first) == kinds else []

    def store_count(self, value: object) -> None:
        """There are more or fewer things of a kind that is covered, as this value of its entry says: so each number is covered."""
        first, there, kinds = self.__index__(), self.current_counts, self.thing.kinds
        self.thing.entries.laid.add(first)
        many, by = sum(there), count_difference(value, there[0])
        now = make_masked_counts(self.thing.entries, kinds, many + by) if by is not None and type(many) is int else [MASKED] * kinds
        list.__setitem__(self.thing.entries.s, slice(first, first + kinds), now)

    def shift(self, *more: object) -> MaskedValue:
        return MaskedSlot(self.thing, self.first + more[0]) if isinstance(more[0], int) else self.raise_hidden()

    __add__ = __radd__ = shift
    __sub__ = __rsub__ = __getitem__ = MaskedValue.raise_hidden


def count_difference(value: object, before: object) -> int | None:
    """By how much an entry of a bag is more than before; None where that is covered."""
    if isinstance(value, int) and isinstance(before, int):
        return value - before
    if isinstance(value, MaskedCount) and isinstance(before, MaskedCount) and (value.bag, value.at) == (before.bag, before.at):
        return value.more - before.more
    return None


def make_masked_counts(entries: MaskingState, kinds: int, many: int) -> list[Any]:
    """The entries of a covered bag with so many things in it; of an empty one all is known."""
    bag = HiddenBag(entries, kinds, many)
    return [MaskedCount(bag, at) for at in range(kinds)] if many else [0] * kinds
