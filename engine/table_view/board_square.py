"""A board of squares in characters: lines between the cells, what lies on their corners, numbers at the left, letters below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.style import Style

from ...dsl.types.boards import letters
from .canvas import Canvas, Paint, chopped
from .view_model import AIM, Chart, Line, Span, Spot

RULED = 12                                                         # boards with more columns have no lines between cells
NARROWEST = 3                                                      # columns of a cell
TALLEST = 3                                                        # lines of a cell
CORNERS = {"nw": (0, 0), "ne": (1, 0), "se": (1, 1), "sw": (0, 1)}


@dataclass
class Sizes:
    """How wide and how high a cell is, and where the first one stands."""

    wide: int
    tall: int
    margin: int
    ruled: bool

    @property
    def across(self) -> int:
        return self.wide + self.ruled

    @property
    def down(self) -> int:
        return self.tall + self.ruled

    def at(self, column: int, row: int) -> tuple[int, int]:
        """The left upper character of a cell."""
        return self.margin + self.ruled + column * self.across, self.ruled + row * self.down


def cells_of_squares(panel: Chart, paint: Paint, room: int) -> tuple[Canvas | None, list[tuple[str, Line]]]:
    """The whole board, and what did not fit into its cell (label and things); None where not even the board fits."""
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    texts = {spot.at: [paint.counted(span) for span in contents(spot)] for spot in panel.spots}
    long = any(len(parts) > 1 or cell_len(parts[0]) > 1 for parts in texts.values() if parts)
    ruled = len(columns) <= RULED or long or any(spot.corners for spot in panel.spots)
    sizes = fitting(texts, len(columns), len(str(rows[0] + 1)) + 1, ruled, room)
    if sizes is None:
        return None, []
    canvas = Canvas()
    frame(canvas, sizes, columns, rows, paint.utf)
    missing = []
    for spot in panel.spots:
        column, row = columns.index(spot.at[0]), rows.index(spot.at[1])
        left = fill(canvas, *sizes.at(column, row), sizes, spot, paint, contents(spot))
        if left:
            missing.append((spot.label, left))
        for tag, span in spot.corners.items():
            x, y = sizes.margin + (column + CORNERS[tag][0]) * sizes.across, (row + CORNERS[tag][1]) * sizes.down
            canvas.put(x, y, paint.corner(span), paint.style(span, strong=True))
    return canvas, missing


def contents(spot: Spot) -> Line:
    """What to type for a cell, what it is, what else is true of it, what lies on it."""
    target = [replace(AIM, text=spot.target)] if spot.target else []
    return target + ([spot.ground] if spot.ground else []) + spot.signs + spot.pieces


def fitting(texts: dict[tuple[int, int], list[str]], columns: int, margin: int, ruled: bool, room: int) -> Sizes | None:
    """Cells that hold everything side by side, else as wide as the room allows and as high as they need; None where there is no room."""
    whole = max([NARROWEST, *(cell_len(" ".join(parts)) for parts in texts.values())])
    most = (room - margin - ruled) // columns - ruled
    if whole <= most:
        return Sizes(whole, 1, margin, ruled)
    if most < NARROWEST:
        return None
    tall = max(len(packed(parts, most)) for parts in texts.values())
    return Sizes(most, max(1, min(TALLEST, tall)), margin, ruled)


def packed(parts: list[str], wide: int) -> list[list[int]]:
    """Which parts stand in each line of a cell so wide."""
    out: list[list[int]] = []
    used = wide
    for n, text in enumerate(parts):
        size = min(wide, cell_len(text))
        if used + 1 + size > wide:
            out.append([])
            used = -1
        out[-1].append(n)
        used += 1 + size
    return out


def frame(canvas: Canvas, sizes: Sizes, columns: list[int], rows: list[int], utf: bool) -> None:
    """The lines between the cells, numbers at the left, letters below."""
    dim = Style(dim=True)
    flat, tall = ("─", "│") if utf else ("-", "|")
    knots = ("┌┬┐", "├┼┤", "└┴┘") if utf else ("+++", "+++", "+++")
    for m, y in enumerate(rows):
        _, line = sizes.at(0, m)
        canvas.put(0, line + (sizes.tall - 1) // 2, str(y + 1).rjust(sizes.margin - 1), dim)
        for n in range(len(columns) + 1) if sizes.ruled else ():
            for k in range(sizes.tall):
                canvas.put(sizes.margin + n * sizes.across, line + k, tall, dim)
    for m in range(len(rows) + 1) if sizes.ruled else ():
        knot = knots[0 if not m else 2 if m == len(rows) else 1]
        canvas.put(sizes.margin, m * sizes.down, knot[0] + knot[1].join([flat * sizes.wide] * len(columns)) + knot[2], dim)
    for n, x in enumerate(columns):
        canvas.put(sizes.at(n, 0)[0], sizes.ruled + len(rows) * sizes.down, letters(x).center(sizes.wide), dim)


def fill(canvas: Canvas, x: int, y: int, sizes: Sizes, spot: Spot, paint: Paint, spans: Line) -> Line:
    """Write these into a cell; returns what found no room."""
    texts = [chopped(paint.counted(span), sizes.wide, paint.utf) for span in spans]
    plan = packed(texts, sizes.wide)
    if spot.changed:                                               # a square has no label to mark: all of it is marked
        for k in range(sizes.tall):
            canvas.put(x, y + k, " " * sizes.wide, paint.style(Span("", changed=True)))
        if paint.mark(True):
            canvas.put(x + sizes.wide - 1, y, paint.mark(True), paint.style(Span("", "strong")))
    shown = plan[: sizes.tall]
    for k, line in enumerate(shown, (sizes.tall - len(shown)) // 2):
        at = x + (sizes.wide - sum(cell_len(texts[n]) for n in line) - len(line) + 1) // 2
        for n in line:
            canvas.put(at, y + k, texts[n], paint.style(marked(spans[n], spot, paint), strong=True))
            at += cell_len(texts[n]) + 1
    if not spans and not sizes.ruled:
        canvas.put(x + sizes.wide // 2, y, "·" if paint.utf else ".", paint.style(marked(Span("", "dim"), spot, paint)))
    for k in range(sizes.tall) if spot.target and paint.pointed else ():
        canvas.answer(x, y + k, sizes.wide, spot.target)
    whole = {n for line in shown for n in line if texts[n] == paint.counted(spans[n])}
    return [spot.alone(span) for n, span in enumerate(spans) if n not in whole]


def marked(span: Span, spot: Spot, paint: Paint) -> Span:
    return Span(span.text, span.style, changed=True) if spot.changed and paint.coloured else span
