"""The nodes of the IR.

A position is a list of slots. The value of an expression is one of these:

- a number (members, bools and counts are numbers)
- a mask (a set of members)
- a tuple (a list, a pile, the counts of a bag)
- a frozenset, for sets of cells on an unbounded board

Evaluating an expression does not change the position unless it calls a function that does. Addresses in
frames, addresses of memos and addresses of incremental sets are nodes of their own until the linker
(lowering/linker.py) replaces them by numbers. Each statement records the rule line that it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, cast

from ..types.operations import ArithmeticOperator, ComparisonOperator, LogicOperator

Origin = tuple[str, int, int]                                      # rule file as shown in messages, line, column
ValueSign = ArithmeticOperator | Literal["|", "^", "<<", ">>"]      # operators that compute a number, a mask or a list
TestSign = ComparisonOperator | Literal["in", "not in", "is", "is not"]
BinarySign = ValueSign | TestSign
UnarySign = Literal["-", "not", "~"]                                # of a number, a condition, a mask
UpdateSign = Literal["+=", "-=", "|=", "&=", "^="]
BoundSign = Literal["<", "<="]
FaultCode = Literal["F001", "F002", "F003", "F004", "F005", "F006", "F007", "F008", "F009", "F010", "F012", "F013", "F014", "F015"]


class IrExpr:
    """Base class of expressions, which have a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class IntConst(IrExpr):
    """A number. An address in a frame also names the frame, because frames of procedures that are never active
    together share slots."""

    value: int
    frame: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BoolConst(IrExpr):
    """True or False."""

    value: bool


@dataclass(frozen=True, slots=True)
class NoneConst(IrExpr):
    """None: the value for "no thing" in types whose things are not members."""


@dataclass(frozen=True, slots=True)
class TextConst(IrExpr):
    """A word that the engine knows: the code of a fault."""

    value: str


@dataclass(frozen=True, slots=True)
class Var(IrExpr):
    """A local variable of the function, or the position itself (`s`)."""

    name: str


@dataclass(frozen=True, slots=True)
class ConstantRef(IrExpr):
    """A constant of the IR module (a table, a mask or a tuple), by name."""

    name: str


@dataclass(frozen=True, slots=True)
class FunctionRef(IrExpr):
    """A function of the IR module, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class FrameAddr(IrExpr):
    """The address of an entry in a procedure's frame, before linking: each frame has its own range of numbers."""

    slot: int


@dataclass(frozen=True, slots=True)
class MemoAddr(IrExpr):
    """The address of a def's memoized value, before linking."""

    number: int


@dataclass(frozen=True, slots=True)
class IncrementalSetAddr(IrExpr):
    """The address of an incremental set (a set that writes keep up to date), before linking."""

    number: int


@dataclass(frozen=True, slots=True)
class LoadSlot(IrExpr):
    """The slot of the position at an address."""

    at: IrExpr


@dataclass(frozen=True, slots=True)
class LoadSlots(IrExpr):
    """The slots of the position from `low` up to, but not including, `high`."""

    low: IrExpr
    high: IrExpr


@dataclass(frozen=True, slots=True)
class BinaryOp(IrExpr):
    """A binary operation."""

    left: IrExpr
    sign: BinarySign
    right: IrExpr


@dataclass(frozen=True, slots=True)
class UnaryOp(IrExpr):
    """A unary operation."""

    sign: UnarySign
    value: IrExpr


@dataclass(frozen=True, slots=True)
class BoolOp(IrExpr):
    """Conditions joined by `and` or `or`, evaluated left to right with short-circuiting."""

    word: LogicOperator
    parts: tuple[IrExpr, ...]


@dataclass(frozen=True, slots=True)
class RangeTest(IrExpr):
    """Whether a number lies between two bounds."""

    low: IrExpr
    value: IrExpr
    high: IrExpr
    first: BoundSign = "<="
    second: BoundSign = "<="


@dataclass(frozen=True, slots=True)
class IfExpr(IrExpr):
    """A conditional expression: `value` if `test` holds, else `other`."""

    test: IrExpr
    value: IrExpr
    other: IrExpr


@dataclass(frozen=True, slots=True)
class IndexExpr(IrExpr):
    """An entry of a table, tuple or list. The index counts from 0, or from the end (-1)."""

    things: IrExpr
    index: IrExpr


@dataclass(frozen=True, slots=True)
class SliceExpr(IrExpr):
    """A slice of a tuple or list from `low` up to, but not including, `high`. None means from the start or to the
    end. `backwards` reverses the order."""

    things: IrExpr
    low: IrExpr | None = None
    high: IrExpr | None = None
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class StarredExpr(IrExpr):
    """All entries of a tuple or list, unpacked in a display."""

    things: IrExpr


@dataclass(frozen=True, slots=True)
class TupleDisplay(IrExpr):
    """A tuple of the given items."""
    items: tuple[IrExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class ListDisplay(IrExpr):
    """A list of the given items."""
    items: tuple[IrExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class SingletonSet(IrExpr):
    """A set with one element: a cell of an unbounded board, or a number."""

    item: IrExpr


@dataclass(frozen=True, slots=True)
class CallExpr(IrExpr):
    """A call of a runtime function (by name), of a function of the IR module (FunctionRef), or of a function that
    an expression yields."""

    function: str | IrExpr
    args: tuple[IrExpr, ...] = ()
    named: tuple[tuple[str, IrExpr], ...] = ()


@dataclass(frozen=True, slots=True)
class MethodCall(IrExpr):
    """A method call on a value: append, index, get, bit_count, union, pop."""

    thing: IrExpr
    name: str
    args: tuple[IrExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class ListComp(IrExpr):
    """A list comprehension: `value` for each `names` in `things` if all `tests` hold. `inner` is a second, nested
    loop. If `built` is False, it is a generator that a function consumes, and no list is created."""

    value: IrExpr
    names: tuple[str, ...]
    things: IrExpr
    tests: tuple[IrExpr, ...] = ()
    inner: tuple[tuple[str, ...], IrExpr] | None = None
    built: bool = True


@dataclass(frozen=True, slots=True)
class BoundedIter(IrExpr):
    """The iterable of a loop, known to have at most `most` items."""

    things: IrExpr
    most: int


@dataclass(frozen=True, slots=True)
class PresentValue(IrExpr):
    """A value that could be None elsewhere, but is not None here. Python needs no code for it, and C takes it out of its wrapper."""

    value: IrExpr


@dataclass(frozen=True, slots=True)
class AssignExpr(IrExpr):
    """A value that is also assigned to a variable (`:=` in Python)."""

    name: str
    value: IrExpr


# ---------------------------------------------------------------- statements


@dataclass(slots=True)
class IrStmt:
    """Base class of statements. `origin` is the rule line of the statement. Comparisons ignore it."""

    origin: Origin | None = field(default=None, compare=False, kw_only=True)


Body = list[IrStmt]


@dataclass(slots=True)
class AssignStmt(IrStmt):
    """Assigns a value to a variable. Several variables receive the entries of a tuple."""

    names: tuple[str, ...]
    value: IrExpr


@dataclass(slots=True)
class StoreSlot(IrStmt):
    """Assigns a value to one or more slots of the position."""

    at: tuple[IrExpr, ...]
    value: IrExpr


@dataclass(slots=True)
class StoreSlots(IrStmt):
    """Assigns values to the slots from `low` up to, but not including, `high`."""
    low: IrExpr
    high: IrExpr
    value: IrExpr


@dataclass(slots=True)
class AugAssign(IrStmt):
    """Updates a variable or a slot with an operator."""

    target: Var | LoadSlot
    sign: UpdateSign
    value: IrExpr

    @property
    def computed_sign(self) -> ValueSign:
        """The operator that gives the new value."""
        return cast(ValueSign, self.sign[:-1])

    @property
    def computed_value(self) -> BinaryOp:
        """The expression that gives the new value."""
        return BinaryOp(self.target, self.computed_sign, self.value)


@dataclass(slots=True)
class LoadMemo(IrStmt):
    """Loads a memoized value from an address or from an entry of a constant into the variable `name`.

    If the value is missing, `function` (a function or a call) computes it, and the result is stored. If
    `name` is None, the statement only ensures that a value is stored."""

    name: str | None
    at: IrExpr
    function: IrExpr

    @property
    def compute_call(self) -> CallExpr:
        """The call that computes the value."""
        return self.function if isinstance(self.function, CallExpr) else CallExpr(self.function, (Var("s"),))


@dataclass(slots=True)
class IfStmt(IrStmt):
    test: IrExpr
    body: Body = field(default_factory=list)
    other: Body = field(default_factory=list)


@dataclass(slots=True)
class ForStmt(IrStmt):
    """Runs `body` for each item of `things`, then `other` unless a break ended the loop."""

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
    """Calls something for its effects."""

    call: IrExpr


@dataclass(slots=True)
class InvalidateMemos(IrStmt):
    """Marks a write to a state: the memos that depend on it become invalid. The linker expands the statement once
    it knows all memos."""

    state: str


@dataclass(slots=True)
class BeforeWrite(IrStmt):
    """Marks that one entry of a state with one axis is about to be written. If an incremental set depends on the
    state, the linker saves the old value in a variable."""

    state: str
    address: IrExpr


@dataclass(slots=True)
class AfterWrite(IrStmt):
    """Marks that one entry of a state with one axis was written, so that incremental sets are updated.

    `put_down` says whether the entry holds something now. `address` is the address of the entry."""

    state: str
    index: IrExpr
    put_down: bool
    address: IrExpr
