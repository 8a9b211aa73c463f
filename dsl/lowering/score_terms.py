"""What the standing is a sum of: its terms one by one, so that it can be told where a player's points come from.

The first value of `standing` is followed through defs that pass it on and taken apart at plus, minus and fixed factors. A term is the
entry of a state, whose changes can be watched while the game is played, or a value that is worked out when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.cost import INLINE_LIMIT
from ..core import nodes as core
from ..core.program import Routine, State
from ..core.walk import target_state, walk
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder, add_offset
from ..ir.program import StandingTermCode
from ..types.types import Int
from .protocols import ExpressionApi, ModuleApi


@dataclass(frozen=True)
class ScoreTerm:
    """A term before it is compiled: its expression, and the calls of defs around it with their arguments."""

    node: core.Expr
    factor: int = 1
    calls: tuple[tuple[Routine, tuple[core.Expr, ...]], ...] = ()
    defs: tuple[Routine, ...] = ()
    path: str = ""


def is_point_score(goal: Routine) -> bool:
    """Whether the first value of the standing is a number of points, and not just whether it is won."""
    found = goal.values[0].type
    return isinstance(found, Int) and not (found.low == 0 and found.high == 1)


def is_penalty(goal: Routine) -> bool:
    """Whether the first value of the standing counts what a player wants few of, such as `-points[player]`: it is never above zero."""
    found = goal.values[0].type
    return isinstance(found, Int) and found.high is not None and found.high <= 0


class ScoreTerms:
    """Takes the first value of a goal apart and compiles its terms into a module being written."""

    def __init__(self, writer: ModuleApi, goal: Routine) -> None:
        self.w, self.goal = writer, goal

    def compile_terms(self) -> list[StandingTermCode]:
        """Each term with the names of the functions that give its value and its entry."""
        out = []
        for found in self.split_terms(ScoreTerm(self.goal.values[0], path=self.goal.path)) if is_point_score(self.goal) else []:
            state = self.find_entry_state(found.node)
            value = self.compile_function(found, lambda x, node: x.lower(node))
            entry = self.compile_function(found, self.lower_address) if state is not None else None
            place = (found.path, found.node.at.line)
            out.append(StandingTermCode(found.factor, found.defs, state or self.find_only_state(found.node), place, value, entry))
        return out

    def split_terms(self, found: ScoreTerm) -> list[ScoreTerm]:
        """The terms of an expression; itself where it is no sum."""
        node = found.node
        match node:
            case core.PrimOp(op="neg", args=(inside,)):
                return self.split_terms(replace(found, node=inside, factor=-found.factor))
            case core.PrimOp(op="+" | "-" as op, args=(left, right)):
                sign = 1 if op == "+" else -1
                return [
                    *self.split_terms(replace(found, node=left)),
                    *self.split_terms(replace(found, node=right, factor=sign * found.factor)),
                ]
            case core.PrimOp(op="*", args=(left, right)):
                x = self.w.new_expression_lowering(FunctionBuilder("none"))
                for known, other in ((left, right), (right, left)):
                    fixed = x.constant_of(known)
                    if isinstance(fixed, int):
                        return self.split_terms(replace(found, node=other, factor=fixed * found.factor))
        routine, arguments = self.find_called_def(node)
        if routine is None or routine.value is None or self.w.facts.sizes[routine] > INLINE_LIMIT:
            return [found]
        inside_def = ScoreTerm(routine.value, found.factor, (*found.calls, (routine, arguments)), (*found.defs, routine), routine.path)
        inner = self.split_terms(inside_def)
        if inner == [inside_def] and self.find_entry_state(inside_def.node) is None:    # nothing to take apart: the def itself is the term
            return [replace(found, defs=inside_def.defs)]
        return inner

    def find_called_def(self, node: core.Expr) -> tuple[Routine | None, tuple[core.Expr, ...]]:
        """The def whose value `node` is, with its arguments."""
        if not isinstance(node, core.CallDef) or node.case is not None:
            return None, ()
        return self.w.program.families[node.family].routines[0], node.args

    def find_entry_state(self, node: core.Expr) -> State | None:
        """The state of which `node` is one entry that holds a number."""
        name = target_state(node)
        if name is None or not isinstance(node.type, Int):
            return None
        state = self.w.program.states[name]
        form = self.w.layout.cells[state].form
        return state if form == "plain" and isinstance(state.type, Int) or form == "bag" else None

    def lower_address(self, x: ExpressionApi, node: core.Expr) -> m.IrExpr:
        if isinstance(node, core.CountOf):
            assert isinstance(node.bag, core.StateRef)
            return add_offset(x.address(self.w.program.states[node.bag.state], node.bag.index), x.lower(node.kind))
        assert isinstance(node, core.StateRef)
        return x.address(self.w.program.states[node.state], node.index)

    def compile_function(self, found: ScoreTerm, written: Callable[[ExpressionApi, core.Expr], m.IrExpr]) -> str:
        """Write a function of the position and a player; returns its name."""
        code = FunctionBuilder(self.w.fresh.function_name("t", self.goal.name), ("s", self.w.fresh.local_name(self.goal.params[0])))
        self.w.functions.append(code)
        x = self.w.new_expression_lowering(code)
        for routine, arguments in found.calls:
            values = [x.temp(x.lower(argument)) for argument in arguments]
            x.env = {**x.env, **dict(zip(routine.params, values))}
        code.emit(m.ReturnStmt(written(x, found.node)))
        return code.name

    def find_only_state(self, node: core.Expr) -> State | None:
        """The state that `node` is worked out from, where there is just one."""
        named = {part.state for part in walk(node) if isinstance(part, core.StateRef | core.OccupiedCells)}
        return self.w.program.states[named.pop()] if len(named) == 1 else None
