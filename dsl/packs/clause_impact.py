"""The rule lines that cite each clause of a rulebook, and the clauses that a change of rules affects.

If a pack changes lines that cite a clause, the sentence of the clause may no longer hold. The pack must then restate
the clause or list it under `fits`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from lark import Token

from ..syntax import tree

ComparableForm = tuple[Any, ...]


def find_changed_clauses(old: Any, new: Any) -> list[str]:
    """Returns the clauses whose lines differ between two forms of a declaration. `new` is None if it was removed."""
    before, after = group_by_clause(old), group_by_clause(new) if new is not None else {}
    return sorted(clause for clause, shapes in before.items() if after.get(clause) != shapes)


def group_by_clause(node: Any) -> dict[str, list[ComparableForm]]:
    """Groups the parts of a declaration by the clause that they cite.

    A line inside a block belongs to the block, unless it cites clauses itself."""
    family = tree.find_cited_family(own_cites(node))
    found: dict[str, list[ComparableForm]] = {}
    for part in tree.walk(node):
        for text in {str(cite)[1:] for cite in own_cites(part) or ()}:
            found.setdefault(f"{family}-{text}" if text.isdigit() else text, []).append(comparable_form(part))
    return found


def own_cites(node: Any) -> tree.Cites | None:
    """Returns the clauses that a part cites itself. For a declaration, these are the ones in its head."""
    parts = getattr(node, "parts", None)
    if parts is not None:
        return next((part for part in parts if isinstance(part, tree.Cites)), None)
    found: tree.Cites | None = getattr(node, "head_cites", None) or getattr(node, "cites", None)
    return found


def comparable_form(node: Any) -> ComparableForm:
    """Returns a rule part without positions, citations, and lines that cite clauses themselves.

    Two parts have equal forms if they mean the same."""
    return tuple(_iter_form(node, True))


def _iter_form(node: Any, outermost: bool = False) -> Iterator[Any]:
    """Yields the elements of a comparable form, recursively."""
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
