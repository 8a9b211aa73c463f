"""What only data decide, worked out once: what can be reached on an empty board, which pieces are whose.

Such a value is the same in every position. It is put into a table of the module, with an entry for each combination of the members that it
depends on, when it is asked for first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.walk import find_locals, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.limits import MAX_TABLE_ENTRIES
from ..ir.program import LazyTable
from ..types.types import MemberOf
from .protocols import ExpressionApi, ModuleApi

STATE_READING_NODES = (core.StateRef, core.OccupiedCells, core.AfterCall, core.CountOf)


def is_data_only(writer: ModuleApi, *nodes: core.Node) -> bool:
    """Whether nothing in these trees looks at the position, in what they ask neither."""
    for node in walk(*nodes):
        if isinstance(node, STATE_READING_NODES):
            return False
        if isinstance(node, core.CallDef) and any(writer.effects.of[r].reads for r in writer.program.families[node.family].routines):
            return False
    return True


def count_combinations(writer: ModuleApi, names: Sequence[LocalVar]) -> int | None:
    """How many combinations of values these names can have; None where that is too many, or not known."""
    found = 1
    for local in names:
        enum = writer.program.model.enum_of(local.type.name) if isinstance(local.type, MemberOf) else None
        if enum is None or enum.kind == "open":
            return None
        found *= len(enum)
    return found if found <= MAX_TABLE_ENTRIES else None


def find_free_locals(*nodes: core.Node) -> list[LocalVar]:
    """The names that trees read and do not bind themselves."""
    bound = {local for part in walk(*nodes) if isinstance(part, core.GeneratorBinding) for local in part.locals}
    return [local for local in dict.fromkeys(part.local for part in walk(*nodes) if isinstance(part, core.LocalRef)) if local not in bound]


def find_read_locals(x: ExpressionApi, node: core.Node) -> set[LocalVar]:
    """The names that a tree reads; of a parameter that stands for another local, that one."""
    return {x.aliases.get(local, local) for local in find_locals(node)}


def lower_table_entry(x: ExpressionApi, names: Sequence[LocalVar], values: Sequence[m.IrExpr], function: str) -> m.IrExpr | None:
    """The entry for these values of a table that `function` fills; None where it would be too large."""
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
    """What `write` writes with these names given, from a table; `size` has said that there are few enough."""
    params = [x.w.fresh.temp_name("p") for _ in names]
    code = FunctionBuilder(x.w.fresh.function_name("o", hint), ("s", *params), origin=x.code.origin)
    inner = x.w.new_expression_lowering(code)
    inner.env.update({local: m.Var(param) for local, param in zip(names, params)})
    code.emit(m.ReturnStmt(write(inner)))
    x.w.functions.append(code)
    found = lower_table_entry(x, names, [x.read_local(local) for local in names], code.name)
    assert found is not None
    return found
