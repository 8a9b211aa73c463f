"""Shortest ways: a search that begins at several places and follows the steps that the rules allow."""

from __future__ import annotations

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..ir import builder as b
from ..ir import nodes as m
from ..types.types import BOOL, SetOf, Type
from .protocols import ExpressionApi


def lower_shortest(x: ExpressionApi, node: core.Fold) -> m.IrExpr:
    """`shortest(here in S to G, there in T where C: cost)`: the lowest cost of a way from S to G, or none.

    The search visits each place at most once, nearest places first. If all steps cost the same, the places at one
    distance are one set. Otherwise, a list holds the places that the search has yet to visit, with their costs."""
    assert node.goal is not None and node.value is not None
    start, *steps = node.gens
    saved = dict(x.env)
    names = x.w.fresh
    goal = x.temp(_lower_mask(x, node.goal, start.local.type), "m")
    result, total, seen, layer = names.temp_name("n"), names.temp_name("n"), names.temp_name("m"), names.temp_name("m")
    here, visited = names.local_name(start.local), LocalVar("visited", SetOf(start.local.type))
    x.env[start.local], x.env[visited] = m.Var(here), m.Var(seen)
    last = node.gens[-1].local
    unseen = core.PrimOp(node.at, BOOL, "not in", (
        core.LocalRef(node.at, last.type, last), core.LocalRef(node.at, visited.type, visited)))
    where = (unseen, *node.where)
    origin = _lower_mask(x, start.source, start.local.type)
    x.assign(result, m.NoneConst())
    arrived = m.IfStmt(
        b.binary_op(b.binary_op(layer, "&", goal), "!=", 0), [m.AssignStmt((result,), m.Var(total)), m.BreakStmt()]
    )
    known = x.constant_of(node.value)
    if known is not None:
        x.assign(layer, origin)
        x.assign(seen, layer)
        x.assign(total, 0)
        found = names.temp_name("m")
        with x.code.inside_block(m.WhileStmt(b.binary_op(layer, "!=", 0))):
            x.emit(arrived)
            x.assign(found, 0)
            with x.code.inside_block(m.ForStmt((here,), b.call("bits", m.Var(layer)))):
                levels = x.open_gens(steps, where)
                x.emit(m.AugAssign(m.Var(found), "|=", b.bit_mask(x.read_local(last))))
                x.close_gens(levels)
            x.assign(layer, b.mask_without(found, seen))
            x.emit(m.AugAssign(m.Var(seen), "|=", m.Var(layer)))
            x.emit(m.AugAssign(m.Var(total), "+=", m.IntConst(known)))
    else:
        pending, cost, place = names.temp_name("l"), names.temp_name("n"), names.temp_name("x")
        pair = m.TupleDisplay((m.Var(cost), m.Var(place)))
        first = m.TupleDisplay((m.IntConst(0), m.Var(place)))
        x.assign(pending, m.ListComp(first, (place,), b.call("bits", x.temp(origin, "m"))))
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
            x.emit(arrived)
            with x.code.inside_block(m.ForStmt((here,), b.call("bits", m.Var(layer)))):
                levels = x.open_gens(steps, where)
                more = b.binary_op(total, "+", x.lower(node.value))
                x.emit(m.ExprStmt(b.call_method(pending, "append", m.TupleDisplay((more, x.read_local(last))))))
                x.close_gens(levels)
    x.env.clear()
    x.env.update(saved)
    return m.Var(result)


def _lower_mask(x: ExpressionApi, source: core.Expr, place: Type) -> m.IrExpr:
    """Returns the bitmask of the members of a container."""
    if isinstance(source.type, SetOf):
        return x.lower(source)
    gen = core.GeneratorBinding(source.at, LocalVar("place", place), source)
    return x.lower(core.Fold(source.at, SetOf(place), "set", (gen,), (), None))
