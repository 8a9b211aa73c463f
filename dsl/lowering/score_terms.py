"""The terms of the score, so that the interface can show where a player's points come from.

The points of `standing` are followed through defs that only pass them on, and are split at plus, minus and
constant factors. A term is an entry of a state, whose changes can be observed during the game, or a value
that is computed on demand."""

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
from ..types.types import Bool, Int
from .protocols import ExpressionApi, ModuleApi


@dataclass(frozen=True)
class ScoreTerm:
    """A term before it is compiled: its expression, and the enclosing calls of defs with their arguments."""

    node: core.Expr
    factor: int = 1
    calls: tuple[tuple[Routine, tuple[core.Expr, ...]], ...] = ()
    defs: tuple[Routine, ...] = ()
    path: str = ""


def is_point_score(goal: Routine) -> bool:
    """Whether the first value of the standing is a number of points, and not just won or lost."""
    return points_place(goal) == 0


def points_place(goal: Routine) -> int | None:
    """Returns the place of the points among the values of the standing, from 0. Only conditions, such as who has won,
    can come before them. None if the standing has no points."""
    place = next((n for n, value in enumerate(goal.values) if not isinstance(value.type, Bool)), None)
    found = goal.values[place].type if place is not None else None
    return place if isinstance(found, Int) and not (found.low == 0 and found.high == 1) else None


def is_penalty(goal: Routine) -> bool:
    """Whether the points of the standing are penalties: they begin with a minus, such as `-points[player]`, or are
    never above zero."""
    first = goal.values[points_place(goal) or 0]
    negated = isinstance(first, core.PrimOp) and first.op == "neg"
    return isinstance(first.type, Int) and (negated or first.type.high is not None and first.type.high <= 0)


class ScoreTerms:
    """Splits the points of a goal and compiles their terms."""

    def __init__(self, writer: ModuleApi, goal: Routine) -> None:
        self.w, self.goal = writer, goal

    def compile_terms(self) -> list[StandingTermCode]:
        """Returns the terms with the names of the functions that compute their values and their slots."""
        out: list[StandingTermCode] = []
        place = points_place(self.goal)
        for found in self.split_terms(ScoreTerm(self.goal.values[place], path=self.goal.path)) if place is not None else []:
            state = self.find_entry_state(found.node)
            value = self.compile_function(found, lambda x, node: x.lower(node))
            entry = self.compile_function(found, self.lower_address) if state is not None else None
            line = (found.path, found.node.at.line)
            out.append(StandingTermCode(found.factor, found.defs, state or self.find_only_state(found.node), line, value, entry))
        return out

    def split_terms(self, term: ScoreTerm) -> list[ScoreTerm]:
        """Returns the terms of an expression, or the expression itself if it is no sum."""
        node = term.node
        match node:
            case core.PrimOp(op="neg", args=(inside,)):
                return self.split_terms(replace(term, node=inside, factor=-term.factor))
            case core.PrimOp(op="+" | "-" as op, args=(left, right)):
                sign = 1 if op == "+" else -1
                return [
                    *self.split_terms(replace(term, node=left)),
                    *self.split_terms(replace(term, node=right, factor=sign * term.factor)),
                ]
            case core.PrimOp(op="*", args=(left, right)):
                x = self.w.new_expression_lowering(FunctionBuilder("none"))
                for known, other in ((left, right), (right, left)):
                    fixed = x.constant_of(known)
                    if isinstance(fixed, int):
                        return self.split_terms(replace(term, node=other, factor=fixed * term.factor))
        routine, arguments = self.find_called_def(node)
        if routine is None or routine.value is None or self.w.facts.sizes[routine] > INLINE_LIMIT:
            return [term]
        inside_def = ScoreTerm(routine.value, term.factor, (*term.calls, (routine, arguments)), (*term.defs, routine), routine.path)
        inner = self.split_terms(inside_def)
        if inner == [inside_def] and self.find_entry_state(inside_def.node) is None:    # nothing to split: the def itself is the term
            return [replace(term, defs=inside_def.defs)]
        return inner

    def find_called_def(self, node: core.Expr) -> tuple[Routine | None, tuple[core.Expr, ...]]:
        """Returns the def that `node` calls, with its arguments. (None, ()) if it is no call of a def."""
        if not isinstance(node, core.CallDef) or node.case is not None:
            return None, ()
        return self.w.program.families[node.family].routines[0], node.args

    def find_entry_state(self, node: core.Expr) -> State | None:
        """Returns the state if `node` is one of its entries and a number. Otherwise None."""
        name = target_state(node)
        if name is None or not isinstance(node.type, Int):
            return None
        state = self.w.program.states[name]
        form = self.w.layout.cells[state].form
        return state if form == "plain" and isinstance(state.type, Int) or form == "bag" else None

    def lower_address(self, x: ExpressionApi, node: core.Expr) -> m.IrExpr:
        """Returns the address of the entry that `node` reads."""
        if isinstance(node, core.CountOf):
            assert isinstance(node.bag, core.StateRef)
            return add_offset(x.address(self.w.program.states[node.bag.state], node.bag.index), x.lower(node.kind))
        assert isinstance(node, core.StateRef)
        return x.address(self.w.program.states[node.state], node.index)

    def compile_function(self, term: ScoreTerm, written: Callable[[ExpressionApi, core.Expr], m.IrExpr]) -> str:
        """Compiles a function of the position and a player, and returns its name."""
        code = FunctionBuilder(self.w.fresh.function_name("t", self.goal.name), ("s", self.w.fresh.local_name(self.goal.params[0])))
        self.w.functions.append(code)
        x = self.w.new_expression_lowering(code)
        for routine, arguments in term.calls:
            values = [x.temp(x.lower(argument)) for argument in arguments]
            x.env = {**x.env, **dict(zip(routine.params, values))}
        code.emit(m.ReturnStmt(written(x, term.node)))
        return code.name

    def find_only_state(self, node: core.Expr) -> State | None:
        """Returns the state that `node` depends on, if there is exactly one."""
        named = {part.state for part in walk(node) if isinstance(part, core.StateRef | core.OccupiedCells)}
        return self.w.program.states[named.pop()] if len(named) == 1 else None
