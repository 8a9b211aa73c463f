"""What stands behind each clause of a rulebook: the lines of the rules that cite it. When a pack changes some of them, the sentence of
the clause may no longer hold; so whoever changes the lines says the clause anew, or says that it still fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from lark import Token

from ..syntax import tree

ComparableForm = tuple[Any, ...]


def find_changed_clauses(old: Any, new: Any) -> list[str]:
    """The clauses of a declaration whose lines a new form of it changes or leaves out; `new` is None where it is gone."""
    before, after = group_by_clause(old), group_by_clause(new) if new is not None else {}
    return sorted(clause for clause, shapes in before.items() if after.get(clause) != shapes)


def group_by_clause(node: Any) -> dict[str, list[ComparableForm]]:
    """By clause, the parts of a declaration that cite it. A line inside a block counts to the block, unless it cites clauses itself."""
    family = tree.find_cited_family(own_cites(node))
    found: dict[str, list[ComparableForm]] = {}
    for part in tree.walk(node):
        for text in {str(cite)[1:] for cite in own_cites(part) or ()}:
            found.setdefault(f"{family}-{text}" if text.isdigit() else text, []).append(comparable_form(part))
    return found


def own_cites(node: Any) -> tree.Cites | None:
    """The clauses that a part cites itself; a declaration: at its head, or as a whole."""
    parts = getattr(node, "parts", None)
    if parts is not None:
        return next((part for part in parts if isinstance(part, tree.Cites)), None)
    found: tree.Cites | None = getattr(node, "head_cites", None) or getattr(node, "cites", None)
    return found


def comparable_form(node: Any) -> ComparableForm:
    """A part of the rules without places, clauses and the lines in it that cite clauses themselves: equal where it says the same."""
    return tuple(_iter_form(node, True))


def _iter_form(node: Any, outermost: bool = False) -> Iterator[Any]:
    if isinstance(node, tree.Cites) or not outermost and own_cites(node):
        return
    if isinstance(node, Token):
        yield str(node)
    elif isinstance(node, list):
        yield from (tuple(_iter_form(one)) for one in node)
    elif hasattr(node, "meta"):
        yield type(node).__name__
        yield from (tuple(_iter_form(getattr(node, one.name))) for one in fields(node) if one.name != "meta")
    elif node is not None:
        yield node
