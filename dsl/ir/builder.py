"""Helpers that build IR trees: short constructors for common nodes, and the builder of one function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..core.nodes import LocalVar
from . import nodes as m
from .nodes import IrExpr, IrStmt
from .traversal import iter_statements

Value = IrExpr | int | str                                           # an int is a number, a str is a variable name

POSITION = m.Var("s")


def to_expr(value: Value) -> IrExpr:
    """Returns an IntConst for an int, a BoolConst for a bool, and a Var for a name. Expressions stay as they are."""
    if isinstance(value, bool):
        return m.BoolConst(value)
    if isinstance(value, int):
        return m.IntConst(value)
    return m.Var(value) if isinstance(value, str) else value


def literal_expr(value: object) -> IrExpr:
    """Returns the expression for a value known at compile time: a number, None, an empty set, or nested tuples of
    these."""
    match value:
        case None:
            return m.NoneConst()
        case bool():
            return m.BoolConst(value)
        case int():
            return m.IntConst(value)
        case tuple():
            return m.TupleDisplay(tuple(literal_expr(item) for item in value))
        case frozenset() if not value:
            return m.CallExpr("frozenset")
    raise TypeError(f"no literal: {value!r}")


def binary_op(left: Value, sign: m.BinarySign, right: Value) -> IrExpr:
    return m.BinaryOp(to_expr(left), sign, to_expr(right))


def logical_not(value: Value) -> IrExpr:
    return m.UnaryOp("not", to_expr(value))


def conjunction(parts: Sequence[IrExpr]) -> IrExpr:
    """Returns the conjunction of all parts. One part is returned as it is, and no parts give True."""
    return m.BoolConst(True) if not parts else parts[0] if len(parts) == 1 else m.BoolOp("and", tuple(parts))


def load_slot(at: Value) -> m.LoadSlot:
    return m.LoadSlot(to_expr(at))


def index_entry(things: Value, index: Value) -> IrExpr:
    return m.IndexExpr(to_expr(things), to_expr(index))


def call(function: str | IrExpr, *args: Value) -> IrExpr:
    return m.CallExpr(function, tuple(to_expr(arg) for arg in args))


def call_method(thing: Value, name: str, *args: Value) -> IrExpr:
    """Returns a method call on a value."""
    return m.MethodCall(to_expr(thing), name, tuple(to_expr(arg) for arg in args))


def conditional(test: Value, one: Value, other: Value) -> IrExpr:
    return m.IfExpr(to_expr(test), to_expr(one), to_expr(other))


def bit_mask(item: Value) -> IrExpr:
    """Returns the mask with one member."""
    return binary_op(1, "<<", item)


def mask_of(members: Iterable[int]) -> int:
    """Returns the mask of members that are known at compile time."""
    return sum(1 << n for n in members)


def highest_bit(mask: Value) -> IrExpr:
    """Returns the last member of a mask, or -1 if it is empty."""
    return binary_op(call_method(mask, "bit_length"), "-", 1)


def lowest_bit(mask: Value) -> IrExpr:
    """Returns the first member of a mask, or -1 if it is empty. The mask expression is evaluated twice, so assign
    an expensive one to a variable first."""
    return highest_bit(binary_op(mask, "&", m.UnaryOp("-", to_expr(mask))))


def bit_test(mask: Value, item: Value) -> IrExpr:
    """Returns the test whether a member is in a mask: 1 or 0."""
    return binary_op(binary_op(mask, ">>", item), "&", 1)


def mask_without(mask: Value, removed: Value) -> IrExpr:
    """Returns a mask without the members of another mask."""
    return binary_op(mask, "&", m.UnaryOp("~", to_expr(removed)))


def iter_members(mask: Value) -> IrExpr:
    """Returns the members of a mask as a tuple. The runtime caches the tuples of small sets. The mask expression is
    evaluated twice."""
    return m.BoolOp("or", (call("BITS", mask), call("bits", mask)))


def fault_call(code: m.FaultCode, **named: int) -> IrExpr:
    return m.CallExpr("fault", (m.TextConst(code),), tuple((name, m.IntConst(n)) for name, n in named.items()))


def add_offset(base: IrExpr, more: IrExpr) -> IrExpr:
    """Returns the sum of two parts of an address. Constant parts are folded into one number."""
    if isinstance(more, m.IntConst):
        match base:
            case m.IntConst(n):
                return m.IntConst(n + more.value)
            case m.BinaryOp(left, "+", right) if _leading(base) is not None:
                return m.BinaryOp(add_offset(left, more), "+", right)
    return m.BinaryOp(base, "+", more)


def _leading(node: IrExpr) -> m.IntConst | None:
    """Returns the constant that a sum starts with, or None."""
    while isinstance(node, m.BinaryOp) and node.sign == "+":
        node = node.left
    return node if isinstance(node, m.IntConst) else None


def store_slot(at: Value, what: Value) -> IrStmt:
    return m.StoreSlot((to_expr(at),), to_expr(what))


def is_simple(node: IrExpr) -> bool:
    """Whether the expression is free to evaluate twice."""
    return isinstance(node, m.IntConst | m.Var | m.ConstantRef | m.BoolConst | m.NoneConst)


@dataclass
class FunctionBuilder:
    """Builds one function. Statements are appended to the innermost open block."""

    name: str
    params: tuple[str, ...] = ("s",)
    body: m.Body = field(default_factory=list)
    loads: dict[str, IrExpr] = field(default_factory=dict)           # variables to load on entry, with their addresses
    origin: m.Origin | None = None
    closed: bool = False                                           # whether the last statement left the function
    asked: bool = False                                            # called only by texts and table layouts, not by rules
    last: IrStmt | None = None                                       # the last statement emitted
    open: list[m.Body] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open = [self.body]

    @property
    def depth(self) -> int:
        """The number of open blocks."""
        return len(self.open)

    @depth.setter
    def depth(self, depth: int) -> None:
        assert 0 < depth <= len(self.open)
        del self.open[depth:]

    def emit(self, node: IrStmt) -> None:
        """Appends a statement to the innermost open block."""
        self.set_origins([node])
        self.open[-1].append(node)
        self.last = node

    def set_origins(self, body: m.Body) -> None:
        """Sets the current rule line on statements that have none."""
        for node in iter_statements(body):
            if node.origin is None:
                node.origin = self.origin

    def enter_block(self, node: m.IfStmt | m.ForStmt | m.WhileStmt) -> None:
        """Appends a statement and opens its body."""
        self.emit(node)
        self.open.append(node.body)

    def enter_else(self, node: m.IfStmt | m.ForStmt) -> None:
        """Opens the `other` block of a statement that was already appended."""
        self.open.append(node.other)

    @contextmanager
    def inside_block(self, node: m.IfStmt | m.ForStmt | m.WhileStmt) -> Iterator[None]:
        """Appends a statement and keeps its body open while the context lasts."""
        depth = self.depth
        self.enter_block(node)
        yield
        self.depth = depth

    @contextmanager
    def else_block(self, node: m.IfStmt | m.ForStmt) -> Iterator[None]:
        """Keeps the `other` block of a statement open while the context lasts."""
        depth = self.depth
        self.enter_else(node)
        yield
        self.depth = depth

    @contextmanager
    def capture_block(self) -> Iterator[m.Body]:
        """Collects the statements emitted in the context in a separate block, which the caller inserts later."""
        kept, last, written = self.open, self.last, []             # type: ignore[var-annotated]
        self.open = [written]
        yield written
        self.open, self.last = kept, last

    def append_body(self, body: m.Body) -> None:
        """Inserts the statements of a captured block here."""
        self.open[-1].extend(body)
        if body:
            self.last = body[-1]

    def build_full_body(self) -> m.Body:
        """Returns the body of the function, preceded by the loads of variables from the position."""
        head: m.Body = [m.AssignStmt((name,), m.LoadSlot(at)) for name, at in self.loads.items()]
        return head + self.body


def sanitize_identifier(name: str) -> str:
    """Returns the part of a rule name that is allowed in an IR name: ASCII letters, digits and underscores, at
    most 40 characters."""
    return "".join(c for c in name if c.isascii() and (c.isalnum() or c == "_"))[:40]


class NameSupply:
    """Generates names for variables and functions.

    Names from rule files pass through a filter and get a prefix with a number or a letter, so that a malicious
    name cannot become code."""

    def __init__(self) -> None:
        self.count = 0
        self.functions: set[str] = set()
        self.names: dict[LocalVar, str] = {}

    def local_name(self, local: LocalVar) -> str:
        """Returns the variable name of a local, the same one each time."""
        found = self.names.get(local)
        if found is None:
            self.count += 1
            found = self.names[local] = f"v{self.count}_{sanitize_identifier(local.name)}"
        return found

    def function_name(self, kind: str, name: str) -> str:
        """Returns a unique name for a function: a letter for its kind, the name in the rules, and a number if the name
        is taken."""
        wanted, n = f"{kind}_{sanitize_identifier(name)}", 1
        found = wanted
        while found in self.functions:
            n += 1
            found = f"{wanted}_{n}"
        self.functions.add(found)
        return found

    def temp_name(self, hint: str = "t") -> str:
        """Returns a new name for a temporary variable."""
        self.count += 1
        return f"{hint}{self.count}"
