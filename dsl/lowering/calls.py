"""Calls of defs and procedures in expressions, and defs that are compiled in place.

`CallLowering` is a mixin of `ExpressionLowering`, which compiles the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..analysis.cost import INLINE_LIMIT
from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import Routine
from ..core.walk import inline_size, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..storage.control_slots import EVENTS
from .protocols import ExpressionApi, ModuleApi
from .static_tables import find_free_locals

MAX_INLINE_NODES = 14


class CallLowering:
    """Compiles calls. Mixin of `ExpressionLowering`."""

    if TYPE_CHECKING:
        w: ModuleApi
        env: dict[LocalVar, m.IrExpr]
        inline_all: bool

        def lower(self, node: core.Expr) -> m.IrExpr: ...
        def temp(self, value: m.IrExpr, hint: str = "t") -> m.IrExpr: ...
        def read_local(self, local: LocalVar) -> m.IrExpr: ...
        def constant_of(self, node: core.Expr) -> Any: ...

    def lower_def_call(self, node: core.CallDef) -> m.IrExpr:
        """Returns the value of a def.

        Small defs are inlined. A def that depends on no state becomes a table, one without parameters is memoized.
        Every other def is called."""
        family, case = self.w.program.families[node.family], node.case
        values = [self.lower(argument) for argument in node.args]
        known = self.constant_of(case) if case is not None else None
        if case is None or known is not None:
            routine = family.entry(known)
            if routine is None:
                return m.IntConst(0)
            if self.is_inlinable(routine) or self.is_incremental_set(routine):
                return self.inline_def(routine, values, known)
            found = self.w.lower_tabulated_def(cast(ExpressionApi, self), routine, values, known)
            if found is not None:
                return found
            if not routine.params and not routine.case and self.w.effects.of[routine].reads:
                return self.w.lower_memoized_def(cast(ExpressionApi, self), routine)
            return self.w.lower_def_call(routine, values, known)
        assert case is not None
        table = self.w.build_def_dispatch(family)
        return b.call(b.index_entry(table, self.lower(case)), b.POSITION, *values)

    def lower_after_call(self, node: core.AfterCall) -> m.IrExpr:
        """Compiles `after` as a function of its own.

        It runs the procedure on a copy of the position without collecting events, and returns the value on that copy."""
        given = {local: self.read_local(local) for local in find_free_locals(node)}
        known = {local: value for local, value in given.items() if isinstance(value, m.IntConst)}
        asked = [local for local in given if local not in known]
        key = (node, *known.items())
        if key not in self.w.tried:
            names = [self.w.fresh.temp_name("v") for _ in asked]
            name = self.w.tried[key] = self.w.fresh.function_name("a", node.call.family)
            code = FunctionBuilder(name, ("s", *names))
            code.origin = (node.at.path, node.at.line, node.at.column)
            x = self.w.new_expression_lowering(code)
            x.env.update({**known, **dict(zip(asked, map(m.Var, names)))})
            code.emit(m.AssignStmt(("s",), b.call_method(b.POSITION, "copy")))
            code.emit(b.store_slot(EVENTS, m.NoneConst()))
            code.emit(m.ExprStmt(x.lower_call(node.call)))
            code.emit(m.ReturnStmt(x.lower(node.value)))
            self.w.functions.append(code)
        return b.call(m.FunctionRef(self.w.tried[key]), b.POSITION, *(given[local] for local in asked))

    def lower_call(self, node: core.CallProc) -> m.IrExpr:
        """Returns a call of a procedure that never asks."""
        family, case = self.w.program.families[node.family], node.case
        arguments = [self.lower(argument) for argument in node.args]
        known = self.constant_of(case) if case is not None else None
        if case is not None and known is None:
            return b.call(b.index_entry(self.w.build_proc_dispatch(family), self.lower(case)), b.POSITION, *arguments)
        return b.call(m.FunctionRef(self.w.require_function(family.entry(known), known)), b.POSITION, *arguments)

    def is_inlinable(self, routine: Routine) -> bool:
        """Whether a def is small enough to be inlined."""
        if routine.value is None or self.w.facts.sizes[routine] > INLINE_LIMIT:
            return False
        if self.inline_all:
            return inline_size(routine.value) <= 4 * MAX_INLINE_NODES
        return inline_size(routine.value) <= MAX_INLINE_NODES and not any(isinstance(part, core.Fold) for part in walk(routine.value))

    def is_incremental_set(self, routine: Routine) -> bool:
        """Whether a def is an incremental set. It is then read directly, without a call."""
        value = routine.value
        return (
            isinstance(value, core.Fold)
            and value.kind == "set"
            and value.value is None
            and len(value.gens) == 1
            and not routine.params
            and not routine.case
            and self.w.upkeep.is_maintainable(value.gens[0], value.where)
        )

    def inline_def(self, routine: Routine, values: list[m.IrExpr], member: int | None) -> m.IrExpr:
        """Compiles the value of a def in place of a call."""
        saved = dict(self.env)
        for param, value in zip(routine.params, values):
            self.env[param] = self.temp(value)
        if routine.case is not None and member is not None:
            self.env[routine.case] = m.IntConst(member)
        assert routine.value is not None
        result = self.lower(routine.value)
        self.env = saved
        return result
