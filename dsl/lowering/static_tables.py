"""Tables of values that depend only on static data: cells that can be reached on an empty board, the owners of
pieces.

Such a value is the same in every position. It is stored in a table of the module, with one entry for each
combination of its arguments. An entry is computed when it is read for the first time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.walk import find_locals, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.limits import MAX_TABLE_ENTRIES
from ..ir.optimizations import is_enabled
from ..ir.program import LazyTable
from ..types.types import MemberOf
from .protocols import ExpressionApi, ModuleApi

STATE_READING_NODES = (core.StateRef, core.OccupiedCells, core.AfterCall, core.CountOf)


def is_data_only(writer: ModuleApi, *nodes: core.Node) -> bool:
    """Whether these trees do not read the position, directly or through the defs that they call."""
    for node in walk(*nodes):
        if isinstance(node, STATE_READING_NODES):
            return False
        if isinstance(node, core.CallDef) and any(writer.effects.of[r].reads for r in writer.program.families[node.family].routines):
            return False
    return True


def count_combinations(writer: ModuleApi, names: Sequence[LocalVar]) -> int | None:
    """Returns the number of combinations of values that these names can have. None if there are too many, or if a
    type is no enum."""
    if not is_enabled("static-tables"):
        return None
    found = 1
    for local in names:
        enum = writer.program.model.enum_of(local.type.name) if isinstance(local.type, MemberOf) else None
        if enum is None or enum.kind == "open":
            return None
        found *= len(enum)
    return found if found <= MAX_TABLE_ENTRIES else None


def find_free_locals(*nodes: core.Node) -> list[LocalVar]:
    """Returns the free names of trees: those that they read but do not bind."""
    bound = {local for part in walk(*nodes) if isinstance(part, core.GeneratorBinding) for local in part.locals}
    return [local for local in dict.fromkeys(part.local for part in walk(*nodes) if isinstance(part, core.LocalRef)) if local not in bound]


def find_read_locals(x: ExpressionApi, node: core.Node) -> set[LocalVar]:
    """Returns the names that a tree reads. A parameter that stands for another local counts as that local."""
    return {x.aliases.get(local, local) for local in find_locals(node)}


def lower_table_entry(x: ExpressionApi, names: Sequence[LocalVar], values: Sequence[m.IrExpr], function: str) -> m.IrExpr | None:
    """Returns the entry for these values in a table that `function` fills. None if the table would be too large."""
    many = count_combinations(x.w, names)
    if many is None:
        return None
    values = [x.temp(value) for value in values]
    index: m.IrExpr = m.IntConst(0)
    for n, (local, value) in enumerate(zip(names, values)):
        assert isinstance(local.type, MemberOf)
        index = b.binary_op(b.binary_op(index, "*", len(x.model.enums[local.type.name])), "+", value) if n else value
    found = x.w.fresh.temp_name("q")
    call = b.call(m.FunctionRef(function), b.POSITION, *values)
    x.emit(m.LoadMemo(found, m.IndexExpr(x.w.add_constant(LazyTable(many, function)), index), call))
    return m.Var(found)


def lower_as_table(x: ExpressionApi, hint: str, names: Sequence[LocalVar], write: Callable[[ExpressionApi], m.IrExpr]) -> m.IrExpr:
    """Returns the value of the expression that `write` compiles, from a table with these names as arguments.

    The caller must have checked with `count_combinations` that the table is small enough."""
    params = [x.w.fresh.temp_name("p") for _ in names]
    code = FunctionBuilder(x.w.fresh.function_name("o", hint), ("s", *params), origin=x.code.origin)
    inner = x.w.new_expression_lowering(code)
    inner.env.update({local: m.Var(param) for local, param in zip(names, params)})
    code.emit(m.ReturnStmt(write(inner)))
    x.w.functions.append(code)
    found = lower_table_entry(x, names, [x.read_local(local) for local in names], code.name)
    assert found is not None
    return found
