"""Member filters: conditions of an iteration that select its members with one operation on bitmasks.

`set(card in cards where card.rank == rank)` needs no loop. A table has the set of cards for each rank, and the result
is its intersection with `cards`. Three forms of conditions are recognized, also with `not`, `and`, and `or`:

| condition | mask |
|---|---|
| `card.suit == low.suit`: depends only on static data and on members that have names | from a table, computed once |
| `position(card.rank) < n`: compares static data of the member with any number | from a table, by the number |
| `card in hand[player]`, `closed[edge]` | the other set |

All of these are total: they have a value for each member, so a test for all members at once is never a fault."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import Routine
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.optimizations import is_enabled
from ..types.operations import RELATION_FUNCTIONS
from ..types.types import WORD_TYPES, EmptyType, Int, MemberOf, OptionalOf, SetOf, Type
from .protocols import ExpressionApi
from .static_tables import count_combinations, find_free_locals, find_read_locals, is_data_only, lower_as_table

MAX_FILTER_MEMBERS = 64         # of a domain that is not a set already; a larger mask needs more words in C
TOTAL_SET_OPERATORS = ("size", "&", "+", "-", "in", "not in", "==", "!=")
MAX_THRESHOLDS = 256            # of a table by a number
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
TOTAL_OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "neg", "+", "-", "*", "position", "row", "column")
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
    return [one for one in conditions if not find_read_locals(x, one) & unbound and is_filter(x, gen.local, one)]


def is_filter(x: ExpressionApi, local: LocalVar, condition: core.Expr) -> bool:
    """Whether a condition on a member selects members with one mask."""
    match condition:
        case core.PrimOp(op="or" | "and", args=args) if all(is_filter(x, local, one) for one in args):
            return True
    return (is_static(x, local, condition) or match_threshold(x, local, condition) is not None
            or match_membership(x, local, condition) is not None)


def apply_filters(x: ExpressionApi, mask: m.IrExpr | None, local: LocalVar, conditions: Sequence[core.Expr]) -> m.IrExpr:
    """Returns the members of `mask` that meet the conditions. None as the mask means all members."""
    static: dict[tuple[LocalVar, ...], list[core.Expr]] = {}
    for condition in conditions:
        if is_static(x, local, condition):
            static.setdefault(tuple(find_others(local, condition)), []).append(condition)
    masks = [(True, lower_static(x, local, others, group)) for others, group in static.items()]
    masks += [lower_filter(x, local, condition) for condition in conditions if not is_static(x, local, condition)]
    for held, one in masks:
        if held:
            mask = one if mask is None else b.binary_op(mask, "&", one)
    found = mask if mask is not None else all_members(x, local)
    for held, one in masks:
        if not held:
            found = b.mask_without(found, one)
    return found


def lower_filter(x: ExpressionApi, local: LocalVar, condition: core.Expr) -> tuple[bool, m.IrExpr]:
    """Returns the mask of all members that meet a condition, after True. The mask of all others comes after False."""
    if is_static(x, local, condition):
        return True, lower_static(x, local, find_others(local, condition), [condition])
    threshold = match_threshold(x, local, condition)
    if threshold is not None:
        return True, lower_threshold(x, local, *threshold)
    membership = match_membership(x, local, condition)
    if membership is not None:
        return membership
    assert isinstance(condition, core.PrimOp)
    one, other = (lower_filter(x, local, part) for part in condition.args)
    whole = [mask if held else b.mask_without(all_members(x, local), mask) for held, mask in (one, other)]
    return True, b.binary_op(whole[0], "|" if condition.op == "or" else "&", whole[1])


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
    return (local in find_free_locals(condition) and is_total(x, condition) and is_data_only(x.w, condition)
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
    if not isinstance(one.type, Int) or not isinstance(other.type, Int) or local in find_free_locals(other) or not is_total(x, other):
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

def match_membership(x: ExpressionApi, local: LocalVar, condition: core.Expr) -> tuple[bool, m.IrExpr] | None:
    """Matches `member in these`, and an entry of a state of truth values. Returns whether the members must be in the
    set, and the set. A negated condition has the opposite of the first."""
    match condition:
        case core.PrimOp(op="not", args=(inside,)):
            found = match_membership(x, local, inside)
            return (not found[0], found[1]) if found is not None else None
        case core.PrimOp(op="in" | "not in" as op, args=(core.LocalRef(local=one), core.Expr(type=SetOf(of=of)) as these)) if one is local:
            if of == local.type and x.layout.is_mask_element(of) and local not in find_free_locals(these) and is_simple_set(x, these):
                return op == "in", x.lower(these)
        case core.StateRef(state=name, index=(*others, core.LocalRef(local=one))) if one is local:
            state = x.w.program.states[name]
            if x.layout.cells[state].form == "mask" and all(isinstance(part, core.LocalRef) and part.local is not local for part in others):
                return True, b.load_slot(x.address(state, condition.index))
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

def is_total(x: ExpressionApi, node: core.Expr) -> bool:
    """Whether an expression has a value for all values of its names, so that it is never a fault."""
    match node:
        case (core.Const() | core.NamedConstant() | core.OptionValue() | core.MemberConstant() | core.LocalRef() | core.EmptyLiteral()
              | core.AllMembers()):
            return True
        case core.Attribute(thing=thing):
            return is_total(x, thing)
        case core.PrimOp(op=op, args=args):
            typed = (op in TOTAL_OPERATORS and all(is_word(one.type) for one in args)
                     or op in TOTAL_SET_OPERATORS and all(is_word(one.type) or is_mask(x, one.type) for one in args)
                     or op in RELATION_FUNCTIONS and isinstance(args[0].type, MemberOf) and not x.layout.is_open(args[0].type))
            return typed and all(is_total(x, one) for one in args)
        case core.CondExpr(test=test, value=value, other=other):
            return is_total(x, test) and is_total(x, value) and is_total(x, other)
        case core.StateRef(state=name, index=index):
            form = x.layout.cells[x.w.program.states[name]].form
            return form in ("plain", "mask") and all(isinstance(one.type, MemberOf) and is_total(x, one) for one in index)
        case core.CountOf(bag=core.StateRef(index=index), kind=kind):
            return all(isinstance(one.type, MemberOf) and is_total(x, one) for one in (*index, kind))
        case core.Fold(kind="any" | "all" | "count" | "set" | "sum" | "highest" | "lowest" | "first", gens=gens, where=where, value=value):
            parts = [*(gen.source for gen in gens), *where, *([value] if value is not None else [])]
            return all(is_word(one.type) or is_mask(x, one.type) for one in parts) and all(is_total(x, one) for one in parts)
        case core.CallDef(family=name, case=None, args=args):
            routine = x.w.program.families[name].entry(None)
            return routine is not None and is_total_def(x, routine) and all(is_total(x, one) for one in args)
    return False


def is_total_def(x: ExpressionApi, routine: Routine) -> bool:
    """Whether a def has a value for all values of its parameters. Each def is examined once, because defs call each other often."""
    known = x.w.total_defs
    if routine not in known:
        known[routine] = not routine.case and routine.value is not None and is_total(x, routine.value)
    return known[routine]


def is_word(type_: Type) -> bool:
    """Whether values of a type are numbers, members, or none."""
    inner = type_.of if isinstance(type_, OptionalOf) else type_
    return isinstance(inner, (*WORD_TYPES, EmptyType))


def is_mask(x: ExpressionApi, type_: Type) -> bool:
    """Whether values of a type are bitmasks."""
    return isinstance(type_, SetOf) and x.layout.is_mask_element(type_.of)
