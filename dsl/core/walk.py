"""Going over the nodes of the core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from .nodes import CountOf, Draw, Expr, Load, Local, Move, Node, Read, Shuffle, Stmt, Store, Swap, Target

_INNER: dict[type[Node], tuple[str, ...]] = {}                     # the fields of a kind of node in which nodes may lie


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in the order of the text where that matters."""
    kind = type(node)
    if kind not in _INNER:
        _INNER[kind] = tuple(field.name for field in fields(kind) if field.name not in ("at", "type"))
    for name in _INNER[kind]:
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


def walk(*parts: Node | Iterable[Node] | None) -> Iterator[Node]:
    """Every node of these trees, each before what lies below it."""
    for part in parts:
        if isinstance(part, Node):
            yield part
            for child in children(part):
                yield from walk(child)
        elif part is not None:
            for item in part:
                yield from walk(item)


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
