"""Going over the nodes of the core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from ..types.types import BOOL
from .nodes import (
    Ask,
    CountOf,
    Draw,
    Expr,
    Fold,
    Load,
    Local,
    Lookup,
    Move,
    Node,
    Occupied,
    OwnNumber,
    Prim,
    Read,
    Shuffle,
    Stmt,
    Store,
    Swap,
    Target,
)

_INNER: dict[type[Node], tuple[str, ...]] = {}                     # the fields of a kind of node in which nodes may lie
NO_NODES = ("str", "int", "bool", "str | None", "tuple[str, ...]", "Local", "Local | None", "Span", "Type")    # fields without
OPERATORS = {"and", "or", "not", "neg", "in"}                      # those that are words


def children(node: Node) -> list[Node]:
    """The nodes directly below a node, in the order of the text where that matters."""
    kind = type(node)
    if kind not in _INNER:
        _INNER[kind] = tuple(field.name for field in fields(kind) if field.type not in NO_NODES)
    found: list[Node] = []
    for name in _INNER[kind]:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple) and value:
            _gather(value, found)
    return found


def _gather(values: tuple[object, ...], found: list[Node]) -> None:
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            _gather(value, found)


def walk(*parts: Node | Iterable[Node] | None) -> Iterator[Node]:
    """Every node of these trees, each before what lies below it."""
    left: list[Node | Iterable[Node] | None] = [*reversed(parts)]
    while left:
        part = left.pop()
        if isinstance(part, Node):
            yield part
            left += reversed(children(part))
        elif part is not None:
            left += reversed([*part])


def state_of(node: Expr) -> str | None:
    """The state that a place lies in; None of a local and of what is no place."""
    if isinstance(node, CountOf):
        node = node.bag
    return node.state if isinstance(node, Load) else None


def places(node: Stmt) -> tuple[Target, ...]:
    """The places that a statement itself changes."""
    match node:
        case Store(target=target) | Shuffle(target=target):
            return (target,)
        case Move(source=source, target=target) | Draw(source=source, target=target):
            return (source, target)
        case Swap(one=one, other=other):
            return (one, other)
    return ()


def locals_of(*parts: Node | Iterable[Node] | None) -> set[Local]:
    """The locals that are read in these trees."""
    return {node.local for node in walk(*parts) if isinstance(node, Read)}


def weight(node: Node | None) -> int:
    """How much an expression is, in words and signs of the text that say something; what small defs are told by."""
    match node:
        case None:
            return 0
        case Load(index=index):
            return 1 + (1 + _weights(index) if index else 0)
        case Occupied(index=index):
            return 3 + (1 + _weights(index) if index else 0)
        case OwnNumber():
            return 2
        case Lookup(index=at):
            return 2 + weight(at)
        case Ask(case=case, args=args, bare=bare):
            return (0 if bare else 1) + (1 if case is None else 2 + weight(case)) + _weights(args)
        case Prim(op=op, args=args):
            return (2 if op.isidentifier() and op not in OPERATORS else 1) + _weights(args)
        case Fold(gens=gens, where=where, value=value):
            return 2 + sum(1 + weight(gen.source) for gen in gens) + _weights(where) + max(0, len(where) - 1) + weight(value)
    return 1 + sum(map(weight, children(node)))


def _weights(nodes: Iterable[Node]) -> int:
    return sum(map(weight, nodes))


def conjuncts(node: Expr | None) -> tuple[Expr, ...]:
    """What `and` joins, in the order of the text; nothing where there is no condition."""
    match node:
        case None:
            return ()
        case Prim(op="and", args=(left, right)):
            return conjuncts(left) + conjuncts(right)
    return (node,)


def negated(node: Expr) -> Expr:
    """`not node`"""
    return Prim(node.at, BOOL, "not", (node,))
