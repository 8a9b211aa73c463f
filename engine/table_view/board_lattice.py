"""Draws a board of crossing lines in characters: pieces where the lines cross, dots as heavy crossings, row numbers at
the left, column letters below."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style

from ...dsl.types.boards import format_column_letters
from .board_square import cell_contents
from .canvas import Canvas, StyleResolver
from .surface import LIGHT_SQUARE, square_colour
from .view_model import BoardCell, BoardPanel, Line, StyledText

CROSSINGS = ("┌┬┐", "├┼┤", "└┴┘")                                  # by row and column: first, middle, last
STAR_CROSSING = {True: "╋", False: "#"}
NARROW_STEP = 2                                                    # columns from one line to the next, about as wide as high


def draw_lattice_board(panel: BoardPanel, paint: StyleResolver, room: int) -> tuple[Canvas | None, list[tuple[str, Line]]]:
    """Returns the drawn board, and nothing that did not fit. None if the board does not fit into `room` columns."""
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    texts = {spot.at: crossing_text(panel, spot, paint) for spot in panel.spots}
    step = max(NARROW_STEP, *(cell_len(text) + 1 for text in texts.values()))
    margin = len(str(rows[0] + 1)) + 1
    if margin + step * len(columns) + 1 > room:
        return None, []
    canvas, dim = Canvas(), Style(dim=True)
    wood = paint.has_surfaces
    flat = "─" if paint.utf else "-"
    for m, y in enumerate(rows):
        canvas.write_text(0, m, str(y + 1).rjust(margin - 1), dim)
        line = paint.style_on(StyledText(""), LIGHT_SQUARE, False) if wood else dim
        canvas.write_text(margin, m, (" " + flat * (step * (len(columns) - 1) + 1)).ljust(step * len(columns) + 1), line)
    for n, x in enumerate(columns):
        canvas.write_text(margin + n * step, len(rows), format_column_letters(x).center(step + 1).rstrip()[-step:], dim)
    for spot in panel.spots:
        n, m = columns.index(spot.at[0]), rows.index(spot.at[1])
        at = margin + 1 + n * step - max(0, cell_len(texts[spot.at]) - 1) // 2
        write_crossing(canvas, at, m, panel, spot, paint, (n, m, len(columns) - 1, len(rows) - 1))
    return canvas, []


def crossing_text(panel: BoardPanel, spot: BoardCell, paint: StyleResolver) -> str:
    """Returns what is written where two lines cross: a piece, the number of an option, or "" for the crossing."""
    return " ".join(paint.sign_with_amount(span) for span in cell_contents(spot, panel.numbered))


def write_crossing(
    canvas: Canvas, x: int, y: int, panel: BoardPanel, spot: BoardCell, paint: StyleResolver, place: tuple[int, int, int, int]
) -> None:
    """Writes one crossing. `place`: its column and row, and the last column and row."""
    text, (n, m, last, bottom) = crossing_text(panel, spot, paint), place
    span = spot.pieces[0] if spot.pieces else StyledText("", "strong" if text else "dim")
    if not text and spot.owner is not None:
        span, text = spot.owner, paint.sign(spot.owner)
    corner = CROSSINGS[0 if not m else 2 if m == bottom else 1][0 if not n else 2 if n == last else 1] if paint.utf else "+"
    text = text or (STAR_CROSSING[paint.utf] if spot.star else corner)
    if paint.has_surfaces:
        style = paint.style_on(span, square_colour(panel, spot.at, spot.changed), bool(spot.pieces))
    else:
        style = paint.style(span if paint.coloured else StyledText(""), strong=bool(spot.pieces))
        text += paint.change_mark(spot.changed)
    canvas.write_text(x, y, text, style)
    if paint.pointed:
        canvas.mark_clickable(x, y, cell_len(text), spot.label, spot.target)
