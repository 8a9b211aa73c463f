"""Member filters: conditions of an iteration that select its members with one operation on bitmasks.

`set(card in cards where card.rank == rank)` needs no loop. A table has the set of cards for each rank, and the result
is its intersection with `cards`. Three forms of conditions are recognized:

| condition | mask |
|---|---|
| `card.suit == low.suit`: depends only on static data and on members that have names | from a table, computed once |
| `position(card.rank) < n`: compares static data of the member with any number | from a table, by the number |
| `card in hand[player]` | the other set |

All of these are total: they have a value for each member, so a test for all members at once is never a fault."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.optimizations import is_enabled
from ..types.types import WORD_TYPES, EmptyType, Int, MemberOf, OptionalOf, SetOf, Type
from .protocols import ExpressionApi
from .static_tables import count_combinations, find_free_locals, find_read_locals, is_data_only, lower_as_table

MAX_FILTER_MEMBERS = 64         # of a domain that is not a set already; a larger mask needs more words in C
MAX_THRESHOLDS = 256            # of a table by a number
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
TOTAL_OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "neg", "+", "-", "*", "position")
COMPARE = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__}


def find_filters(x: ExpressionApi, gen: core.GeneratorBinding, conditions: Sequence[core.Expr],
                 later_locals: Collection[LocalVar]) -> list[core.Expr]:
    """Returns the conditions that `apply_filters` can apply to the members of `gen`. `later_locals` have no value yet."""
    domain = gen.local.type
    if not is_enabled("member-filters") or gen.number is not None or not isinstance(domain, MemberOf):
        return []
    if isinstance(gen.source, core.AllMembers):
        if len(x.model.enums[domain.name]) > MAX_FILTER_MEMBERS:
            return []
    elif not isinstance(gen.source.type, SetOf) or not x.layout.is_mask_element(gen.source.type.of):
        return []
    unbound = {*later_locals} - {gen.local}
    return [one for one in conditions if not find_read_locals(x, one) & unbound
            and (is_static(x, gen.local, one) or match_threshold(x, gen.local, one) or match_membership(x, gen.local, one))]


def apply_filters(x: ExpressionApi, mask: m.IrExpr | None, local: LocalVar, conditions: Sequence[core.Expr]) -> m.IrExpr:
    """Returns the members of `mask` that meet the conditions. None as the mask means all members."""
    static: dict[tuple[LocalVar, ...], list[core.Expr]] = {}
    for condition in conditions:
        if is_static(x, local, condition):
            static.setdefault(tuple(find_others(local, condition)), []).append(condition)
    masks = [lower_static(x, local, others, group) for others, group in static.items()]
    removed: list[core.Expr] = []
    for condition in conditions:
        if is_static(x, local, condition):
            continue
        threshold = match_threshold(x, local, condition)
        membership = match_membership(x, local, condition)
        if threshold is not None:
            masks.append(lower_threshold(x, local, *threshold))
        elif membership is not None and membership[0]:
            masks.append(x.lower(membership[1]))
        elif membership is not None:
            removed.append(membership[1])
    for one in masks:
        mask = one if mask is None else b.binary_op(mask, "&", one)
    found = mask if mask is not None else all_members(x, local)
    for these in removed:
        found = b.mask_without(found, x.lower(these))
    return found


def all_members(x: ExpressionApi, local: LocalVar) -> m.IrExpr:
    """Returns the mask of all members of a local's type."""
    assert isinstance(local.type, MemberOf)
    return x.const((1 << len(x.model.enums[local.type.name])) - 1)


def find_others(local: LocalVar, condition: core.Expr) -> list[LocalVar]:
    """Returns the names that a condition reads beside that of the member."""
    return [one for one in find_free_locals(condition) if one is not local]


# ------------------------------------------------------------ static data

def is_static(x: ExpressionApi, local: LocalVar, condition: core.Expr) -> bool:
    """Whether a condition depends only on static data and on names of few members."""
    return (local in find_free_locals(condition) and is_total(condition) and is_data_only(x.w, condition)
            and count_combinations(x.w, find_others(local, condition)) is not None)


def lower_static(x: ExpressionApi, local: LocalVar, others: Sequence[LocalVar], conditions: Sequence[core.Expr]) -> m.IrExpr:
    """Returns the mask of all members that meet static conditions. `others` are the names that the conditions read."""
    def write(inner: ExpressionApi) -> m.IrExpr:
        assert isinstance(local.type, MemberOf)
        inner.env[local] = m.Var("v")
        inner.assign("m", 0)
        depth = inner.code.depth
        inner.code.enter_block(m.ForStmt(("v",), b.call("range", len(inner.model.enums[local.type.name]))))
        for condition in conditions:
            inner.code.enter_block(m.IfStmt(inner.lower(condition)))
        inner.emit(m.AugAssign(m.Var("m"), "|=", b.bit_mask("v")))
        inner.code.depth = depth
        return m.Var("m")
    return lower_as_table(x, local.name, others, write)


# ------------------------------------------------------------ numbers

def match_threshold(x: ExpressionApi, local: LocalVar, condition: core.Expr) -> tuple[str, list[int], core.Expr] | None:
    """Matches a condition that compares a static number of the member with a number that does not depend on it.

    Returns the sign, the static number of each member, and the other number."""
    match condition:
        case core.PrimOp(op="<" | "<=" | ">" | ">=" | "==" | "!=" as op, args=(one, other)):
            pass
        case _:
            return None
    sign: str = op
    if local not in find_free_locals(one):
        one, other, sign = other, one, MIRRORED[sign]
    if not isinstance(one.type, Int) or not isinstance(other.type, Int) or local in find_free_locals(other) or not is_total(other):
        return None
    values = evaluate_for_members(x, local, one)
    return (sign, values, other) if values is not None and max(values) - min(values) < MAX_THRESHOLDS else None


def evaluate_for_members(x: ExpressionApi, local: LocalVar, node: core.Expr) -> list[int] | None:
    """Returns the value of an expression for each member, or None if it is not known at compile time."""
    assert isinstance(local.type, MemberOf)
    if find_free_locals(node) != [local]:
        return None
    had, found = x.env.get(local), []
    for member in range(len(x.model.enums[local.type.name])):
        x.env[local] = m.IntConst(member)
        found.append(x.constant_of(node))
    x.env.pop(local)
    if had is not None:
        x.env[local] = had
    return found if found and all(isinstance(value, int) for value in found) else None


def lower_threshold(x: ExpressionApi, local: LocalVar, sign: str, values: Sequence[int], other: core.Expr) -> m.IrExpr:
    """Returns the mask of the members whose value compares with `other` as `sign` says."""
    low, high = min(values) - 1, max(values) + 1
    table = tuple(b.mask_of(n for n, value in enumerate(values) if COMPARE[sign](value, limit)) for limit in range(low, high + 1))
    limit = x.temp(x.lower(other), "n")
    at = m.IfExpr(b.binary_op(limit, "<", low), m.IntConst(low), m.IfExpr(b.binary_op(limit, ">", high), m.IntConst(high), limit))
    return b.index_entry(x.const(table), b.binary_op(at, "-", low))


# ------------------------------------------------------------ other sets

def match_membership(x: ExpressionApi, local: LocalVar, condition: core.Expr) -> tuple[bool, core.Expr] | None:
    """Matches `member in these` and `member not in these`. Returns whether the members must be in the set, and the set."""
    match condition:
        case core.PrimOp(op="not", args=(inside,)):
            found = match_membership(x, local, inside)
            return (not found[0], found[1]) if found is not None else None
        case core.PrimOp(op="in" | "not in" as op, args=(core.LocalRef(local=one), core.Expr(type=SetOf(of=of)) as these)) if one is local:
            if of == local.type and x.layout.is_mask_element(of) and local not in find_free_locals(these) and is_simple_set(x, these):
                return op == "in", these
    return None


def is_simple_set(x: ExpressionApi, node: core.Expr) -> bool:
    """Whether a set is a name or an entry of a state, so that it costs nothing to read it once."""
    match node:
        case core.LocalRef():
            return True
        case core.StateRef(state=name, index=index):
            state = x.w.program.states[name]
            return x.layout.cells[state].form == "plain" and all(isinstance(one, core.LocalRef) for one in index)
    return False


# ------------------------------------------------------------ totality

def is_total(node: core.Expr) -> bool:
    """Whether an expression has a value for all values of its names, so that it is never a fault."""
    match node:
        case core.Const() | core.NamedConstant() | core.OptionValue() | core.MemberConstant() | core.LocalRef() | core.EmptyLiteral():
            return True
        case core.Attribute(thing=thing):
            return is_total(thing)
        case core.PrimOp(op=op, args=args):
            return op in TOTAL_OPERATORS and all(is_word(one.type) and is_total(one) for one in args)
    return False


def is_word(type_: Type) -> bool:
    """Whether values of a type are numbers, members, or none."""
    inner = type_.of if isinstance(type_, OptionalOf) else type_
    return isinstance(inner, (*WORD_TYPES, EmptyType))
