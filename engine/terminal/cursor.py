"""The cursor of the full screen: what can be chosen or looked at on the drawn lines, and which of it an arrow key reaches.

The cursor is on a typed line, such as `7` or `/look c4`. All cells that type this line are highlighted, in the list and
on the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from .clicks import click_to_line

COLUMNS_PER_LINE = 2                        # a character is about twice as high as wide
SIDEWAYS_COST = 3                           # a cell straight ahead is better than a nearer one to the side
HIGHLIGHT = Style(reverse=True)


@dataclass(frozen=True)
class CursorCell:
    """A cell on the screen: the line that it types, and where it is."""

    line: str
    x: int
    y: int
    wide: int

    @property
    def middle(self) -> float:
        """The middle of the cell, in line heights."""
        return (self.x + self.wide / 2) / COLUMNS_PER_LINE

    def distance(self, other: CursorCell) -> float:
        """Returns the distance of two cells, in line heights."""
        return abs(self.middle - other.middle) + abs(self.y - other.y)


def iter_cells(rows: Sequence[Sequence[Segment]]) -> Iterator[CursorCell]:
    """Yields the cells of the drawn lines from top to bottom. Adjacent segments that type the same line are one cell."""
    for y, row in enumerate(rows):
        x, start, line = 0, 0, ""
        for part in [*row, Segment("")]:
            typed = click_to_line(part.style) if part.text else ""
            if typed != line:
                if line:
                    yield CursorCell(line, start, y, x - start)
                start, line = x, typed
            x += cell_len(part.text)


def find_next_cell(cells: Sequence[CursorCell], at: CursorCell, dx: int, dy: int) -> CursorCell | None:
    """Returns the nearest other cell in a direction, or None."""
    def cost(cell: CursorCell) -> float:
        across, down = (cell.middle - at.middle) * dx, (cell.y - at.y) * dy
        sideways = abs(cell.y - at.y) if dx else max(0.0, abs(cell.middle - at.middle) - (cell.wide + at.wide) / 2 / COLUMNS_PER_LINE)
        return across + down + SIDEWAYS_COST * sideways

    ahead = [cell for cell in cells if cell.line != at.line and ((cell.y - at.y) * dy > 0 if dy else (cell.middle - at.middle) * dx > 0)]
    return min(ahead, key=cost, default=None)


def highlight(rows: Sequence[Sequence[Segment]], line: str) -> list[list[Segment]]:
    """Returns the drawn lines with all cells highlighted that type `line`."""
    return [[Segment(part.text, (part.style or Style()) + HIGHLIGHT) if click_to_line(part.style) == line else part for part in row]
            for row in rows]
