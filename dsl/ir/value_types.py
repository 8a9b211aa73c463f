"""What the values of the machine are, for languages that must know it: a number, a set, a list.

Python asks no value what it is before it runs; other languages must. `infer.py` finds a kind for every variable, function and word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .program import Latest, Recent

WORD_BITS = 63                                                     # a number has a sign


class Unknown(Exception):
    """A construct of the machine that has no kind, or none that other languages know: the text says which, for developers."""


@dataclass(frozen=True)
class Kind:
    """What a value is."""


@dataclass(frozen=True)
class Word(Kind):
    """A number, a member, true or false."""


@dataclass(frozen=True)
class Maybe(Kind):
    """A number or nothing."""


@dataclass(frozen=True)
class Mask(Kind):
    """A set of members."""


@dataclass(frozen=True)
class Members(Kind):
    """The members of a set as a list, ascending: as good as the set itself."""


@dataclass(frozen=True)
class Numbers(Kind):
    """A range of numbers, only to go through."""


@dataclass(frozen=True)
class Seq(Kind):
    """A list of equal things; None: an empty one, of whatever."""

    of: Kind | None


@dataclass(frozen=True)
class Group(Kind):
    """A set of things that are no members: of cells of a board without an edge, of numbers, of lists. None: an empty one, of whatever."""

    of: Kind | None


@dataclass(frozen=True)
class Map(Kind):
    """What lies on the cells of a board without an edge, cell by cell. None: nothing anywhere, whatever it would be."""

    of: Kind | None


@dataclass(frozen=True)
class Perhaps(Kind):
    """A set, a list or a few things, or nothing."""

    of: Kind


@dataclass(frozen=True)
class Row(Kind):
    """A few things of several kinds."""

    parts: tuple[Kind, ...]


@dataclass(frozen=True)
class Nothing(Kind):
    """No value."""


@dataclass(frozen=True)
class Jump(Kind):
    """What a block gives: whether there are options now, or the game goes on at once."""


WORD, MAYBE, MASK, MEMBERS, NUMBERS, NOTHING, JUMP = Word(), Maybe(), Mask(), Members(), Numbers(), Nothing(), Jump()
EMPTY = Seq(None)


def join(one: Kind | None, other: Kind | None) -> Kind | None:
    """What can be both; None is not known yet."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    for a, b in ((one, other), (other, one)):
        match a, b:
            case (Word() | Maybe(), Nothing()) | (Word(), Maybe()):
                return MAYBE
            case Word(), Mask():
                return MASK
            case Members(), Seq(of=None):
                return MEMBERS
            case (Members() | Numbers()), Seq(of=Word()):
                return b
            case Members(), Numbers():
                return Seq(WORD)
            case Seq(of=x), Seq(of=y):
                return Seq(join(x, y))
            case Group(of=x), Group(of=y):
                return Group(join(x, y))
            case Map(of=x), Map(of=y):
                return Map(join(x, y))
            case Perhaps(of=x), Perhaps(of=y):
                return Perhaps(both(x, y))
            case Perhaps(), Nothing():
                return a
            case Perhaps(of=x), (Mask() | Seq() | Members() | Group() | Row()):
                return Perhaps(both(x, b))
            case (Mask() | Seq() | Members() | Group() | Row()), Nothing():
                return Perhaps(a)
            case Row(parts=p), Row(parts=q) if len(p) == len(q):
                return Row(tuple(map(both, p, q)))
    raise Unknown(f"{shown(one)} and {shown(other)} in one place")


def both(one: Kind, other: Kind) -> Kind:
    """What can be both of two that are known."""
    found = join(one, other)
    assert found is not None
    return found


def joined(kinds: Iterable[Kind | None]) -> Kind | None:
    found: Kind | None = None
    for kind in kinds:
        found = join(found, kind)
    return found


def solid(kind: Kind | None) -> Kind | None:
    """As it lies inside of another value, where a list is a list."""
    match kind:
        case Members() | Numbers():
            return Seq(WORD)
        case Perhaps(of=Members()):
            return Perhaps(Seq(WORD))
    return kind


def entries(kind: Map) -> Seq:
    """How a map lies: cells upwards, each with what is on it."""
    return Seq(Row((WORD, kind.of or WORD)))


def together(kinds: list[Kind | None]) -> Kind | None:
    """What a tuple of these is: a list where they are all alike."""
    if not kinds:
        return EMPTY
    inside = tuple(found for kind in kinds if (found := solid(kind)) is not None)
    if len(inside) < len(kinds):
        return None
    if MASK in inside and WORD in inside:
        return Row(inside)
    try:
        return Seq(joined(inside))
    except Unknown:
        return Row(inside)


def of_value(value: Any) -> Kind | None:
    """The kind of a constant."""
    match value:
        case None | Latest() | Recent():                           # what was last worked out is no value of the game
            return NOTHING
        case bool():
            return WORD
        case int():
            if value < -(1 << WORD_BITS):
                raise Unknown("a number that is too small")
            return WORD if value < 1 << WORD_BITS else MASK
        case tuple() | list():
            kinds = [of_value(item) for item in value]
            if MASK in kinds and all(kind in (WORD, MASK) for kind in kinds) and min(value) >= 0:
                return Seq(MASK)
            return together(kinds)
        case frozenset():
            return Group(joined(of_value(item) for item in value))
        case dict():
            return Map(joined(of_value(item) for item in value.values()))
    raise Unknown(f"a constant {type(value).__name__}")


def shown(kind: Kind | None) -> str:
    """A kind in a few words."""
    match kind:
        case None:
            return "?"
        case Seq(of=inside):
            return f"list of {shown(inside)}"
        case Group(of=inside) | Map(of=inside) | Perhaps(of=inside):
            return f"{type(kind).__name__.lower()} of {shown(inside)}"
        case Row(parts=parts):
            return f"({', '.join(map(shown, parts))})"
    return type(kind).__name__.lower()
