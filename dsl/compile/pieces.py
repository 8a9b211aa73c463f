"""Small pieces of Python text."""

from __future__ import annotations

import re

SIMPLE = re.compile(r"-?\d+|[A-Za-z_]\w*|True|False")


def is_simple(text: str) -> bool:
    return SIMPLE.fullmatch(text) is not None


def is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+", text) is not None


def add(base: str, more: str) -> str:
    """The sum of two index expressions, folded when both are numbers."""
    if is_number(base) and is_number(more):
        return str(int(base) + int(more))
    found = re.fullmatch(r"(\d+) \+ (.*)", base)
    if found and is_number(more):
        return f"{int(found[1]) + int(more)} + {found[2]}"
    return f"{base} + {more}"

