"""Boards without an edge, as compiled rules ask about them: sets of cells are frozensets of codes (see boards.open_code).

What is asked again and again of the same cells is remembered: these are functions of their arguments alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

NOWHERE: frozenset[Any] = frozenset()


def near_open(cell: int, steps: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset([cell + step for step in steps])


@lru_cache(maxsize=2048)
def in_order(cells: frozenset[Any]) -> tuple[Any, ...]:
    """The cells in the order in which sets are walked."""
    return tuple(sorted(cells))


class OccupiedCellsMemo:
    """What `held` found last for one state. The dicts of open states are never changed in place, so the same dict has the same keys."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: dict[Any, Any] | None = None
        self.cells = NOWHERE

    def __repr__(self) -> str:
        return f"Held({self.name})"


def held(found: dict[Any, Any], memo: OccupiedCellsMemo) -> frozenset[Any]:
    """The cells where a state over an endless board holds something."""
    if memo.found is not found:
        memo.found, memo.cells = found, frozenset(found)
    return memo.cells


@lru_cache(maxsize=512)
def parts_open(cells: frozenset[Any], steps: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[int, frozenset[Any]]]:
    """The connected parts of `cells` in the order of their first cells, and the part of each cell. Remembered: rules ask for the
    parts of the same cells again and again, cell by cell."""
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
    return parts_open(cells, steps)[1].get(cell, NOWHERE)


def regions_open(cells: frozenset[Any], steps: tuple[Any, ...]) -> tuple[Any, ...]:
    return parts_open(cells, steps)[0]


def rim_open(cells: frozenset[Any], steps: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset([cell + step for cell in cells for step in steps]) - cells


def within_open(start: int, count: int, cells: frozenset[Any], steps: tuple[Any, ...]) -> frozenset[Any]:
    found = {start}
    todo = [start]
    for _ in range(count):
        todo = [other for cell in todo for step in steps for other in (cell + step,) if other in cells and other not in found]
        found.update(todo)
    return frozenset(found - {start})


def flood_coast(cells: frozenset[Any], steps: tuple[Any, ...], span: int) -> frozenset[Any]:
    """The coast from scratch: emptiness floods in from the border of a frame around `cells`, all its cells at one time in a mask."""
    if not cells:
        return NOWHERE
    columns = [cell % span for cell in cells]
    left, top = min(columns) - 2, min(cells) // span - 2
    width, height = max(columns) - left + 3, max(cells) // span - top + 3
    origin = top * width + left                                    # cell q * span + r is bit (q - top) * width + r - left
    solid = 0
    for cell in cells:
        solid |= 1 << cell // span * width + cell % span - origin
    column = sum(1 << row * width for row in range(height))        # the frame's side cells keep rows apart
    free = (1 << width * height) - 1 & ~solid & ~(column | column << width - 1)
    moves = [(step + span // 2) // span * width + (step + span // 2) % span - span // 2 for step in steps]
    outside = new = (1 << width - 2) - 1 << 1                      # the first row is all free
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
    """The last coast that was worked out from scratch: that of the same cells without one follows from it."""

    solid: frozenset[Any] = frozenset()
    coast: frozenset[Any] = frozenset()
    steps: tuple[Any, ...] = ()


@lru_cache(maxsize=512)
def coast_open(cells: frozenset[Any], steps: tuple[Any, ...], span: int) -> frozenset[Any]:
    """The open cells next to `cells` that an endless outside reaches."""
    last = LastCoast.solid
    if len(last) == len(cells) + 1 and steps == LastCoast.steps and cells < last:
        (gone,) = last - cells
        return coast_without(gone, cells, LastCoast.coast, steps)
    found = flood_coast(cells, steps, span)
    LastCoast.solid, LastCoast.coast, LastCoast.steps = cells, found, steps
    return found


def beside(cell: int, cells: frozenset[Any], steps: tuple[Any, ...]) -> bool:
    """Whether one of the cells around is among `cells`."""
    return any([cell + step in cells for step in steps])           # noqa: C419 (a list is quicker than a generator here)


def coast_without(gone: int, cells: frozenset[Any], coast: frozenset[Any], steps: tuple[Any, ...]) -> frozenset[Any]:
    """The coast of `cells`, from the `coast` of the same cells and one more that is `gone`."""
    around = [gone + step for step in steps]
    if coast.isdisjoint(around):                                   # it lay inland: a new hole at most
        return coast
    found = set(coast)
    for cell in around:                                            # what only touched the one that is gone
        if cell in found and not beside(cell, cells, steps):
            found.remove(cell)
    todo = [gone]                                                  # the cell itself, and the holes that now open to the outside
    seen = {gone}
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
    dq, dr = a // span - b // span, a % span - b % span
    return (abs(dq) + abs(dr) + abs(dq + dr)) >> 1


@lru_cache(maxsize=1 << 16)
def span_open(a: int, b: int, span: int) -> int:
    """The square of the straight line between two cells of an endless hexagonal board."""
    dq, dr = a // span - b // span, a % span - b % span
    return dq * dq + dq * dr + dr * dr


def disc_open(start: int, count: int, span: int) -> frozenset[Any]:
    """The cells other than `start` at most `count` steps away."""
    reach = range(-count, count + 1)
    return frozenset(start + q * span + r for q in reach for r in range(max(-count, -q - count), min(count, count - q) + 1)) - {start}
