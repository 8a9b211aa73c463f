"""Traversal and small queries of core trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from ..types.operations import PRIMITIVE_FUNCTIONS
from ..types.types import BOOL
from .nodes import (
    CallDef,
    CountOf,
    DrawStmt,
    Expr,
    Fold,
    LocalRef,
    LocalVar,
    MemberConstant,
    MoveStmt,
    Node,
    OccupiedCells,
    PrimOp,
    Shuffle,
    StateRef,
    Stmt,
    Store,
    Swap,
    TableLookup,
    Target,
)

_NODE_FIELDS: dict[type[Node], tuple[str, ...]] = {}                     # node class → names of fields that can hold nodes
# field types without nodes
LEAF_FIELD_TYPES = (
    "str", "int", "bool", "str | None", "tuple[str, ...]", "LocalVar", "LocalVar | None", "RuleSpan", "Type", "FoldKind", "Operation"
)


def children(node: Node) -> list[Node]:
    """Returns the direct children of a node, in source order where that matters."""
    kind = type(node)
    if kind not in _NODE_FIELDS:
        _NODE_FIELDS[kind] = tuple(field.name for field in fields(kind) if field.type not in LEAF_FIELD_TYPES)
    found: list[Node] = []
    for name in _NODE_FIELDS[kind]:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple) and value:
            _collect_nodes(value, found)
    return found


def _collect_nodes(values: tuple[object, ...], found: list[Node]) -> None:
    """Appends the nodes in nested tuples to `found`."""
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            _collect_nodes(value, found)


def walk(*parts: Node | Iterable[Node] | None) -> Iterator[Node]:
    """Yields every node of these trees, parents before children."""
    left: list[Node | Iterable[Node] | None] = [*reversed(parts)]
    while left:
        part = left.pop()
        if isinstance(part, Node):
            yield part
            left += reversed(children(part))
        elif part is not None:
            left += reversed([*part])


def target_state(node: Expr) -> str | None:
    """Returns the name of the state that a target belongs to. None for a local and for anything that is not
    assignable."""
    if isinstance(node, CountOf):
        node = node.bag
    return node.state if isinstance(node, StateRef) else None


def write_targets(node: Stmt) -> tuple[Target, ...]:
    """Returns the targets that a statement itself writes."""
    match node:
        case Store(target=target) | Shuffle(target=target):
            return (target,)
        case MoveStmt(source=source, target=target) | DrawStmt(source=source, target=target):
            return (source, target)
        case Swap(one=one, other=other):
            return (one, other)
    return ()


def find_locals(*parts: Node | Iterable[Node] | None) -> set[LocalVar]:
    """Returns the locals that are read in these trees."""
    return {node.local for node in walk(*parts) if isinstance(node, LocalRef)}


def inline_size(node: Node | None) -> int:
    """Returns the size of an expression in source tokens that carry meaning. Small defs are inlined by this measure."""
    match node:
        case None:
            return 0
        case StateRef(index=index):
            return 1 + (1 + _total_inline_size(index) if index else 0)
        case OccupiedCells(index=index):
            return 3 + (1 + _total_inline_size(index) if index else 0)
        case MemberConstant():
            return 2
        case TableLookup(index=at):
            return 2 + inline_size(at)
        case CallDef(case=case, args=args, bare=bare):
            return (0 if bare else 1) + (1 if case is None else 2 + inline_size(case)) + _total_inline_size(args)
        case PrimOp(op=op, args=args):
            return (2 if op in PRIMITIVE_FUNCTIONS else 1) + _total_inline_size(args)
        case Fold(gens=gens, where=where, value=value, places=places):
            return (
                2
                + (1 + inline_size(places) if places is not None else 0)
                + sum(1 + inline_size(gen.source) for gen in gens)
                + _total_inline_size(where)
                + max(0, len(where) - 1)
                + inline_size(value)
            )
    return 1 + sum(map(inline_size, children(node)))


def _total_inline_size(nodes: Iterable[Node]) -> int:
    """Returns the total size of several expressions."""
    return sum(map(inline_size, nodes))


def split_conjuncts(node: Expr | None) -> tuple[Expr, ...]:
    """Returns the operands of a chain of `and`, in source order. Empty if there is no condition."""
    match node:
        case None:
            return ()
        case PrimOp(op="and", args=(left, right)):
            return split_conjuncts(left) + split_conjuncts(right)
    return (node,)


def negate(node: Expr) -> Expr:
    """Returns `not node`."""
    return PrimOp(node.at, BOOL, "not", (node,))
