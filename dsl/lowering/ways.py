"""Ways: searches that begin at several places and follow the steps that the rules allow."""

from __future__ import annotations

from collections.abc import Callable

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.limits import RECENT_WAYS
from ..ir.optimizations import is_enabled
from ..ir.program import RecentWays
from ..types.types import BOOL, MemberOf, SetOf, Type
from .member_filters import TOTAL_OPERATORS, is_simple_set, is_total
from .protocols import ExpressionApi
from .static_tables import is_data_only


def lower_shortest(x: ExpressionApi, node: core.Fold) -> m.IrExpr:
    """Returns the IR of `shortest(here in S to G, there in T where C: cost)`: the lowest cost of a way from S to G, or none.

    The search visits each place at most once, nearest places first. If all steps cost the same, the places at one
    distance are one set. Otherwise, a list holds the places that the search has yet to visit, with their costs."""
    assert node.value is not None
    saved = dict(x.env)
    search = WaySearch(x, node)
    known = x.constant_of(node.value)
    if known is not None:
        search.visit_by_steps(known)
    else:
        search.visit_by_cost(node.value)
    x.env.clear()
    x.env.update(saved)
    return m.Var(search.result)


def lower_longest(x: ExpressionApi, node: core.Fold) -> m.IrExpr:
    """Returns the IR of `longest(here in S through P, thing in T, there in U where C: cost)`: the highest cost of a trail.

    The first search collects all steps in reach, which do not depend on the course of the trail. The runtime function
    `longest_trail` then combines them."""
    assert node.value is not None and node.places is not None
    saved = dict(x.env)
    start, *steps = node.gens
    names = x.w.fresh
    through = x.temp(_lower_mask(x, node.places, start.local.type), "m")
    origin = x.temp(_lower_mask(x, start.source, start.local.type), "m")
    found, layer, seen, reached = (names.temp_name(hint) for hint in "lmmm")
    here = names.local_name(start.local)
    x.env[start.local] = m.Var(here)
    leaves = core.PrimOp(node.at, BOOL, "!=", tuple(
        core.LocalRef(node.at, local.type, local) for local in (steps[-1].local, start.local)))
    x.assign(found, m.ListDisplay())
    x.assign(layer, origin)
    x.assign(seen, layer)
    with x.code.inside_block(m.WhileStmt(b.binary_op(layer, "!=", 0))):
        x.assign(reached, 0)
        with x.code.inside_block(m.ForStmt((here,), b.call("bits", m.Var(layer)))):
            levels = x.open_gens(steps, (leaves, *node.where))
            there = x.read_local(steps[-1].local)
            step = m.TupleDisplay((m.Var(here), x.read_local(steps[0].local), there, x.lower(node.value)))
            x.emit(m.ExprStmt(b.call_method(found, "append", step)))
            x.emit(m.AugAssign(m.Var(reached), "|=", b.bit_mask(there)))
            x.close_gens(levels)
        x.assign(layer, b.mask_without(b.binary_op(reached, "&", through), seen))
        x.emit(m.AugAssign(m.Var(seen), "|=", m.Var(layer)))
    x.env.clear()
    x.env.update(saved)
    return x.temp(b.call("longest_trail", found, origin, through, int(len(steps) == 1)), "n")


class WaySearch:
    """Writes the search of one fold.

    Variables: `result`, `total` is the cost of the places in the set `layer`, `seen` is the set of places that were visited."""

    def __init__(self, x: ExpressionApi, node: core.Fold) -> None:
        assert node.places is not None
        start, *self.steps = node.gens
        self.x, names = x, x.w.fresh
        goal = x.temp(_lower_mask(x, node.places, start.local.type), "m")
        self.result, self.total, self.seen, self.layer = (names.temp_name(hint) for hint in "nnmm")
        self.here, visited = names.local_name(start.local), LocalVar("visited", SetOf(start.local.type))
        x.env[start.local], x.env[visited] = m.Var(self.here), m.Var(self.seen)
        self.last = node.gens[-1].local
        unseen = core.PrimOp(node.at, BOOL, "not in", (
            core.LocalRef(node.at, self.last.type, self.last), core.LocalRef(node.at, visited.type, visited)))
        self.where = (unseen, *node.where)
        self.origin = _lower_mask(x, start.source, start.local.type)
        x.assign(self.result, m.NoneConst())
        arrived = b.binary_op(b.binary_op(self.layer, "&", goal), "!=", 0)
        self.end_at_goal = m.IfStmt(arrived, [m.AssignStmt((self.result,), m.Var(self.total)), m.BreakStmt()])

    def visit_by_steps(self, cost: int) -> None:
        """Writes a search in which every step costs the same."""
        x, layer, seen, total = self.x, self.layer, self.seen, self.total
        x.assign(layer, self.origin)
        x.assign(seen, layer)
        x.assign(total, 0)
        found = x.w.fresh.temp_name("m")
        with x.code.inside_block(m.WhileStmt(b.binary_op(layer, "!=", 0))):
            x.emit(self.end_at_goal)
            x.assign(found, 0)
            self.take_steps(lambda: m.AugAssign(m.Var(found), "|=", b.bit_mask(x.read_local(self.last))))
            x.assign(layer, b.mask_without(found, seen))
            x.emit(m.AugAssign(m.Var(seen), "|=", m.Var(layer)))
            x.emit(m.AugAssign(m.Var(total), "+=", m.IntConst(cost)))

    def visit_by_cost(self, step_cost: core.Expr) -> None:
        """Writes a search in which steps have costs of their own."""
        x, layer, seen, total = self.x, self.layer, self.seen, self.total
        pending, cost, place = (x.w.fresh.temp_name(hint) for hint in "lnx")
        pair = m.TupleDisplay((m.Var(cost), m.Var(place)))
        first = m.TupleDisplay((m.IntConst(0), m.Var(place)))
        x.assign(pending, m.ListComp(first, (place,), b.call("bits", x.temp(self.origin, "m"))))
        x.assign(seen, 0)
        with x.code.inside_block(m.WhileStmt(b.binary_op(b.call("len", m.Var(pending)), ">", 0))):
            x.assign(total, b.index_entry(b.call("min", m.Var(pending)), 0))
            x.assign(layer, 0)
            with x.code.inside_block(m.ForStmt((cost, place), m.Var(pending))):
                nearest = b.binary_op(cost, "==", total)
                x.emit(m.IfStmt(nearest, [m.AugAssign(m.Var(layer), "|=", b.bit_mask(place))]))
            x.assign(pending, m.ListComp(pair, (cost, place), m.Var(pending), (b.binary_op(cost, ">", total),)))
            x.assign(layer, b.mask_without(layer, seen))
            x.emit(m.AugAssign(m.Var(seen), "|=", m.Var(layer)))
            x.emit(self.end_at_goal)

            def append_next() -> m.IrStmt:
                more = b.binary_op(total, "+", x.lower(step_cost))
                return m.ExprStmt(b.call_method(pending, "append", m.TupleDisplay((more, x.read_local(self.last)))))
            self.take_steps(append_next)

    def take_steps(self, write_step: Callable[[], m.IrStmt]) -> None:
        """Writes the loop over all steps from the places in `layer`. `write_step` makes the statement for one step."""
        x = self.x
        with x.code.inside_block(m.ForStmt((self.here,), b.call("bits", m.Var(self.layer)))):
            levels = x.open_gens(self.steps, self.where)
            x.emit(write_step())
            x.close_gens(levels)


class ReachSearch:
    """Writes the search for any way of one `shortest` fold. It first tries the ways that it found last from the same place.

    Variables: `reached` is the result. `ways` holds the last ways. A step is `width` numbers: how far the end of its way
    is, the place before it, and the values of the generators. `log` holds the steps of the search in the same form, but
    each begins with the number of the step before it."""

    def __init__(self, x: ExpressionApi, node: core.Fold) -> None:
        start, *self.steps = node.gens
        assert node.places is not None and isinstance(start.local.type, MemberOf)
        self.x, self.where, self.width = x, node.where, len(node.gens) + 1
        self.goal, self.origin = (x.temp(_lower_mask(x, part, start.local.type), "m") for part in (node.places, start.source))
        self.recent = x.w.add_constant(RecentWays(str(node.at), RECENT_WAYS))
        self.range = b.call("range", len(x.model.enums[start.local.type.name]))
        names = x.w.fresh
        self.reached, self.ways, self.log, self.seen, self.n, self.at = (names.temp_name(hint) for hint in "bllmnn")
        self.here, visited = names.local_name(start.local), LocalVar("visited", SetOf(start.local.type))
        x.env[start.local], x.env[visited] = m.Var(self.here), m.Var(self.seen)
        self.unseen = core.PrimOp(node.at, BOOL, "not in", (
            core.LocalRef(node.at, self.steps[-1].local.type, self.steps[-1].local), core.LocalRef(node.at, visited.type, visited)))

    def write(self) -> m.IrExpr:
        """Writes both parts, and returns whether there is a way."""
        self.x.assign(self.reached, b.binary_op(b.binary_op(self.origin, "&", self.goal), "!=", 0))
        self.try_last_ways()
        self.search()
        return m.Var(self.reached)

    def try_last_ways(self) -> None:
        """Writes the test of the last ways, step by step. An impossible step leads on to the next way."""
        x, met = self.x, self.x.w.fresh.temp_name("b")
        x.assign(self.ways, b.call("recall_ways", self.recent, b.lowest_bit(self.origin)))
        x.assign(self.at, 0)
        with x.code.inside_block(m.ForStmt((self.n,), self.range)):
            x.emit(m.IfStmt(b.binary_op(self.at, ">=", b.call("len", m.Var(self.ways))), [m.BreakStmt()]))
            x.assign(self.here, b.index_entry(self.ways, b.binary_op(self.at, "+", 1)))
            for k, gen in enumerate(self.steps, 2):
                name = x.w.fresh.local_name(gen.local)
                x.env[gen.local] = m.Var(name)
                x.assign(name, b.index_entry(self.ways, b.binary_op(self.at, "+", k)))
            x.assign(met, False)
            levels: list[str] = []
            x.open_conditions(list(self.where), (), levels)
            x.assign(met, True)
            x.close_gens(levels)
            arrived = b.bit_test(self.goal, x.read_local(self.steps[-1].local))
            x.emit(m.IfStmt(m.Var(met), [
                m.IfStmt(arrived, [m.AssignStmt((self.reached,), m.BoolConst(True)), m.BreakStmt()]),
                m.AugAssign(m.Var(self.at), "+=", m.IntConst(self.width)),
            ], [m.AugAssign(m.Var(self.at), "+=", b.index_entry(self.ways, self.at))]))

    def search(self) -> None:
        """Writes a breadth-first search, which does nothing if a way is known. It costs the same number of steps in both cases."""
        x, log, width = self.x, self.log, self.width
        x.assign(log, m.ListDisplay())
        origin = m.ForStmt((self.here,), b.call("bits", self.origin))
        with x.code.inside_block(m.IfStmt(b.logical_not(self.reached))), x.code.inside_block(origin):
            for value in (m.IntConst(-1), *[m.Var(self.here)] * (width - 1)):
                x.emit(m.ExprStmt(b.call_method(log, "append", value)))
        x.assign(self.seen, self.origin)
        with x.code.inside_block(m.ForStmt((self.n,), self.range)):
            first = b.binary_op(self.n, "*", width)
            x.emit(m.IfStmt(b.binary_op(first, ">=", b.call("len", m.Var(log))), [m.BreakStmt()]))
            x.assign(self.here, b.index_entry(log, b.binary_op(first, "+", width - 1)))
            levels = x.open_gens(self.steps, (self.unseen, *self.where))
            there = x.read_local(self.steps[-1].local)
            for value in (m.Var(self.n), m.Var(self.here), *(x.read_local(gen.local) for gen in self.steps)):
                x.emit(m.ExprStmt(b.call_method(log, "append", value)))
            x.emit(m.AugAssign(m.Var(self.seen), "|=", b.bit_mask(there)))
            x.emit(m.IfStmt(b.bit_test(self.goal, there), [
                m.AssignStmt((self.reached,), m.BoolConst(True)),
                m.ExprStmt(b.call("note_way", self.recent, m.Var(log), width)),
                m.BreakStmt()]))
            x.close_gens(levels, m.Var(self.reached))
            x.emit(m.IfStmt(m.Var(self.reached), [m.BreakStmt()]))


def lower_is_reachable(x: ExpressionApi, node: core.Expr) -> m.IrExpr | None:
    """Returns whether a fold `shortest`, or a def with such a value, finds a way. None if `node` is something else, or if
    its way cannot be kept: the places to which a step leads must be static, and a test of a step must have no fault."""
    match node:
        case core.Fold(kind="shortest"):
            if not can_keep_way(x, node):
                return None
            saved = dict(x.env)
            reached = ReachSearch(x, node).write()
            x.env.clear()
            x.env.update(saved)
            return reached
        case core.CallDef(family=name, case=None, args=args):
            routine = x.w.program.families[name].entry(None)
            if routine is None or routine.case or not isinstance(routine.value, core.Fold) or not can_keep_way(x, routine.value):
                return None
            key = ("reachable", routine)
            values = [x.lower(argument) for argument in args]
            if key not in x.w.tried:
                names = [x.w.fresh.temp_name("p") for _ in routine.params]
                code = FunctionBuilder(x.w.fresh.function_name("r", routine.name), ("s", *names), origin=x.code.origin)
                x.w.tried[key] = code.name
                inner = x.w.new_expression_lowering(code)
                inner.env.update(dict(zip(routine.params, map(m.Var, names))))
                code.emit(m.ReturnStmt(ReachSearch(inner, routine.value).write()))
                x.w.functions.append(code)
            return b.call(m.FunctionRef(x.w.tried[key]), b.POSITION, *values)
    return None


def can_keep_way(x: ExpressionApi, node: core.Fold) -> bool:
    """Whether a way that was found once can be tested again step by step, without another search."""
    if node.kind != "shortest" or node.value is None or x.constant_of(node.value) is None:
        return False
    places = node.gens[0].local.type
    return (is_enabled("recent-ways") and all(isinstance(gen.local.type, MemberOf) and gen.number is None for gen in node.gens)
            and isinstance(places, MemberOf) and x.layout.is_mask_element(places)
            and is_data_only(x.w, *(gen.source for gen in node.gens[1:])) and all(is_safe_test(x, one) for one in node.where))


def is_safe_test(x: ExpressionApi, node: core.Expr) -> bool:
    """Whether a condition is never a fault. It may read names, entries of states, and static data."""
    match node:
        case core.PrimOp(op="in" | "not in", args=(core.LocalRef(), these)):
            return is_simple_set(x, these)
        case core.PrimOp(op=op, args=args):
            return op in TOTAL_OPERATORS and all(is_safe_test(x, one) for one in args)
        case core.StateRef(state=name, index=index):
            form = x.layout.cells[x.w.program.states[name]].form
            return form in ("plain", "mask") and all(isinstance(one, core.LocalRef) for one in index)
    return is_total(x, node)


def _lower_mask(x: ExpressionApi, source: core.Expr, place: Type) -> m.IrExpr:
    """Returns the bitmask of the members of a container."""
    if isinstance(source.type, SetOf):
        return x.lower(source)
    gen = core.GeneratorBinding(source.at, LocalVar("place", place), source)
    return x.lower(core.Fold(source.at, SetOf(place), "set", (gen,), (), None))
