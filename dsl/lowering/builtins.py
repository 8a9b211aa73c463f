"""What each built-in function becomes in the machine; the same names as in check/builtins.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import nodes as core
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import add
from ..types.boards import OPEN_SPAN, Board
from ..types.types import BagOf, Empty, Int, ListOf, Maybe, Of, SetOf, element
from .protocols import Builtin, Expressions


def compile_builtin(x: Expressions, name: str, args: Sequence[core.Expr]) -> m.Expr:
    compiled: Builtin = globals()["_" + name]
    return compiled(x, args)


def _size(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    arg, found = args[0], args[0].type
    if isinstance(arg, core.Whole):
        return m.Num(len(x.model.enums[arg.domain]))
    if isinstance(found, Maybe):
        return b.choice(x.is_none(x.temp(x.of(arg)), found.of), 0, 1)
    if isinstance(found, BagOf):
        known = x.constant_of(arg)
        if known is not None:
            return m.Num(sum(known))
        if isinstance(arg, core.Attribute) and not isinstance(arg.thing.type, Maybe):
            bags = x.model.enums[arg.domain].values[arg.name]
            return b.entry(x.const(tuple(sum(bag) for bag in bags)), x.of(arg.thing))
        base = x.bag_base(arg)
        if base is not None:
            start = x.temp(base, "k")
            return b.call("sum", m.Words(start, add(start, m.Num(len(x.model.enums[found.of.name])))))
        return b.call("sum", x.of(arg))
    if isinstance(found, SetOf) and isinstance(found.of, Of) and not x.layout.is_open(found.of):
        return b.ask(x.of(arg), "bit_count")
    if isinstance(found, Empty):
        return m.Num(0)
    return b.call("len", x.of(arg))


def _min(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return _extreme(x, args, "<")


def _max(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return _extreme(x, args, ">")


def _extreme(x: Expressions, args: Sequence[core.Expr], sign: str) -> m.Expr:
    result = x.temp(x.of(args[0]))
    for arg in args[1:]:
        other = x.temp(x.of(arg))
        result = m.Choice(b.op(result, sign, other), result, other)
        if arg is not args[-1]:
            result = x.temp(result)
    return result


def _ceil(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    over = b.op(m.Un("-", x.of(args[0])), "//", m.Logic("or", (x.of(args[1]), b.fault("F001"))))
    return m.Un("-", over)


def _only(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    found = args[0].type
    if isinstance(found, SetOf) and isinstance(found.of, Of) and not x.layout.is_open(found.of):
        return b.call("only", x.of(args[0]))
    things = x.temp(x.walk_of(args[0]) if isinstance(found, BagOf) else x.of(args[0]), "l")    # of a bag: its only kind
    inner = element(found)
    assert inner is not None
    single = b.call("next", b.call("iter", things))
    return m.Choice(b.op(b.call("len", things), "==", 1), single, b.literal(x.layout.none(inner)))


def _position(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    if len(args) == 1:
        return b.op(x.of(args[0]), "+", 1)
    things, item = x.temp(x.of(args[1]), "l"), x.temp(x.of(args[0]))
    return b.choice(b.op(item, "in", things), b.op(b.ask(things, "index", item), "+", 1), 0)


def _clockwise(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    n = x.model.players
    orders = tuple(tuple((p + k) % n for k in range(n)) for p in range(n))
    return b.entry(x.const(orders), x.of(args[0]))


def _next(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return b.op(b.op(x.of(args[0]), "+", 1), "%", x.model.players)


def _before(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return b.op(x.of(args[0]), "-", 1)                             # the first has none before it: -1 is none


def _after(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    found = args[0].type
    assert isinstance(found, Of)
    n = len(x.model.enums[found.name])
    item = x.temp(x.of(args[0]))
    return b.choice(b.op(item, "<", n - 1), b.op(item, "+", 1), -1)


def _last(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    things = x.temp(x.of(args[0]), "l")
    inner = element(args[0].type)
    assert inner is not None
    return b.choice(things, b.entry(things, -1), b.literal(x.layout.none(inner)))


_top = _last


def _reversed(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return m.Part(x.of(args[0]), backwards=True)


# ---------------------------------------------------------------- boards


def _board(x: Expressions, node: core.Expr) -> Any:
    found = node.type
    while isinstance(found, SetOf | ListOf | Maybe):
        found = found.of
    assert isinstance(found, Of)
    return x.model.enums[found.name].board


def masks(x: Expressions, table: list[Any]) -> m.Expr:
    return x.const(tuple(map(b.mask, table)))


def _steps(x: Expressions, board: Any) -> m.Expr:
    return x.const(tuple(dq * OPEN_SPAN + dr for dq, dr in board.sides))


def _subsets(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return b.call("subsets", x.of(args[0])) if len(args) == 1 else b.call("subsets_of", x.of(args[0]), x.of(args[1]))


def _near(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    if board.open:
        return b.call("near_open", x.of(args[0]), _steps(x, board))
    return b.entry(masks(x, board.near), x.of(args[0]))


def _corners(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return b.entry(masks(x, _board(x, args[0]).corners), x.of(args[0]))


def _touching(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return b.entry(masks(x, _board(x, args[0]).touching), x.of(args[0]))


def _distance(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return _measured(x, args, "distance_open", lambda board, one, two: board.distance(one, two))


def _span(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return _measured(x, args, "span_open", lambda board, one, two: board.span(one, two))


def _measured(x: Expressions, args: Sequence[core.Expr], of_open: str, measure: Callable[[Board, int, int], int]) -> m.Expr:
    """A number for two cells: of a board with edges from a table, of an open one worked out."""
    board = _board(x, args[0])
    if board.open:
        return b.call(of_open, x.of(args[0]), x.of(args[1]), OPEN_SPAN)
    cells = range(len(board.cells))
    table = x.const(tuple(tuple(measure(board, one, two) for two in cells) for one in cells))
    return b.entry(b.entry(table, x.of(args[0])), x.of(args[1]))


def _within(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    start, steps = x.of(args[0]), x.of(args[1])
    if len(args) == 2 and board.open:
        return b.call("disc_open", start, steps, OPEN_SPAN)
    cells = x.of(args[2]) if len(args) == 3 else m.Num((1 << len(board.cells)) - 1)
    if board.open:
        return b.call("within_open", start, steps, cells, _steps(x, board))
    if steps == m.Num(1):
        return b.op(b.entry(masks(x, board.near), start), "&", cells)
    return b.call("within", start, steps, cells, masks(x, board.near))


def _region(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    if board.open:
        return b.call("region_open", x.of(args[0]), x.of(args[1]), _steps(x, board))
    return b.call("spread", b.bit(x.of(args[0])), x.of(args[1]), masks(x, board.near))


def _regions(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    if board.open:
        return b.call("regions_open", x.of(args[0]), _steps(x, board))
    return b.call("regions", x.of(args[0]), masks(x, board.near))


def _rim(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    if board.open:
        return b.call("rim_open", x.of(args[0]), _steps(x, board))
    return b.call("rim", x.of(args[0]), masks(x, board.near))


def _coast(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    if board.open:
        return b.call("coast_open", x.of(args[0]), _steps(x, board), OPEN_SPAN)
    full = len(board.sides)
    edge = b.mask(n for n, near in enumerate(board.near) if len(near) < full)
    return b.call("coast", x.of(args[0]), masks(x, board.near), edge, (1 << len(board.cells)) - 1)


def _step(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    if board.open:
        moves = tuple(dq * OPEN_SPAN + dr for dq, dr in board.directions.values())
        return b.op(x.of(args[0]), "+", b.entry(x.const(moves), x.of(args[1])))
    return _that_way(x, args, board.step)


def _ray(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return _that_way(x, args, _board(x, args[0]).rays)


def _that_way(x: Expressions, args: Sequence[core.Expr], table: Sequence[Sequence[Any]]) -> m.Expr:
    """What a table has for a cell and a direction."""
    known = x.constant_of(args[1])
    if known is not None:
        return b.entry(x.const(tuple(row[known] for row in table)), x.of(args[0]))
    return b.entry(b.entry(x.const(tuple(table)), x.of(args[0])), x.of(args[1]))


def _between(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = _board(x, args[0])
    cells = range(len(board.cells))
    table = tuple(tuple(b.mask(board.between[one].get(two, ())) for two in cells) for one in cells)
    return b.entry(b.entry(x.const(table), x.of(args[0])), x.of(args[1]))


def _lines(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    board = next(board for board in x.model.boards.values() if not board.open)
    length = args[0].type
    assert isinstance(length, Int) and length.low is not None
    return x.const(tuple(map(b.mask, board.lines(length.low))))


def _row(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return b.entry(x.const(tuple(_board(x, args[0]).rows)), x.of(args[0]))


def _column(x: Expressions, args: Sequence[core.Expr]) -> m.Expr:
    return b.entry(x.const(tuple(_board(x, args[0]).columns)), x.of(args[0]))
