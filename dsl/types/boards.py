"""Boards and their geometry: cells, corners, directions, neighbours. All of it is computed once, from the
declaration.

* Square boards count their rows from the bottom, as on a chess board. Coordinates are (x, y).
* Hexagonal boards use axial coordinates (q, r), and r grows downwards. Columns have letters from the left.
  The rows of a column are numbered from the top.
* An open board has no edge. Its cells are all (q, r), and a cell is the number `encode_open_cell(q, r)`.
  Rules can only iterate over sets of its cells that are known to be finite.
* A graph has the points that its declaration names, joined along lines. Columns and rows only say where a
  point is drawn. They mean nothing to the rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from .board_parts import PART_SIGNS, At, BoardParts, NeighbourGraph, PartsOfBoard, find_parts_of_board, list_corners, list_edges

SQUARE_DIRECTIONS = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
HEX_FLAT_DIRECTIONS = {
    "north": (0, -1),
    "northeast": (1, -1),
    "southeast": (1, 0),
    "south": (0, 1),
    "southwest": (-1, 1),
    "northwest": (-1, 0),
}
HEX_POINTY_DIRECTIONS = {
    "northeast": (1, -1),
    "east": (1, 0),
    "southeast": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (0, -1),
}
SQUARE_NAME = re.compile(r"([a-zA-Z]{1,2})([1-9][0-9]{0,2})")
MAX_NAMED_COORDINATE = 500  # on an open board: cells that a file names
MAX_PLAYED_COORDINATE = 510  # on an open board: cells that a game may use
OPEN_SPAN = 1024  # coordinates from -512 to 511: enough for a game of a few thousand moves


@dataclass
class Board:
    """One board. `cells` are (x, y) or (q, r) in the order of the members of the cell type. `labels` are their
    names.

    `part_types` maps the kinds `corners` and `edges` to their types, if the rules have them. `borders` lists the cells along
    each side of the board, by direction. `named` maps extra names of cells to their
    numbers, or to the codes of cells if the board is open. `origin` is the column and the row in the label of the cell
    (0, 0) of an open board. Without it, labels are coordinates."""

    name: str
    shape: str
    cell_type: str
    cells: list[tuple[int, int]]
    labels: list[str]
    directions: dict[str, tuple[int, int]]
    open: bool = False
    flat: bool = True
    part_types: dict[str, str] = field(default_factory=dict)
    slantwise: bool = False                                        # squares that share only a corner are neighbours too
    borders: dict[str, list[int]] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)
    origin: tuple[int, int] | None = None

    def open_cell_label(self, code: int) -> str:
        """Returns the label of a cell of an open board, such as n15. Columns have letters from the left, and rows count down.

        A cell left of column a, or above row 1, has its coordinates as its label."""
        q, r = decode_open_cell(code)
        if self.origin is not None:
            column, row = (q, r + q // 2) if self.flat else (q + r // 2, r)
            column, row = column + self.origin[0], row + self.origin[1]
            if column >= 0 and row >= 0:
                return format_square_name(column, row)
        return f"{q},{r}"

    def parse_open_cell_label(self, label: str) -> int | None:
        """Returns the cell with a label such as n15, or None: the inverse of `open_cell_label`, except for coordinates."""
        found = SQUARE_NAME.fullmatch(label)
        if found is None or self.origin is None:
            return None
        column = 0
        for letter in found[1].lower():
            column = column * 26 + ord(letter) - 96
        column, row = column - 1 - self.origin[0], int(found[2]) - 1 - self.origin[1]
        q, r = (column, row - column // 2) if self.flat else (column - row // 2, row)
        return encode_open_cell(q, r) if is_within_limit(q, r) else None

    @cached_property
    def index(self) -> dict[tuple[int, int], int]:
        """The number of each cell, by its coordinates."""
        return {cell: n for n, cell in enumerate(self.cells)}

    @cached_property
    def neighbour_offsets(self) -> list[tuple[int, int]]:
        """The offsets from a cell to its neighbours: cells that share an edge, with `slantwise` also those that share a
        corner."""
        return [d for d in self.directions.values() if self.shape != "square" or 0 in d or self.slantwise]

    @cached_property
    def near(self) -> list[tuple[int, ...]]:
        """The neighbours of each cell, in ascending order."""
        return [
            tuple(sorted(self.index[x + dx, y + dy] for dx, dy in self.neighbour_offsets if (x + dx, y + dy) in self.index))
            for x, y in self.cells
        ]

    @cached_property
    def step(self) -> list[tuple[int, ...]]:
        """For each cell and each direction in order, the next cell, or -1 beyond the edge."""
        return [tuple(self.index.get((x + dx, y + dy), -1) for dx, dy in self.directions.values()) for x, y in self.cells]

    @cached_property
    def rays(self) -> list[tuple[tuple[int, ...], ...]]:
        """For each cell and each direction in order, the cells from the next one to the edge."""
        def ray(cell: int, direction: int) -> tuple[int, ...]:
            found = []
            while (cell := self.step[cell][direction]) >= 0:
                found.append(cell)
            return tuple(found)
        return [tuple(ray(cell, d) for d in range(len(self.directions))) for cell in range(len(self.cells))]

    @cached_property
    def between(self) -> list[dict[int, tuple[int, ...]]]:
        """For each cell and each other cell in a straight line with it, the cells between the two."""
        return [{end: ray[:n] for ray in rays for n, end in enumerate(ray)} for rays in self.rays]

    def distance(self, a: int, b: int) -> int:
        """Returns the number of steps from neighbour to neighbour between two cells."""
        (ax, ay), (bx, by) = self.cells[a], self.cells[b]
        return max(abs(ax - bx), abs(ay - by)) if self.slantwise else count_edge_steps(ax - bx, ay - by, self.shape)

    def span(self, a: int, b: int) -> int:
        """Returns the square of the Euclidean distance between the centres of two cells. Cells that share an edge are 1
        apart."""
        (ax, ay), (bx, by) = self.cells[a], self.cells[b]
        dx, dy = ax - bx, ay - by
        return dx * dx + dy * dy + (dx * dy if self.shape == "hex" else 0)

    @property
    def longest_run(self) -> int:
        """The number of rows or of columns, whichever is larger: no straight row of cells is longer."""
        return max(max(self.rows), max(self.columns))

    @cached_property
    def rows(self) -> list[int]:
        """The row of each cell, counted from 1."""
        low = min((y for _, y in self.cells), default=0)
        return [y - low + 1 for _, y in self.cells]

    @cached_property
    def columns(self) -> list[int]:
        """The column of each cell, counted from 1."""
        low = min((x for x, _ in self.cells), default=0)
        return [x - low + 1 for x, _ in self.cells]

    def count_table_numbers(self, word: str, length: int = 0) -> int:
        """Returns an upper bound for the numbers in the table of a built-in function such as `distance` or `ray`.

        `word` is the name of the built-in. `length` is the number of cells in a row, for `lines`."""
        many, ways = len(self.cells), len(self.directions)
        if word in ("between", "distance", "span"):
            return many * many
        if word == "ray":
            return many * ways * self.longest_run // 2
        if word == "lines":
            return many * ways // 2 * length * (length - 1) if length <= self.longest_run else 0
        return many * ways

    def lines(self, length: int) -> list[tuple[int, ...]]:
        """Returns every straight row of `length` cells once, as a sorted tuple of cells, in ascending order."""
        runs: list[tuple[int, ...]] = []
        if length > self.longest_run:
            return runs
        half = list(self.directions.values())
        half = [d for n, d in enumerate(half) if (-d[0], -d[1]) not in half[:n]]
        for x, y in self.cells:
            for dx, dy in half:
                run = [(x + k * dx, y + k * dy) for k in range(length)]
                if all(cell in self.index for cell in run):
                    runs.append(tuple(sorted(self.index[cell] for cell in run)))
        return sorted(set(runs))

    # ---------------------------------------------------------------- corners and edges

    @cached_property
    def parts(self) -> PartsOfBoard:
        """The corners and the edges of all cells."""
        return find_parts_of_board(self.cells, self.labels, *(partial(self.list_parts, kind) for kind in PART_SIGNS))

    def list_parts(self, kind: str, cell: At) -> list[tuple[str, list[At]]]:
        """Returns the tag of each corner or edge of a cell with the cells that meet there, also those beyond the rim."""
        if kind == "corners":
            return list_corners(cell, self.shape, self.directions, self.flat)
        return list_edges(cell, self.shape, self.directions)

    def parts_of_kind(self, kind: str) -> BoardParts:
        """Returns the corners or the edges."""
        return self.parts.corners if kind == "corners" else self.parts.edges

    def map_part_tags(self, kind: str, flat: bool) -> dict[str, str]:
        """Maps the tag of each corner or edge in the rules to its tag on a drawing with flat-topped (or pointed) hexagons.

        A board with pointed hexagons that is drawn flat turns by half a side: its corner `ne` becomes `e`."""
        if self.shape != "hex" or flat == self.flat:
            return {tag: tag for tag, _ in self.list_parts(kind, (0, 0))}
        turned = replace(self, directions=HEX_FLAT_DIRECTIONS if flat else HEX_POINTY_DIRECTIONS, flat=flat)
        there = {frozenset(around): tag for tag, around in turned.list_parts(kind, (0, 0))}
        return {tag: there[frozenset(around)] for tag, around in self.list_parts(kind, (0, 0))}

    def relation(self, kind: str, function: str) -> list[tuple[int, ...]]:
        """Returns the places that a function such as `near` or `corners` gives for each place of a kind."""
        match kind, function:
            case "cells", "near":
                return self.near
            case "cells", _:
                return self.parts_of_kind(function).of_cell
            case _, "near":
                return self.parts_of_kind(kind).near
            case "corners", "edges":
                return self.parts.edges_of_corner
            case "edges", "ends":
                return self.parts.ends
            case _:
                return self.parts_of_kind(kind).cells


@dataclass
class GraphBoard(NeighbourGraph, Board):
    """A board of named points, joined along lines. `paths` are the lines, point by point.

    Points that follow each other on a line are neighbours."""

    paths: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def adjacent_pairs(self) -> list[tuple[int, int]]:
        """All pairs of neighbouring points, each once, with the smaller number first."""
        return sorted({(min(pair), max(pair)) for path in self.paths for pair in zip(path, path[1:])})

    @cached_property
    def near(self) -> list[tuple[int, ...]]:
        """The neighbours of each point, in ascending order."""
        found: list[set[int]] = [set() for _ in self.cells]
        for one, two in self.adjacent_pairs:
            found[one].add(two)
            found[two].add(one)
        return [tuple(sorted(beside)) for beside in found]

    @cached_property
    def between(self) -> list[dict[int, tuple[int, ...]]]:
        """For each point and each other point on a line with it, the points between the two on the first such line."""
        found: list[dict[int, tuple[int, ...]]] = [{} for _ in self.cells]
        for path in self.paths:
            for k, one in enumerate(path):
                for n, two in enumerate(path[k + 1 :], k + 1):
                    found[one].setdefault(two, path[k + 1 : n])
                    found[two].setdefault(one, path[k + 1 : n])
        return found

    @property
    def longest_run(self) -> int:
        """The number of points on the longest line."""
        return max(map(len, self.paths), default=0)

    def count_table_numbers(self, word: str, length: int = 0) -> int:
        every = [len(path) for path in self.paths]
        if word == "between":
            return sum(many * many for many in every)
        if word == "lines":
            return sum(max(0, many - length + 1) * length * (length - 1) for many in every)
        return len(self.cells) * len(self.cells) if word in ("distance", "span") else 2 * sum(every)

    def lines(self, length: int) -> list[tuple[int, ...]]:
        """Returns every run of `length` points in a row on a line once, as a sorted tuple, in ascending order."""
        runs = (path[k : k + length] for path in self.paths for k in range(len(path) - length + 1))
        return sorted({tuple(sorted(run)) for run in runs})


def count_edge_steps(dx: int, dy: int, shape: str) -> int:
    """Returns how many steps over edges it takes to change the coordinates by (dx, dy)."""
    if shape == "square":
        return abs(dx) + abs(dy)
    return max(abs(dx), abs(dy), abs(dx + dy))


def format_column_letters(n: int) -> str:
    """Returns the letters of a column: 0 -> a, 25 -> z, 26 -> aa."""
    return format_column_letters(n // 26 - 1) + chr(97 + n % 26) if n >= 26 else chr(97 + n)


def format_square_name(column: int, row: int) -> str:
    """Returns the name of a square as on a chess board: column 0, row 0 -> a1."""
    return f"{format_column_letters(column)}{row + 1}"


def parse_square_name(name: str) -> tuple[int, int]:
    """Returns the column and the row, counted from 0, of a name such as a1: the inverse of `format_square_name` for one letter."""
    return ord(name[0]) - 97, int(name[1:]) - 1


def make_board(name: str, data: dict[str, Any]) -> Board:
    """Builds a board from its validated declaration (schemas/data.json)."""
    shape = data["shape"]
    cell_type = data["cells"]
    part_types = {kind: data[kind] for kind in PART_SIGNS if kind in data}
    if shape == "square":
        width, height = data["columns"], data["rows"]
        cells = [(x, y) for y in range(height) for x in range(width)]
        labels = [format_square_name(x, y) for x, y in cells]
        edges = {"south": [0, "y"], "north": [height - 1, "y"], "west": [0, "x"], "east": [width - 1, "x"]}
        sides = {side: [n for n, (x, y) in enumerate(cells) if (y if axis == "y" else x) == at] for side, (at, axis) in edges.items()}
        return Board(name, shape, cell_type, cells, labels, SQUARE_DIRECTIONS, part_types=part_types, borders=sides,
                     slantwise=data.get("near") == "corners")
    if shape == "graph":
        return make_graph(name, data)
    flat = data.get("top", "flat") == "flat"
    directions = HEX_FLAT_DIRECTIONS if flat else HEX_POINTY_DIRECTIONS
    if data.get("open"):
        return Board(
            name,
            shape,
            cell_type,
            [],
            [],
            directions,
            open=True,
            flat=flat,
            named={key: encode_open_cell(*at) for key, at in data.get("names", {}).items()},
            origin=parse_square_name(data["origin"]) if "origin" in data else None,
        )
    if "radius" in data:
        size = data["radius"]
        columns = {q: (max(-size, -q - size), min(size, -q + size)) for q in range(-size, size + 1)}
    elif isinstance(data["columns"], int):
        columns = dict.fromkeys(range(data["columns"]), (0, data["rows"] - 1))
    else:
        columns = {int(q): parse_span(span) for q, span in data["columns"].items()}
    cells, labels = [], []
    for column, q in enumerate(sorted(columns)):
        low, high = columns[q]
        for r in range(low, high + 1):
            cells.append((q, r))
            labels.append(f"{format_column_letters(column)}{r - low + 1}")
    board = Board(name, shape, cell_type, cells, labels, directions, flat=flat, part_types=part_types)
    qs = sorted(columns)
    board.borders = {
        "west": [n for n, (q, _) in enumerate(cells) if q == qs[0]],
        "east": [n for n, (q, _) in enumerate(cells) if q == qs[-1]],
        "north": [n for n, (q, r) in enumerate(cells) if r == columns[q][0]],
        "south": [n for n, (q, r) in enumerate(cells) if r == columns[q][1]],
    }
    board.named = {key: board.index[tuple(at)] for key, at in data.get("names", {}).items()}
    return board


def make_graph(name: str, data: dict[str, Any]) -> GraphBoard:
    """Builds a graph from its declaration: named points, each with the column and row where it is drawn.

    Columns and rows are counted from 1, and rows from the bottom. Raises ValueError if two points have the same
    place, or if a line visits a point twice or has fewer than two points."""
    labels = list(data["points"])
    cells = [(column - 1, row - 1) for column, row in data["points"].values()]
    number = {label: n for n, label in enumerate(labels)}
    paths = [tuple(number[point] for point in line) for line in data["lines"]]
    if len(set(cells)) < len(cells) or any(len(set(path)) < max(2, len(path)) for path in paths):
        raise ValueError("two points in one place, or one twice on a line")
    return GraphBoard(name, "graph", data["cells"], cells, labels, {}, paths=paths)


def parse_span(text: Any) -> tuple[int, int]:
    """Returns the two ends of a span as written in data: `2..4`, or a single number such as `3`."""
    parts = str(text).split("..")
    return int(parts[0]), int(parts[-1])


def encode_open_cell(q: int, r: int) -> int:
    """Returns the number that stands for the cell (q, r) of an open board."""
    return (q + OPEN_SPAN // 2) * OPEN_SPAN + r + OPEN_SPAN // 2


def is_within_limit(q: int, r: int) -> bool:
    """Whether a cell of an open board lies within the coordinates that a game may use.

    The limit leaves room for the neighbours of the cell."""
    return max(abs(q), abs(r)) <= MAX_PLAYED_COORDINATE


def decode_open_cell(code: int) -> tuple[int, int]:
    """Returns the coordinates (q, r) of a cell of an open board: the inverse of `encode_open_cell`."""
    return code // OPEN_SPAN - OPEN_SPAN // 2, code % OPEN_SPAN - OPEN_SPAN // 2
