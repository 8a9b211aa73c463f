"""Loops that say something of whole sets: over constant sets, until one lies within another set (all are looked at then, which costs less
than a branch for each), and over the members of one that go into another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..ir import nodes as m
from ..ir.value_types import MEMBERS, WORD, Kind, Mask, Seq

AT_ONCE = 4                                                        # sets: a row has a multiple of so many
LONGEST = 128                                                      # with more, it may be better to stop early


def looked_for(node: m.For, body: m.Body) -> tuple[m.Body, m.Expr, m.Body] | None:
    """Of a loop over sets that ends with the first that lies within another set, and does then what has nothing to do with it: what comes
    before each look (and need come but once), that other set, and what is done. `body`: the whole function."""
    match node:
        case m.For(names=(name,), other=[], body=[*first, m.If(test=test, body=[*done, m.Break() | m.Return() as last], other=[])]):
            pass
        case _:
            return None
    if not all(isinstance(step, m.Recall) and step.name is None for step in first) or not all(isinstance(step, m.Set) for step in done):
        return None
    one = m.Var(name)
    match test:
        case m.Op(left=m.Op(left=left, sign="&", right=m.Un(sign="~", value=whole)), sign="==", right=m.Num(value=0)) if left == one:
            pass
        case m.Op(left=m.Op(left=left, sign="&", right=whole), sign="==", right=right) if left == right == one:
            pass
        case _:
            return None
    used = sum(found == one for found in expressions(body))
    if not settled(whole, one) or used != sum(found == one for found in expressions([m.If(test)])):
        return None
    return first, whole, done + ([last] if isinstance(last, m.Return) else [])


def put_into(node: m.For, body: m.Body) -> tuple[str, m.Expr, int] | None:
    """Of a loop that puts the members of a set into another, one by one: the other, what it goes over, and what each member costs. `body`:
    the whole function."""
    match node:
        case m.For(names=(name,), things=things, other=[], body=[m.Change(target=m.Var(name=into), sign="|=", value=value)]):
            pass
        case _:
            return None
    one = m.Var(name)
    if value != m.Op(m.Num(1), "<<", one) or sum(found == one for found in expressions(body)) > 1:
        return None
    cost = 0
    while True:
        match things:
            case m.Bounded(things=inner):
                things = inner
            case m.Call(function="walked", args=(inner, m.Num(value=each))):
                things, cost = inner, cost + each
            case _:
                return into, things, cost


def settled(node: m.Expr, one: m.Expr) -> bool:
    """Whether this is a word of the position or a variable other than one, or is made of such with numbers."""
    match node:
        case m.Var():
            return node != one
        case m.Num():
            return True
        case m.Get(at=at):
            return settled(at, one)
        case m.Op(left=left, sign="+" | "&" | "|", right=right):
            return settled(left, one) and settled(right, one)
    return False


def expressions(body: m.Body) -> Iterator[m.Expr]:
    """All expressions in these steps."""
    for step in m.steps(body):
        todo = m.expressions(step)
        while todo:
            found = todo.pop()
            yield found
            todo += m.expressions(found)


def rows(things: m.Expr, values: Mapping[str, Any], kind: Kind | None) -> tuple[m.Expr | None, list[tuple[int, ...]]] | None:
    """Of a constant list of sets, or an entry of a constant list of such (a list of this kind): which entry, and the lists, all equally
    long. What is there more is the first set again, which changes nothing."""
    lists: Any
    index: m.Expr | None
    match things:
        case m.Table(name=name):
            index, lists = None, (values.get(name),)
        case m.At(things=m.Table(name=name), index=index):
            lists = values.get(name)
        case _:
            return None
    if not isinstance(kind, Seq) or not (kind.of in (WORD, MEMBERS) or isinstance(kind.of, Mask)) or not isinstance(lists, tuple):
        return None
    if not lists or not all(isinstance(one, tuple) and one and all(type(n) is int and 0 <= n < 1 << 64 for n in one) for one in lists):
        return None
    width = -(-max(map(len, lists)) // AT_ONCE) * AT_ONCE
    return (index, [(one + one[:1] * width)[:width] for one in lists]) if width <= LONGEST else None
