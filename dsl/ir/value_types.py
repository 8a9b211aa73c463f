"""What the values of the machine are, for languages that must know it: a number, a set, a list.

Python asks no value what it is before it runs; other languages must. `infer.py` finds a kind for every variable, function and word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .program import LastResultCache, RecentFloods

WORD_BITS = 63                                                     # a number has a sign


class UnsupportedConstructError(Exception):
    """A construct of the machine that has no kind, or none that other languages know: the text says which, for developers."""


@dataclass(frozen=True)
class Kind:
    """What a value is."""


@dataclass(frozen=True)
class WordKind(Kind):
    """A number, a member, true or false."""


@dataclass(frozen=True)
class OptionalWordKind(Kind):
    """A number or nothing."""


@dataclass(frozen=True)
class MaskKind(Kind):
    """A set of members."""


@dataclass(frozen=True)
class MembersKind(Kind):
    """The members of a set as a list, ascending: as good as the set itself."""


@dataclass(frozen=True)
class RangeKind(Kind):
    """A range of numbers, only to go through."""


@dataclass(frozen=True)
class ListKind(Kind):
    """A list of equal things; None: an empty one, of whatever."""

    of: Kind | None


@dataclass(frozen=True)
class SetKind(Kind):
    """A set of things that are no members: of cells of a board without an edge, of numbers, of lists. None: an empty one, of whatever."""

    of: Kind | None


@dataclass(frozen=True)
class MapKind(Kind):
    """What lies on the cells of a board without an edge, cell by cell. None: nothing anywhere, whatever it would be."""

    of: Kind | None


@dataclass(frozen=True)
class OptionalKind(Kind):
    """A set, a list or a few things, or nothing."""

    of: Kind


@dataclass(frozen=True)
class TupleKind(Kind):
    """A few things of several kinds."""

    parts: tuple[Kind, ...]


@dataclass(frozen=True)
class NoneKind(Kind):
    """No value."""


@dataclass(frozen=True)
class JumpKind(Kind):
    """What a block gives: whether there are options now, or the game goes on at once."""


WORD, OPTIONAL_WORD, MASK, MEMBERS, RANGE, NONE, JUMP = (
    WordKind(),
    OptionalWordKind(),
    MaskKind(),
    MembersKind(),
    RangeKind(),
    NoneKind(),
    JumpKind(),
)
EMPTY_LIST = ListKind(None)


def join_kinds(one: Kind | None, other: Kind | None) -> Kind | None:
    """What can be both; None is not known yet."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    for a, b in ((one, other), (other, one)):
        match a, b:
            case (WordKind() | OptionalWordKind(), NoneKind()) | (WordKind(), OptionalWordKind()):
                return OPTIONAL_WORD
            case WordKind(), MaskKind():
                return MASK
            case MembersKind(), ListKind(of=None):
                return MEMBERS
            case (MembersKind() | RangeKind()), ListKind(of=WordKind()):
                return b
            case MembersKind(), RangeKind():
                return ListKind(WORD)
            case ListKind(of=x), ListKind(of=y):
                return ListKind(join_kinds(x, y))
            case SetKind(of=x), SetKind(of=y):
                return SetKind(join_kinds(x, y))
            case MapKind(of=x), MapKind(of=y):
                return MapKind(join_kinds(x, y))
            case OptionalKind(of=x), OptionalKind(of=y):
                return OptionalKind(join_known_kinds(x, y))
            case OptionalKind(), NoneKind():
                return a
            case OptionalKind(of=x), (MaskKind() | ListKind() | MembersKind() | SetKind() | TupleKind()):
                return OptionalKind(join_known_kinds(x, b))
            case (MaskKind() | ListKind() | MembersKind() | SetKind() | TupleKind()), NoneKind():
                return OptionalKind(a)
            case TupleKind(parts=p), TupleKind(parts=q) if len(p) == len(q):
                return TupleKind(tuple(map(join_known_kinds, p, q)))
    raise UnsupportedConstructError(f"{describe_kind(one)} and {describe_kind(other)} in one place")


def join_known_kinds(one: Kind, other: Kind) -> Kind:
    """What can be both of two that are known."""
    found = join_kinds(one, other)
    assert found is not None
    return found


def join_all_kinds(kinds: Iterable[Kind | None]) -> Kind | None:
    found: Kind | None = None
    for kind in kinds:
        found = join_kinds(found, kind)
    return found


def storage_kind(kind: Kind | None) -> Kind | None:
    """As it lies inside of another value, where a list is a list."""
    match kind:
        case MembersKind() | RangeKind():
            return ListKind(WORD)
        case OptionalKind(of=MembersKind()):
            return OptionalKind(ListKind(WORD))
    return kind


def map_entries_kind(kind: MapKind) -> ListKind:
    """How a map lies: cells upwards, each with what is on it."""
    return ListKind(TupleKind((WORD, kind.of or WORD)))


def tuple_kind(kinds: list[Kind | None]) -> Kind | None:
    """What a tuple of these is: a list where they are all alike."""
    if not kinds:
        return EMPTY_LIST
    inside = tuple(found for kind in kinds if (found := storage_kind(kind)) is not None)
    if len(inside) < len(kinds):
        return None
    if MASK in inside and WORD in inside:
        return TupleKind(inside)
    try:
        return ListKind(join_all_kinds(inside))
    except UnsupportedConstructError:
        return TupleKind(inside)


def kind_of_value(value: Any) -> Kind | None:
    """The kind of a constant."""
    match value:
        case None | LastResultCache() | RecentFloods():                           # what was last worked out is no value of the game
            return NONE
        case bool():
            return WORD
        case int():
            if value < -(1 << WORD_BITS):
                raise UnsupportedConstructError("a number that is too small")
            return WORD if value < 1 << WORD_BITS else MASK
        case tuple() | list():
            kinds = [kind_of_value(item) for item in value]
            if MASK in kinds and all(kind in (WORD, MASK) for kind in kinds) and min(value) >= 0:
                return ListKind(MASK)
            return tuple_kind(kinds)
        case frozenset():
            return SetKind(join_all_kinds(kind_of_value(item) for item in value))
        case dict():
            return MapKind(join_all_kinds(kind_of_value(item) for item in value.values()))
    raise UnsupportedConstructError(f"a constant {type(value).__name__}")


def describe_kind(kind: Kind | None) -> str:
    """A kind in a few words."""
    match kind:
        case None:
            return "?"
        case ListKind(of=inside):
            return f"list of {describe_kind(inside)}"
        case SetKind(of=inside) | MapKind(of=inside) | OptionalKind(of=inside):
            return f"{type(kind).__name__.removesuffix('Kind').lower()} of {describe_kind(inside)}"
        case TupleKind(parts=parts):
            return f"({', '.join(map(describe_kind, parts))})"
    return type(kind).__name__.removesuffix("Kind").lower()
