"""Ways: searches that begin at several places and follow the steps that the rules allow."""

from __future__ import annotations

from collections.abc import Callable

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..ir import builder as b
from ..ir import nodes as m
from ..types.types import BOOL, SetOf, Type
from .protocols import ExpressionApi


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


def _lower_mask(x: ExpressionApi, source: core.Expr, place: Type) -> m.IrExpr:
    """Returns the bitmask of the members of a container."""
    if isinstance(source.type, SetOf):
        return x.lower(source)
    gen = core.GeneratorBinding(source.at, LocalVar("place", place), source)
    return x.lower(core.Fold(source.at, SetOf(place), "set", (gen,), (), None))
