"""The built-in functions: the arity and the result type of each. Their meaning is in lowering/builtins.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, assert_never

from ..diagnostics.diagnostic import DiagnosticList, Phrase, SourceSpan
from ..model.model import PLACE_KINDS, GameModel
from ..syntax import tree
from ..types.operations import BUILTIN_NAMES, BuiltinName
from ..types.types import BROKEN, INT, BagOf, EmptyType, ErrorType, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type, element_type
from .scope import NameRef, Scope, SymbolTable
from .short_expressions import format_short_expr


class ExpressionCheckerApi(Protocol):
    """The interface of the expression checker that the checks of single functions use."""

    model: GameModel
    names: SymbolTable
    findings: DiagnosticList

    def infer(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type: ...
    def infer_non_optional(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type: ...
    def expect(self, node: tree.Expr, scope: Scope, wanted: Type, surely: bool = False) -> Type: ...
    def error(self, code: str, scope: Scope, node: Any, hint: str | None = None, **args: Any) -> Type: ...
    def record_ref(self, node: tree.Node, ref: NameRef) -> None: ...


@dataclass(frozen=True)
class BuiltinFunction:
    """A built-in function: minimum and maximum number of arguments, and the check that returns its result type."""
    arity: tuple[int, int]
    check: Callable[[ExpressionCheckerApi, tree.Apply, list[tree.Expr], Scope], Type]


def _check_size(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer(args[0], scope)
    if element_type(found) is None and not isinstance(found, EmptyType):
        return x.error("R213", scope, args[0], found=found)
    if isinstance(found, OptionalOf):
        return Int(0, 1)
    if isinstance(found, SetOf) and isinstance(found.of, MemberOf):
        enum = x.model.enum_of(found.of.name)
        if enum is not None and enum.kind != "open":
            return Int(0, len(enum))
    return Int(0, None)


def _min_max_checker(low: Callable[..., Any], high: Callable[..., Any], known: bool) -> Callable[..., Any]:
    """Returns the check of `min` or `max`.

    For `max` (`known`), one known lower bound is enough to bound the result from below. For `min`, the same holds
    for upper bounds."""

    def check(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
        kinds = [x.expect(arg, scope, INT) for arg in args]
        ints = [k for k in kinds if isinstance(k, Int)]
        if len(ints) < len(kinds):
            return BROKEN
        lows, highs = [k.low for k in ints], [k.high for k in ints]
        some_low, some_high = [v for v in lows if v is not None], [v for v in highs if v is not None]
        if known:                                                  # max is at least the greatest lower bound
            return Int(max(some_low) if some_low else None, max(some_high) if len(some_high) == len(highs) else None)
        return Int(min(some_low) if len(some_low) == len(lows) else None, min(some_high) if some_high else None)

    return check


def _check_ceil(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    one, two = x.expect(args[0], scope, INT), x.expect(args[1], scope, INT)
    if not isinstance(one, Int) or not isinstance(two, Int) or one.low is None or two.low is None or min(one.low, two.low) < 0:
        return INT
    return Int(0, one.high)


def _check_only(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer_non_optional(args[0], scope)
    inner = element_type(found)
    if inner is None:
        return x.error("R213", scope, args[0], found=found)
    return BROKEN if isinstance(found, ErrorType) else OptionalOf(inner)


def _check_position(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer_non_optional(args[0], scope)
    if isinstance(found, ErrorType):
        return BROKEN
    if len(args) == 2:
        x.expect(args[1], scope, ListOf(found))
        return Int(0, None)
    enum = x.model.enum_of(found.name) if isinstance(found, MemberOf) else None
    if enum is None or enum.kind == "open":
        return x.error("R230", scope, args[0], found=found)
    return Int(1, len(enum))


def _check_clockwise(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    x.expect(args[0], scope, MemberOf("Player"))
    return ListOf(MemberOf("Player"))


def _check_next(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    x.expect(args[0], scope, MemberOf("Player"))
    return MemberOf("Player")


def _check_before_after(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `before` and `after`, which give the previous or next member of an enumeration."""
    found = x.infer_non_optional(args[0], scope)
    if isinstance(found, ErrorType):
        return BROKEN
    enum = x.model.enum_of(found.name) if isinstance(found, MemberOf) else None
    if enum is None or enum.kind == "open":
        return x.error("R230", scope, args[0], found=found)
    return OptionalOf(found)


def _check_sequence_function(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `top`, `last`, and `reversed`, which take a list or a pile."""
    found = x.infer_non_optional(args[0], scope)
    if isinstance(found, ErrorType):
        return BROKEN
    if not isinstance(found, ListOf | PileOf):
        return x.error("R225", scope, args[0], found=found)
    if str(node.parts[0].name) == "reversed":
        return ListOf(found.of)
    return OptionalOf(found.of)


def _require_board(x: ExpressionCheckerApi, node: Any, scope: Scope, found: Type, kinds: tuple[str, ...], even: bool = False) -> Any:
    """Returns the enumeration of places that `found` names. Reports R231 and returns None if there is none.

    `even`: the board must have directions."""
    if isinstance(found, ErrorType):
        return None
    enum = x.model.enum_of(found.name) if isinstance(found, MemberOf) else None
    if enum is None or enum.board is None or enum.kind not in kinds or even and not enum.board.directions:
        word = CELLS_OF_PART.get(enum.kind) if enum is not None and "cells" in kinds else None
        meant = f"{word}({format_short_expr(node)})" if word else None
        x.error("R231", scope, node, "cells_only" if meant else None, found=found, wanted=Phrase(WANTED_PLACES[kinds, even]), meant=meant)
        return None
    return enum


CELL_KINDS = ("cells", "open")
WANTED_PLACES: dict[tuple[tuple[str, ...], bool], str] = {         # kinds, and whether the board needs directions -> phrase
    (PLACE_KINDS, False): "board_place", (CELL_KINDS, True): "board_directions", (("cells",), False): "board_edge",
    (("cells",), True): "board_lines", (("corners",), False): "board_corner", (("edges",), False): "cell_edge",
    (("cells", "corners"), False): "cell_or_corner",
}
WANTED_BOARDS = {"corners": "board_corners", "edges": "board_edges", "ends": "edge_with_corners"}      # if the board declares no such part
CELLS_OF_PART = {"corners": "touching", "edges": "sides"}            # functions that give the cells at a part
RELATION_KINDS = {                                                 # the kinds of places of the argument and of the result
    "corners": (("cells",), "corners"),
    "touching": (("corners",), "cells"),
    "edges": (("cells", "corners"), "edges"),
    "ends": (("edges",), "corners"),
    "sides": (("edges",), "cells"),
}
MAX_OPEN_BOARD_DISTANCE = 64                                                     # `within` on an open board: up to 12,480 cells


def _check_near(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer_non_optional(args[0], scope)
    return SetOf(found) if _require_board(x, args[0], scope, found, PLACE_KINDS) else BROKEN


def _check_relation(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks the functions from a place to places of another kind, such as `corners` and `sides`."""
    found = x.infer_non_optional(args[0], scope)
    function = str(node.parts[0].name)
    kinds, wanted = RELATION_KINDS[function]
    enum = _require_board(x, args[0], scope, found, kinds)
    if enum is None:
        return BROKEN
    part_type = enum.board.cell_type if wanted == "cells" else enum.board.part_types.get(wanted)
    if part_type is None:
        return x.error("R231", scope, args[0], found=found, wanted=Phrase(WANTED_BOARDS[function]))
    return SetOf(MemberOf(part_type))


def _check_distance(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `distance`, which takes two places of one kind, and `span`, which takes two cells."""
    found = x.infer_non_optional(args[0], scope)
    kinds, even = (CELL_KINDS, True) if str(node.parts[0].name) == "span" else (PLACE_KINDS, False)
    if _require_board(x, args[0], scope, found, kinds, even) is None:
        return BROKEN
    x.expect(args[1], scope, found)
    return Int(0, None)


def _check_within(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer_non_optional(args[0], scope)
    if _require_board(x, args[0], scope, found, PLACE_KINDS) is None:
        return BROKEN
    far = x.expect(args[1], scope, INT)
    if len(args) == 3:
        x.expect(args[2], scope, SetOf(found))
    elif isinstance(found, MemberOf) and x.model.enums[found.name].kind == "open" and isinstance(far, Int):
        if far.high is None or far.high > MAX_OPEN_BOARD_DISTANCE:
            return x.error("R236", scope, args[1], most=MAX_OPEN_BOARD_DISTANCE)
    return SetOf(found)


def _check_region(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer_non_optional(args[0], scope)
    if _require_board(x, args[0], scope, found, PLACE_KINDS) is None:
        return BROKEN
    x.expect(args[1], scope, SetOf(found))
    return SetOf(found)


def _check_place_set_function(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `regions` and `rim`, which take a set of places, and `coast`, which takes a set of cells."""
    found = x.infer_non_optional(args[0], scope)
    if isinstance(found, ErrorType):
        return BROKEN
    if not isinstance(found, SetOf):
        return x.error("R213", scope, args[0], found=found)
    kinds, even = (CELL_KINDS, True) if str(node.parts[0].name) == "coast" else (PLACE_KINDS, False)
    if _require_board(x, args[0], scope, found.of, kinds, even) is None:
        return BROKEN
    return ListOf(found) if str(node.parts[0].name) == "regions" else found


def _check_subsets(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer_non_optional(args[0], scope)
    if len(args) == 2:
        x.expect(args[1], scope, INT)
    if isinstance(found, ErrorType):
        return BROKEN
    if not isinstance(found, SetOf):
        return x.error("R213", scope, args[0], found=found)
    enum = x.model.enum_of(found.of.name) if isinstance(found.of, MemberOf) else None
    if enum is None or enum.kind == "open":
        return x.error("R229", scope, args[0], found=found.of)
    return ListOf(found)


def _check_amounts(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `amounts(bag, n)` and `amounts(bag, low..high)`."""
    found = x.infer_non_optional(args[0], scope)
    if isinstance(args[1], tree.Span):
        x.infer(args[1], scope)
    else:
        x.expect(args[1], scope, INT)
    if isinstance(found, ErrorType | BagOf):
        return BROKEN if isinstance(found, ErrorType) else ListOf(found)
    inner = element_type(found)
    if not isinstance(inner, MemberOf):
        return x.error("R213", scope, args[0], found=found)
    return x.error("R201", scope, args[0], found=found, wanted=BagOf(inner))


def _check_between(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.infer_non_optional(args[0], scope)
    if _require_board(x, args[0], scope, found, ("cells",)) is None:
        return BROKEN
    x.expect(args[1], scope, found)
    return SetOf(found)


def _check_ray(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = _check_cell_and_direction(x, args, scope, ("cells",))
    return BROKEN if found is BROKEN else ListOf(found)


def _check_step(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = _check_cell_and_direction(x, args, scope, CELL_KINDS)
    return BROKEN if found is BROKEN else OptionalOf(found)


def _check_cell_and_direction(x: ExpressionCheckerApi, args: list[tree.Expr], scope: Scope, kinds: tuple[str, ...]) -> Type:
    """Returns the cell type of a call with a cell and a direction (`step`, `ray`)."""
    found = x.infer_non_optional(args[0], scope)
    enum = _require_board(x, args[0], scope, found, kinds, even=True)
    if enum is None:
        return BROKEN
    x.expect(args[1], scope, MemberOf("Direction"))
    if list(enum.board.directions) != x.model.enums["Direction"].members:      # `Direction` belongs to the first board
        return x.error("R235", scope, args[0], found=found)
    return found


def _check_lines(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `lines(n)`, the straight lines of n cells. The length must be a constant of at least 2."""
    length = x.expect(args[0], scope, INT)
    boards = [b for b in x.model.boards.values() if not b.open]
    if len(boards) != 1 or not isinstance(length, Int) or length.low != length.high or not length.low or length.low < 2:
        return x.error("R232", scope, node)
    longest = boards[0].longest_run
    if length.low > longest:
        x.findings.add("W105", SourceSpan.of_node(scope.path, node), clause=scope.clause, found=length.low, longest=longest)
    return ListOf(SetOf(MemberOf(boards[0].cell_type)))


def _check_row_column(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `row` and `column`."""
    enum = _require_board(x, args[0], scope, x.infer_non_optional(args[0], scope), ("cells",), even=True)
    return Int(1, max(enum.board.rows + enum.board.columns)) if enum else BROKEN


def _check_cells(x: ExpressionCheckerApi, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """Checks `cells(state)`: the cells of an open board where a state holds something.

    If the state has more axes, `cells(nets)` covers all their members, and `cells(nets[player])` covers one."""
    arg = args[0]
    name, indices = (arg.parts[0], arg.parts[1:]) if isinstance(arg, tree.At) else (arg, [])
    ref = x.names.resolve(str(name.name), scope.locals) if isinstance(name, tree.Name) else None
    if ref is None or ref.kind != "state":
        return x.error("R233", scope, arg)
    domains = [domain for _, domain in ref.target.axes]
    boards = [domain for domain in domains if x.model.enums[domain].kind == "open"]
    if not boards or indices and len(indices) != len(domains) - 1:
        return x.error("R233", scope, arg)
    for index, domain in zip(indices, (domain for domain in domains if domain not in boards)):
        x.expect(index, scope, MemberOf(domain))
    x.record_ref(name, ref)
    return SetOf(MemberOf(boards[0]))


BOARD_TABLE_FUNCTIONS = (
    "near",
    "corners",
    "touching",
    "edges",
    "ends",
    "sides",
    "distance",
    "span",
    "within",
    "region",
    "regions",
    "rim",
    "coast",
    "step",
    "ray",
    "between",
    "lines",
)  # precomputed for each board

def _describe_builtin(name: BuiltinName) -> BuiltinFunction:
    """Returns the arity and the check of a built-in function."""
    match name:
        case "size":
            return BuiltinFunction((1, 1), _check_size)
        case "min":
            return BuiltinFunction((2, 8), _min_max_checker(min, min, False))
        case "max":
            return BuiltinFunction((2, 8), _min_max_checker(max, max, True))
        case "ceil":
            return BuiltinFunction((2, 2), _check_ceil)
        case "only":
            return BuiltinFunction((1, 1), _check_only)
        case "position":
            return BuiltinFunction((1, 2), _check_position)
        case "clockwise":
            return BuiltinFunction((1, 1), _check_clockwise)
        case "next":
            return BuiltinFunction((1, 1), _check_next)
        case "before" | "after":
            return BuiltinFunction((1, 1), _check_before_after)
        case "top" | "last" | "reversed":
            return BuiltinFunction((1, 1), _check_sequence_function)
        case "subsets":
            return BuiltinFunction((1, 2), _check_subsets)
        case "amounts":
            return BuiltinFunction((2, 2), _check_amounts)
        case "near":
            return BuiltinFunction((1, 1), _check_near)
        case "corners" | "touching" | "edges" | "ends" | "sides":
            return BuiltinFunction((1, 1), _check_relation)
        case "distance" | "span":
            return BuiltinFunction((2, 2), _check_distance)
        case "within":
            return BuiltinFunction((2, 3), _check_within)
        case "region":
            return BuiltinFunction((2, 2), _check_region)
        case "regions" | "rim" | "coast":
            return BuiltinFunction((1, 1), _check_place_set_function)
        case "step":
            return BuiltinFunction((2, 2), _check_step)
        case "ray":
            return BuiltinFunction((2, 2), _check_ray)
        case "between":
            return BuiltinFunction((2, 2), _check_between)
        case "lines":
            return BuiltinFunction((1, 1), _check_lines)
        case "row" | "column":
            return BuiltinFunction((1, 1), _check_row_column)
        case "cells":
            return BuiltinFunction((1, 1), _check_cells)
        case _:
            assert_never(name)


BUILTINS: dict[str, BuiltinFunction] = {name: _describe_builtin(name) for name in BUILTIN_NAMES}
