"""What stands on a copy of a position for what a seat may not see. It can be laid on something, counted up and put down elsewhere, for that
needs no knowledge; whatever asks what is under it is stopped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn


class Covered(Exception):
    """A rule had to know what its player cannot. `open_place`: it put something covered where the player may look, among what is counted
    in these entries."""

    def __init__(self, open_place: range | None = None) -> None:
        super().__init__()
        self.open_place = open_place


class Cover:
    """Stands for what the seat may not see."""

    __slots__ = ()

    def same(self, *_: object) -> Cover:
        return self

    def stop(self, *_: object) -> NoReturn:
        raise Covered

    def bit_count(self) -> int:
        raise Covered

    def __index__(self) -> int:
        raise Covered

    def __lt__(self, other: object) -> bool:
        raise Covered

    def __ge__(self, other: object) -> bool:
        raise Covered

    __add__ = __radd__ = __sub__ = __rsub__ = __getitem__ = same
    __bool__ = __eq__ = __ne__ = __le__ = __gt__ = __hash__ = __len__ = __iter__ = stop
    __contains__ = __int__ = __and__ = __rand__ = __or__ = __ror__ = __lshift__ = __rlshift__ = stop
    __rshift__ = __rrshift__ = __mul__ = __rmul__ = __neg__ = __invert__ = __mod__ = __floordiv__ = stop


COVER = Cover()


class Sized(Cover):
    """Stands for a set of which everybody knows how many things are in it."""

    __slots__ = ("many",)

    def __init__(self, many: int) -> None:
        self.many = many

    def bit_count(self) -> int:
        return self.many


@dataclass
class Entries:
    """The position that is being played on, nothing while none is; `closed`: where things are counted and the seat may not look, the first
    entry of each such place with how many there are; `laid`: of those, where something covered was counted."""

    s: list[Any] = field(default_factory=list)
    closed: dict[int, int] = field(default_factory=dict)
    laid: set[int] = field(default_factory=set)


class Lying(Cover):
    """Stands for a thing of which everybody knows that it lies there; what is under it is one of so many `kinds`. Put down where such
    things are counted and nobody may look (a hand, a pile), it changes nothing that the seat knows."""

    __slots__ = ("entries", "kinds")

    def __init__(self, entries: Entries, kinds: int) -> None:
        self.entries, self.kinds = entries, kinds

    def __lt__(self, other: object) -> bool:
        return super().__lt__(other) if other != 0 else False

    def __ge__(self, other: object) -> bool:
        return super().__ge__(other) if other != 0 else True

    def behind(self, *first: object) -> Cover:
        """The entry in which such things are counted, where the first of them has this one."""
        return Count(self, first[0]) if isinstance(first[0], int) else self.stop()

    __add__ = __radd__ = behind
    __sub__ = __rsub__ = __getitem__ = Cover.stop


class Count(Cover):
    """Stands for the entry of a position in which things of a covered kind are counted; `first` is that of the first kind."""

    __slots__ = ("first", "thing")

    def __init__(self, thing: Lying, first: int) -> None:
        self.thing, self.first = thing, first

    def __index__(self) -> int:
        there = self.there
        if there and (all(entry is COVER for entry in there) or not any(there)):     # some covered, some not: that would have to be known
            return self.first                                      # all of them are alike
        raise Covered(None if there else range(self.first, self.first + self.thing.kinds))

    @property
    def there(self) -> list[Any]:
        """What is counted in that place; nothing where the seat may look."""
        entries, kinds = self.thing.entries, self.thing.kinds
        return entries.s[self.first : self.first + kinds] if entries.closed.get(self.first) == kinds else []

    def counted(self) -> None:
        """There is one thing more or less of a kind that is covered: so each number is."""
        self.__index__()
        self.thing.entries.laid.add(self.first)
        list.__setitem__(self.thing.entries.s, slice(self.first, self.first + self.thing.kinds), [COVER] * self.thing.kinds)

    def further(self, *more: object) -> Cover:
        return Count(self.thing, self.first + more[0]) if isinstance(more[0], int) else self.stop()

    __add__ = __radd__ = further
    __sub__ = __rsub__ = __getitem__ = Cover.stop
