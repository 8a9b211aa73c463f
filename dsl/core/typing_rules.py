"""The typing rules of the core: which type each expression gives, derived from its operands alone.

Ranges of numbers are ignored. `verify.py` compares these types with those that the checker has inferred."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never

from ..check.builtins import BUILTINS, RELATION_KINDS
from ..model.model import Enumeration
from ..types.operations import BoardFunction, Operation
from ..types.types import (
    BOOL,
    CONTAINERS,
    INT,
    BagOf,
    Bool,
    EmptyType,
    Int,
    ListOf,
    MemberOf,
    OptionalOf,
    PileOf,
    SetOf,
    Type,
    element_type,
    is_assignable,
    join_types,
)
from .nodes import (
    AfterCall,
    AllMembers,
    Attribute,
    CallDef,
    CollectionLiteral,
    CondExpr,
    Const,
    CountOf,
    ElementAt,
    EmptyLiteral,
    Expr,
    Fold,
    LocalRef,
    MemberConstant,
    NamedConstant,
    OccupiedCells,
    OptionValue,
    OrElse,
    PrimOp,
    StateRef,
    TableLookup,
)
from .program import Program

PLAYER_TYPE = MemberOf("Player")
DIRECTION_TYPE = MemberOf("Direction")
GRID_FUNCTIONS = {"step", "ray", "row", "column", "span", "coast"}           # only on boards with directions, not on graphs


def without_ranges(type_: Type) -> Type:
    """Returns a type without the ranges of its numbers."""
    match type_:
        case Int():
            return INT
        case OptionalOf() | SetOf() | ListOf():
            return type(type_)(without_ranges(type_.of))
    return type_


def is_assignable_ignoring_ranges(type_: Type, wanted: Type) -> bool:
    """Whether a value of type `type_` is allowed where `wanted` is expected, regardless of ranges."""
    return is_assignable(without_ranges(type_), without_ranges(wanted))


def infer_plain_type(node: Expr, program: Program) -> Type | None:
    """Returns the type of an expression without ranges, or None if its operands do not fit together."""
    model = program.model
    match node:
        case Const(type=MemberOf(name=name), value=value):
            enum = model.enum_of(name)
            return node.type if enum is not None and (enum.kind == "open" or 0 <= value < len(enum)) else None
        case Const(type=Bool(), value=0 | 1):
            return BOOL
        case Const(type=Int(low=low, high=high), value=value):
            return INT if low == value == high else None
        case NamedConstant(name=name):
            return INT if name in model.numbers else None
        case OptionValue(name=name):
            return without_ranges(node.type) if name in model.options else None
        case MemberConstant(domain=domain, member=member, name=name):
            enum = model.enums.get(domain)
            return INT if enum is not None and (enum.members[member], name) in enum.own else None
        case EmptyLiteral():
            return without_ranges(node.type) if isinstance(node.type, (OptionalOf, EmptyType, *CONTAINERS)) else None
        case AllMembers(domain=domain):
            return SetOf(MemberOf(domain)) if domain in model.enums else None
        case LocalRef(local=local):
            return without_ranges(local.type)
        case StateRef(state=name, index=index):
            state = program.states.get(name)
            return (
                without_ranges(state.type) if state is not None and _is_valid_index(index, [domain for _, domain in state.axes]) else None
            )
        case OccupiedCells(state=name, index=index):
            domains = [domain for _, domain in program.states[name].axes]
            boards = [domain for domain in domains if model.enums[domain].kind == "open"]
            rest = [domain for domain in domains if domain not in boards]
            return SetOf(MemberOf(boards[0])) if len(boards) == 1 and (not index or _is_valid_index(index, rest)) else None
        case CountOf(bag=bag, kind=kind):
            return INT if isinstance(bag.type, BagOf) and is_assignable_ignoring_ranges(kind.type, bag.type.of) else None
        case ElementAt(things=things, index=at):
            return _element_type(things.type) if isinstance(at.type, Int) else None
        case TableLookup(table=name, index=at):
            return INT if name in model.tables and isinstance(at.type, Int) else None
        case Attribute(thing=thing, domain=domain, name=name):
            return _attribute_type(thing.type, model.enums.get(domain), name)
        case CallDef(family=name, case=case, args=args):
            family = program.families.get(name)
            if family is None or family.kind != "def" or not is_valid_call(program, name, case, args):
                return None
            return _join_types(routine.type for routine in family.routines if routine.type is not None)
        case CollectionLiteral(parts=parts):
            inner = _join_types(part.type for part in parts)
            return type(node.type)(inner) if isinstance(node.type, SetOf | ListOf) and inner is not None else None
        case CondExpr(test=test, value=value, other=other):
            return _join_types((value.type, other.type)) if isinstance(test.type, Bool) else None
        case OrElse(value=value, other=other):
            return _join_types((value.type.of, other.type)) if isinstance(value.type, OptionalOf) else None
        case AfterCall(call=call, value=value):
            return without_ranges(value.type) if is_valid_call(program, call.family, call.case, call.args) else None
        case Fold():
            return _fold_type(node)
        case PrimOp(op=op, args=args):
            return _primitive_type(op, [without_ranges(arg.type) for arg in args], program)
    return None


def is_valid_call(program: Program, name: str, case: Expr | None, args: tuple[Expr, ...]) -> bool:
    """Whether the case and the arguments of a call have the types that the family expects."""
    family = program.families[name]
    if (case is None) != (family.domain is None) or case is not None and case.type != MemberOf(family.domain or ""):
        return False
    return len(args) == len(family.params) and all(
        is_assignable_ignoring_ranges(arg.type, param.type) for arg, param in zip(args, family.params)
    )


def _is_valid_index(index: tuple[Expr, ...], domains: list[str]) -> bool:
    """Whether the types of an index are the enumerations of the axes."""
    return [one.type for one in index] == [MemberOf(domain) for domain in domains]


def _join_types(types: Iterable[Type]) -> Type | None:
    """Returns the smallest type that holds all of these, without ranges. None if there is none."""
    found: Type | None = None
    for n, one in enumerate(types):
        found = without_ranges(one) if n == 0 else found and join_types(found, without_ranges(one))
    return found


def _element_type(type_: Type) -> Type | None:
    """Returns the type of a list element. It is optional unless an index out of range has a default, such as zero."""
    if not isinstance(type_, ListOf):
        return None
    return without_ranges(type_.of if isinstance(type_.of, Int | SetOf | ListOf | OptionalOf) else OptionalOf(type_.of))


def _attribute_type(thing: Type, enum: Enumeration | None, name: str) -> Type | None:
    """Returns the type of an attribute, or None if the enumeration does not have it."""
    inner = thing.of if isinstance(thing, OptionalOf) else thing
    if enum is None or inner != MemberOf(enum.name) or name not in enum.attributes:
        return None
    kind = without_ranges(enum.attributes[name])
    return OptionalOf(kind) if isinstance(thing, OptionalOf) and not isinstance(kind, OptionalOf) else kind


def _fold_type(node: Fold) -> Type | None:
    """Returns the type of a fold, or None if its conditions or its value do not fit."""
    if not all(isinstance(one.type, Bool) for one in node.where):
        return None
    last, value = without_ranges(node.gens[-1].local.type), without_ranges(node.value.type) if node.value is not None else None
    match node.kind:
        case "any" | "all":
            return BOOL if value in (None, BOOL) else None
        case "count":
            return INT if value is None else None
        case "sum" | "highest" | "lowest":
            return INT if value == INT else None
        case "best":
            return SetOf(last) if value == INT else None
        case "ranked":
            return ListOf(last) if value == INT else None
        case "tiers":
            return ListOf(SetOf(last)) if value == INT else None
        case "set":
            return SetOf(value or last) if isinstance(value or last, MemberOf) else None
        case "list":
            return ListOf(value or last)
        case "first":
            return OptionalOf(value or last)
        case "the":
            return value or last
        case "shortest" | "longest":
            start = without_ranges(node.gens[0].local.type)
            fits = node.places is not None and element_type(without_ranges(node.places.type)) == start == last and value == INT
            if not fits or len(node.gens) == 1:
                return None
            return OptionalOf(INT) if node.kind == "shortest" else INT
        case _:
            assert_never(node.kind)


def _primitive_type(op: Operation, args: list[Type], program: Program) -> Type | None:
    """Returns the type of a primitive operation, or None if its operands do not fit."""
    function = BUILTINS.get(op)
    low, high = function.arity if function is not None else (1, 1) if op in ("not", "neg") else (2, 2)
    if not low <= len(args) <= high:
        return None
    first, inner = args[0], element_type(args[0])
    match op:
        case "not" | "and" | "or":
            return BOOL if all(arg == BOOL for arg in args) else None
        case "<" | "<=" | ">" | ">=":
            return BOOL if args == [INT, INT] else None
        case "==" | "!=":
            return BOOL if join_types(*args) is not None else None
        case "neg" | "*" | "//" | "%" | "ceil" | "min" | "max":
            return INT if all(arg == INT for arg in args) else None
        case "+" | "-" | "&":
            return _sum_type(op, first, args[1])
        case "in" | "not in":
            if isinstance(args[1], EmptyType):
                return BOOL
            group = element_type(args[1])
            return BOOL if group is not None and join_types(first, group) is not None else None
        case "..":
            return ListOf(INT) if args == [INT, INT] else None
        case "size":
            return INT if inner is not None or isinstance(first, EmptyType) else None
        case "only":
            return OptionalOf(inner) if inner is not None and not isinstance(first, OptionalOf) else None
        case "position":
            return INT if (isinstance(args[1], ListOf) if len(args) == 2 else isinstance(first, MemberOf)) else None
        case "clockwise":
            return ListOf(PLAYER_TYPE) if first == PLAYER_TYPE else None
        case "next":
            return PLAYER_TYPE if first == PLAYER_TYPE else None
        case "before" | "after":
            return OptionalOf(first) if isinstance(first, MemberOf) else None
        case "top" | "last":
            return OptionalOf(first.of) if isinstance(first, ListOf | PileOf) else None
        case "reversed":
            return ListOf(first.of) if isinstance(first, ListOf | PileOf) else None
        case "subsets":
            return ListOf(first) if isinstance(first, SetOf) and isinstance(first.of, MemberOf) and args[1:] in ([], [INT]) else None
        case "amounts":
            return ListOf(first) if isinstance(first, BagOf) and args[1:] in ([INT], [ListOf(INT)]) else None
        case "lines":
            boards = [board for board in program.model.boards.values() if not board.open]
            return ListOf(SetOf(MemberOf(boards[0].cell_type))) if len(boards) == 1 and first == INT else None
    return _board_function_type(op, args, program)


def _sum_type(op: Literal["+", "-", "&"], one: Type, two: Type) -> Type | None:
    """Returns the type of `+`, `-` or `&` of two numbers, sets or lists."""
    if isinstance(one, SetOf | EmptyType) and isinstance(two, SetOf | EmptyType):
        return join_types(one, two)
    if op == "&":
        return None
    if isinstance(one, ListOf | PileOf | EmptyType) and isinstance(two, ListOf | PileOf | EmptyType):
        return join_types(*(ListOf(side.of) if isinstance(side, PileOf) else side for side in (one, two)))
    return INT if one == two == INT else None


def _board_function_type(op: BoardFunction, args: list[Type], program: Program) -> Type | None:
    """Returns the type of a built-in function of boards. Its first argument is a place, or a set of places."""
    first, rest = args[0], args[1:]
    thing = first.of if isinstance(first, SetOf) else first
    enum = program.model.enums.get(thing.name) if isinstance(thing, MemberOf) else None
    if enum is None or enum.board is None:
        return None
    if op in GRID_FUNCTIONS and not enum.board.directions:
        return None
    place, cell = MemberOf(enum.name), MemberOf(enum.board.cell_type)
    places, cells = SetOf(place), SetOf(cell)
    match op:
        case "near":
            return places if args == [place] else None
        case "within":
            return places if first == place and rest in ([INT], [INT, places]) else None
        case "region":
            return places if args == [place, places] else None
        case "corners" | "touching" | "edges" | "ends" | "sides":
            kinds, wanted = RELATION_KINDS[op]
            of = enum.board.cell_type if wanted == "cells" else enum.board.part_types.get(wanted)
            return SetOf(MemberOf(of)) if args == [place] and enum.kind in kinds and of is not None else None
        case "ray":
            return ListOf(cell) if args == [cell, DIRECTION_TYPE] else None
        case "between":
            return cells if args == [cell, cell] else None
        case "distance":
            return INT if args == [place, place] else None
        case "span":
            return INT if args == [cell, cell] else None
        case "row" | "column":
            return INT if args == [cell] else None
        case "step":
            return OptionalOf(cell) if args == [cell, DIRECTION_TYPE] else None
        case "rim":
            return places if args == [places] else None
        case "coast":
            return cells if args == [cells] else None
        case "regions":
            return ListOf(places) if args == [places] else None
        case _:
            assert_never(op)
