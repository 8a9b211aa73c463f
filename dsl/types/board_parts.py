"""The corners and the edges of a board of squares or hexagons.

A part of a board is known by the cells that meet there, also those beyond the rim of the board: three or four cells at a
corner, two at an edge. It has a name for each of its cells, such as the corner `d3.nw` or the edge `d3-n`. The name from
the first of its cells is its label."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

At = tuple[int, int]
Around = Callable[[At], list[tuple[str, list[At]]]]                # the tag and the cells of each part of a cell

PART_SIGNS = {"corners": ".", "edges": "-"}                         # between the cell and the tag in the name of a part
PART_NAME = re.compile(r"\b([a-z]+[0-9]+)([.-])([a-z]+[0-9]*)\b")
# Each corner touches two neighbours that are adjacent in clockwise order.
HEX_FLAT_CORNERS = {
    "e": ("northeast", "southeast"),
    "se": ("southeast", "south"),
    "sw": ("south", "southwest"),
    "w": ("southwest", "northwest"),
    "nw": ("northwest", "north"),
    "ne": ("north", "northeast"),
}
SQUARE_CORNERS = {"nw": (0, 1), "ne": (1, 1), "se": (1, 0), "sw": (0, 0)}


class NeighbourGraph:
    """Places with neighbours. The distance of two places is the length of the shortest path (breadth-first search)."""

    @cached_property
    def near(self) -> list[tuple[int, ...]]:
        """The neighbours of each place, in ascending order."""
        raise NotImplementedError

    @cached_property
    def path_lengths(self) -> list[dict[int, int]]:
        """For each place, the length of the shortest path to every place that can be reached from it."""
        out = []
        for start in range(len(self.near)):
            found, last = {start: 0}, [start]
            while last:
                last = sorted({there for here in last for there in self.near[here]} - found.keys())
                found |= dict.fromkeys(last, max(found.values()) + 1)
            out.append(found)
        return out

    def distance(self, a: int, b: int) -> int:
        """Returns the length of the shortest path, or the number of places if there is no path."""
        return self.path_lengths[a].get(b, len(self.near))             # no path: larger than any real distance


@dataclass
class BoardParts(NeighbourGraph):
    """All corners or all edges of a board.

    labels   the name of each
    names    the number of each, by all its names
    around   the cells that meet there, by their coordinates
    cells    the cells of the board that meet there
    of_cell  the parts of each cell
    tags     the tag of each part of a cell with the number of the part
    near     the neighbours: corners at the two ends of an edge, or edges that share a corner"""

    labels: list[str] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    around: list[frozenset[At]] = field(default_factory=list)
    cells: list[tuple[int, ...]] = field(default_factory=list)
    of_cell: list[tuple[int, ...]] = field(default_factory=list)
    tags: list[dict[str, int]] = field(default_factory=list)
    near: list[tuple[int, ...]] = field(default_factory=list)

    open = False

    def __len__(self) -> int:
        return len(self.labels)

    def count_table_numbers(self, word: str, length: int = 0) -> int:
        """Returns an upper bound for the numbers in the table of a built-in function, as for cells."""
        return len(self) * len(self) if word == "distance" else sum(map(len, self.near))


@dataclass
class PartsOfBoard:
    """The corners and the edges of one board, with the two ends of each edge and the edges at each corner."""

    corners: BoardParts
    edges: BoardParts
    ends: list[tuple[int, ...]]
    edges_of_corner: list[tuple[int, ...]]


def find_parts_of_board(cells: Sequence[At], labels: Sequence[str], corners_around: Around, edges_around: Around) -> PartsOfBoard:
    """Returns the corners and the edges of a board with these cells."""
    corners, edges = (collect_parts(cells, labels, around, sign)
                      for around, sign in zip((corners_around, edges_around), PART_SIGNS.values()))
    for n, beside in enumerate(edges.cells):                       # `a1-a2` is a name of the edge between a1 and a2
        if len(beside) == 2:
            edges.names |= {f"{labels[one]}-{labels[two]}": n for one, two in (beside, beside[::-1])}
    ends = [tuple(corner for corner in corners.of_cell[beside[0]] if meeting <= corners.around[corner])
            for beside, meeting in zip(edges.cells, edges.around)]
    at_corner: list[list[int]] = [[] for _ in corners.labels]
    for n, pair in enumerate(ends):
        for corner in pair:
            at_corner[corner].append(n)
    corners.near = [sort_others(n, (end for edge in at_corner[n] for end in ends[edge])) for n in range(len(corners))]
    edges.near = [sort_others(n, (edge for corner in ends[n] for edge in at_corner[corner])) for n in range(len(edges))]
    return PartsOfBoard(corners, edges, ends, list(map(tuple, at_corner)))


def collect_parts(cells: Sequence[At], labels: Sequence[str], around: Around, sign: str) -> BoardParts:
    """Returns the parts of one kind with their names and cells, without their neighbours."""
    index = {cell: n for n, cell in enumerate(cells)}
    out = BoardParts()
    numbers: dict[frozenset[At], int] = {}
    for label, cell in zip(labels, cells):
        tags = {}
        for tag, meeting in around(cell):
            key = frozenset(meeting)
            if key not in numbers:
                numbers[key] = len(out.labels)
                out.labels.append(f"{label}{sign}{tag}")
                out.around.append(key)
                out.cells.append(tuple(sorted(index[at] for at in key if at in index)))
            out.names[f"{label}{sign}{tag}"] = tags[tag] = numbers[key]
        out.tags.append(tags)
        out.of_cell.append(tuple(sorted(tags.values())))
    return out


def sort_others(place: int, places: Iterable[int]) -> tuple[int, ...]:
    """Returns the places without `place`, each once, in ascending order."""
    return tuple(sorted({*places} - {place}))


def list_corners(cell: At, shape: str, directions: Mapping[str, At], flat: bool) -> list[tuple[str, list[At]]]:
    """Returns the tag of each corner of a cell with the cells around that corner, also those beyond the rim."""
    x, y = cell
    if shape == "square":
        return [(tag, [(x + dx - a, y + dy - b) for a in (0, 1) for b in (0, 1)]) for tag, (dx, dy) in SQUARE_CORNERS.items()]
    if flat:
        pairs = HEX_FLAT_CORNERS
    else:
        names = list(directions)
        pairs = {f"{a[0]}{b[0]}" if a[0] != b[0] else a[:1]: (a, b) for a, b in zip(names, names[1:] + names[:1])}
    out = []
    for tag, (one, two) in pairs.items():
        (ax, ay), (bx, by) = directions[one], directions[two]
        out.append((tag, [cell, (x + ax, y + ay), (x + bx, y + by)]))
    return out


def list_edges(cell: At, shape: str, directions: Mapping[str, At]) -> list[tuple[str, list[At]]]:
    """Returns the tag of each edge of a cell with the two cells at its sides, also one beyond the rim."""
    x, y = cell
    return [(abbreviate_direction(name), [cell, (x + dx, y + dy)]) for name, (dx, dy) in directions.items()
            if shape != "square" or 0 in (dx, dy)]


def abbreviate_direction(name: str) -> str:
    """Returns the letters of a direction: northeast -> ne."""
    return "".join(word[0] for word in re.findall("north|south|east|west", name))
