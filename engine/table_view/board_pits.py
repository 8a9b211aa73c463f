"""Draws a board of pits in characters: seeds as dots, their number below, and stores at both ends."""

from __future__ import annotations

from rich.style import Style

from ...dsl.types.boards import format_column_letters
from .canvas import Canvas, StyleResolver
from .surface import CHANGED_SQUARE, LIGHT_SQUARE
from .view_model import BoardCell, BoardPanel, Line, StyledText, join_words

PIT_COLUMNS, PIT_LINES = 7, 2
MAX_SEEDS = 5                                                      # dots in a pit. The number says the rest
FRAMES = {True: ("╭─┬╮", "├─┼┤", "╰─┴╯", "│"), False: ("+-++", "+-++", "+-++", "|")}


def draw_pit_board(panel: BoardPanel, paint: StyleResolver, room: int) -> tuple[Canvas | None, list[tuple[str, Line]]]:
    """Returns the drawn board, and nothing that did not fit. None if the board does not fit into `room` columns, or if a
    pit has more in it than a number."""
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    ends = [panel.stores[0], panel.stores[-1]] if len(panel.stores) > 1 else []
    margin = len(str(rows[0] + 1)) + 1
    wide = (PIT_COLUMNS + 1) * (len(columns) + len(ends)) + 1
    plain = all(len(spot.pieces) <= 1 and not spot.signs and spot.ground is None for spot in panel.spots)
    if margin + wide > room or not plain or any(span.text for spot in panel.spots for span in spot.pieces):
        return None, []
    canvas = Canvas()
    first = margin + (PIT_COLUMNS + 1 if ends else 0)              # left edge of the first pit
    high = (PIT_LINES + 1) * len(rows) + 1
    draw_pit_frame(canvas, margin, len(columns) + len(ends), len(rows), bool(ends), paint)
    for m, y in enumerate(rows):
        canvas.write_text(0, (PIT_LINES + 1) * m + 1, str(y + 1).rjust(margin - 1), Style(dim=True))
    for n, x in enumerate(columns):
        canvas.write_text(first + 1 + n * (PIT_COLUMNS + 1), high, format_column_letters(x).center(PIT_COLUMNS), Style(dim=True))
    for spot in panel.spots:
        n, m = columns.index(spot.at[0]), rows.index(spot.at[1])
        fill_pit(canvas, first + 1 + n * (PIT_COLUMNS + 1), (PIT_LINES + 1) * m + 1, spot, panel, paint)
    for (owner, line), left in zip(ends, (margin + 1, margin + wide - PIT_COLUMNS - 1)):
        middle = high // 2
        store_style = pit_style(owner, False, paint)
        for y in range(1, high - 1):
            canvas.write_text(left, y, " " * PIT_COLUMNS, store_style)
        canvas.write_text(left, middle - 1, owner.words[:PIT_COLUMNS].center(PIT_COLUMNS), store_style)
        canvas.write_text(left, middle, join_words(line).center(PIT_COLUMNS), store_style)
    return canvas, []


def draw_pit_frame(canvas: Canvas, x: int, columns: int, rows: int, ends: bool, paint: StyleResolver) -> None:
    """Draws the lines around the pits. Stores at the ends are as high as all rows."""
    top, middle, bottom, side = FRAMES[paint.utf]
    dim = Style(dim=True)
    for m in range(rows + 1):
        begin, flat, knot, end = tuple(top if not m else bottom if m == rows else middle)
        line = begin + knot.join([flat * PIT_COLUMNS] * columns) + end
        if ends and 0 < m < rows:                                  # no line across a store
            store = side + " " * PIT_COLUMNS
            line = store + begin + line[len(store) + 1 : -len(store) - 1] + end + store[::-1]
        canvas.write_text(x, m * (PIT_LINES + 1), line, dim)
    for m in range(rows):
        for k in range(PIT_LINES):
            for n in range(columns + 1):
                canvas.write_text(x + n * (PIT_COLUMNS + 1), m * (PIT_LINES + 1) + 1 + k, side, dim)


def pit_style(span: StyledText, changed: bool, paint: StyleResolver) -> Style:
    """Returns the style of what is in a pit or a store."""
    if paint.has_surfaces:
        return paint.style_on(StyledText(""), CHANGED_SQUARE if changed else LIGHT_SQUARE)
    return paint.style(StyledText("", "strong", changed=changed and paint.coloured))


def fill_pit(canvas: Canvas, x: int, y: int, spot: BoardCell, panel: BoardPanel, paint: StyleResolver) -> None:
    """Writes the seeds of a pit, their number, and the number of its option in brackets."""
    many = sum(span.amount or 0 for span in spot.pieces)
    style = pit_style(StyledText(""), spot.changed, paint)
    option = f"[{spot.target}]" if spot.target and panel.numbered else ""
    seeds = ("•" if paint.utf else "o") * min(many, MAX_SEEDS)
    count = f"{many or ''}{paint.change_mark(spot.changed)}"
    canvas.write_text(x, y, seeds.center(PIT_COLUMNS), style)
    canvas.write_text(x, y + 1, count.center(PIT_COLUMNS), style)
    canvas.write_text(x, y + 1, option, style)
    for k in range(PIT_LINES) if paint.pointed else ():
        canvas.mark_clickable(x, y + k, PIT_COLUMNS, spot.label, spot.target)
