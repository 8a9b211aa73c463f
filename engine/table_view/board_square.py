"""Draws a board of squares in characters: grid lines, contents of cells, corners and edges, row numbers at the left,
column letters below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.style import Style

from ...dsl.types.boards import format_column_letters
from ..i18n.text_layout import truncate_cells
from .board_parts import PartPlace, draw_part_numbers, draw_parts, horizontal_edge, vertical_edge
from .canvas import Canvas, StyleResolver
from .surface import square_colour
from .view_model import OPTION_NUMBER, BoardCell, BoardPanel, Line, StyledText

MAX_RULED_COLUMNS = 12                                                         # boards with more columns get grid lines only if needed
MIN_CELL_COLUMNS = 3                                                      # width of a cell
MAX_CELL_LINES = 3                                                        # height of a cell
MIN_PART_COLUMNS = 5                                                # width of a cell with signs and numbers on its corners or edges


@dataclass
class CellSize:
    """The size of the cells of a board in characters, and the position of the first one.

    `margin`: columns for the row numbers. `ruled`: whether there are grid lines."""

    wide: int
    tall: int
    margin: int
    ruled: bool

    @property
    def column_step(self) -> int:
        """Columns from one cell to the next."""
        return self.wide + self.ruled

    @property
    def row_step(self) -> int:
        """Lines from one cell to the next."""
        return self.tall + self.ruled

    def cell_origin(self, column: int, row: int) -> tuple[int, int]:
        """Returns the top left character of a cell, as (column, line)."""
        return self.margin + self.ruled + column * self.column_step, self.ruled + row * self.row_step

    def crossing(self, column: int, row: int) -> tuple[int, int]:
        """Returns the character where the lines at the top and at the left of a cell cross, as (column, line)."""
        return self.margin + column * self.column_step, row * self.row_step

    @property
    def part_places(self) -> dict[str, PartPlace]:
        """The places of the corners and the edges of a cell from its top left crossing, by suffix."""
        wide, tall = self.column_step, self.row_step
        return {".nw": PartPlace(0, 0), ".ne": PartPlace(wide, 0), ".se": PartPlace(wide, tall), ".sw": PartPlace(0, tall),
                "-n": horizontal_edge(1, 0, self.wide), "-s": horizontal_edge(1, tall, self.wide),
                "-w": vertical_edge(0, 1, self.tall), "-e": vertical_edge(wide, 1, self.tall)}


def draw_square_board(panel: BoardPanel, paint: StyleResolver, room: int) -> tuple[Canvas | None, list[tuple[str, Line]]]:
    """Returns the drawn board and what did not fit into its cell, as (label, things). None if the board itself does
    not fit.

    `room`: columns available."""
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    texts = {spot.at: [paint.sign_with_amount(span) for span in cell_contents(spot, panel.numbered)] for spot in panel.spots}
    long = any(len(parts) > 1 or cell_len(parts[0]) > 1 for parts in texts.values() if parts)
    coloured = panel.surface == "checkered" and paint.has_surfaces
    ruled = not coloured and (len(columns) <= MAX_RULED_COLUMNS or long) or panel.has_parts
    sizes = fit_cells(texts, len(columns), len(str(rows[0] + 1)) + 1, ruled, room,
                      MIN_PART_COLUMNS if panel.has_parts else MIN_CELL_COLUMNS)
    if sizes is None:
        return None, []
    canvas = Canvas()
    draw_frame(canvas, sizes, columns, rows, paint.utf)
    missing = []
    for spot in panel.spots:
        column, row = columns.index(spot.at[0]), rows.index(spot.at[1])
        ground = square_colour(panel, spot.at, spot.changed) if coloured else None
        left = fill_cell(canvas, *sizes.cell_origin(column, row), sizes, spot, paint, cell_contents(spot, panel.numbered), ground)
        if left:
            missing.append((spot.label, left))
        draw_parts(canvas, spot, *sizes.crossing(column, row), sizes.part_places, paint)
    for spot in panel.spots:                                       # drawn last, over the lines
        at = sizes.crossing(columns.index(spot.at[0]), rows.index(spot.at[1]))
        draw_part_numbers(canvas, spot, *at, sizes.part_places, paint)
    return canvas, missing


def cell_contents(spot: BoardCell, numbered: bool = True) -> Line:
    """Returns what to write into a cell: the number of its option, its ground, its marks, and its pieces."""
    target = [replace(OPTION_NUMBER, text=spot.target)] if spot.target and numbered else []
    return target + ([spot.ground] if spot.ground else []) + spot.signs + spot.pieces


def fit_cells(
    texts: dict[tuple[int, int], list[str]], columns: int, margin: int, ruled: bool, room: int, wish: int = MIN_CELL_COLUMNS
) -> CellSize | None:
    """Returns a cell size for these contents, or None if the board does not fit.

    Cells are one line high if everything fits side by side. Otherwise they are as wide as possible and as high as
    needed. `wish`: columns that a cell has if there is space, even for short contents."""
    whole = max([wish, *(cell_len(" ".join(parts)) for parts in texts.values())])
    most = (room - margin - ruled) // columns - ruled
    if whole <= most:
        return CellSize(whole, 1, margin, ruled)
    if most < MIN_CELL_COLUMNS:
        return None
    tall = max(len(wrap_parts(parts, most)) for parts in texts.values())
    return CellSize(most, max(1, min(MAX_CELL_LINES, tall)), margin, ruled)


def wrap_parts(parts: list[str], wide: int) -> list[list[int]]:
    """Wraps the parts of a cell into lines of `wide` columns. Returns the indices of the parts in each line."""
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


def draw_frame(canvas: Canvas, sizes: CellSize, columns: list[int], rows: list[int], utf: bool) -> None:
    """Draws the grid lines, the row numbers at the left, and the column letters below."""
    dim = Style(dim=True)
    flat, tall = ("─", "│") if utf else ("-", "|")
    knots = ("┌┬┐", "├┼┤", "└┴┘") if utf else ("+++", "+++", "+++")
    for m, y in enumerate(rows):
        _, line = sizes.cell_origin(0, m)
        canvas.write_text(0, line + (sizes.tall - 1) // 2, str(y + 1).rjust(sizes.margin - 1), dim)
        for n in range(len(columns) + 1) if sizes.ruled else ():
            for k in range(sizes.tall):
                canvas.write_text(sizes.margin + n * sizes.column_step, line + k, tall, dim)
    for m in range(len(rows) + 1) if sizes.ruled else ():
        knot = knots[0 if not m else 2 if m == len(rows) else 1]
        canvas.write_text(sizes.margin, m * sizes.row_step, knot[0] + knot[1].join([flat * sizes.wide] * len(columns)) + knot[2], dim)
    for n, x in enumerate(columns):
        canvas.write_text(
            sizes.cell_origin(n, 0)[0], sizes.ruled + len(rows) * sizes.row_step, format_column_letters(x).center(sizes.wide), dim
        )


def fill_cell(
    canvas: Canvas, x: int, y: int, sizes: CellSize, spot: BoardCell, paint: StyleResolver, spans: Line, ground: str | None = None
) -> Line:
    """Writes parts into a cell and returns what did not fit. `ground`: the colour of the cell, if it has one."""
    texts = [truncate_cells(paint.sign_with_amount(span), sizes.wide, "…" if paint.utf else "+") for span in spans]
    plan = wrap_parts(texts, sizes.wide)
    for k in range(sizes.tall) if ground is not None else ():
        canvas.write_text(x, y + k, " " * sizes.wide, Style(bgcolor=ground))
    if spot.changed and ground is None:                            # a square has no label, so mark all of it
        for k in range(sizes.tall):
            canvas.write_text(x, y + k, " " * sizes.wide, paint.style(StyledText("", changed=True)))
        if paint.change_mark(True):
            canvas.write_text(x + sizes.wide - 1, y, paint.change_mark(True), paint.style(StyledText("", "strong")))
    shown = plan[: sizes.tall]
    for k, line in enumerate(shown, (sizes.tall - len(shown)) // 2):
        at = x + (sizes.wide - sum(cell_len(texts[n]) for n in line) - len(line) + 1) // 2
        for n in line:
            style = paint.style(mark_changed(spans[n], spot, paint), strong=True) if ground is None else paint.style_on(spans[n], ground)
            canvas.write_text(at, y + k, texts[n], style)
            at += cell_len(texts[n]) + 1
    if not spans and not sizes.ruled and ground is None:
        canvas.write_text(x + sizes.wide // 2, y, "·" if paint.utf else ".", paint.style(mark_changed(StyledText("", "dim"), spot, paint)))
    for k in range(sizes.tall) if paint.pointed else ():
        canvas.mark_clickable(x, y + k, sizes.wide, spot.label, spot.target)
    whole = {n for line in shown for n in line if texts[n] == paint.sign_with_amount(spans[n])}
    return [spot.with_caption(span) for n, span in enumerate(spans) if n not in whole]


def mark_changed(span: StyledText, spot: BoardCell, paint: StyleResolver) -> StyledText:
    """Returns the part marked as changed, if its cell has changed and the terminal has colours."""
    return StyledText(span.text, span.style, changed=True) if spot.changed and paint.coloured else span
