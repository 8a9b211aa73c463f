"""The built-in functions: how many arguments each takes and what type it gives. What it does is in compile/builtins.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from ..diagnostics.diagnostic import Findings, Place
from ..model.model import Model
from ..syntax import tree
from ..types.types import BROKEN, INT, Broken, Empty, Int, ListOf, Maybe, Of, PileOf, SetOf, Type, element
from .scope import Names, Ref, Scope


class Checks(Protocol):
    """What the checker of expressions offers to those of single functions."""

    model: Model
    names: Names
    findings: Findings

    def of(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type: ...
    def plain(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type: ...
    def want(self, node: tree.Expr, scope: Scope, wanted: Type, surely: bool = False) -> Type: ...
    def error(self, code: str, scope: Scope, node: Any, hint: str | None = None, **args: Any) -> Type: ...
    def mean(self, node: tree.Node, ref: Ref) -> None: ...


@dataclass(frozen=True)
class Builtin:
    arity: tuple[int, int]
    check: Callable[[Checks, tree.Apply, list[tree.Expr], Scope], Type]


def _size(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.of(args[0], scope)
    if element(found) is None and not isinstance(found, Empty):
        return x.error("R213", scope, args[0], found=found)
    if isinstance(found, Maybe):
        return Int(0, 1)
    if isinstance(found, SetOf) and isinstance(found.of, Of):
        enum = x.model.enum_of(found.of.name)
        if enum is not None and enum.kind != "open":
            return Int(0, len(enum))
    return Int(0, None)


def _extreme(low: Callable[..., Any], high: Callable[..., Any], known: bool) -> Callable[..., Any]:
    """min and max: one bound is known as soon as one argument's is (`known`: which one)."""

    def check(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
        kinds = [x.want(arg, scope, INT) for arg in args]
        ints = [k for k in kinds if isinstance(k, Int)]
        if len(ints) < len(kinds):
            return BROKEN
        lows, highs = [k.low for k in ints], [k.high for k in ints]
        some_low, some_high = [v for v in lows if v is not None], [v for v in highs if v is not None]
        if known:                                                  # max: at least the greatest lower bound
            return Int(max(some_low) if some_low else None, max(some_high) if len(some_high) == len(highs) else None)
        return Int(min(some_low) if len(some_low) == len(lows) else None, min(some_high) if some_high else None)

    return check


def _ceil(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    one, two = x.want(args[0], scope, INT), x.want(args[1], scope, INT)
    if not isinstance(one, Int) or not isinstance(two, Int) or one.low is None or two.low is None or min(one.low, two.low) < 0:
        return INT
    return Int(0, one.high)


def _only(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    inner = element(found)
    if inner is None:
        return x.error("R213", scope, args[0], found=found)
    return BROKEN if isinstance(found, Broken) else Maybe(inner)


def _position(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if isinstance(found, Broken):
        return BROKEN
    if len(args) == 2:
        x.want(args[1], scope, ListOf(found))
        return Int(0, None)
    enum = x.model.enum_of(found.name) if isinstance(found, Of) else None
    if enum is None or enum.kind == "open":
        return x.error("R230", scope, args[0], found=found)
    return Int(1, len(enum))


def _clockwise(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    x.want(args[0], scope, Of("Player"))
    return ListOf(Of("Player"))


def _next(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    x.want(args[0], scope, Of("Player"))
    return Of("Player")


def _beside(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if isinstance(found, Broken):
        return BROKEN
    enum = x.model.enum_of(found.name) if isinstance(found, Of) else None
    if enum is None or enum.kind == "open":
        return x.error("R230", scope, args[0], found=found)
    return Maybe(found)


def _of_list(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if isinstance(found, Broken):
        return BROKEN
    if not isinstance(found, ListOf | PileOf):
        return x.error("R225", scope, args[0], found=found)
    if str(node.parts[0].name) == "reversed":
        return ListOf(found.of)
    return Maybe(found.of)


def _board(x: Checks, node: Any, scope: Scope, found: Type, kinds: tuple[str, ...], even: bool = False) -> Any:
    """The board whose cells (or corners) `found` are, or None with a diagnostic; `even`: one with directions."""
    if isinstance(found, Broken):
        return None
    enum = x.model.enum_of(found.name) if isinstance(found, Of) else None
    if enum is None or enum.board is None or enum.kind not in kinds or even and not enum.board.directions:
        x.error("R231", scope, node, "cells_only" if enum is not None and enum.kind == "corners" and kinds == CELLS else None, found=found)
        return None
    return enum


CELLS = ("cells", "open")
MAX_REACH = 64                                                     # of `within` on an endless board: 12,480 cells


def _near(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    return SetOf(found) if _board(x, args[0], scope, found, CELLS) else BROKEN


def _corners(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    enum = _board(x, args[0], scope, found, ("cells",))
    if enum is None or enum.board.corner_type is None:
        return BROKEN if enum is None else x.error("R231", scope, args[0], found=found)
    return SetOf(Of(enum.board.corner_type))


def _touching(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    enum = _board(x, args[0], scope, x.plain(args[0], scope), ("corners",))
    return SetOf(Of(enum.board.cell_type)) if enum else BROKEN


def _distance(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if _board(x, args[0], scope, found, CELLS, even=str(node.parts[0].name) == "span") is None:
        return BROKEN
    x.want(args[1], scope, found)
    return Int(0, None)


def _within(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if _board(x, args[0], scope, found, CELLS) is None:
        return BROKEN
    far = x.want(args[1], scope, INT)
    if len(args) == 3:
        x.want(args[2], scope, SetOf(found))
    elif isinstance(found, Of) and x.model.enums[found.name].kind == "open" and isinstance(far, Int):
        if far.high is None or far.high > MAX_REACH:
            return x.error("R236", scope, args[1], most=MAX_REACH)
    return SetOf(found)


def _region(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if _board(x, args[0], scope, found, CELLS) is None:
        return BROKEN
    x.want(args[1], scope, SetOf(found))
    return SetOf(found)


def _of_cells(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if isinstance(found, Broken):
        return BROKEN
    if not isinstance(found, SetOf):
        return x.error("R213", scope, args[0], found=found)
    if _board(x, args[0], scope, found.of, CELLS, even=str(node.parts[0].name) == "coast") is None:
        return BROKEN
    return ListOf(found) if str(node.parts[0].name) == "regions" else found


def _subsets(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if len(args) == 2:
        x.want(args[1], scope, INT)
    if isinstance(found, Broken):
        return BROKEN
    if not isinstance(found, SetOf):
        return x.error("R213", scope, args[0], found=found)
    enum = x.model.enum_of(found.of.name) if isinstance(found.of, Of) else None
    if enum is None or enum.kind == "open":
        return x.error("R229", scope, args[0], found=found.of)
    return ListOf(found)


def _between(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = x.plain(args[0], scope)
    if _board(x, args[0], scope, found, ("cells",)) is None:
        return BROKEN
    x.want(args[1], scope, found)
    return SetOf(found)


def _ray(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = _that_way(x, args, scope, ("cells",))
    return BROKEN if found is BROKEN else ListOf(found)


def _step(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    found = _that_way(x, args, scope, CELLS)
    return BROKEN if found is BROKEN else Maybe(found)


def _that_way(x: Checks, args: list[tree.Expr], scope: Scope, kinds: tuple[str, ...]) -> Type:
    """The type of the cell in a call with a cell and a direction."""
    found = x.plain(args[0], scope)
    enum = _board(x, args[0], scope, found, kinds, even=True)
    if enum is None:
        return BROKEN
    x.want(args[1], scope, Of("Direction"))
    if list(enum.board.directions) != x.model.enums["Direction"].members:      # those of the first board of the game
        return x.error("R235", scope, args[0], found=found)
    return found


def _lines(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    length = x.want(args[0], scope, INT)
    boards = [b for b in x.model.boards.values() if not b.open]
    if len(boards) != 1 or not isinstance(length, Int) or length.low != length.high or not length.low or length.low < 2:
        return x.error("R232", scope, node)
    longest = boards[0].longest
    if length.low > longest:
        x.findings.add("W105", Place.of(scope.path, node), clause=scope.clause, found=length.low, longest=longest)
    return ListOf(SetOf(Of(boards[0].cell_type)))


def _row(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    enum = _board(x, args[0], scope, x.plain(args[0], scope), ("cells",), even=True)
    return Int(1, max(enum.board.rows + enum.board.columns)) if enum else BROKEN


def _occupied(x: Checks, node: tree.Apply, args: list[tree.Expr], scope: Scope) -> Type:
    """cells(tile): on an open board, the cells where a state over that board holds something. With further axes, `cells(nets)` is
    for all their members together, and `cells(nets[player])` for one."""
    arg = args[0]
    name, indices = (arg.parts[0], arg.parts[1:]) if isinstance(arg, tree.At) else (arg, [])
    ref = x.names.find(str(name.name), scope.locals) if isinstance(name, tree.Name) else None
    if ref is None or ref.kind != "state":
        return x.error("R233", scope, arg)
    domains = [domain for _, domain in ref.target.axes]
    boards = [domain for domain in domains if x.model.enums[domain].kind == "open"]
    if not boards or indices and len(indices) != len(domains) - 1:
        return x.error("R233", scope, arg)
    for index, domain in zip(indices, (domain for domain in domains if domain not in boards)):
        x.want(index, scope, Of(domain))
    x.mean(name, ref)
    return SetOf(Of(boards[0]))


TABLED = ("near", "corners", "touching", "distance", "span", "within", "region", "regions", "rim", "coast", "step", "ray", "between",
          "lines")                                                 # what is worked out about a board before the game

BUILTINS: dict[str, Builtin] = {
    "size": Builtin((1, 1), _size),
    "min": Builtin((2, 8), _extreme(min, min, False)),
    "max": Builtin((2, 8), _extreme(max, max, True)),
    "ceil": Builtin((2, 2), _ceil),
    "only": Builtin((1, 1), _only),
    "position": Builtin((1, 2), _position),
    "clockwise": Builtin((1, 1), _clockwise),
    "next": Builtin((1, 1), _next),
    "before": Builtin((1, 1), _beside),
    "after": Builtin((1, 1), _beside),
    "top": Builtin((1, 1), _of_list),
    "last": Builtin((1, 1), _of_list),
    "reversed": Builtin((1, 1), _of_list),
    "subsets": Builtin((1, 2), _subsets),
    "near": Builtin((1, 1), _near),
    "corners": Builtin((1, 1), _corners),
    "touching": Builtin((1, 1), _touching),
    "distance": Builtin((2, 2), _distance),
    "span": Builtin((2, 2), _distance),
    "within": Builtin((2, 3), _within),
    "region": Builtin((2, 2), _region),
    "regions": Builtin((1, 1), _of_cells),
    "rim": Builtin((1, 1), _of_cells),
    "coast": Builtin((1, 1), _of_cells),
    "step": Builtin((2, 2), _step),
    "ray": Builtin((2, 2), _ray),
    "between": Builtin((2, 2), _between),
    "lines": Builtin((1, 1), _lines),
    "row": Builtin((1, 1), _row),
    "column": Builtin((1, 1), _row),
    "cells": Builtin((1, 1), _occupied),
}
