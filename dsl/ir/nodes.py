"""The nodes of the machine.

A position is a row of words; an expression is worth a number (a member, a bool and a count are numbers), a mask (a set of members), a
tuple (a list, a pile, the counts of a bag) or, over boards without an edge, a frozenset. Expressions never change the position, except
where they run a function that does. Addresses of frames, remembered values and kept sets are nodes of their own until it is known where
they lie (see place.py). A statement knows the rule line that it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace

Origin = tuple[str, int, int]                                      # a rule file as messages write it, a line, a column


class IrExpr:
    """Something that is worth a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class IntConst(IrExpr):
    """A number. Of an address in a frame it is known whose: frames share words, since not all procedures run together."""

    value: int
    frame: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BoolConst(IrExpr):
    """True or False."""

    value: bool


@dataclass(frozen=True, slots=True)
class NoneConst(IrExpr):
    """No value: what a thing that is not a member is when it is none."""


@dataclass(frozen=True, slots=True)
class TextConst(IrExpr):
    """A word that the engine knows: the kind of a fault."""

    value: str


@dataclass(frozen=True, slots=True)
class Var(IrExpr):
    """A local variable of the function, or the position itself (`s`)."""

    name: str


@dataclass(frozen=True, slots=True)
class ConstantRef(IrExpr):
    """A constant of the module: a table, a mask, a tuple; by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class FunctionRef(IrExpr):
    """A function of the module by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class FrameAddr(IrExpr):
    """The address of an entry of a procedure's frame, numbered as if each frame had a room of its own."""

    slot: int


@dataclass(frozen=True, slots=True)
class MemoAddr(IrExpr):
    """The address of a remembered value of a def."""

    number: int


@dataclass(frozen=True, slots=True)
class IncrementalSetAddr(IrExpr):
    """The address of a set that is mended when something is written."""

    number: int


@dataclass(frozen=True, slots=True)
class LoadSlot(IrExpr):
    """The word of the position at an address."""

    at: IrExpr


@dataclass(frozen=True, slots=True)
class LoadSlots(IrExpr):
    """The words of the position from `low` to before `high`."""

    low: IrExpr
    high: IrExpr


@dataclass(frozen=True, slots=True)
class BinaryOp(IrExpr):
    """Two values and a sign: + - * // % & | << >> == != < <= > >= in, not in, is, is not."""

    left: IrExpr
    sign: str
    right: IrExpr


@dataclass(frozen=True, slots=True)
class UnaryOp(IrExpr):
    """- (of a number), not (of a condition), ~ (of a mask)."""

    sign: str
    value: IrExpr


@dataclass(frozen=True, slots=True)
class BoolOp(IrExpr):
    """Conditions joined by `and` or `or`, looked at from the left as far as needed."""

    word: str
    parts: tuple[IrExpr, ...]


@dataclass(frozen=True, slots=True)
class RangeTest(IrExpr):
    """Whether a number lies between two others."""

    low: IrExpr
    value: IrExpr
    high: IrExpr
    first: str = "<="
    second: str = "<="


@dataclass(frozen=True, slots=True)
class IfExpr(IrExpr):
    """`value` where `test` holds, else `other`."""

    test: IrExpr
    value: IrExpr
    other: IrExpr


@dataclass(frozen=True, slots=True)
class IndexExpr(IrExpr):
    """The entry of a table, tuple or list; counted from 0, or from the end (-1)."""

    things: IrExpr
    index: IrExpr


@dataclass(frozen=True, slots=True)
class SliceExpr(IrExpr):
    """The entries of a tuple or list from `low` to before `high`; None: from the beginning, to the end. `backwards`: from the end."""

    things: IrExpr
    low: IrExpr | None = None
    high: IrExpr | None = None
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class StarredExpr(IrExpr):
    """All entries of a tuple or list, in a display."""

    things: IrExpr


@dataclass(frozen=True, slots=True)
class TupleDisplay(IrExpr):
    items: tuple[IrExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class ListDisplay(IrExpr):
    items: tuple[IrExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class SingletonSet(IrExpr):
    """A set of a single thing, over a board without an edge or of numbers."""

    item: IrExpr


@dataclass(frozen=True, slots=True)
class CallExpr(IrExpr):
    """A function: of the runtime by its name, of the module (Function), or one that an expression gives."""

    function: str | IrExpr
    args: tuple[IrExpr, ...] = ()
    named: tuple[tuple[str, IrExpr], ...] = ()


@dataclass(frozen=True, slots=True)
class MethodCall(IrExpr):
    """What a value can be asked itself: append, index, get, bit_count, union, pop."""

    thing: IrExpr
    name: str
    args: tuple[IrExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class ListComp(IrExpr):
    """A list of `value` for each `names` of `things` where all `tests` hold; `inner` is a second loop inside. Not `built`: what a function
    takes one after the other, without a list."""

    value: IrExpr
    names: tuple[str, ...]
    things: IrExpr
    tests: tuple[IrExpr, ...] = ()
    inner: tuple[tuple[str, ...], IrExpr] | None = None
    built: bool = True


@dataclass(frozen=True, slots=True)
class BoundedIter(IrExpr):
    """What a loop goes over, of which it is known that there are `most` at most."""

    things: IrExpr
    most: int


@dataclass(frozen=True, slots=True)
class AssignExpr(IrExpr):
    """A value that is also given to a variable."""

    name: str
    value: IrExpr


# ---------------------------------------------------------------- statements


@dataclass(slots=True)
class IrStmt:
    """A step. `origin` is the rule line that it comes from; equal steps of two lines are equal."""

    origin: Origin | None = field(default=None, compare=False, kw_only=True)


Body = list[IrStmt]


@dataclass(slots=True)
class AssignStmt(IrStmt):
    """A variable gets a value; several, the entries of a tuple."""

    names: tuple[str, ...]
    value: IrExpr


@dataclass(slots=True)
class StoreSlot(IrStmt):
    """Words of the position get a value."""

    at: tuple[IrExpr, ...]
    value: IrExpr


@dataclass(slots=True)
class StoreSlots(IrStmt):
    low: IrExpr
    high: IrExpr
    value: IrExpr


@dataclass(slots=True)
class AugAssign(IrStmt):
    """A variable or word is changed by a sign: += -= |= &=."""

    target: Var | LoadSlot
    sign: str
    value: IrExpr


@dataclass(slots=True)
class LoadMemo(IrStmt):
    """A variable gets what is remembered at an address, or in an entry of a constant; where nothing is, `function` (or a call) works it
    out, and it is remembered. `sure`: there is always something. Without a name it is only made sure that something is there."""

    name: str | None
    at: IrExpr
    function: IrExpr
    sure: bool = False

    @property
    def compute_call(self) -> CallExpr:
        """The call that works it out."""
        return self.function if isinstance(self.function, CallExpr) else CallExpr(self.function, (Var("s"),))


@dataclass(slots=True)
class IfStmt(IrStmt):
    test: IrExpr
    body: Body = field(default_factory=list)
    other: Body = field(default_factory=list)


@dataclass(slots=True)
class ForStmt(IrStmt):
    """`body` for each of `things`; `other` when it was not left by a break."""

    names: tuple[str, ...]
    things: IrExpr
    body: Body = field(default_factory=list)
    other: Body = field(default_factory=list)


@dataclass(slots=True)
class WhileStmt(IrStmt):
    test: IrExpr
    body: Body = field(default_factory=list)


@dataclass(slots=True)
class BreakStmt(IrStmt):
    pass


@dataclass(slots=True)
class ContinueStmt(IrStmt):
    pass


@dataclass(slots=True)
class ReturnStmt(IrStmt):
    value: IrExpr | None = None


@dataclass(slots=True)
class ExprStmt(IrStmt):
    """Something is called for what it does."""

    call: IrExpr


@dataclass(slots=True)
class RaiseStmt(IrStmt):
    """The run ends here."""

    name: str


@dataclass(slots=True)
class InvalidateMemos(IrStmt):
    """A state was written: what was remembered of it is forgotten. Written out when all that is remembered is known."""

    state: str


@dataclass(slots=True)
class BeforeWrite(IrStmt):
    """One entry of a state with one axis is about to be written: where that is kept, what it held is noted in the variable `was`, if that
    is not known."""

    state: str
    address: IrExpr
    was: IrExpr | None = None


@dataclass(slots=True)
class AfterWrite(IrStmt):
    """One entry of a state with one axis was written: kept sets are mended. `put_down`: it holds something now; `address` is where it
    lies; `was` and `value` are what it held and holds, where that is known; `place` is where the index stands in a list of those that hold
    nothing."""

    state: str
    index: IrExpr
    put_down: bool
    address: IrExpr
    was: IrExpr | None = None
    value: IrExpr | None = None
    place: IrExpr | None = None


# ---------------------------------------------------------------- going through them


def child_blocks(node: IrStmt) -> list[Body]:
    """The blocks of steps inside a step."""
    match node:
        case IfStmt(body=body, other=other) | ForStmt(body=body, other=other):
            return [body, other]
        case WhileStmt(body=body):
            return [body]
    return []


def iter_statements(body: Body) -> Iterator[IrStmt]:
    """Each step, and those inside it."""
    left = body[::-1]
    while left:
        node = left.pop()
        yield node
        match node:
            case IfStmt(body=inner, other=other) | ForStmt(body=inner, other=other):
                left += other[::-1]
                left += inner[::-1]
            case WhileStmt(body=inner):
                left += inner[::-1]


def first_origin(body: Body) -> Origin | None:
    """The first rule that steps come from."""
    return next((node.origin for node in iter_statements(body) if node.origin is not None), None)


# the fields of a kind of node in which expressions or steps may lie
_CHILD_FIELDS: dict[type[IrExpr] | type[IrStmt], tuple[str, ...]] = {}
# types of fields where none can
LEAF_FIELD_TYPES = ("str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "Origin | None")


def _child_fields(node: IrExpr | IrStmt) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _CHILD_FIELDS:
        _CHILD_FIELDS[kind] = tuple(one.name for one in fields(kind) if one.type not in LEAF_FIELD_TYPES)     # type: ignore[arg-type]
    return _CHILD_FIELDS[kind]


def child_expressions(node: IrExpr | IrStmt) -> list[IrExpr]:
    """The expressions directly inside a step or an expression; not those of the steps inside it."""
    found: list[IrExpr] = []
    for name in _child_fields(node):
        value = getattr(node, name)
        if isinstance(value, IrExpr):
            found.append(value)
        elif isinstance(value, tuple) and value:
            _collect_expressions(value, found)
    return found


def _collect_expressions(values: tuple[object, ...], found: list[IrExpr]) -> None:
    for value in values:
        if isinstance(value, IrExpr):
            found.append(value)
        elif isinstance(value, tuple):
            _collect_expressions(value, found)


def map_expression(node: IrExpr, change: Callable[[IrExpr], IrExpr | None]) -> IrExpr:
    """The expression with each part replaced by what `change` makes of it (None: it stays, and is looked into)."""
    found = change(node)
    if found is not None:
        return found
    new = {}
    for name in _child_fields(node):
        value = getattr(node, name)
        other = _map_value(value, change)
        if other is not value:
            new[name] = other
    return replace(node, **new) if new else node                   # type: ignore[type-var]


def _map_value(value: object, change: Callable[[IrExpr], IrExpr | None]) -> object:
    if isinstance(value, IrExpr):
        return map_expression(value, change)
    if isinstance(value, tuple):
        other = [_map_value(item, change) for item in value]
        for old, new in zip(value, other):
            if old is not new:
                return tuple(other)
    return value


def map_statement(node: IrStmt, change: Callable[[IrExpr], IrExpr | None]) -> IrStmt:
    """The step with its expressions changed as `mapped` does; the blocks inside are new too."""
    new: dict[str, object] = {}
    for name in _child_fields(node):
        value = getattr(node, name)
        if isinstance(value, list):
            new[name] = [map_statement(inner, change) for inner in value]
        elif isinstance(value, IrExpr | tuple):
            new[name] = _map_value(value, change)
    return replace(node, **new)                                    # type: ignore[arg-type]
