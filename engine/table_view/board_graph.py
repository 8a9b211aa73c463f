"""A board of points and lines in characters: each point where it lies, the lines between them, what lies on a point in its place."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style

from ...dsl.types.boards import letters
from .board_square import contents, fill, fitting
from .canvas import BARE, Canvas, Paint
from .view_model import Chart, Line, Span

DIM = Style(dim=True)
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
KNOTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"                                        # by the sum of the ways that lines go on from here
ACROSS = {False: "/\\X", True: "╱╲╳"}                              # slantwise up, down, both

At = tuple[int, int]


def cells_of_graph(panel: Chart, paint: Paint, room: int) -> tuple[Canvas | None, list[tuple[str, Line]]]:
    """The whole board, and what did not fit at its point (label and things); None where not even the board fits."""
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    told = panel.lettered
    lines = {spot.at: contents(spot) + ([] if told else [Span(spot.label, "dim")]) for spot in panel.spots}
    margin = len(str(rows[0] + 1)) + 1 if told else 0
    sizes = fitting({at: [paint.counted(span) for span in line] for at, line in lines.items()}, len(columns), margin, True, room)
    if sizes is None:
        return None, []
    canvas = Canvas()
    places = {(x, y): sizes.at(n, m) for n, x in enumerate(columns) for m, y in enumerate(rows)}
    middles = {at: (x + (sizes.wide - 1) // 2, y + (sizes.tall - 1) // 2) for at, (x, y) in places.items()}
    draw_lines(canvas, [(middles[one], middles[two]) for one, two in panel.joins], paint.utf)
    for y in rows if told else ():
        canvas.put(0, middles[columns[0], y][1], str(y + 1).rjust(margin - 1), DIM)
    for n, x in enumerate(columns) if told else ():
        canvas.put(sizes.at(n, 0)[0], len(rows) * sizes.down, letters(x).center(sizes.wide), DIM)
    missing = []
    for spot in panel.spots:
        if not lines[spot.at] and middles[spot.at][::-1] not in canvas.spots:
            canvas.put(*middles[spot.at], "·" if paint.utf else ".", DIM)
        wide = cell_len(" ".join(map(paint.counted, lines[spot.at])))
        if lines[spot.at][1:] and wide <= sizes.wide:              # no line runs between two words
            x, y = places[spot.at][0], middles[spot.at][1]
            canvas.put(x + (sizes.wide - wide) // 2, y, " " * wide, BARE)
        left = fill(canvas, *places[spot.at], sizes, spot, paint, lines[spot.at])
        if left:
            missing.append((spot.label, left))
    return canvas, missing


def draw_lines(canvas: Canvas, joins: list[tuple[At, At]], utf: bool) -> None:
    """Straight lines between two characters each, and the right sign where they meet."""
    ways: dict[At, int] = {}
    oblique: dict[At, int] = {}
    for one, two in joins:
        (left, first), (right, last) = sorted((one, two))
        if first == last:
            for x in range(left, right + 1):
                ways[x, first] = ways.get((x, first), 0) | (EAST if x < right else 0) | (WEST if x > left else 0)
        elif left == right:
            for y in range(first, last + 1):
                ways[left, y] = ways.get((left, y), 0) | (SOUTH if y < last else 0) | (NORTH if y > first else 0)
        else:
            upward = first > last
            for y in range(min(first, last) + 1, max(first, last)):
                at = left + round((right - left) * (y - first) / (last - first)), y
                oblique[at] = oblique.get(at, 0) | (1 if upward else 2)
    for (x, y), way in oblique.items():
        canvas.put(x, y, ACROSS[utf][way - 1], DIM)
    for (x, y), way in ways.items():
        plain = "|" if way in (NORTH | SOUTH, NORTH, SOUTH) else "-" if way in (EAST | WEST, EAST, WEST) else "+"
        canvas.put(x, y, KNOTS[way] if utf else plain, DIM)
