"""A board of squares in characters: lines between the cells, numbers at the left, letters below."""

from __future__ import annotations

from rich.style import Style

from ...dsl.boards import letters
from .model import Chart
from .paint import Canvas, Paint

RULED = 12                                                         # boards with more columns have no lines between cells


def cells_of_squares(panel: Chart, paint: Paint) -> Canvas:
    """The whole board."""
    canvas = Canvas()
    dim = Style(dim=True)
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    texts = {spot.at: [paint.counted(span) for span in (([spot.ground] if spot.ground else []) + spot.signs + spot.pieces)]
             for spot in panel.spots}
    wide = max(3, *(len(" ".join(parts)) for parts in texts.values()))
    ruled = len(columns) <= RULED
    margin = len(str(rows[0] + 1)) + 1
    flat, tall = ("─", "│") if paint.utf else ("-", "|")
    knots = ("┌┬┐", "├┼┤", "└┴┘") if paint.utf else ("+++", "+++", "+++")
    across, down = (wide + 1, 2) if ruled else (wide, 1)
    for m, y in enumerate(rows):
        line = 1 + m * down if ruled else m
        canvas.put(0, line, str(y + 1).rjust(margin - 1), dim)
        for n in range(len(columns) + 1) if ruled else ():
            canvas.put(margin + n * across, line, tall, dim)
    if ruled:
        for m in range(len(rows) + 1):
            knot = knots[0 if not m else 2 if m == len(rows) else 1]
            canvas.put(margin, m * down, knot[0] + knot[1].join([flat * wide] * len(columns)) + knot[2], dim)
    for n, x in enumerate(columns):
        canvas.put(margin + ruled + n * across, 1 + len(rows) * down if ruled else len(rows), letters(x).center(wide), dim)
    for spot in panel.spots:
        spans = ([spot.ground] if spot.ground else []) + spot.signs + spot.pieces
        x = margin + ruled + columns.index(spot.at[0]) * across
        y = rows.index(spot.at[1]) * down + ruled
        at = x + (wide - len(" ".join(texts[spot.at]))) // 2
        for span, text in zip(spans, texts[spot.at]):
            canvas.put(at, y, text, paint.style(span, strong=True))
            at += len(text) + 1
        if not spans and not ruled:
            canvas.put(x + wide // 2, y, "·" if paint.utf else ".", dim)
    return canvas
