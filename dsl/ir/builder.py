"""Writing machine trees: short names for what is written most, and a function while it is being written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..core.nodes import Local
from . import nodes as m
from .nodes import Expr, Stmt

Value = Expr | int | str                                           # an int is a number, a str the name of a variable

POSITION = m.Var("s")


def value(given: Value) -> Expr:
    """A number for an int, a variable for a name."""
    if isinstance(given, bool):
        return m.Flag(given)
    if isinstance(given, int):
        return m.Num(given)
    return m.Var(given) if isinstance(given, str) else given


def literal(given: object) -> Expr:
    """A value that is known now: a number, none, an empty tuple or set, tuples of them."""
    match given:
        case None:
            return m.Nil()
        case bool():
            return m.Flag(given)
        case int():
            return m.Num(given)
        case tuple():
            return m.Tup(tuple(literal(item) for item in given))
        case frozenset() if not given:
            return m.Call("frozenset")
    raise TypeError(f"no literal: {given!r}")


def op(left: Value, sign: str, right: Value) -> Expr:
    return m.Op(value(left), sign, value(right))


def no(given: Value) -> Expr:
    return m.Un("not", value(given))


def both(parts: Sequence[Expr]) -> Expr:
    """All of them; one is itself, none is true."""
    return m.Flag(True) if not parts else parts[0] if len(parts) == 1 else m.Logic("and", tuple(parts))


def get(at: Value) -> m.Get:
    return m.Get(value(at))


def entry(things: Value, index: Value) -> Expr:
    return m.At(value(things), value(index))


def call(function: str | Expr, *args: Value) -> Expr:
    return m.Call(function, tuple(value(arg) for arg in args))


def ask(thing: Value, name: str, *args: Value) -> Expr:
    """A method of a value."""
    return m.Method(value(thing), name, tuple(value(arg) for arg in args))


def choice(test: Value, one: Value, other: Value) -> Expr:
    return m.Choice(value(test), value(one), value(other))


def bit(item: Value) -> Expr:
    """The mask with one member."""
    return op(1, "<<", item)


def mask(members: Iterable[int]) -> int:
    """A set whose members are known now."""
    return sum(1 << n for n in members)


def highest(held: Value) -> Expr:
    """The last member of a mask; -1 where it has none."""
    return op(ask(held, "bit_length"), "-", 1)


def lowest(held: Value) -> Expr:
    """The first member of a mask; -1 where it has none. It is read twice: what takes work is better put into a variable before."""
    return highest(op(held, "&", m.Un("-", value(held))))


def has(mask: Value, item: Value) -> Expr:
    """Whether a member is in a mask: 1 or 0."""
    return op(op(mask, ">>", item), "&", 1)


def less(mask: Value, gone: Value) -> Expr:
    """A mask without the members of another."""
    return op(mask, "&", m.Un("~", value(gone)))


def fault(kind: str, **named: int) -> Expr:
    return m.Call("fault", (m.Text(kind),), tuple((name, m.Num(n)) for name, n in named.items()))


def add(base: Expr, more: Expr) -> Expr:
    """The sum of two parts of an address; what is known is added up."""
    if isinstance(more, m.Num):
        match base:
            case m.Num(n):
                return m.Num(n + more.value)
            case m.Op(left, "+", right) if _leading(base) is not None:
                return m.Op(add(left, more), "+", right)
    return m.Op(base, "+", more)


def _leading(node: Expr) -> m.Num | None:
    """The number that a sum begins with."""
    while isinstance(node, m.Op) and node.sign == "+":
        node = node.left
    return node if isinstance(node, m.Num) else None


def put(at: Value, what: Value) -> Stmt:
    return m.Put((value(at),), value(what))


def is_simple(node: Expr) -> bool:
    """Whether it costs nothing to say it twice."""
    return isinstance(node, m.Num | m.Var | m.Table | m.Flag | m.Nil)


@dataclass
class Code:
    """One function being written. Steps go to the innermost open block."""

    name: str
    params: tuple[str, ...] = ("s",)
    body: m.Body = field(default_factory=list)
    loads: dict[str, Expr] = field(default_factory=dict)           # variables to read from the position at the start, with addresses
    origin: m.Origin | None = None
    closed: bool = False                                           # the last step left the function
    asked: bool = False                                            # only words and tables ask it, no rule
    last: Stmt | None = None                                       # that was written
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

    def emit(self, node: Stmt) -> None:
        self.mark([node])
        self.open[-1].append(node)
        self.last = node

    def mark(self, body: m.Body) -> None:
        """Note the rule line of steps that were made by hand."""
        for node in m.steps(body):
            if node.origin is None:
                node.origin = self.origin

    def enter(self, node: m.If | m.For | m.While) -> None:
        """Write a step, and go on in its block."""
        self.emit(node)
        self.open.append(node.body)

    def enter_other(self, node: m.If | m.For) -> None:
        """Go on in the other block of a step that was written."""
        self.open.append(node.other)

    @contextmanager
    def inside(self, node: m.If | m.For | m.While) -> Iterator[None]:
        depth = self.depth
        self.enter(node)
        yield
        self.depth = depth

    @contextmanager
    def otherwise(self, node: m.If | m.For) -> Iterator[None]:
        depth = self.depth
        self.enter_other(node)
        yield
        self.depth = depth

    @contextmanager
    def aside(self) -> Iterator[m.Body]:
        """What is written meanwhile goes to a block that the caller puts where it belongs."""
        kept, last, written = self.open, self.last, []             # type: ignore[var-annotated]
        self.open = [written]
        yield written
        self.open, self.last = kept, last

    def write(self, body: m.Body) -> None:
        """Put steps here that were written aside."""
        self.open[-1].extend(body)
        if body:
            self.last = body[-1]

    def whole(self) -> m.Body:
        """The function's body, with what it reads from the position first."""
        head: m.Body = [m.Set((name,), m.Get(at)) for name, at in self.loads.items()]
        return head + self.body


def plain(name: str) -> str:
    """What of a name of the rules may stand in a name of the machine."""
    return "".join(c for c in name if c.isascii() and (c.isalnum() or c == "_"))[:40]


class Fresh:
    """Names for variables and functions: from data only through a filter, with a number or a sign in front, so that a hostile name cannot
    become code."""

    def __init__(self) -> None:
        self.count = 0
        self.functions: set[str] = set()
        self.names: dict[Local, str] = {}

    def local(self, local: Local) -> str:
        found = self.names.get(local)
        if found is None:
            self.count += 1
            found = self.names[local] = f"v{self.count}_{plain(local.name)}"
        return found

    def function(self, kind: str, name: str) -> str:
        """A name for a function: as in the rules behind a letter for its kind, numbered where there are several."""
        wanted, n = f"{kind}_{plain(name)}", 1
        found = wanted
        while found in self.functions:
            n += 1
            found = f"{wanted}_{n}"
        self.functions.add(found)
        return found

    def temp(self, hint: str = "t") -> str:
        self.count += 1
        return f"{hint}{self.count}"
