"""Boards: their cells, corners, directions and what lies next to what, worked out once from the declaration.

Square boards have their rows counted from the bottom, as on a chess board; hexagonal boards use axial coordinates (q, r) with
r growing downwards, columns lettered from the left and rows of a column numbered from the top. An open board has no edge: its
cells are every (q, r), a cell is the number `code(q, r)`, and only sets of cells that something makes finite can be walked. A graph has
the cells that its declaration names, joined along lines; where they are drawn (columns and rows) means nothing to the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

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
# A corner lies between two neighbours that follow each other clockwise.
HEX_FLAT_CORNERS = {
    "e": ("northeast", "southeast"),
    "se": ("southeast", "south"),
    "sw": ("south", "southwest"),
    "w": ("southwest", "northwest"),
    "nw": ("northwest", "north"),
    "ne": ("north", "northeast"),
}
MAX_NAMED_COORDINATE = 500  # the greatest coordinate that a file may give a name to on an open board
MAX_PLAYED_COORDINATE = 510  # the greatest coordinate that a game may go to there
OPEN_SPAN = 1024  # an open board's coordinates lie in -512..511: farther than any game of a few thousand moves walks


@dataclass
class Board:
    """One board. `cells` are (x, y) or (q, r) in the order of the type's members; `labels` are their names."""

    name: str
    shape: str
    cell_type: str
    corner_type: str | None
    cells: list[tuple[int, int]]
    labels: list[str]
    directions: dict[str, tuple[int, int]]
    open: bool = False
    flat: bool = True
    slantwise: bool = False                                        # squares that share a corner are neighbours too
    edges: dict[str, list[int]] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)

    @cached_property
    def index(self) -> dict[tuple[int, int], int]:
        return {cell: n for n, cell in enumerate(self.cells)}

    @cached_property
    def neighbour_offsets(self) -> list[tuple[int, int]]:
        """The directions in which a cell has its neighbours: where two share an edge, with `slantwise` a corner as well."""
        return [d for d in self.directions.values() if self.shape != "square" or 0 in d or self.slantwise]

    @cached_property
    def near(self) -> list[tuple[int, ...]]:
        return [
            tuple(sorted(self.index[x + dx, y + dy] for dx, dy in self.neighbour_offsets if (x + dx, y + dy) in self.index))
            for x, y in self.cells
        ]

    @cached_property
    def step(self) -> list[tuple[int, ...]]:
        """For each cell, for each direction in order, the next cell or -1."""
        return [tuple(self.index.get((x + dx, y + dy), -1) for dx, dy in self.directions.values()) for x, y in self.cells]

    @cached_property
    def rays(self) -> list[tuple[tuple[int, ...], ...]]:
        """For each cell, for each direction in order, the cells from the next one to the edge."""
        def ray(cell: int, direction: int) -> tuple[int, ...]:
            found = []
            while (cell := self.step[cell][direction]) >= 0:
                found.append(cell)
            return tuple(found)
        return [tuple(ray(cell, d) for d in range(len(self.directions))) for cell in range(len(self.cells))]

    @cached_property
    def between(self) -> list[dict[int, tuple[int, ...]]]:
        """For each cell, for each other one that lies in a straight line with it, what lies between them."""
        return [{end: ray[:n] for ray in rays for n, end in enumerate(ray)} for rays in self.rays]

    def distance(self, a: int, b: int) -> int:
        (ax, ay), (bx, by) = self.cells[a], self.cells[b]
        return max(abs(ax - bx), abs(ay - by)) if self.slantwise else count_steps(ax - bx, ay - by, self.shape)

    def span(self, a: int, b: int) -> int:
        """The square of the straight line from middle to middle; neighbours are 1 apart."""
        (ax, ay), (bx, by) = self.cells[a], self.cells[b]
        dx, dy = ax - bx, ay - by
        return dx * dx + dy * dy + (dx * dy if self.shape == "hex" else 0)

    @property
    def longest_run(self) -> int:
        """How many cells the longest straight run along its edges has."""
        return max(max(self.rows), max(self.columns))

    @cached_property
    def rows(self) -> list[int]:
        low = min((y for _, y in self.cells), default=0)
        return [y - low + 1 for _, y in self.cells]

    @cached_property
    def columns(self) -> list[int]:
        low = min((x for x, _ in self.cells), default=0)
        return [x - low + 1 for x, _ in self.cells]

    def count_table_numbers(self, word: str, length: int = 0) -> int:
        """How many numbers at most what a word of the language says of the board is made of, `lines` of so many cells."""
        many, ways = len(self.cells), len(self.directions)
        if word in ("between", "distance", "span"):
            return many * many
        if word == "ray":
            return many * ways * self.longest_run // 2
        if word == "lines":
            return many * ways // 2 * length * (length - 1) if length <= self.longest_run else 0
        return many * ways

    def lines(self, length: int) -> list[tuple[int, ...]]:
        """Every straight run of `length` cells, each once, in the order of its first cell."""
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

    # ---------------------------------------------------------------- corners

    @cached_property
    def _corner_data(self) -> tuple[list[str], list[tuple[int, ...]], list[tuple[int, ...]], dict[str, int]]:
        names: list[str] = []
        touching: list[tuple[int, ...]] = []
        at: dict[frozenset[Any], int] = {}
        of_cell: list[tuple[int, ...]] = []
        aliases: dict[str, int] = {}
        for n, cell in enumerate(self.cells):
            mine = []
            for tag, around in self._corner_cells(cell):
                key = frozenset(around)
                if key not in at:
                    at[key] = len(names)
                    names.append(f"{self.labels[n]}.{tag}")
                    touching.append(tuple(sorted(self.index[c] for c in key if c in self.index)))
                aliases[f"{self.labels[n]}.{tag}"] = at[key]
                mine.append(at[key])
            of_cell.append(tuple(sorted(mine)))
        return names, touching, of_cell, aliases

    def _corner_cells(self, cell: tuple[int, int]) -> list[tuple[str, list[tuple[int, int]]]]:
        x, y = cell
        if self.shape == "square":
            tags = {"nw": (0, 1), "ne": (1, 1), "se": (1, 0), "sw": (0, 0)}
            return [(tag, [(x + dx - a, y + dy - b) for a in (0, 1) for b in (0, 1)]) for tag, (dx, dy) in tags.items()]
        if self.flat:
            pairs = HEX_FLAT_CORNERS.items()
        else:
            names = list(self.directions)
            pairs = {f"{a[0]}{b[0]}" if a[0] != b[0] else a[:1]: (a, b) for a, b in zip(names, names[1:] + names[:1])}.items()
        out = []
        for tag, (one, two) in pairs:
            (ax, ay), (bx, by) = self.directions[one], self.directions[two]
            out.append((tag, [cell, (x + ax, y + ay), (x + bx, y + by)]))
        return out

    def map_corner_tags(self, flat: bool) -> dict[str, str]:
        """The tag of each corner of a cell when hexagons are drawn with a flat top (or a pointed one), by its tag in the rules.
        A pointed board that is drawn flat turns by half a side, so its corner `ne` becomes `e`."""
        if self.shape != "hex" or flat == self.flat:
            return {tag: tag for tag, _ in self._corner_cells((0, 0))}
        turned = replace(self, directions=HEX_FLAT_DIRECTIONS if flat else HEX_POINTY_DIRECTIONS, flat=flat)
        there = {frozenset(around): tag for tag, around in turned._corner_cells((0, 0))}
        return {tag: there[frozenset(around)] for tag, around in self._corner_cells((0, 0))}

    @property
    def corner_labels(self) -> list[str]:
        return self._corner_data[0]

    @property
    def touching(self) -> list[tuple[int, ...]]:
        """For each corner, the cells of the board that meet there."""
        return self._corner_data[1]

    @property
    def corners(self) -> list[tuple[int, ...]]:
        """For each cell, its corners."""
        return self._corner_data[2]

    @property
    def corner_names(self) -> dict[str, int]:
        """Every way to name a corner (`d3.nw`, seen from any of its cells)."""
        return self._corner_data[3]


@dataclass
class GraphBoard(Board):
    """A board of named points: `paths` are its lines, point by point. Points that follow each other on a line are neighbours."""

    paths: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def adjacent_pairs(self) -> list[tuple[int, int]]:
        """Every two points that follow each other on a line, once."""
        return sorted({(min(pair), max(pair)) for path in self.paths for pair in zip(path, path[1:])})

    @cached_property
    def near(self) -> list[tuple[int, ...]]:
        found: list[set[int]] = [set() for _ in self.cells]
        for one, two in self.adjacent_pairs:
            found[one].add(two)
            found[two].add(one)
        return [tuple(sorted(beside)) for beside in found]

    @cached_property
    def between(self) -> list[dict[int, tuple[int, ...]]]:
        """For each point, for each other one on a line with it, what lies between them on the first such line."""
        found: list[dict[int, tuple[int, ...]]] = [{} for _ in self.cells]
        for path in self.paths:
            for k, one in enumerate(path):
                for n, two in enumerate(path[k + 1 :], k + 1):
                    found[one].setdefault(two, path[k + 1 : n])
                    found[two].setdefault(one, path[k + 1 : n])
        return found

    @cached_property
    def path_lengths(self) -> list[dict[int, int]]:
        """For each point, how many steps along lines all those are away that can be reached from it."""
        out = []
        for start in range(len(self.cells)):
            found, last = {start: 0}, [start]
            while last:
                last = sorted({there for here in last for there in self.near[here]} - found.keys())
                found |= dict.fromkeys(last, max(found.values()) + 1)
            out.append(found)
        return out

    def distance(self, a: int, b: int) -> int:
        return self.path_lengths[a].get(b, len(self.cells))          # more than any way is long, where there is none

    @property
    def longest_run(self) -> int:
        return max(map(len, self.paths), default=0)

    def count_table_numbers(self, word: str, length: int = 0) -> int:
        every = [len(path) for path in self.paths]
        if word == "between":
            return sum(many * many for many in every)
        if word == "lines":
            return sum(max(0, many - length + 1) * length * (length - 1) for many in every)
        return len(self.cells) * len(self.cells) if word in ("distance", "span") else 2 * sum(every)

    def lines(self, length: int) -> list[tuple[int, ...]]:
        """Every run of `length` points that follow each other on a line, each once, in the order of its first point."""
        runs = (path[k : k + length] for path in self.paths for k in range(len(path) - length + 1))
        return sorted({tuple(sorted(run)) for run in runs})


def count_steps(dx: int, dy: int, shape: str) -> int:
    """How many steps over edges a difference of coordinates takes."""
    if shape == "square":
        return abs(dx) + abs(dy)
    return max(abs(dx), abs(dy), abs(dx + dy))


def format_column_letters(n: int) -> str:
    """0 -> a, 25 -> z, 26 -> aa."""
    return format_column_letters(n // 26 - 1) + chr(97 + n % 26) if n >= 26 else chr(97 + n)


def format_square_name(column: int, row: int) -> str:
    """The name of a square as on a chess board: column 0, row 0 -> a1."""
    return f"{format_column_letters(column)}{row + 1}"


def make_board(name: str, data: dict[str, Any]) -> Board:
    """A board from its checked declaration (schemas/data.json)."""
    shape = data["shape"]
    cell_type, corner_type = data["cells"], data.get("corners")
    if shape == "square":
        width, height = data["columns"], data["rows"]
        cells = [(x, y) for y in range(height) for x in range(width)]
        labels = [format_square_name(x, y) for x, y in cells]
        edges = {"south": [0, "y"], "north": [height - 1, "y"], "west": [0, "x"], "east": [width - 1, "x"]}
        sides = {side: [n for n, (x, y) in enumerate(cells) if (y if axis == "y" else x) == at] for side, (at, axis) in edges.items()}
        return Board(name, shape, cell_type, corner_type, cells, labels, SQUARE_DIRECTIONS, edges=sides,
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
            None,
            [],
            [],
            directions,
            open=True,
            flat=flat,
            named={key: encode_open_cell(*at) for key, at in data.get("names", {}).items()},
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
    board = Board(name, shape, cell_type, corner_type, cells, labels, directions, flat=flat)
    qs = sorted(columns)
    board.edges = {
        "west": [n for n, (q, _) in enumerate(cells) if q == qs[0]],
        "east": [n for n, (q, _) in enumerate(cells) if q == qs[-1]],
        "north": [n for n, (q, r) in enumerate(cells) if r == columns[q][0]],
        "south": [n for n, (q, r) in enumerate(cells) if r == columns[q][1]],
    }
    board.named = {key: board.index[tuple(at)] for key, at in data.get("names", {}).items()}
    return board


def make_graph(name: str, data: dict[str, Any]) -> GraphBoard:
    """Named points, each with the column and the row where it is drawn, counted from 1 and rows from the bottom."""
    labels = list(data["points"])
    cells = [(column - 1, row - 1) for column, row in data["points"].values()]
    number = {label: n for n, label in enumerate(labels)}
    paths = [tuple(number[point] for point in line) for line in data["lines"]]
    if len(set(cells)) < len(cells) or any(len(set(path)) < max(2, len(path)) for path in paths):
        raise ValueError("two points in one place, or one twice on a line")
    return GraphBoard(name, "graph", data["cells"], None, cells, labels, {}, paths=paths)


def parse_span(text: Any) -> tuple[int, int]:
    """The two ends of a span as data write it: `2..4`, or just `3`."""
    parts = str(text).split("..")
    return int(parts[0]), int(parts[-1])


def encode_open_cell(q: int, r: int) -> int:
    """The number of a cell of an open board."""
    return (q + OPEN_SPAN // 2) * OPEN_SPAN + r + OPEN_SPAN // 2


def is_within_limit(q: int, r: int) -> bool:
    """Whether a cell of an open board has all its neighbours within the span."""
    return max(abs(q), abs(r)) <= MAX_PLAYED_COORDINATE


def decode_open_cell(code: int) -> tuple[int, int]:
    return code // OPEN_SPAN - OPEN_SPAN // 2, code % OPEN_SPAN - OPEN_SPAN // 2
