"""Kinds: the types of IR values, for target languages that need them.

Python needs no types before it runs, but C does. `infer.py` finds a kind for every variable, function and
slot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .program import LastResultCache, RecentFloods, RecentWays

WORD_BITS = 63                                                     # numbers are signed 64-bit integers


class UnsupportedConstructError(Exception):
    """An IR construct without a kind, or without a translation to C. The text names it, for developers."""


@dataclass(frozen=True)
class Kind:
    """Base class: the type of an IR value."""


@dataclass(frozen=True)
class WordKind(Kind):
    """A number, a member or a bool."""


@dataclass(frozen=True)
class OptionalWordKind(Kind):
    """A number or None."""


@dataclass(frozen=True)
class MaskKind(Kind):
    """A set of members, as a bitmask."""


@dataclass(frozen=True)
class MembersKind(Kind):
    """The members of a set as an ascending list. It carries the same information as the set."""


@dataclass(frozen=True)
class RangeKind(Kind):
    """A range of numbers that is only iterated."""


@dataclass(frozen=True)
class ListKind(Kind):
    """A list of values of one kind. None: an empty list of unknown kind."""

    of: Kind | None


@dataclass(frozen=True)
class SetKind(Kind):
    """A set of things that are not members: cells of an unbounded board, numbers or lists. None: an empty set of
    unknown kind."""

    of: Kind | None


@dataclass(frozen=True)
class MapKind(Kind):
    """A state on an unbounded board: cells with their values. None: always empty, of unknown kind."""

    of: Kind | None


@dataclass(frozen=True)
class OptionalKind(Kind):
    """A set, list or tuple, or None."""

    of: Kind


@dataclass(frozen=True)
class TupleKind(Kind):
    """A tuple of values of fixed kinds."""

    parts: tuple[Kind, ...]


@dataclass(frozen=True)
class NoneKind(Kind):
    """None, always."""


@dataclass(frozen=True)
class JumpKind(Kind):
    """The result of a block: whether moves are available now, or the game continues at once."""


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
    """Returns the smallest kind that includes both kinds. None means "not known yet"."""
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


def unwrap_kind(kind: Kind | None) -> Kind | None:
    """Returns the kind of a value that is there, for a kind that includes None."""
    return kind.of if isinstance(kind, OptionalKind) else kind


def join_known_kinds(one: Kind, other: Kind) -> Kind:
    """Returns the join of two known kinds."""
    found = join_kinds(one, other)
    assert found is not None
    return found


def join_all_kinds(kinds: Iterable[Kind | None]) -> Kind | None:
    """Returns the join of all kinds."""
    found: Kind | None = None
    for kind in kinds:
        found = join_kinds(found, kind)
    return found


def storage_kind(kind: Kind | None) -> Kind | None:
    """Returns the kind that a value has when it is stored inside another value: member lists and ranges become
    lists."""
    match kind:
        case MembersKind() | RangeKind():
            return ListKind(WORD)
        case OptionalKind(of=MembersKind()):
            return OptionalKind(ListKind(WORD))
    return kind


def map_entries_kind(kind: MapKind) -> ListKind:
    """Returns the kind in which a map is stored: a list of (cell, value) pairs in ascending order of cells."""
    return ListKind(TupleKind((WORD, kind.of or WORD)))


def tuple_kind(kinds: list[Kind | None]) -> Kind | None:
    """Returns the kind of a tuple with these items: a list if all items have the same kind."""
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
    """Returns the kind of a constant."""
    match value:
        case None | LastResultCache() | RecentFloods() | RecentWays():                           # caches are not values of the game
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
    """Returns a short description of a kind, for messages."""
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
