"""Small pieces of Python text."""

from __future__ import annotations

import re
from typing import Any

from lark import Token

from ..check.scope import Local
from ..syntax import tree

SIMPLE = re.compile(r"-?\d+|[A-Za-z_]\w*|True|False")


def is_simple(text: str) -> bool:
    return SIMPLE.fullmatch(text) is not None


def is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+", text) is not None


def binder_locals(binder: Any) -> list[Local]:
    """What a binder binds: its number (if any) and its thing."""
    return [binder.number_local, binder.local] if isinstance(binder, tree.BinderNumbered) else [binder.local]


def add(base: str, more: str) -> str:
    """The sum of two index expressions, folded when both are numbers."""
    if is_number(base) and is_number(more):
        return str(int(base) + int(more))
    found = re.fullmatch(r"(\d+) \+ (.*)", base)
    if found and is_number(more):
        return f"{int(found[1]) + int(more)} + {found[2]}"
    return f"{base} + {more}"


def not_token() -> Any:
    return Token("NOT", "not")
