"""The types of the rule language. All are finite; a number carries the range it is known to lie in."""

from __future__ import annotations

from dataclasses import dataclass


class Type:
    """Any type of the language."""


@dataclass(frozen=True)
class Int(Type):
    """A whole number; `low` or `high` None: no bound is known."""

    low: int | None = None
    high: int | None = None

    def is_within(self, other: Int) -> bool:
        """Whether each of these numbers is one of `other`'s."""
        return (other.low is None or self.low is not None and self.low >= other.low) and (
            other.high is None or self.high is not None and self.high <= other.high)

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "int"
        if self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"


@dataclass(frozen=True)
class Bool(Type):
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True)
class MemberOf(Type):
    """One member of the enumeration, board or pieces called `name`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class OptionalOf(Type):
    """One `of`, or none."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of}?"


@dataclass(frozen=True)
class SetOf(Type):
    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True)
class ListOf(Type):
    of: Type

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True)
class BagOf(Type):
    of: MemberOf

    def __str__(self) -> str:
        return f"bag of {self.of}"


@dataclass(frozen=True)
class PileOf(Type):
    of: MemberOf

    def __str__(self) -> str:
        return f"pile of {self.of}"


@dataclass(frozen=True)
class EmptyType(Type):
    """What `none`, `[]` and `{}` are until something says more."""

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True)
class ErrorType(Type):
    """An expression that already has a diagnostic; agrees with everything, so that one mistake is told once."""

    def __str__(self) -> str:
        return "?"


BOOL = Bool()
INT = Int()
EMPTY = EmptyType()
BROKEN = ErrorType()
CONTAINERS = (SetOf, ListOf, BagOf, PileOf)


def element_type(t: Type) -> Type | None:
    """What a binder over `t` binds: a member of a container, the thing in a `T?`; None when `t` cannot be walked."""
    if isinstance(t, SetOf | ListOf | BagOf | PileOf | OptionalOf):
        return t.of
    return BROKEN if isinstance(t, ErrorType) else None


def domain_of(t: Type) -> str | None:
    """The name of the type of the things that a value is or holds, however deep; None for numbers and truths."""
    while isinstance(t, SetOf | ListOf | BagOf | PileOf | OptionalOf):
        t = t.of
    return t.name if isinstance(t, MemberOf) else None


def is_assignable(given: Type, wanted: Type, surely: bool = False) -> bool:
    """Whether a value of type `given` may stand where `wanted` is asked. The range of a state's own number is watched when the game
    runs; where nothing watches (`surely`, and always inside a set, a list or a `T?`) the number must be known to lie in the range."""
    if isinstance(given, ErrorType) or isinstance(wanted, ErrorType) or given == wanted:
        return True
    match given, wanted:
        case Int(), Int():
            return not surely or given.is_within(wanted)
        case EmptyType(), (OptionalOf() | SetOf() | ListOf() | BagOf() | PileOf()):
            return True
        case OptionalOf(), OptionalOf():
            return is_assignable(given.of, wanted.of, True)
        case _, OptionalOf():
            return is_assignable(given, wanted.of, True)
        case (SetOf(of=one), SetOf(of=two)) | (ListOf(of=one), ListOf(of=two)) | (ListOf(of=one), PileOf(of=two)):
            return is_assignable(one, two, True)
        case (BagOf(of=one), BagOf(of=two)) | (PileOf(of=one), PileOf(of=two)):
            return is_assignable(one, two, True)
    return False


def join_types(a: Type, b: Type) -> Type | None:
    """The least type that holds both, or None."""
    if isinstance(a, ErrorType) or isinstance(b, ErrorType):
        return BROKEN
    match a, b:
        case Int(), Int():
            low = None if a.low is None or b.low is None else min(a.low, b.low)
            high = None if a.high is None or b.high is None else max(a.high, b.high)
            return Int(low, high)
        case EmptyType(), _:
            return OptionalOf(b) if isinstance(b, Int | Bool | MemberOf) else b
        case _, EmptyType():
            return OptionalOf(a) if isinstance(a, Int | Bool | MemberOf) else a
        case OptionalOf(), OptionalOf():
            inner = join_types(a.of, b.of)
            return OptionalOf(inner) if inner else None
        case OptionalOf(), _:
            inner = join_types(a.of, b)
            return OptionalOf(inner) if inner else None
        case _, OptionalOf():
            inner = join_types(a, b.of)
            return OptionalOf(inner) if inner else None
        case ListOf(), ListOf():
            inner = join_types(a.of, b.of)
            return ListOf(inner) if inner else None
        case SetOf(), SetOf():
            inner = join_types(a.of, b.of)
            return SetOf(inner) if inner else None
    return a if a == b else None
