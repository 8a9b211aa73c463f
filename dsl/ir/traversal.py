"""Walks through the nodes of the IR, and copies of them with parts replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from .nodes import Body, ForStmt, IfStmt, IrExpr, IrStmt, Origin, WhileStmt


def child_blocks(node: IrStmt) -> list[Body]:
    """Returns the blocks directly inside a statement."""
    match node:
        case IfStmt(body=body, other=other) | ForStmt(body=body, other=other):
            return [body, other]
        case WhileStmt(body=body):
            return [body]
    return []


def iter_statements(body: Body) -> Iterator[IrStmt]:
    """Yields each statement of a block, and all statements nested in it, in source order."""
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
    """Returns the origin of the first statement that has one."""
    return next((node.origin for node in iter_statements(body) if node.origin is not None), None)


# for each node class: fields that may hold nodes
_CHILD_FIELDS: dict[type[IrExpr] | type[IrStmt], tuple[str, ...]] = {}
# types of fields that never hold nodes
LEAF_FIELD_TYPES = (
    "str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "Origin | None", "BinarySign", "UnarySign", "UpdateSign",
    "BoundSign", "LogicOperator",
)


def _child_fields(node: IrExpr | IrStmt) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _CHILD_FIELDS:
        _CHILD_FIELDS[kind] = tuple(one.name for one in fields(kind) if one.type not in LEAF_FIELD_TYPES)     # type: ignore[arg-type]
    return _CHILD_FIELDS[kind]


def child_expressions(node: IrExpr | IrStmt) -> list[IrExpr]:
    """Returns the expressions directly inside a statement or an expression, but not those of nested statements."""
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
    """Returns the expression with each part replaced by the result of `change`. If `change` returns None, the part
    stays and its own parts are mapped."""
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
    """Returns a copy of the statement with its expressions mapped as in `map_expression`. Nested blocks are copied
    too."""
    new: dict[str, object] = {}
    for name in _child_fields(node):
        value = getattr(node, name)
        if isinstance(value, list):
            new[name] = [map_statement(inner, change) for inner in value]
        elif isinstance(value, IrExpr | tuple):
            new[name] = _map_value(value, change)
    return replace(node, **new)                                    # type: ignore[arg-type]
