"""The syntax tree of a rule file: one dataclass for each rule of grammar.lark, built by Lark's ast_utils.

Every node has a `meta` attribute (line, column, end_line, end_column, all from 1). A tree never changes. Passes store
their results about nodes in tables of their own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lark import Token, Transformer, ast_utils
from lark.tree import Meta


@dataclass
class Node(ast_utils.Ast, ast_utils.WithMeta):
    """A part of a rule file that has a position."""

    meta: Meta


@dataclass
class Expr(Node):
    """An expression."""



@dataclass
class Statement(Node):
    """A statement of a procedure."""


@dataclass
class _NodeList(ast_utils.Ast, ast_utils.WithMeta, ast_utils.AsList):
    """A list of nodes. Absent optional items are dropped."""
    meta: Meta
    items: list[Any]

    def __post_init__(self) -> None:
        self.items = [item for item in self.items if item is not None]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


class Cites(_NodeList):
    """Citations of clauses: tokens such as `@FAMILY-CLAUSE`, or `@03` in short form."""


class Axes(_NodeList):
    pass


class Params(_NodeList):
    pass


class Binders(_NodeList):
    pass


class Slots(_NodeList):
    """Groups of binders joined by `then`; each item is a Binders."""


class Suite(_NodeList):
    """The statements of a block."""

    @cached_property
    def assigned_names(self) -> frozenset[str]:
        """The names that statements of the block assign to. They are found once, for all variants of a game."""
        return frozenset(str(part.target.name) for part in walk(self) if isinstance(part, Assign) and isinstance(part.target, Name))


def walk(node: Any) -> Iterator[Any]:
    """Yields a node, or the nodes of a list, and all nodes below."""
    if isinstance(node, list | tuple):
        for item in node:
            yield from walk(item)
    elif hasattr(node, "meta"):
        yield node
        for key, value in vars(node).items():
            if key != "meta":
                yield from walk(value)


def find_cited_family(cites: Cites | None) -> str | None:
    """Returns the clause family that a head cites: of `@MKT-BUY` or of `@MKT-BUY-02`.

    Short citations below the head belong to this family."""
    parts = [str(token)[1:].split("-") for token in cites or []]
    for family in parts:
        if not family[-1].isdigit():
            return "-".join(family)
    return next(("-".join(clause[:-1]) for clause in parts if len(clause) > 1), None)


# ---------------------------------------------------------------- declarations


@dataclass
class AxisType(Node):
    domain: Token


@dataclass
class AxisNamed(Node):
    name: Token
    domain: Token


@dataclass
class Per(Node):
    scope: Token
    case: Token | None


@dataclass
class Seen(Node):
    """The visibility of a state: `seen by axis` (a NAME), `hidden` (a HIDDEN), `hidden from axis` (both), or nothing
    if it is open."""

    word: Token | None = None
    excluded: Token | None = None

    @property
    def axis(self) -> Token | None:
        """The axis whose player sees an entry, or is the only one who does not see it."""
        return self.excluded if self.word is not None and self.word.type == "HIDDEN" else self.word


@dataclass
class State(Node):
    name: Token
    axes: Axes
    kind: Node
    saturating: Token | None
    init: Expr | None
    per: Per | None
    seen: Seen
    cites: Cites


@dataclass
class Optional_(Node):
    base: Node


@dataclass
class SetOf(Node):
    base: Node


@dataclass
class ListOf(Node):
    base: Node


@dataclass
class BagOf(Node):
    base: Token


@dataclass
class PileOf(Node):
    base: Token


@dataclass
class NamedType(Node):
    name: Token


@dataclass
class BoolType(Node):
    pass


@dataclass
class IntType(Node):
    pass


@dataclass
class RangeType(Node):
    low: Expr
    high: Expr | None


@dataclass
class Case(Node):
    """The case of a declaration: `[member]`, or `[name: Type]` for every member without its own declaration.

    Both fields are None if there is no case."""

    name: Token | None = None
    domain: Token | None = None


@dataclass
class Param(Node):
    name: Token
    kind: Node | None


@dataclass
class DefValue(Node):
    name: Token
    case: Case
    params: Params
    head_cites: Cites
    value: Expr
    cites: Cites


@dataclass
class DefWhere(Node, ast_utils.AsList):
    parts: list[Any]


@dataclass
class Condition(Node):
    test: Expr
    cites: Cites


@dataclass
class BySeat(Node):
    who: Expr


@dataclass
class ByChance(Node):
    word: Token


@dataclass
class Proc(Node):
    word: Token
    name: Token
    case: Case
    params: Params
    by: Node | None
    cites: Cites
    body: Suite


@dataclass
class Goal(Node, ast_utils.AsList):
    """`standing` or `estimate`: [word, axis name, expressions..., cites]."""

    parts: list[Any]


@dataclass
class Always(Node):
    word: Token
    name: Token
    test: Expr
    cites: Cites


# ---------------------------------------------------------------- statements


@dataclass
class Let(Statement):
    name: Token
    value: Expr
    cites: Cites


@dataclass
class Assign(Statement):
    target: Expr
    op: Token
    value: Expr
    cites: Cites


@dataclass
class Call(Statement):
    target: Expr
    cites: Cites


@dataclass
class ExactAmount(Node):
    value: Expr


@dataclass
class AtMost(Node):
    value: Expr


@dataclass
class Everything(Node):
    word: Token


@dataclass
class Move(Statement):
    amount: ExactAmount | AtMost | Everything
    source: Expr
    target: Expr
    cites: Cites


@dataclass
class Draw(Statement):
    amount: ExactAmount | AtMost
    source: Expr
    target: Expr
    cites: Cites


@dataclass
class Shuffle(Statement):
    target: Expr
    cites: Cites


@dataclass
class Swap(Statement):
    one: Expr
    word: Token
    other: Expr
    cites: Cites


@dataclass
class Telling(Node):
    name: Token | None
    value: Expr


class Listeners(_NodeList):
    """The players who hear the hidden values of an event."""


@dataclass
class Tell(Statement, ast_utils.AsList):
    """[event name, tellings..., Listeners or None, cites]."""

    parts: list[Any]


@dataclass
class Stop(Statement):
    cites: Cites


@dataclass
class If_(Statement, ast_utils.AsList):
    """[test, cites, suite, Elif_..., Else_ or None]."""

    parts: list[Any]


@dataclass
class Elif_(Node):
    test: Expr
    cites: Cites
    body: Suite


@dataclass
class Else_(Node):
    body: Suite


@dataclass
class For_(Statement):
    binders: Binders
    where: Expr | None
    manner: Token | None
    cites: Cites
    body: Suite


@dataclass
class Repeat(Statement):
    count: Expr
    until: Expr | None
    cites: Cites
    body: Suite


@dataclass
class Rounds(Statement):
    binder: Binder | None
    where: Expr | None
    until: Expr | None
    cites: Cites
    body: Suite


@dataclass
class UpTo(Node):
    count: Expr


@dataclass
class Exactly(Node):
    count: Expr


@dataclass
class Some(Node):
    word: Token


@dataclass
class UpToTimes(Node):
    count: Expr


@dataclass
class ExactlyTimes(Node):
    count: Expr


@dataclass
class Choose(Statement):
    may: Token | None
    how: Node | None
    slots: Slots
    where: Expr | None
    by: Node | None
    label: Token | None
    or_stop: Token | None
    cites: Cites


@dataclass
class ChooseBlock(Statement):
    may: Token | None
    how: Node | None
    slots: Slots
    where: Expr | None
    by: Node | None
    label: Token | None
    cites: Cites
    body: Suite
    otherwise: Otherwise | None


@dataclass
class Menu(Statement, ast_utils.AsList):
    """[may, how, by, label, cites, Entry..., Otherwise or None]."""

    parts: list[Any]

    @property
    def may(self) -> Token | None:
        found: Token | None = self.parts[0]
        return found

    @property
    def how(self) -> Node | None:
        found: Node | None = self.parts[1]
        return found

    @property
    def by(self) -> Node | None:
        found: Node | None = self.parts[2]
        return found

    @property
    def label(self) -> Token | None:
        found: Token | None = self.parts[3]
        return found

    @property
    def cites(self) -> Cites:
        found: Cites = self.parts[4]
        return found

    @property
    def entries(self) -> list[Entry]:
        return [part for part in self.parts if isinstance(part, Entry)]

    @property
    def otherwise(self) -> Otherwise | None:
        return next((part for part in self.parts if isinstance(part, Otherwise)), None)


@dataclass
class Entry(Node):
    name: Token
    binders: Binders | None
    where: Expr | None
    cites: Cites
    body: Suite


@dataclass
class Otherwise(Node):
    cites: Cites
    body: Suite


@dataclass
class Binder(Node):
    name: Token
    source: Expr


@dataclass
class BinderNumbered(Node):
    number: Token
    name: Token
    source: Expr


# ---------------------------------------------------------------- expressions


@dataclass
class IfElse(Expr):
    value: Expr
    test: Expr
    other: Expr


@dataclass
class Fallback(Expr):
    value: Expr
    other: Expr


@dataclass
class Binary(Expr):
    left: Expr
    op: Token
    right: Expr


@dataclass
class Unary(Expr):
    op: Token
    value: Expr


@dataclass
class Member(Expr):
    value: Expr
    group: Expr


@dataclass
class NotMember(Expr):
    value: Expr
    word: Token
    group: Expr


@dataclass
class Span(Expr):
    low: Expr
    high: Expr


@dataclass
class Printed(Expr):
    value: Expr
    name: Token


@dataclass
class At(Expr, ast_utils.AsList):
    """[base, indices...]."""

    parts: list[Any]


@dataclass
class Apply(Expr, ast_utils.AsList):
    """[function, arguments...]."""

    parts: list[Any]


@dataclass
class After(Expr):
    """`after call: value`"""

    target: Expr
    value: Expr


@dataclass
class Name(Expr):
    name: Token


@dataclass
class Domain(Expr):
    name: Token


@dataclass
class Number(Expr):
    digits: Token


@dataclass
class Truth(Expr):
    word: Token


@dataclass
class Nothing(Expr):
    word: Token


@dataclass
class SetLiteral(Expr, ast_utils.AsList):
    parts: list[Any]


@dataclass
class ListLiteral(Expr, ast_utils.AsList):
    parts: list[Any]


@dataclass
class Fold(Expr):
    word: Token
    binders: Binders
    where: Expr | None
    value: Expr | None


@dataclass
class Way(Expr):
    word: Token
    start: Binder
    goal: Expr
    binders: Binders
    where: Expr | None
    value: Expr | None


@dataclass
class Trail(Expr):
    word: Token
    start: Binder
    through: Expr
    binders: Binders
    where: Expr | None
    value: Expr | None


class _TreeBuilder(Transformer[Token, Any]):
    """Builds the parts of a tree that have no class of the same name."""
    def start(self, items: list[Any]) -> list[Any]:
        return items

    def optional(self, children: list[Any]) -> Any:                    # its class is called Optional_
        base = children[0]
        return Optional_(base.meta, base)


transformer = ast_utils.create_transformer(sys.modules[__name__], _TreeBuilder())
