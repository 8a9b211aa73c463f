"""Writes expressions of rules for the hints of diagnostics."""

from __future__ import annotations

from typing import Any

from ..syntax import tree


def format_short_expr(node: Any) -> str:
    """Returns a short expression as it is written in a rule, and "…" for a longer one."""
    match node:
        case tree.Name(name=name):
            return str(name)
        case tree.Number(digits=digits):
            return str(digits)
        case tree.Printed(value=value, name=name):
            return f"{format_short_expr(value)}.{name}"
        case tree.At(parts=[base, *indices]):
            return f"{format_short_expr(base)}[{', '.join(map(format_short_expr, indices))}]"
        case tree.Apply(parts=[tree.Name(name=name), *arguments]):
            return f"{name}({', '.join(map(format_short_expr, arguments))})"
    return "…"
