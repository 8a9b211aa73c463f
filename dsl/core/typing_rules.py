"""What type an operator gives, ranges of numbers aside: worked out from the parts of an expression alone."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.model import Enumeration
from ..types.types import (
    BOOL,
    CONTAINERS,
    EMPTY,
    INT,
    BagOf,
    Bool,
    Empty,
    Int,
    ListOf,
    Maybe,
    Of,
    PileOf,
    SetOf,
    Type,
    element,
    fits,
    join,
)
from .nodes import (
    After,
    Ask,
    Attribute,
    Cond,
    Const,
    CountOf,
    Display,
    Expr,
    Fold,
    Item,
    Load,
    Lookup,
    Nothing,
    Number,
    Occupied,
    OrElse,
    OwnNumber,
    Prim,
    Read,
    Setting,
    Whole,
)
from .program import Program

PLAYER = Of("Player")
EVEN = {"step", "ray", "row", "column", "span", "coast"}           # asked of boards laid out evenly, not of graphs


def plain(found: Type) -> Type:
    """A type without the ranges of its numbers."""
    match found:
        case Int():
            return INT
        case Maybe() | SetOf() | ListOf():
            return type(found)(plain(found.of))
    return found


def suits(found: Type, wanted: Type) -> bool:
    """Whether a value may stand where `wanted` is asked, whatever its range."""
    return fits(plain(found), plain(wanted))


def shape(node: Expr, program: Program) -> Type | None:
    """The plain type that an expression gives; None where its parts do not go together."""
    model = program.model
    match node:
        case Const(type=Of(name=name), value=value):
            enum = model.enum_of(name)
            return node.type if enum is not None and (enum.kind == "open" or 0 <= value < len(enum)) else None
        case Const(type=Bool(), value=0 | 1):
            return BOOL
        case Const(type=Int(low=low, high=high), value=value):
            return INT if low == value == high else None
        case Number(name=name):
            return INT if name in model.numbers else None
        case Setting(name=name):
            return plain(node.type) if name in model.options else None
        case OwnNumber(domain=domain, member=member, name=name):
            enum = model.enums.get(domain)
            return INT if enum is not None and (enum.members[member], name) in enum.own else None
        case Nothing():
            return plain(node.type) if isinstance(node.type, (Maybe, Empty, *CONTAINERS)) else None
        case Whole(domain=domain):
            return SetOf(Of(domain)) if domain in model.enums else None
        case Read(local=local):
            return plain(local.type)
        case Load(state=name, index=index):
            state = program.states.get(name)
            return plain(state.type) if state is not None and _indexed(index, [domain for _, domain in state.axes]) else None
        case Occupied(state=name, index=index):
            domains = [domain for _, domain in program.states[name].axes]
            boards = [domain for domain in domains if model.enums[domain].kind == "open"]
            rest = [domain for domain in domains if domain not in boards]
            return SetOf(Of(boards[0])) if len(boards) == 1 and (not index or _indexed(index, rest)) else None
        case CountOf(bag=bag, kind=kind):
            return INT if isinstance(bag.type, BagOf) and suits(kind.type, bag.type.of) else None
        case Item(things=things, index=at):
            return _item(things.type) if isinstance(at.type, Int) else None
        case Lookup(table=name, index=at):
            return INT if name in model.tables and isinstance(at.type, Int) else None
        case Attribute(thing=thing, domain=domain, name=name):
            return _attribute(thing.type, model.enums.get(domain), name)
        case Ask(family=name, case=case, args=args):
            family = program.families.get(name)
            if family is None or family.kind != "def" or not called_well(program, name, case, args):
                return None
            return _common(routine.type for routine in family.routines if routine.type is not None)
        case Display(parts=parts):
            inner = _common(part.type for part in parts)
            return type(node.type)(inner) if isinstance(node.type, SetOf | ListOf) and inner is not None else None
        case Cond(test=test, value=value, other=other):
            return _common((value.type, other.type)) if isinstance(test.type, Bool) else None
        case OrElse(value=value, other=other):
            return _common((value.type.of, other.type)) if isinstance(value.type, Maybe) else None
        case After(call=call, value=value):
            return plain(value.type) if called_well(program, call.family, call.case, call.args) else None
        case Fold():
            return _fold(node)
        case Prim(op=op, args=args):
            return _prim(op, [plain(arg.type) for arg in args], program)
    return None


def called_well(program: Program, name: str, case: Expr | None, args: tuple[Expr, ...]) -> bool:
    """Whether a call gives what the entries of a family take."""
    family = program.families[name]
    if (case is None) != (family.domain is None) or case is not None and case.type != Of(family.domain or ""):
        return False
    return len(args) == len(family.params) and all(suits(arg.type, param.type) for arg, param in zip(args, family.params))


def _indexed(index: tuple[Expr, ...], domains: list[str]) -> bool:
    return [one.type for one in index] == [Of(domain) for domain in domains]


def _common(types: Iterable[Type]) -> Type | None:
    """The least type that holds all of these."""
    found: Type | None = None
    for n, one in enumerate(types):
        found = plain(one) if n == 0 else found and join(found, plain(one))
    return found


def _item(found: Type) -> Type | None:
    if not isinstance(found, ListOf):
        return None
    return plain(found.of if isinstance(found.of, Int | SetOf | ListOf | Maybe) else Maybe(found.of))


def _attribute(thing: Type, enum: Enumeration | None, name: str) -> Type | None:
    inner = thing.of if isinstance(thing, Maybe) else thing
    if enum is None or inner != Of(enum.name) or name not in enum.attributes:
        return None
    kind = plain(enum.attributes[name])
    return Maybe(kind) if isinstance(thing, Maybe) and not isinstance(kind, Maybe) else kind


def _fold(node: Fold) -> Type | None:
    if not all(isinstance(one.type, Bool) for one in node.where):
        return None
    last, value = plain(node.gens[-1].local.type), plain(node.value.type) if node.value is not None else None
    match node.kind:
        case "any" | "all":
            return BOOL if value in (None, BOOL) else None
        case "count":
            return INT if value is None else None
        case "sum" | "highest" | "lowest":
            return INT if value == INT else None
        case "best" | "ranked" | "tiers":
            return {"best": SetOf(last), "ranked": ListOf(last), "tiers": ListOf(SetOf(last))}[node.kind] if value == INT else None
        case "set":
            return SetOf(value or last) if isinstance(value or last, Of) else None
        case "list":
            return ListOf(value or last)
        case "first":
            return Maybe(value or last)
        case "the":
            return value or last
    return None


def _prim(op: str, args: list[Type], program: Program) -> Type | None:
    match op, args:
        case "not", [Bool()]:
            return BOOL
        case "neg", [Int()]:
            return INT
        case "and" | "or", [Bool(), Bool()]:
            return BOOL
        case "<" | "<=" | ">" | ">=", [Int(), Int()]:
            return BOOL
        case "==" | "!=", [one, two]:
            return BOOL if join(one, two) is not None else None
        case "+" | "-" | "*" | "//" | "%", [Int(), Int()]:
            return INT
        case "+" | "-" | "&", [SetOf() | Empty() as one, SetOf() | Empty() as two]:
            return join(one, two)
        case "+" | "-", [one, two] if all(isinstance(side, ListOf | PileOf | Empty) for side in args):
            return join(*(ListOf(side.of) if isinstance(side, PileOf) else side for side in (one, two)))
        case "in" | "not in", [one, two]:
            inner = element(two) or (EMPTY if isinstance(two, Empty) else None)
            return BOOL if inner is not None and join(one, inner) is not None else None
        case "..", [Int(), Int()]:
            return ListOf(INT)
        case "size", [SetOf() | ListOf() | BagOf() | PileOf() | Maybe() | Empty()]:
            return INT
        case "min" | "max", _:
            return INT if len(args) > 1 and all(isinstance(arg, Int) for arg in args) else None
        case "ceil", [Int(), Int()]:
            return INT
        case "only", [SetOf() | ListOf() | BagOf() | PileOf() as found]:
            return Maybe(found.of)
        case "position", [_, ListOf()]:
            return INT
        case "position", [Of()]:
            return INT
        case "clockwise", [one] if one == PLAYER:
            return ListOf(PLAYER)
        case "next", [one] if one == PLAYER:
            return PLAYER
        case "before" | "after", [Of() as one]:
            return Maybe(one)
        case "top" | "last", [ListOf() | PileOf() as found]:
            return Maybe(found.of)
        case "reversed", [ListOf() | PileOf() as found]:
            return ListOf(found.of)
        case "subsets", [SetOf(of=Of()) as found, *sizes] if sizes in ([], [INT]):
            return ListOf(found)
        case "lines", [Int()]:
            boards = [board for board in program.model.boards.values() if not board.open]
            return ListOf(SetOf(Of(boards[0].cell_type))) if len(boards) == 1 else None
    return _on_board(op, args, program)


def _on_board(op: str, args: list[Type], program: Program) -> Type | None:
    """What the built-in functions of boards give: the first argument is a cell or a corner, or a set of cells."""
    first = args[0] if args else EMPTY
    thing = first.of if isinstance(first, SetOf) else first
    enum = program.model.enums.get(thing.name) if isinstance(thing, Of) else None
    if enum is None or enum.board is None:
        return None
    if op in EVEN and not enum.board.directions:
        return None
    cell, corner = Of(enum.board.cell_type), Of(enum.board.corner_type or "")
    match op, args:
        case "near", [one] if one == cell:
            return SetOf(cell)
        case "within", [one, Int(), *cells] if one == cell and cells in ([], [SetOf(cell)]):
            return SetOf(cell)
        case "region", [one, two] if (one, two) == (cell, SetOf(cell)):
            return SetOf(cell)
        case "corners", [one] if one == cell:
            return SetOf(corner)
        case "touching", [one] if one == corner:
            return SetOf(cell)
        case "ray", [one, Of(name="Direction")] if one == cell:
            return ListOf(cell)
        case "between", [one, two] if one == two == cell:
            return SetOf(cell)
        case "distance" | "span", [one, two] if one == two == cell:
            return INT
        case "row" | "column", [one] if one == cell:
            return INT
        case "step", [one, Of(name="Direction")] if one == cell:
            return Maybe(cell)
        case "rim" | "coast", [one] if one == SetOf(cell):
            return SetOf(cell)
        case "regions", [one] if one == SetOf(cell):
            return ListOf(SetOf(cell))
    return None
