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


class Expr:
    """Something that is worth a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Num(Expr):
    """A number. Of an address in a frame it is known whose: frames share words, since not all procedures run together."""

    value: int
    frame: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Flag(Expr):
    """True or False."""

    value: bool


@dataclass(frozen=True, slots=True)
class Nil(Expr):
    """No value: what a thing that is not a member is when it is none."""


@dataclass(frozen=True, slots=True)
class Text(Expr):
    """A word that the engine knows: the kind of a fault."""

    value: str


@dataclass(frozen=True, slots=True)
class Var(Expr):
    """A local variable of the function, or the position itself (`s`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Table(Expr):
    """A constant of the module: a table, a mask, a tuple; by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Function(Expr):
    """A function of the module by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Frame(Expr):
    """The address of an entry of a procedure's frame, numbered as if each frame had a room of its own."""

    slot: int


@dataclass(frozen=True, slots=True)
class Memo(Expr):
    """The address of a remembered value of a def."""

    number: int


@dataclass(frozen=True, slots=True)
class Kept(Expr):
    """The address of a set that is mended when something is written."""

    number: int


@dataclass(frozen=True, slots=True)
class Get(Expr):
    """The word of the position at an address."""

    at: Expr


@dataclass(frozen=True, slots=True)
class Words(Expr):
    """The words of the position from `low` to before `high`."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Op(Expr):
    """Two values and a sign: + - * // % & | << >> == != < <= > >= in, not in, is, is not."""

    left: Expr
    sign: str
    right: Expr


@dataclass(frozen=True, slots=True)
class Un(Expr):
    """- (of a number), not (of a condition), ~ (of a mask)."""

    sign: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """Conditions joined by `and` or `or`, looked at from the left as far as needed."""

    word: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Between(Expr):
    """Whether a number lies between two others."""

    low: Expr
    value: Expr
    high: Expr
    first: str = "<="
    second: str = "<="


@dataclass(frozen=True, slots=True)
class Choice(Expr):
    """`value` where `test` holds, else `other`."""

    test: Expr
    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class At(Expr):
    """The entry of a table, tuple or list; counted from 0, or from the end (-1)."""

    things: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Part(Expr):
    """The entries of a tuple or list from `low` to before `high`; None: from the beginning, to the end. `backwards`: from the end."""

    things: Expr
    low: Expr | None = None
    high: Expr | None = None
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class Star(Expr):
    """All entries of a tuple or list, in a display."""

    things: Expr


@dataclass(frozen=True, slots=True)
class Tup(Expr):
    items: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Lst(Expr):
    items: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class One(Expr):
    """A set of a single thing, over a board without an edge or of numbers."""

    item: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A function: of the runtime by its name, of the module (Function), or one that an expression gives."""

    function: str | Expr
    args: tuple[Expr, ...] = ()
    named: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Method(Expr):
    """What a value can be asked itself: append, index, get, bit_count, union, pop."""

    thing: Expr
    name: str
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed(Expr):
    """A list of `value` for each `names` of `things` where all `tests` hold; `inner` is a second loop inside. Not `built`: what a function
    takes one after the other, without a list."""

    value: Expr
    names: tuple[str, ...]
    things: Expr
    tests: tuple[Expr, ...] = ()
    inner: tuple[tuple[str, ...], Expr] | None = None
    built: bool = True


@dataclass(frozen=True, slots=True)
class Bounded(Expr):
    """What a loop goes over, of which it is known that there are `most` at most."""

    things: Expr
    most: int


@dataclass(frozen=True, slots=True)
class Also(Expr):
    """A value that is also given to a variable."""

    name: str
    value: Expr


# ---------------------------------------------------------------- statements


@dataclass(slots=True)
class Stmt:
    """A step. `origin` is the rule line that it comes from; equal steps of two lines are equal."""

    origin: Origin | None = field(default=None, compare=False, kw_only=True)


Body = list[Stmt]


@dataclass(slots=True)
class Set(Stmt):
    """A variable gets a value; several, the entries of a tuple."""

    names: tuple[str, ...]
    value: Expr


@dataclass(slots=True)
class Put(Stmt):
    """Words of the position get a value."""

    at: tuple[Expr, ...]
    value: Expr


@dataclass(slots=True)
class PutWords(Stmt):
    low: Expr
    high: Expr
    value: Expr


@dataclass(slots=True)
class Change(Stmt):
    """A variable or word is changed by a sign: += -= |= &=."""

    target: Var | Get
    sign: str
    value: Expr


@dataclass(slots=True)
class Recall(Stmt):
    """A variable gets what is remembered at an address, or in an entry of a constant; where nothing is, `function` (or a call) works it
    out, and it is remembered. `sure`: there is always something. Without a name it is only made sure that something is there."""

    name: str | None
    at: Expr
    function: Expr
    sure: bool = False

    @property
    def made(self) -> Call:
        """The call that works it out."""
        return self.function if isinstance(self.function, Call) else Call(self.function, (Var("s"),))


@dataclass(slots=True)
class If(Stmt):
    test: Expr
    body: Body = field(default_factory=list)
    other: Body = field(default_factory=list)


@dataclass(slots=True)
class For(Stmt):
    """`body` for each of `things`; `other` when it was not left by a break."""

    names: tuple[str, ...]
    things: Expr
    body: Body = field(default_factory=list)
    other: Body = field(default_factory=list)


@dataclass(slots=True)
class While(Stmt):
    test: Expr
    body: Body = field(default_factory=list)


@dataclass(slots=True)
class Break(Stmt):
    pass


@dataclass(slots=True)
class Continue(Stmt):
    pass


@dataclass(slots=True)
class Return(Stmt):
    value: Expr | None = None


@dataclass(slots=True)
class Do(Stmt):
    """Something is called for what it does."""

    call: Expr


@dataclass(slots=True)
class Raise(Stmt):
    """The run ends here."""

    name: str


@dataclass(slots=True)
class Forget(Stmt):
    """A state was written: what was remembered of it is forgotten. Written out when all that is remembered is known."""

    state: str


@dataclass(slots=True)
class Writing(Stmt):
    """One entry of a state with one axis is about to be written: where that is kept, what it held is noted in the variable `was`, if that
    is not known."""

    state: str
    address: Expr
    was: Expr | None = None


@dataclass(slots=True)
class Written(Stmt):
    """One entry of a state with one axis was written: kept sets are mended. `put_down`: it holds something now; `address` is where it
    lies; `was` and `value` are what it held and holds, where that is known; `place` is where the index stands in a list of those that hold
    nothing."""

    state: str
    index: Expr
    put_down: bool
    address: Expr
    was: Expr | None = None
    value: Expr | None = None
    place: Expr | None = None


# ---------------------------------------------------------------- going through them


def bodies(node: Stmt) -> list[Body]:
    """The blocks of steps inside a step."""
    match node:
        case If(body=body, other=other) | For(body=body, other=other):
            return [body, other]
        case While(body=body):
            return [body]
    return []


def steps(body: Body) -> Iterator[Stmt]:
    """Each step, and those inside it."""
    left = body[::-1]
    while left:
        node = left.pop()
        yield node
        match node:
            case If(body=inner, other=other) | For(body=inner, other=other):
                left += other[::-1]
                left += inner[::-1]
            case While(body=inner):
                left += inner[::-1]


def begun(body: Body) -> Origin | None:
    """The first rule that steps come from."""
    return next((node.origin for node in steps(body) if node.origin is not None), None)


_PARTS: dict[type[Expr] | type[Stmt], tuple[str, ...]] = {}        # the fields of a kind of node in which expressions or steps may lie
NO_PARTS = ("str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "Origin | None")    # types of fields where none can


def _parts(node: Expr | Stmt) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _PARTS:
        _PARTS[kind] = tuple(one.name for one in fields(kind) if one.type not in NO_PARTS)     # type: ignore[arg-type]
    return _PARTS[kind]


def expressions(node: Expr | Stmt) -> list[Expr]:
    """The expressions directly inside a step or an expression; not those of the steps inside it."""
    found: list[Expr] = []
    for name in _parts(node):
        value = getattr(node, name)
        if isinstance(value, Expr):
            found.append(value)
        elif isinstance(value, tuple) and value:
            _gather(value, found)
    return found


def _gather(values: tuple[object, ...], found: list[Expr]) -> None:
    for value in values:
        if isinstance(value, Expr):
            found.append(value)
        elif isinstance(value, tuple):
            _gather(value, found)


def mapped(node: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with each part replaced by what `change` makes of it (None: it stays, and is looked into)."""
    found = change(node)
    if found is not None:
        return found
    new = {}
    for name in _parts(node):
        value = getattr(node, name)
        other = _mapped(value, change)
        if other is not value:
            new[name] = other
    return replace(node, **new) if new else node                   # type: ignore[type-var]


def _mapped(value: object, change: Callable[[Expr], Expr | None]) -> object:
    if isinstance(value, Expr):
        return mapped(value, change)
    if isinstance(value, tuple):
        other = [_mapped(item, change) for item in value]
        for old, new in zip(value, other):
            if old is not new:
                return tuple(other)
    return value


def renewed(node: Stmt, change: Callable[[Expr], Expr | None]) -> Stmt:
    """The step with its expressions changed as `mapped` does; the blocks inside are new too."""
    new: dict[str, object] = {}
    for name in _parts(node):
        value = getattr(node, name)
        if isinstance(value, list):
            new[name] = [renewed(inner, change) for inner in value]
        elif isinstance(value, Expr | tuple):
            new[name] = _mapped(value, change)
    return replace(node, **new)                                    # type: ignore[arg-type]
