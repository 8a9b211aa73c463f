"""Recognizes loops that are one operation on whole sets:

- the search for a constant set that is a subset of another set. C tests all sets of a row, which costs less
  than a branch for each.
- the insertion of the members of one set into another set, which is a union."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..ir import nodes as m
from ..ir.traversal import child_expressions, iter_statements
from ..ir.value_types import MEMBERS, WORD, Kind, ListKind, MaskKind

SETS_PER_CHUNK = 4                                                        # row lengths are multiples of this
MAX_SETS_SCANNED = 128                                                      # in longer rows, stopping early may be faster


def match_subset_search(node: m.ForStmt, body: m.Body) -> tuple[m.Body, m.IrExpr, m.Body] | None:
    """Matches a loop over sets that stops at the first subset of another set and then runs statements that do not
    depend on it.

    Returns the statements before each test (running them once is enough), the other set, and the final
    statements. `body` is the whole function."""
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
    """Matches a loop that inserts the members of a set into another set one by one.

    Returns the other set's variable, the iterable, and the steps charged for each member. `body` is the whole
    function."""
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
            case m.CallExpr(function="charge_items", args=(inner, m.IntConst(value=each))):
                things, cost = inner, cost + each
            case _:
                return into, things, cost


def is_loop_invariant(node: m.IrExpr, one: m.IrExpr) -> bool:
    """Whether this is built only from slots, numbers, and variables other than `one`."""
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
    """Yields all expressions in these statements."""
    for step in iter_statements(body):
        todo = child_expressions(step)
        while todo:
            found = todo.pop()
            yield found
            todo += child_expressions(found)


def constant_set_rows(
    things: m.IrExpr, values: Mapping[str, Any], kind: Kind | None
) -> tuple[m.IrExpr | None, list[tuple[int, ...]]] | None:
    """Matches a constant list of sets, or an entry of a constant list of such lists. `kind` is the kind of the
    list.

    Returns the index of the entry (or None) and all lists, padded to equal length. The padding repeats the
    first set, which does not affect the result."""
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
