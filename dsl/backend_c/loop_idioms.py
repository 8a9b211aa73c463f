"""Loops that say something of whole sets: over constant sets, until one lies within another set (all are looked at then, which costs less
than a branch for each), and over the members of one that go into another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..ir import nodes as m
from ..ir.value_types import MEMBERS, WORD, Kind, ListKind, MaskKind

SETS_PER_CHUNK = 4                                                        # sets: a row has a multiple of so many
MAX_SETS_SCANNED = 128                                                      # with more, it may be better to stop early


def match_subset_search(node: m.ForStmt, body: m.Body) -> tuple[m.Body, m.IrExpr, m.Body] | None:
    """Of a loop over sets that ends with the first that lies within another set, and does then what has nothing to do with it: what comes
    before each look (and need come but once), that other set, and what is done. `body`: the whole function."""
    match node:
        case m.ForStmt(
            names=(name,), other=[], body=[*first, m.IfStmt(test=test, body=[*done, m.BreakStmt() | m.ReturnStmt() as last], other=[])]
        ):
            pass
        case _:
            return None
    if not all(isinstance(step, m.LoadMemo) and step.name is None for step in first) or not all(
        isinstance(step, m.AssignStmt) for step in done
    ):
        return None
    one = m.Var(name)
    match test:
        case m.BinaryOp(
            left=m.BinaryOp(left=left, sign="&", right=m.UnaryOp(sign="~", value=whole)), sign="==", right=m.IntConst(value=0)
        ) if left == one:
            pass
        case m.BinaryOp(left=m.BinaryOp(left=left, sign="&", right=whole), sign="==", right=right) if left == right == one:
            pass
        case _:
            return None
    used = sum(found == one for found in iter_expressions(body))
    if not is_loop_invariant(whole, one) or used != sum(found == one for found in iter_expressions([m.IfStmt(test)])):
        return None
    return first, whole, done + ([last] if isinstance(last, m.ReturnStmt) else [])


def match_set_insertion(node: m.ForStmt, body: m.Body) -> tuple[str, m.IrExpr, int] | None:
    """Of a loop that puts the members of a set into another, one by one: the other, what it goes over, and what each member costs. `body`:
    the whole function."""
    match node:
        case m.ForStmt(names=(name,), things=things, other=[], body=[m.AugAssign(target=m.Var(name=into), sign="|=", value=value)]):
            pass
        case _:
            return None
    one = m.Var(name)
    if value != m.BinaryOp(m.IntConst(1), "<<", one) or sum(found == one for found in iter_expressions(body)) > 1:
        return None
    cost = 0
    while True:
        match things:
            case m.BoundedIter(things=inner):
                things = inner
            case m.CallExpr(function="walked", args=(inner, m.IntConst(value=each))):
                things, cost = inner, cost + each
            case _:
                return into, things, cost


def is_loop_invariant(node: m.IrExpr, one: m.IrExpr) -> bool:
    """Whether this is a word of the position or a variable other than one, or is made of such with numbers."""
    match node:
        case m.Var():
            return node != one
        case m.IntConst():
            return True
        case m.LoadSlot(at=at):
            return is_loop_invariant(at, one)
        case m.BinaryOp(left=left, sign="+" | "&" | "|", right=right):
            return is_loop_invariant(left, one) and is_loop_invariant(right, one)
    return False


def iter_expressions(body: m.Body) -> Iterator[m.IrExpr]:
    """All expressions in these steps."""
    for step in m.iter_statements(body):
        todo = m.child_expressions(step)
        while todo:
            found = todo.pop()
            yield found
            todo += m.child_expressions(found)


def constant_set_rows(
    things: m.IrExpr, values: Mapping[str, Any], kind: Kind | None
) -> tuple[m.IrExpr | None, list[tuple[int, ...]]] | None:
    """Of a constant list of sets, or an entry of a constant list of such (a list of this kind): which entry, and the lists, all equally
    long. What is there more is the first set again, which changes nothing."""
    lists: Any
    index: m.IrExpr | None
    match things:
        case m.ConstantRef(name=name):
            index, lists = None, (values.get(name),)
        case m.IndexExpr(things=m.ConstantRef(name=name), index=index):
            lists = values.get(name)
        case _:
            return None
    if not isinstance(kind, ListKind) or not (kind.of in (WORD, MEMBERS) or isinstance(kind.of, MaskKind)) or not isinstance(lists, tuple):
        return None
    if not lists or not all(isinstance(one, tuple) and one and all(type(n) is int and 0 <= n < 1 << 64 for n in one) for one in lists):
        return None
    width = -(-max(map(len, lists)) // SETS_PER_CHUNK) * SETS_PER_CHUNK
    return (index, [(one + one[:1] * width)[:width] for one in lists]) if width <= MAX_SETS_SCANNED else None
