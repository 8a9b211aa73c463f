"""Writing machine trees: short names for what is written most, and a function while it is being written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..core.nodes import LocalVar
from . import nodes as m
from .nodes import IrExpr, IrStmt

Value = IrExpr | int | str                                           # an int is a number, a str the name of a variable

POSITION = m.Var("s")


def to_expr(given: Value) -> IrExpr:
    """A number for an int, a variable for a name."""
    if isinstance(given, bool):
        return m.BoolConst(given)
    if isinstance(given, int):
        return m.IntConst(given)
    return m.Var(given) if isinstance(given, str) else given


def literal_expr(given: object) -> IrExpr:
    """A value that is known now: a number, none, an empty tuple or set, tuples of them."""
    match given:
        case None:
            return m.NoneConst()
        case bool():
            return m.BoolConst(given)
        case int():
            return m.IntConst(given)
        case tuple():
            return m.TupleDisplay(tuple(literal_expr(item) for item in given))
        case frozenset() if not given:
            return m.CallExpr("frozenset")
    raise TypeError(f"no literal: {given!r}")


def binary_op(left: Value, sign: str, right: Value) -> IrExpr:
    return m.BinaryOp(to_expr(left), sign, to_expr(right))


def logical_not(given: Value) -> IrExpr:
    return m.UnaryOp("not", to_expr(given))


def conjunction(parts: Sequence[IrExpr]) -> IrExpr:
    """All of them; one is itself, none is true."""
    return m.BoolConst(True) if not parts else parts[0] if len(parts) == 1 else m.BoolOp("and", tuple(parts))


def load_slot(at: Value) -> m.LoadSlot:
    return m.LoadSlot(to_expr(at))


def index_entry(things: Value, index: Value) -> IrExpr:
    return m.IndexExpr(to_expr(things), to_expr(index))


def call(function: str | IrExpr, *args: Value) -> IrExpr:
    return m.CallExpr(function, tuple(to_expr(arg) for arg in args))


def call_method(thing: Value, name: str, *args: Value) -> IrExpr:
    """A method of a value."""
    return m.MethodCall(to_expr(thing), name, tuple(to_expr(arg) for arg in args))


def conditional(test: Value, one: Value, other: Value) -> IrExpr:
    return m.IfExpr(to_expr(test), to_expr(one), to_expr(other))


def bit_mask(item: Value) -> IrExpr:
    """The mask with one member."""
    return binary_op(1, "<<", item)


def mask_of(members: Iterable[int]) -> int:
    """A set whose members are known now."""
    return sum(1 << n for n in members)


def highest_bit(held: Value) -> IrExpr:
    """The last member of a mask; -1 where it has none."""
    return binary_op(call_method(held, "bit_length"), "-", 1)


def lowest_bit(held: Value) -> IrExpr:
    """The first member of a mask; -1 where it has none. It is read twice: what takes work is better put into a variable before."""
    return highest_bit(binary_op(held, "&", m.UnaryOp("-", to_expr(held))))


def bit_test(mask: Value, item: Value) -> IrExpr:
    """Whether a member is in a mask: 1 or 0."""
    return binary_op(binary_op(mask, ">>", item), "&", 1)


def mask_without(mask: Value, gone: Value) -> IrExpr:
    """A mask without the members of another."""
    return binary_op(mask, "&", m.UnaryOp("~", to_expr(gone)))


def fault_call(kind: str, **named: int) -> IrExpr:
    return m.CallExpr("fault", (m.TextConst(kind),), tuple((name, m.IntConst(n)) for name, n in named.items()))


def add_offset(base: IrExpr, more: IrExpr) -> IrExpr:
    """The sum of two parts of an address; what is known is added up."""
    if isinstance(more, m.IntConst):
        match base:
            case m.IntConst(n):
                return m.IntConst(n + more.value)
            case m.BinaryOp(left, "+", right) if _leading(base) is not None:
                return m.BinaryOp(add_offset(left, more), "+", right)
    return m.BinaryOp(base, "+", more)


def _leading(node: IrExpr) -> m.IntConst | None:
    """The number that a sum begins with."""
    while isinstance(node, m.BinaryOp) and node.sign == "+":
        node = node.left
    return node if isinstance(node, m.IntConst) else None


def store_slot(at: Value, what: Value) -> IrStmt:
    return m.StoreSlot((to_expr(at),), to_expr(what))


def is_simple(node: IrExpr) -> bool:
    """Whether it costs nothing to say it twice."""
    return isinstance(node, m.IntConst | m.Var | m.ConstantRef | m.BoolConst | m.NoneConst)


@dataclass
class FunctionBuilder:
    """One function being written. Steps go to the innermost open block."""

    name: str
    params: tuple[str, ...] = ("s",)
    body: m.Body = field(default_factory=list)
    loads: dict[str, IrExpr] = field(default_factory=dict)           # variables to read from the position at the start, with addresses
    origin: m.Origin | None = None
    closed: bool = False                                           # the last step left the function
    asked: bool = False                                            # only words and tables ask it, no rule
    last: IrStmt | None = None                                       # that was written
    open: list[m.Body] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open = [self.body]

    @property
    def depth(self) -> int:
        """How many blocks are open."""
        return len(self.open)

    @depth.setter
    def depth(self, depth: int) -> None:
        assert 0 < depth <= len(self.open)
        del self.open[depth:]

    def emit(self, node: IrStmt) -> None:
        self.set_origins([node])
        self.open[-1].append(node)
        self.last = node

    def set_origins(self, body: m.Body) -> None:
        """Note the rule line of steps that were made by hand."""
        for node in m.iter_statements(body):
            if node.origin is None:
                node.origin = self.origin

    def enter_block(self, node: m.IfStmt | m.ForStmt | m.WhileStmt) -> None:
        """Write a step, and go on in its block."""
        self.emit(node)
        self.open.append(node.body)

    def enter_else(self, node: m.IfStmt | m.ForStmt) -> None:
        """Go on in the other block of a step that was written."""
        self.open.append(node.other)

    @contextmanager
    def inside_block(self, node: m.IfStmt | m.ForStmt | m.WhileStmt) -> Iterator[None]:
        depth = self.depth
        self.enter_block(node)
        yield
        self.depth = depth

    @contextmanager
    def else_block(self, node: m.IfStmt | m.ForStmt) -> Iterator[None]:
        depth = self.depth
        self.enter_else(node)
        yield
        self.depth = depth

    @contextmanager
    def capture_block(self) -> Iterator[m.Body]:
        """What is written meanwhile goes to a block that the caller puts where it belongs."""
        kept, last, written = self.open, self.last, []             # type: ignore[var-annotated]
        self.open = [written]
        yield written
        self.open, self.last = kept, last

    def append_body(self, body: m.Body) -> None:
        """Put steps here that were written aside."""
        self.open[-1].extend(body)
        if body:
            self.last = body[-1]

    def full_body(self) -> m.Body:
        """The function's body, with what it reads from the position first."""
        head: m.Body = [m.AssignStmt((name,), m.LoadSlot(at)) for name, at in self.loads.items()]
        return head + self.body


def sanitize_identifier(name: str) -> str:
    """What of a name of the rules may stand in a name of the machine."""
    return "".join(c for c in name if c.isascii() and (c.isalnum() or c == "_"))[:40]


class NameSupply:
    """Names for variables and functions: from data only through a filter, with a number or a sign in front, so that a hostile name cannot
    become code."""

    def __init__(self) -> None:
        self.count = 0
        self.functions: set[str] = set()
        self.names: dict[LocalVar, str] = {}

    def local_name(self, local: LocalVar) -> str:
        found = self.names.get(local)
        if found is None:
            self.count += 1
            found = self.names[local] = f"v{self.count}_{sanitize_identifier(local.name)}"
        return found

    def function_name(self, kind: str, name: str) -> str:
        """A name for a function: as in the rules behind a letter for its kind, numbered where there are several."""
        wanted, n = f"{kind}_{sanitize_identifier(name)}", 1
        found = wanted
        while found in self.functions:
            n += 1
            found = f"{wanted}_{n}"
        self.functions.add(found)
        return found

    def temp_name(self, hint: str = "t") -> str:
        self.count += 1
        return f"{hint}{self.count}"
