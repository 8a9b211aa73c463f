"""Runtime functions for unbounded boards: sets of cells are frozensets of codes (see
`boards.encode_open_cell`).

Expensive functions of their arguments alone are cached, because rules ask for the same cells repeatedly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

NOWHERE: frozenset[Any] = frozenset()


def near_open(cell: int, steps: tuple[Any, ...]) -> frozenset[Any]:
    """Returns the neighbours of a cell."""
    return frozenset([cell + step for step in steps])


@lru_cache(maxsize=2048)
def in_order(cells: frozenset[Any]) -> tuple[Any, ...]:
    """Returns the cells in ascending order, the order in which sets are iterated."""
    return tuple(sorted(cells))


class OccupiedCellsMemo:
    """The last result of `held` for one state. Dicts of states on unbounded boards are never changed in place, so
    the same dict has the same keys."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: dict[Any, Any] | None = None
        self.cells = NOWHERE

    def __repr__(self) -> str:
        return f"Held({self.name})"


def held(found: dict[Any, Any], memo: OccupiedCellsMemo) -> frozenset[Any]:
    """Returns the cells where a state on an unbounded board has a value."""
    if memo.found is not found:
        memo.found, memo.cells = found, frozenset(found)
    return memo.cells


@lru_cache(maxsize=512)
def parts_open(cells: frozenset[Any], steps: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[int, frozenset[Any]]]:
    """Returns the connected components of `cells`, ordered by their first cell, and the component of each cell.

    Results are cached: rules ask for the components of the same cells repeatedly, cell by cell."""
    parts, part_of = [], {}
    rest = set(cells)
    for cell in sorted(cells):
        if cell not in part_of:
            rest.remove(cell)
            found = [cell]
            for here in found:
                for step in steps:
                    other = here + step
                    if other in rest:
                        rest.remove(other)
                        found.append(other)
            part = frozenset(found)
            part_of.update(dict.fromkeys(found, part))
            parts.append(part)
    return tuple(parts), part_of


def region_open(cell: int, cells: frozenset[Any], steps: tuple[Any, ...]) -> frozenset[Any]:
    """Returns the connected component of a cell within `cells`."""
    return parts_open(cells, steps)[1].get(cell, NOWHERE)


def regions_open(cells: frozenset[Any], steps: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the connected components of `cells`, ordered by their first cell."""
    return parts_open(cells, steps)[0]


def rim_open(cells: frozenset[Any], steps: tuple[Any, ...]) -> frozenset[Any]:
    """Returns the neighbours of `cells` outside of `cells`."""
    return frozenset([cell + step for cell in cells for step in steps]) - cells


def within_open(start: int, count: int, cells: frozenset[Any], steps: tuple[Any, ...]) -> frozenset[Any]:
    """Returns the cells other than `start` that are reachable from it in at most `count` steps through `cells`."""
    found = {start}
    todo = [start]
    for _ in range(count):
        todo = [other for cell in todo for step in steps for other in (cell + step,) if other in cells and other not in found]
        found.update(todo)
    return frozenset(found - {start})


def flood_coast(cells: frozenset[Any], steps: tuple[Any, ...], span: int) -> frozenset[Any]:
    """Computes the coast from scratch: the outside floods in from the border of a frame around `cells`. A bitmask
    holds all cells of the frame."""
    if not cells:
        return NOWHERE
    columns = [cell % span for cell in cells]
    left, top = min(columns) - 2, min(cells) // span - 2
    width, height = max(columns) - left + 3, max(cells) // span - top + 3
    origin = top * width + left                                    # cell q * span + r is bit (q - top) * width + r - left
    solid = 0
    for cell in cells:
        solid |= 1 << cell // span * width + cell % span - origin
    column = sum(1 << row * width for row in range(height))        # side cells of the frame separate the rows
    free = (1 << width * height) - 1 & ~solid & ~(column | column << width - 1)
    moves = [(step + span // 2) // span * width + (step + span // 2) % span - span // 2 for step in steps]
    outside = new = (1 << width - 2) - 1 << 1                      # the whole first row is free
    while new:
        found = 0
        for move in moves:
            found |= new << move if move > 0 else new >> -move
        new = found & free & ~outside
        outside |= new
    found = 0
    for move in moves:
        found |= solid << move if move > 0 else solid >> -move
    found &= outside
    out = []
    while found:
        low = found & -found
        bit = low.bit_length() - 1
        out.append((bit // width + top) * span + bit % width + left)
        found ^= low
    return frozenset(out)


class LastCoast:
    """The last coast that was computed. The coast of the same cells without one of them follows from it."""

    solid: frozenset[Any] = frozenset()
    coast: frozenset[Any] = frozenset()
    steps: tuple[Any, ...] = ()


@lru_cache(maxsize=512)
def coast_open(cells: frozenset[Any], steps: tuple[Any, ...], span: int) -> frozenset[Any]:
    """Returns the neighbours of `cells` that are connected to the unbounded outside."""
    last = LastCoast.solid
    if len(last) == len(cells) + 1 and steps == LastCoast.steps and cells < last:
        (gone,) = last - cells
        return coast_without(gone, cells, LastCoast.coast, steps)
    found = flood_coast(cells, steps, span)
    LastCoast.solid, LastCoast.coast, LastCoast.steps = cells, found, steps
    return found


def beside(cell: int, cells: frozenset[Any], steps: tuple[Any, ...]) -> bool:
    """Whether a neighbour of the cell is in `cells`."""
    return any([cell + step in cells for step in steps])           # noqa: C419 (a list is quicker than a generator here)


def coast_without(removed: int, cells: frozenset[Any], coast: frozenset[Any], steps: tuple[Any, ...]) -> frozenset[Any]:
    """Returns the coast of `cells`, derived from the `coast` of the same cells plus the cell `removed`."""
    around = [removed + step for step in steps]
    if coast.isdisjoint(around):                                   # an inland cell: at most a new hole
        return coast
    found = set(coast)
    for cell in around:                                            # cells that only touched `removed`
        if cell in found and not beside(cell, cells, steps):
            found.remove(cell)
    todo = [removed]                                                  # the cell itself, and holes that are now connected to the outside
    seen = {removed}
    while todo:
        cell = todo.pop()
        if beside(cell, cells, steps):
            found.add(cell)
        for step in steps:
            other = cell + step
            if other not in cells and other not in seen and other not in coast:
                seen.add(other)
                todo.append(other)
    return frozenset(found)


@lru_cache(maxsize=1 << 16)
def distance_open(a: int, b: int, span: int) -> int:
    """Returns the number of steps between two cells of an unbounded hexagonal board."""
    dq, dr = a // span - b // span, a % span - b % span
    return (abs(dq) + abs(dr) + abs(dq + dr)) >> 1


@lru_cache(maxsize=1 << 16)
def span_open(a: int, b: int, span: int) -> int:
    """Returns the squared straight-line distance between two cells of an unbounded hexagonal board."""
    dq, dr = a // span - b // span, a % span - b % span
    return dq * dq + dq * dr + dr * dr


def disc_open(start: int, count: int, span: int) -> frozenset[Any]:
    """Returns the cells other than `start` that are at most `count` steps away."""
    reach = range(-count, count + 1)
    return frozenset(start + q * span + r for q in reach for r in range(max(-count, -q - count), min(count, count - q) + 1)) - {start}
