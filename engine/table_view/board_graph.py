"""Draws a board of points and lines with characters: points, the lines between them, and the pieces on the
points."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style

from ...dsl.types.boards import format_column_letters
from .board_square import cell_contents, fill_cell, fit_cells
from .canvas import PLAIN_STYLE, Canvas, StyleResolver
from .view_model import BoardPanel, Line, StyledText

DIM_STYLE = Style(dim=True)
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
LINE_CHARS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"                                        # indexed by direction bits
DIAGONAL_CHARS = {False: "/\\X", True: "╱╲╳"}                              # up, down, both

At = tuple[int, int]


def draw_graph_board(panel: BoardPanel, paint: StyleResolver, room: int) -> tuple[Canvas | None, list[tuple[str, Line]]]:
    """Returns the drawn board and what did not fit at its point, as (label, things). None if the board itself does
    not fit.

    `room`: columns available."""
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    told = panel.has_square_labels
    lines = {spot.at: cell_contents(spot) + ([] if told else [StyledText(spot.label, "dim")]) for spot in panel.spots}
    margin = len(str(rows[0] + 1)) + 1 if told else 0
    sizes = fit_cells({at: [paint.sign_with_amount(span) for span in line] for at, line in lines.items()}, len(columns), margin, True, room)
    if sizes is None:
        return None, []
    canvas = Canvas()
    places = {(x, y): sizes.cell_origin(n, m) for n, x in enumerate(columns) for m, y in enumerate(rows)}
    middles = {at: (x + (sizes.wide - 1) // 2, y + (sizes.tall - 1) // 2) for at, (x, y) in places.items()}
    draw_joins(canvas, [(middles[one], middles[two]) for one, two in panel.joins], paint.utf)
    for y in rows if told else ():
        canvas.write_text(0, middles[columns[0], y][1], str(y + 1).rjust(margin - 1), DIM_STYLE)
    for n, x in enumerate(columns) if told else ():
        canvas.write_text(sizes.cell_origin(n, 0)[0], len(rows) * sizes.row_step, format_column_letters(x).center(sizes.wide), DIM_STYLE)
    missing = []
    for spot in panel.spots:
        if not lines[spot.at] and middles[spot.at][::-1] not in canvas.spots:
            canvas.write_text(*middles[spot.at], "·" if paint.utf else ".", DIM_STYLE)
        wide = cell_len(" ".join(map(paint.sign_with_amount, lines[spot.at])))
        if lines[spot.at][1:] and wide <= sizes.wide:              # erase the line between words
            x, y = places[spot.at][0], middles[spot.at][1]
            canvas.write_text(x + (sizes.wide - wide) // 2, y, " " * wide, PLAIN_STYLE)
        left = fill_cell(canvas, *places[spot.at], sizes, spot, paint, lines[spot.at])
        if left:
            missing.append((spot.label, left))
    return canvas, missing


def draw_joins(canvas: Canvas, joins: list[tuple[At, At]], utf: bool) -> None:
    """Draws straight lines between pairs of characters, with the right box-drawing character where lines meet."""
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
        canvas.write_text(x, y, DIAGONAL_CHARS[utf][way - 1], DIM_STYLE)
    for (x, y), way in ways.items():
        plain = "|" if way in (NORTH | SOUTH, NORTH, SOUTH) else "-" if way in (EAST | WEST, EAST, WEST) else "+"
        canvas.write_text(x, y, LINE_CHARS[way] if utf else plain, DIM_STYLE)
