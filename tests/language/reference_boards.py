"""Implements the functions of boards by simple counting: neighbours, reachable cells, and cells outside."""

from __future__ import annotations

import re
from math import cos, dist, radians, sin
from typing import Any

from ludoglot.dsl.model.model import GameModel
from ludoglot.dsl.types.boards import Board, GraphBoard
from ludoglot.dsl.types.types import ListOf, SetOf


def on_board(model: GameModel, name: str, args: list, values: list) -> Any:
    """Returns the value of a built-in function of boards."""
    found = args[0].type
    while isinstance(found, SetOf | ListOf):
        found = found.of
    if name == "lines":
        board = next(b for b in model.boards.values() if not b.open)
        if isinstance(board, GraphBoard):
            return tuple(map(frozenset, sorted({tuple(sorted(run)) for run in runs_of(board) if len(run) == values[0]})))
        runs = board_lines(board, values[0])
        return tuple(frozenset(board.cells.index(cell) for cell in run) for run in runs)
    enum = model.enum_of(found.name)
    board = enum.board
    if enum.kind in ("corners", "edges") or name in ("corners", "edges"):
        return on_parts(board, enum.kind, name, values)
    if isinstance(board, GraphBoard):
        return on_graph({frozenset(run) for run in runs_of(board) if len(run) == 2}, board, name, values)
    at, back = (lambda cell: cell), (lambda cell: cell)
    if not board.open:
        at, back = (lambda n: board.cells[n]), (lambda cell: board.cells.index(cell) if cell in board.cells else None)

    def near(n: Any) -> set:
        x, y = at(n)
        every = board.shape == "hex" or board.slantwise
        around = (back((x + dx, y + dy)) for dx, dy in board.directions.values() if every or 0 in (dx, dy))
        return {cell for cell in around if cell is not None}

    def flood(start: set, cells: frozenset) -> frozenset:
        reached = set(start) & cells
        while True:
            more = {other for cell in reached for other in near(cell) if other in cells} - reached
            if not more:
                return frozenset(reached)
            reached |= more

    match name:
        case "near":
            return frozenset(near(values[0]))
        case "distance":
            (ax, ay), (bx, by) = at(values[0]), at(values[1])
            dx, dy = ax - bx, ay - by
            if board.slantwise:
                return max(abs(dx), abs(dy))
            return abs(dx) + abs(dy) if board.shape == "square" else (abs(dx) + abs(dy) + abs(dx + dy)) // 2
        case "span":
            (ax, ay), (bx, by) = (middle(board, at(cell)) for cell in values)
            return round((ax - bx) ** 2 + (ay - by) ** 2)
        case "within":
            reached = {values[0]}
            for _ in range(values[1]):
                reached |= {other for cell in reached for other in near(cell) if len(values) == 2 or other in values[2]}
            return frozenset(reached - {values[0]})
        case "region":
            return flood({values[0]}, values[1])
        case "regions":
            parts = {flood({cell}, values[0]) for cell in values[0]}
            return tuple(sorted(parts, key=min))
        case "rim":
            return frozenset(other for cell in values[0] for other in near(cell)) - values[0]
        case "coast":
            return frozenset(other for cell in values[0] for other in near(cell) if other not in values[0]) & outside(
                board, values[0], near, flood
            )
        case "step":
            (x, y), (dx, dy) = at(values[0]), list(board.directions.values())[values[1]]
            return back((x + dx, y + dy))
        case "ray":
            (x, y), (dx, dy), found = at(values[0]), list(board.directions.values())[values[1]], []
            while (x + dx, y + dy) in board.cells:
                x, y = x + dx, y + dy
                found.append(back((x, y)))
            return tuple(found)
        case "between":
            (ax, ay), (bx, by) = at(values[0]), at(values[1])
            for dx, dy in board.directions.values():
                run = [(ax + k * dx, ay + k * dy) for k in range(1, len(board.cells))]
                if (bx, by) in run and (ax, ay) != (bx, by):
                    inside = run[: run.index((bx, by))]
                    return frozenset(map(back, inside)) if all(cell in board.cells for cell in inside) else frozenset()
            return frozenset()
        case "row":
            return at(values[0])[1] - min(y for _, y in board.cells) + 1
    assert name == "column"
    return at(values[0])[0] - min(x for x, _ in board.cells) + 1


def runs_of(board: GraphBoard) -> list[tuple[int, ...]]:
    """Returns all segments of lines, from point to point."""
    return [path[k:n] for path in board.paths for k in range(len(path)) for n in range(k + 1, len(path) + 1)]


# the compass direction of each corner and each edge of a cell, in degrees from the east
ANGLES = {
    "corners": {"square": {"ne": 45, "nw": 135, "sw": 225, "se": 315},
                "flat": {"e": 0, "ne": 60, "nw": 120, "w": 180, "sw": 240, "se": 300},
                "pointy": {"ne": 30, "n": 90, "wn": 150, "sw": 210, "s": 270, "es": 330}},
    "edges": {"square": {"e": 0, "n": 90, "w": 180, "s": 270},
              "flat": {"ne": 30, "n": 90, "nw": 150, "sw": 210, "s": 270, "se": 330},
              "pointy": {"e": 0, "ne": 60, "nw": 120, "w": 180, "sw": 240, "se": 300}},
}


def on_parts(board: Board, kind: str, name: str, values: list) -> Any:
    """Returns the value of a function of corners and edges, by measuring distances on paper."""
    square = board.shape == "square"
    side = 1 if square else 3**-0.5
    centres = [middle(board, cell) for cell in board.cells]
    corners, edges = ([place_of(board, kind, label) for label in board.parts_of_kind(kind).labels] for kind in ANGLES)

    def at_distance(place: tuple[float, float], others: list, length: float) -> frozenset:
        return frozenset(n for n, other in enumerate(others) if abs(dist(place, other) - length) < 1e-6)

    ends = [at_distance(edge, corners, side / 2) for edge in edges]
    match kind, name:
        case "cells", "corners":
            return at_distance(centres[values[0]], corners, 0.5**0.5 if square else side)
        case "cells", "edges":
            return at_distance(centres[values[0]], edges, 0.5)
        case "corners", "touching":
            return at_distance(corners[values[0]], centres, 0.5**0.5 if square else side)
        case "corners", "edges":
            return at_distance(corners[values[0]], edges, side / 2)
        case "edges", "sides":
            return at_distance(edges[values[0]], centres, 0.5)
        case "edges", "ends":
            return ends[values[0]]
        case "corners", _:
            return on_graph(set(ends), corners, name, values)
    joined = {frozenset((one, two)) for one in range(len(edges)) for two in range(len(edges)) if one != two and ends[one] & ends[two]}
    return on_graph(joined, edges, name, values)


def place_of(board: Board, kind: str, label: str) -> tuple[float, float]:
    """Returns where a corner or an edge is on paper, from its name alone."""
    cell, tag = re.split("[.-]", label)
    shape = "square" if board.shape == "square" else "flat" if board.flat else "pointy"
    x, y = middle(board, board.cells[board.labels.index(cell)])
    angle = radians(ANGLES[kind][shape][tag] - (30 if shape == "pointy" else 0))        # the paper is turned for pointy hexagons
    length = 0.5 if kind == "edges" else 0.5**0.5 if shape == "square" else 3**-0.5
    return x + length * cos(angle), y + length * sin(angle) * (1 if shape == "square" else -1)


def on_graph(pairs: set[frozenset], places: Any, name: str, values: list) -> Any:
    """Returns the value of a function for places that are joined in pairs, by walking along the lines."""
    def walk(start: set, steps: int, cells: frozenset) -> set:
        reached = set(start)
        for _ in range(steps):
            reached |= {other for cell in reached for other in cells if frozenset((cell, other)) in pairs}
        return reached

    first, every = values[0], frozenset(range(len(places.cells if isinstance(places, GraphBoard) else places)))
    match name:
        case "near":
            return frozenset(walk({first}, 1, every) - {first})
        case "within":
            return frozenset(walk({first}, values[1], values[2] if len(values) == 3 else every) - {first})
        case "distance":
            return next((n for n in range(len(every)) if values[1] in walk({first}, n, every)), len(every))
        case "region":
            return frozenset(walk({first} & values[1], len(every), values[1]))
        case "regions":
            return tuple(sorted({frozenset(walk({cell}, len(every), first)) for cell in first}, key=min))
        case "rim":
            return frozenset(walk(first, 1, every) - first)
    assert name == "between"
    ends = [run for run in runs_of(places) if {run[0], run[-1]} == set(values) and len(run) > 1]
    return frozenset(ends[0][1:-1]) if ends else frozenset()


def middle(board: Board, cell: tuple[int, int]) -> tuple[float, float]:
    """Returns the centre of a cell on paper. Neighbours have distance 1."""
    x, y = cell
    return (x, y) if board.shape == "square" else (x * 3**0.5 / 2, y + x / 2)


def outside(board: Board, cells: frozenset, near: Any, flood: Any) -> frozenset:
    """Returns the cells that the world beyond the board reaches without crossing `cells`."""
    if not cells:
        return frozenset()
    if board.open:
        xs, ys = [x for x, _ in cells], [y for _, y in cells]
        frame = {(x, y) for x in range(min(xs) - 3, max(xs) + 4) for y in range(min(ys) - 3, max(ys) + 4)}
        return flood({(min(xs) - 3, min(ys) - 3)}, frozenset(frame) - cells)
    sides = 6 if board.shape == "hex" else 8 if board.slantwise else 4
    every = frozenset(range(len(board.cells)))
    return flood({n for n in every if len(near(n)) < sides}, every - cells)


def board_lines(board: Board, length: int) -> list:
    """Returns every straight run of cells, each once."""
    runs = set()
    for x, y in board.cells:
        for dx, dy in board.directions.values():
            run = [(x + k * dx, y + k * dy) for k in range(length)]
            if all(cell in board.cells for cell in run):
                runs.add(tuple(sorted(run, key=board.cells.index)))
    return sorted(runs, key=lambda run: [board.cells.index(cell) for cell in run])
