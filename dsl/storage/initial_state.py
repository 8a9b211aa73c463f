"""What states hold before anything happens: `= value` in the rules, then `start` in YAML."""

from __future__ import annotations

from dataclasses import replace

from ..core import nodes
from ..core.program import Program
from ..diagnostics.diagnostic import Findings
from ..model.codec import Complain
from ..model.model import Model
from .layout import Layout, Sparse, Values
from .state_literals import EntryReader


def place_start(program: Program, layout: Layout, s: Values, findings: Findings, complain: Complain) -> None:
    """Put the first values into a position. `complain` hears of what is wrong in YAML, with paths that begin with `start`."""
    for state, cell in layout.cells.items():
        if state.start is None:
            continue
        if isinstance(state.start, nodes.Nothing) and state.start.literal == "none":      # what it holds anyway
            continue
        value = constant(state.start, program.model)
        if value is None or isinstance(cell, Sparse):
            findings.add("R324", state.start.at.place)
        elif cell.form != "bag":
            cell.put_all(s, value)
    cells = {state.name: cell for state, cell in layout.cells.items()}
    reader = EntryReader(cells, layout.codecs, lambda c: complain(replace(c, path=("start", *c.path))))
    for entry in reader.entries(program.model.start):
        entry.put(s)


def constant(node: nodes.Expr, model: Model) -> int | None:
    """The value of an expression that needs no position, or None."""
    match node:
        case nodes.Const(value=written):
            return written
        case nodes.Number(name=name):
            return model.numbers[name]
        case nodes.Prim(op="neg", args=(inside,)):
            value = constant(inside, model)
            return None if value is None else -value
    return None
