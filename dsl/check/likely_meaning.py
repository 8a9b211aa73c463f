"""Finds the expression that an author probably meant, for the hints of diagnostics about types."""

from __future__ import annotations

from typing import Any

from ..syntax import tree
from ..types.types import CONTAINERS, Bool, EmptyType, Int, ListOf, OptionalOf, SetOf, Type, is_assignable, write_empty
from .short_expressions import format_short_expr


def suggest_comparison(node: tree.Binary) -> str:
    """Returns `x == 2` for the right side of `x == 1 or 2`, the comparison that was probably meant.

    Returns "" if the left side is not a comparison."""
    left: Any = node.left
    while isinstance(left, tree.Binary) and left.op.type in ("AND", "OR"):
        left = left.left
    if not isinstance(left, tree.Binary) or left.op.type != "CMP" or isinstance(node.right, tree.Binary):
        return ""
    return f"{format_short_expr(left.left)} {left.op} {format_short_expr(node.right)}"


def suggest_empty(one: Any, two: Any) -> str:
    """Returns the empty value that fits one of two types if the other is the type of another empty value, or "".

    For example, it returns `{}` for the types of `none` and of a set."""
    for found, wanted in ((one, two), (two, one)):
        if isinstance(found, EmptyType) and isinstance(wanted, Type):
            return "none" if isinstance(wanted, OptionalOf) else write_empty(wanted) or ""
    return ""


def suggest_value(node: Any, found: Type, wanted: Type) -> str:
    """Returns an expression of the type `wanted` that was probably meant, or "".

    For example, it returns `{card}` for `card` where a set is expected, and `size(row) > 0` for a list as a condition."""
    short = format_short_expr(node)
    if short == "…":
        return ""
    if isinstance(wanted, SetOf | ListOf) and is_assignable(found, wanted.of):
        return f"{{{short}}}" if isinstance(wanted, SetOf) else f"[{short}]"
    if isinstance(wanted, Bool) and isinstance(found, CONTAINERS):
        return f"size({short}) > 0"
    if isinstance(wanted, Bool) and isinstance(found, Int | OptionalOf):
        return f"{short} != {0 if isinstance(found, Int) else 'none'}"
    return ""
