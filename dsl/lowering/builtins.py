"""The IR of each built-in function. The names are those of `check/builtins.py`.

`compile_builtin` chooses the function by the name of the built-in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, assert_never

from ..core import nodes as core
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import add_offset
from ..model.model import Enumeration
from ..types.boards import OPEN_SPAN
from ..types.operations import PrimitiveFunction, RelationFunction
from ..types.types import BagOf, EmptyType, Int, ListOf, MemberOf, OptionalOf, SetOf, element_type
from .protocols import ExpressionApi


def compile_builtin(x: ExpressionApi, name: PrimitiveFunction, args: Sequence[core.Expr]) -> m.IrExpr:
    """Returns the IR of a call of the built-in function `name`."""
    match name:
        case "size":
            return _size(x, args)
        case "min":
            return _compile_extreme(x, args, "<")
        case "max":
            return _compile_extreme(x, args, ">")
        case "ceil":
            return _ceil(x, args)
        case "only":
            return _only(x, args)
        case "position":
            return _position(x, args)
        case "clockwise":
            return _clockwise(x, args)
        case "next":
            return _next(x, args)
        case "before":
            return _before(x, args)
        case "after":
            return _after(x, args)
        case "top" | "last":
            return _last(x, args)
        case "reversed":
            return _reversed(x, args)
        case "subsets":
            return _subsets(x, args)
        case "amounts":
            return _amounts(x, args)
        case "near" | "corners" | "touching" | "edges" | "ends" | "sides":
            return _related_places(x, name, args)
        case "distance":
            return _distance(x, args)
        case "span":
            return _span(x, args)
        case "within":
            return _within(x, args)
        case "region":
            return _region(x, args)
        case "regions":
            return _regions(x, args)
        case "rim":
            return _rim(x, args)
        case "coast":
            return _coast(x, args)
        case "step":
            return _step(x, args)
        case "ray":
            return _ray(x, args)
        case "between":
            return _between(x, args)
        case "lines":
            return _lines(x, args)
        case "row":
            return _row(x, args)
        case "column":
            return _column(x, args)
        case _:
            assert_never(name)


def _size(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`size(S)`: the number of elements of a container, or 0 or 1 for a `T?`."""
    arg, found = args[0], args[0].type
    if isinstance(arg, core.AllMembers):
        return m.IntConst(len(x.model.enums[arg.domain]))
    if isinstance(found, OptionalOf):
        return b.conditional(x.is_none(x.temp(x.lower(arg)), found.of), 0, 1)
    if isinstance(found, BagOf):
        known = x.constant_of(arg)
        if known is not None:
            return m.IntConst(sum(known))
        if isinstance(arg, core.Attribute) and not isinstance(arg.thing.type, OptionalOf):
            bags = x.model.enums[arg.domain].values[arg.name]
            return b.index_entry(x.const(tuple(sum(bag) for bag in bags)), x.lower(arg.thing))
        base = x.find_bag_address(arg)
        if base is not None:
            start = x.temp(base, "k")
            return b.call("sum", m.LoadSlots(start, add_offset(start, m.IntConst(len(x.model.enums[found.of.name])))))
        return b.call("sum", x.lower(arg))
    if isinstance(found, SetOf) and isinstance(found.of, MemberOf) and not x.layout.is_open(found.of):
        return b.call_method(x.lower(arg), "bit_count")
    if isinstance(found, EmptyType):
        return m.IntConst(0)
    return b.call("len", x.lower(arg))


def _compile_extreme(x: ExpressionApi, args: Sequence[core.Expr], sign: Literal["<", ">"]) -> m.IrExpr:
    """Returns the smallest or largest of the arguments. `sign` is `<` or `>`."""
    result = x.temp(x.lower(args[0]))
    for arg in args[1:]:
        other = x.temp(x.lower(arg))
        result = m.IfExpr(b.binary_op(result, sign, other), result, other)
        if arg is not args[-1]:
            result = x.temp(result)
    return result


def _ceil(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`ceil(a, b)`: a divided by b, rounded up. Division by zero is a fault (F001)."""
    over = b.binary_op(m.UnaryOp("-", x.lower(args[0])), "//", m.BoolOp("or", (x.lower(args[1]), b.fault_call("F001"))))
    return m.UnaryOp("-", over)


def _only(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`only(S)`: the single element of S, or none if S does not have exactly one."""
    found = args[0].type
    if isinstance(found, SetOf) and isinstance(found.of, MemberOf) and not x.layout.is_open(found.of):
        return b.call("only", x.lower(args[0]))
    things = x.temp(x.lower_iterable(args[0]) if isinstance(found, BagOf) else x.lower(args[0]), "l")    # for a bag, its only kind
    inner = element_type(found)
    assert inner is not None
    single = b.call("next", b.call("iter", things))
    return m.IfExpr(b.binary_op(b.call("len", things), "==", 1), single, b.literal_expr(x.layout.none(inner)))


def _position(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`position(x)`: the position of a member in its type. `position(x, list)`: its position in a list, 0 if absent."""
    if len(args) == 1:
        return b.binary_op(x.lower(args[0]), "+", 1)
    things, item = x.temp(x.lower(args[1]), "l"), x.temp(x.lower(args[0]))
    return b.conditional(b.binary_op(item, "in", things), b.binary_op(b.call_method(things, "index", item), "+", 1), 0)


def _clockwise(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`clockwise(player)`: the list of all players, beginning with this one."""
    n = x.model.players
    orders = tuple(tuple((p + k) % n for k in range(n)) for p in range(n))
    return b.index_entry(x.const(orders), x.lower(args[0]))


def _next(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`next(player)`: the next player clockwise."""
    return b.binary_op(b.binary_op(x.lower(args[0]), "+", 1), "%", x.model.players)


def _before(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`before(x)`: the member before x in its type, or none."""
    return b.binary_op(x.lower(args[0]), "-", 1)                             # the member before the first is -1, which is none


def _after(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`after(x)`: the member after x in its type, or none."""
    found = args[0].type
    assert isinstance(found, MemberOf)
    n = len(x.model.enums[found.name])
    item = x.temp(x.lower(args[0]))
    return b.conditional(b.binary_op(item, "<", n - 1), b.binary_op(item, "+", 1), -1)


def _last(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`last(L)` and `top(P)`: the last entry of a list or pile, or none."""
    things = x.temp(x.lower(args[0]), "l")
    inner = element_type(args[0].type)
    assert inner is not None
    return b.conditional(things, b.index_entry(things, -1), b.literal_expr(x.layout.none(inner)))


def _reversed(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`reversed(L)`: the list in reverse order."""
    return m.SliceExpr(x.lower(args[0]), backwards=True)


# ---------------------------------------------------------------- boards


def _get_enum(x: ExpressionApi, node: core.Expr) -> Enumeration:
    """Returns the enumeration of an expression that is a place of a board or contains places."""
    found = node.type
    while isinstance(found, SetOf | ListOf | OptionalOf):
        found = found.of
    assert isinstance(found, MemberOf)
    return x.model.enums[found.name]


def _get_board(x: ExpressionApi, node: core.Expr) -> Any:
    """Returns the board of an expression that is a cell or contains cells."""
    return _get_enum(x, node).board


def _get_places(x: ExpressionApi, node: core.Expr) -> Any:
    """Returns the board, or its corners or edges, of an expression that is a place or contains places."""
    return _get_enum(x, node).places


def make_mask_table(x: ExpressionApi, table: list[Any]) -> m.IrExpr:
    """Returns a constant with a bitmask for each row of a table."""
    return x.const(tuple(map(b.mask_of, table)))


def _make_step_table(x: ExpressionApi, board: Any) -> m.IrExpr:
    """Returns a constant with the differences between the code of a cell on an open board and those of its
    neighbours."""
    return x.const(tuple(dq * OPEN_SPAN + dr for dq, dr in board.neighbour_offsets))


def _subsets(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`subsets(S)`: the list of all subsets. `subsets(S, n)`: those with n members."""
    return b.call("subsets", x.lower(args[0])) if len(args) == 1 else b.call("subsets_of", x.lower(args[0]), x.lower(args[1]))


def _amounts(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`amounts(B, n)`: the list of all bags of n things from a bag. `amounts(B, low..high)`: those with low to high things."""
    bag, many = args
    if isinstance(many, core.PrimOp) and many.op == "..":
        return b.call("amounts", x.lower(bag), *map(x.lower, many.args))
    size = x.temp(x.lower(many), "n")
    return b.call("amounts", x.lower(bag), size, size)


def _related_places(x: ExpressionApi, name: RelationFunction, args: Sequence[core.Expr]) -> m.IrExpr:
    """`near(place)`, `corners(cell)`, `ends(edge)` and the like: the places that belong to a place."""
    enum, board = _get_enum(x, args[0]), _get_board(x, args[0])
    if board.open:
        return b.call("near_open", x.lower(args[0]), _make_step_table(x, board))
    return b.index_entry(make_mask_table(x, board.relation(enum.kind, name)), x.lower(args[0]))


def _distance(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`distance(a, b)`: the number of steps between two places."""
    return _compile_measure(x, args, "distance_open", lambda places, one, two: places.distance(one, two))


def _span(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`span(a, b)`: the square of the Euclidean distance between two cells."""
    return _compile_measure(x, args, "span_open", lambda board, one, two: board.span(one, two))


def _compile_measure(x: ExpressionApi, args: Sequence[core.Expr], of_open: str, measure: Callable[[Any, int, int], int]) -> m.IrExpr:
    """Returns a number for two places: from a table if the board is bounded, else from the runtime function
    `of_open`."""
    board = _get_places(x, args[0])
    if board.open:
        return b.call(of_open, x.lower(args[0]), x.lower(args[1]), OPEN_SPAN)
    cells = range(len(_get_enum(x, args[0])))
    table = x.const(tuple(tuple(measure(board, one, two) for two in cells) for one in cells))
    return b.index_entry(b.index_entry(table, x.lower(args[0])), x.lower(args[1]))


def _within(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`within(cell, n, cells)`: the cells other than `cell` at most n steps away, through `cells` if given."""
    board = _get_places(x, args[0])
    start, steps = x.lower(args[0]), x.lower(args[1])
    if len(args) == 2 and board.open:
        return b.call("disc_open", start, steps, OPEN_SPAN)
    cells = x.lower(args[2]) if len(args) == 3 else m.IntConst((1 << len(_get_enum(x, args[0]))) - 1)
    if board.open:
        return b.call("within_open", start, steps, cells, _make_step_table(x, board))
    if steps == m.IntConst(1):
        return b.binary_op(b.index_entry(make_mask_table(x, board.near), start), "&", cells)
    return b.call("within", start, steps, cells, make_mask_table(x, board.near))


def _region(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`region(cell, cells)`: the connected component of `cells` that contains `cell`."""
    board = _get_places(x, args[0])
    if board.open:
        return b.call("region_open", x.lower(args[0]), x.lower(args[1]), _make_step_table(x, board))
    return b.call("spread", b.bit_mask(x.lower(args[0])), x.lower(args[1]), make_mask_table(x, board.near))


def _regions(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`regions(cells)`: the list of all connected components."""
    board = _get_places(x, args[0])
    if board.open:
        return b.call("regions_open", x.lower(args[0]), _make_step_table(x, board))
    return b.call("regions", x.lower(args[0]), make_mask_table(x, board.near))


def _rim(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`rim(cells)`: the neighbours of `cells` that are not among them."""
    board = _get_places(x, args[0])
    if board.open:
        return b.call("rim_open", x.lower(args[0]), _make_step_table(x, board))
    return b.call("rim", x.lower(args[0]), make_mask_table(x, board.near))


def _coast(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`coast(cells)`: the cells of the rim that can be reached from outside the board without crossing `cells`."""
    board = _get_board(x, args[0])
    if board.open:
        return b.call("coast_open", x.lower(args[0]), _make_step_table(x, board), OPEN_SPAN)
    full = len(board.neighbour_offsets)
    edge = b.mask_of(n for n, near in enumerate(board.near) if len(near) < full)
    return b.call("coast", x.lower(args[0]), make_mask_table(x, board.near), edge, (1 << len(board.cells)) - 1)


def _step(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`step(cell, direction)`: the next cell in a direction, or none beyond the edge."""
    board = _get_board(x, args[0])
    if board.open:
        moves = tuple(dq * OPEN_SPAN + dr for dq, dr in board.directions.values())
        return b.binary_op(x.lower(args[0]), "+", b.index_entry(x.const(moves), x.lower(args[1])))
    return _index_by_direction(x, args, board.step)


def _ray(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`ray(cell, direction)`: the list of cells from the next one in a direction to the edge."""
    return _index_by_direction(x, args, _get_board(x, args[0]).rays)


def _index_by_direction(x: ExpressionApi, args: Sequence[core.Expr], table: Sequence[Sequence[Any]]) -> m.IrExpr:
    """Returns the entry of `table` for a cell and a direction."""
    known = x.constant_of(args[1])
    if known is not None:
        return b.index_entry(x.const(tuple(row[known] for row in table)), x.lower(args[0]))
    return b.index_entry(b.index_entry(x.const(tuple(table)), x.lower(args[0])), x.lower(args[1]))


def _between(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`between(a, b)`: the cells between two cells on a straight line."""
    board = _get_board(x, args[0])
    cells = range(len(board.cells))
    table = tuple(tuple(b.mask_of(board.between[one].get(two, ())) for two in cells) for one in cells)
    return b.index_entry(b.index_entry(x.const(table), x.lower(args[0])), x.lower(args[1]))


def _lines(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`lines(n)`: the list of all straight rows of n cells."""
    board = next(board for board in x.model.boards.values() if not board.open)
    length = args[0].type
    assert isinstance(length, Int) and length.low is not None
    return x.const(tuple(map(b.mask_of, board.lines(length.low))))


def _row(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`row(cell)`: the row of a cell, counted from 1."""
    return b.index_entry(x.const(tuple(_get_board(x, args[0]).rows)), x.lower(args[0]))


def _column(x: ExpressionApi, args: Sequence[core.Expr]) -> m.IrExpr:
    """`column(cell)`: the column of a cell, counted from 1."""
    return b.index_entry(x.const(tuple(_get_board(x, args[0]).columns)), x.lower(args[0]))
