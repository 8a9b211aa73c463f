"""What states hold before anything happens: `= value` in the rules, then `start` in YAML."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..check.scope import Program
from ..diagnostics import Findings, Place
from ..syntax import tree
from .codec import Complain
from .entries import EntryReader
from .layout import Layout, Sparse, Values


def place_start(program: Program, layout: Layout, s: Values, findings: Findings, complain: Complain) -> None:
    """Put the first values into a position. `complain` hears of what is wrong in YAML, with paths that begin with `start`."""
    for state, cell in layout.cells.items():
        first = state.node.init
        if first is None or isinstance(first, tree.Nothing):       # `= none` is what it holds anyway
            continue
        value = constant(first)
        if value is None or isinstance(cell, Sparse):
            findings.add("R324", Place.of(state.path, first))
        elif cell.form != "bag":
            cell.put_all(s, value)
    cells = {state.name: cell for state, cell in layout.cells.items()}
    reader = EntryReader(cells, layout.codecs, lambda c: complain(replace(c, path=("start", *c.path))))
    for entry in reader.entries(program.model.start):
        entry.put(s)


def constant(node: Any) -> int | None:
    """The value of an expression that needs no position, or None."""
    if isinstance(node, tree.Number):
        return int(node.digits)
    if isinstance(node, tree.Truth):
        return int(node.word.type == "TRUE")
    if isinstance(node, tree.Unary) and node.op.type == "MINUS":
        value = constant(node.value)
        return None if value is None else -value
    if isinstance(node, tree.Name) and node.ref is not None:
        target: Any = node.ref.target
        if node.ref.kind == "number":
            return int(target)
        if node.ref.kind == "member":
            return int(target[1])
    return None
