"""Tiles in an endless ocean: distances, continents, and the outer sea of Trias, computed without caches."""

from collections.abc import Collection, Iterable
from functools import cache

Cell = tuple[int, int]  # axial (q, r)

POLE: Cell = (0, 0)
SIDES = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


@cache
def around(cell: Cell) -> tuple[Cell, ...]:
    """Returns the six places next to a place, in the order of options."""
    return tuple(sorted((cell[0] + q, cell[1] + r) for q, r in SIDES))


@cache
def steps(cell: Cell) -> int:
    """Returns the number of tile steps to the Pole's place, over land and water alike (TRI-DRIFT-05, reading 1; TRI-DRIFT-06)."""
    q, r = cell
    return max(abs(q), abs(r), abs(q + r))


def straight(cell: Cell) -> int:
    """Returns the squared straight distance to the Pole's place.

    The centres of two neighbours are 1 apart (TRI-DRIFT-05, reading 2)."""
    q, r = cell
    return q * q + q * r + r * r


def continents(land: Iterable[Cell]) -> list[set[Cell]]:
    """Returns the connected areas of tiles (TRI-GOAL-01)."""
    found = []
    left = set(land)
    while left:
        growing = [left.pop()]
        whole = set(growing)
        while growing:
            fresh = left.intersection(around(growing.pop()))
            left -= fresh
            whole |= fresh
            growing += fresh
        found.append(whole)
    return found


def touches_outer_sea(cell: Cell, land: Collection[Cell]) -> bool:
    """Whether a swimmer who enters the water next to this place can swim away from all land (TRI-DRIFT-02)."""
    edge = max(map(steps, land))
    entered = set()
    waiting = [side for side in around(cell) if side not in land]
    while waiting:
        here = waiting.pop()
        if steps(here) > edge:  # farther than the outermost tile
            return True
        if here not in entered:
            entered.add(here)
            waiting += sorted((side for side in around(here) if side not in land), key=steps)
    return False
