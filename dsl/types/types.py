"""The types of the rule language: numbers, bools, members of enums, optional values and containers.

All values are finite. The type of a number carries the range that it is known to lie in.

| written as | class |
|---|---|
| `int`, `0..5`, `3` | `Int(low, high)` |
| `bool` | `Bool` |
| `Cell` | `MemberOf("Cell")` |
| `Cell?` | `OptionalOf(MemberOf("Cell"))` |
| `set of Cell`, `list of 0..5` | `SetOf`, `ListOf` |
| `bag of Piece`, `pile of Card` | `BagOf`, `PileOf` |"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


class Type:
    """The base class of all types."""


@dataclass(frozen=True)
class Int(Type):
    """An integer from `low` to `high`, both included. None means that no bound is known on that side."""

    low: int | None = None
    high: int | None = None

    def is_within(self, other: Int) -> bool:
        """Whether every number of this type is also one of `other`."""
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
    """A truth value."""
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True)
class MemberOf(Type):
    """One member of the enum, board or set of pieces called `name`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class OptionalOf(Type):
    """A value of type `of`, or none (`T?` in rules)."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of}?"


@dataclass(frozen=True)
class SetOf(Type):
    """A set without order and without duplicates."""
    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True)
class ListOf(Type):
    """An ordered list, in which a value may appear more than once."""
    of: Type

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True)
class BagOf(Type):
    """A multiset: a count for each member of the enum `of`."""
    of: MemberOf

    def __str__(self) -> str:
        return f"bag of {self.of}"


@dataclass(frozen=True)
class PileOf(Type):
    """An ordered pile of members, such as a deck. The last entry is the top."""
    of: MemberOf

    def __str__(self) -> str:
        return f"pile of {self.of}"


@dataclass(frozen=True)
class EmptyType(Type):
    """The type of `none`, `{}` or `[]` until the context gives a more precise one. `written` is the value as the rules write it."""
    written: str = field(default="none", repr=False)

    def __str__(self) -> str:
        return self.written

    def fits(self, type_: Type) -> bool:
        """Whether values of type `type_` include this empty value."""
        if self.written == "none":
            return isinstance(type_, OptionalOf)
        return write_empty(type_.of if isinstance(type_, OptionalOf) else type_) == self.written


@dataclass(frozen=True)
class ErrorType(Type):
    """The type of an expression that already has a diagnostic. It is compatible with every type, so that one mistake
    is reported once."""

    def __str__(self) -> str:
        return "?"


BOOL = Bool()
INT = Int()
EMPTY = EmptyType()
BROKEN = ErrorType()
CONTAINERS = (SetOf, ListOf, BagOf, PileOf)
WORD_TYPES = (Int, Bool, MemberOf)                                # a value is one number


def element_type(t: Type) -> Type | None:
    """Returns the type that a binder over a value of type `t` binds: the element of a container, or the inside of
    `T?`.

    None means that values of this type cannot be iterated."""
    if isinstance(t, SetOf | ListOf | BagOf | PileOf | OptionalOf):
        return t.of
    return BROKEN if isinstance(t, ErrorType) else None


def element_domain(type_: Type) -> str | None:
    """Returns the enum whose members a container holds, or None."""
    if isinstance(type_, BagOf | SetOf | ListOf | PileOf | OptionalOf) and isinstance(type_.of, MemberOf):
        return type_.of.name
    return None


def domain_of(t: Type) -> str | None:
    """Returns the name of the enum whose members a value of type `t` is or contains, at any depth.

    None for numbers and bools."""
    while isinstance(t, SetOf | ListOf | BagOf | PileOf | OptionalOf):
        t = t.of
    return t.name if isinstance(t, MemberOf) else None


def is_assignable(value_type: Type, wanted: Type, surely: bool = False) -> bool:
    """Whether a value of type `value_type` may be used where `wanted` is expected.

    The range of a number that is a state's own value is checked while the game runs, so it does not matter here.
    Inside a set, a list or a `T?` nothing checks it at run time. There, and with `surely`, the number must be
    known to lie in the range."""
    if isinstance(value_type, ErrorType) or isinstance(wanted, ErrorType) or value_type == wanted:
        return True
    match value_type, wanted:
        case Int(), Int():
            return not surely or value_type.is_within(wanted)
        case EmptyType(), (OptionalOf() | SetOf() | ListOf() | BagOf() | PileOf()):
            return value_type.fits(wanted)
        case OptionalOf(), OptionalOf():
            return is_assignable(value_type.of, wanted.of, True)
        case _, OptionalOf():
            return is_assignable(value_type, wanted.of, True)
        case (SetOf(of=one), SetOf(of=two)) | (ListOf(of=one), ListOf(of=two)) | (ListOf(of=one), PileOf(of=two)):
            return is_assignable(one, two, True)
        case (BagOf(of=one), BagOf(of=two)) | (PileOf(of=one), PileOf(of=two)):
            return is_assignable(one, two, True)
    return False


def write_empty(type_: Type) -> str | None:
    """Returns the empty value of a container as the rules write it, `{}` or `[]`. None for all other types."""
    return "{}" if isinstance(type_, SetOf | BagOf) else "[]" if isinstance(type_, ListOf | PileOf) else None


def _join_empty(empty: EmptyType, other: Type) -> Type | None:
    """Returns the smallest type that contains `none`, `{}` or `[]` and the values of another type, or None if there is none."""
    if empty.fits(other):
        return other
    return OptionalOf(other) if empty.written == "none" and isinstance(other, WORD_TYPES) else None


def join_types(a: Type, b: Type) -> Type | None:
    """Returns the smallest type that contains both types, or None if there is none."""
    if isinstance(a, ErrorType) or isinstance(b, ErrorType):
        return BROKEN
    match a, b:
        case Int(), Int():
            low = None if a.low is None or b.low is None else min(a.low, b.low)
            high = None if a.high is None or b.high is None else max(a.high, b.high)
            return Int(low, high)
        case EmptyType(written=one), EmptyType(written=two):
            return a if one == two else None
        case EmptyType(), _:
            return _join_empty(a, b)
        case _, EmptyType():
            return _join_empty(b, a)
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


def arithmetic_range(op: str, a: Int, b: Int) -> Type:
    """Returns the range of the result of an arithmetic operator."""
    def apply_if_known(x: int | None, y: int | None, f: Callable[[int, int], int]) -> int | None:
        """Applies `f` to two bounds. None if one of them is unknown."""
        return None if x is None or y is None else f(x, y)

    if op == "+":
        return Int(apply_if_known(a.low, b.low, lambda x, y: x + y), apply_if_known(a.high, b.high, lambda x, y: x + y))
    if op == "-":
        return Int(apply_if_known(a.low, b.high, lambda x, y: x - y), apply_if_known(a.high, b.low, lambda x, y: x - y))
    if op == "*" and a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
        return Int(a.low * b.low, apply_if_known(a.high, b.high, lambda x, y: x * y))
    if op == "%" and b.low is not None and b.low >= 0:
        return Int(0, None if b.high is None else max(0, b.high - 1))
    if op == "//" and a.low is not None and a.low >= 0 and b.low is not None and b.low >= 1:
        return Int(0, a.high)
    return INT
