"""Initial values of states: first `= value` in the rules, then `start` in YAML."""

from __future__ import annotations

from dataclasses import replace

from ..core import nodes
from ..core.program import Program
from ..diagnostics.diagnostic import DiagnosticList
from ..model.codec import OnDecodeProblem
from ..model.model import GameModel
from .layout import Layout, PositionSlots, SparseStorage
from .state_literals import StateLiteralReader


def write_initial_values(program: Program, layout: Layout, s: PositionSlots, findings: DiagnosticList, complain: OnDecodeProblem) -> None:
    """Writes the initial values into a position.

    Errors in YAML go to `complain`, with paths that begin with `start`. Errors in rules go to `findings`."""
    for state, cell in layout.cells.items():
        if state.start is None:
            continue
        if isinstance(state.start, nodes.EmptyLiteral) and state.start.literal == "none":      # the default value anyway
            continue
        value = evaluate_constant(state.start, program.model)
        if value is None or isinstance(cell, SparseStorage):
            findings.add("R324", state.start.at.place)
        elif cell.form != "bag":
            cell.store_all(s, value)
    cells = {state.name: cell for state, cell in layout.cells.items()}
    reader = StateLiteralReader(cells, layout.codecs, lambda c: complain(replace(c, path=("start", *c.path))))
    for entry in reader.read_literals(program.model.start):
        entry.write_to(s)


def evaluate_constant(node: nodes.Expr, model: GameModel) -> int | None:
    """Returns the value of an expression that does not depend on the position, or None if it is not one."""
    match node:
        case nodes.Const(value=written):
            return written
        case nodes.NamedConstant(name=name):
            return model.numbers[name]
        case nodes.PrimOp(op="neg", args=(inside,)):
            value = evaluate_constant(inside, model)
            return None if value is None else -value
    return None
