"""Renders boards with rich: as a drawing, or cell by cell if the drawing does not fit."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from .board_graph import draw_graph_board
from .board_hex import OVERFLOW_SIGN, draw_hex_board
from .board_lattice import draw_lattice_board
from .board_pits import draw_pit_board
from .board_square import draw_square_board
from .canvas import Canvas, StyleResolver
from .flow_layout import FixedLines, FlowText
from .plain_renderer import board_lines, hex_positions
from .rich_lines import LineRenderer
from .surface import with_solid_shapes
from .view_model import BoardPanel, Line, StyledText

LEGEND_COLUMNS = 60                     # a legend may be this wide, even if its board is narrower
BOARD_WRITERS = {"lines": draw_lattice_board, "pits": draw_pit_board}        # by surface. draw_square_board draws all others
LINES_PER_FOOTNOTE = 5                  # on a cropped board


class BoardRenderer(LineRenderer):
    """Renders boards for one terminal. With `cut`, a board that is too high is cropped."""

    def __init__(self, paint: StyleResolver, width: int, utf: bool, high: int, side_columns: int, cut: bool) -> None:
        super().__init__(paint, width, utf, high, side_columns)
        self.cut = cut
        self.unexplained: set[str] = set()                         # keys of boards without space for a legend

    def render_board(self, panel: BoardPanel) -> RenderableType:
        """Renders a board as a drawing. If it does not fit, it is listed cell by cell."""
        room = self.width - 2
        if self.side_columns and self.can_draw(panel, self.width - self.side_columns - 1):
            room = self.width - self.side_columns - 3
        canvas: Canvas | None
        missing: list[tuple[str, Line]] = []
        if panel.surface != "grid" and self.paint.has_surfaces:
            panel = with_solid_shapes(panel)
        if panel.shape != "hex":
            canvas, missing = BOARD_WRITERS.get(panel.surface, draw_square_board)(panel, self.paint, room)
            if canvas is None or panel.shape == "graph":
                canvas, missing = (draw_graph_board if panel.shape == "graph" else draw_square_board)(panel, self.paint, room)
            if canvas is not None and panel.is_simple and 0 < self.high < canvas.height + len(missing) + len(panel.legend) + 2:
                written = board_lines(panel, room)
                if not self.utf or canvas.height + len(missing) > len(written):
                    return Group(*(Text(line) for line in written))
        elif panel.is_simple or not panel.flat:
            canvas = self.draw_simple_hexes(panel) if panel.is_simple else None
        else:
            canvas, missing = draw_hex_board(panel, self.paint, room)
            if canvas is not None and 0 < self.high < canvas.height + len(missing) + len(panel.legend) + 2:
                low, left = draw_hex_board(panel, self.paint, room, low=True)
                canvas, missing = (canvas, missing) if low is None else (low, left)
        if canvas is None or canvas.width > room:
            return Group(*(Text(line) for line in board_lines(panel, room)))
        wide = max(min(room, LEGEND_COLUMNS), canvas.width)
        said = [Text(f"{label} {OVERFLOW_SIGN} ").append_text(self.line_text([with_amount_in_words(span) for span in line]))
                for label, line in missing]
        if 0 < self.high < canvas.height + len(said) + 2:
            said = list(FlowText(said, "   ").lines(wide)) if said else []
        if self.cut and panel.shape != "square" and 0 < self.high < canvas.height + len(said) + 2:
            said = said if len(said) <= self.high // LINES_PER_FOOTNOTE else []
            canvas = canvas.crop_lines(max(1, self.high - 2 - len(said)), *("▲▼" if self.utf else "^v"))
        parts: list[RenderableType] = [FixedLines(canvas.lines(), canvas.width), *said]
        if 0 < self.high < canvas.height + len(said) + len(panel.legend) + 2:          # no space for a legend
            self.unexplained |= {panel.key} if panel.legend else set()
            return Group(*parts)
        return Group(*parts, *(Constrain(flow, wide) for flow in self.legend_flows(panel.legend)))

    def can_draw(self, panel: BoardPanel, width: int = 0) -> bool:
        """Whether a hexagonal board can be drawn at a width. Always true for other boards, which have a fallback."""
        if panel.shape != "hex" or panel.is_simple or not panel.flat:
            return True
        room = (width or self.width) - 2
        canvas, _ = draw_hex_board(panel, self.paint, room, low=bool(width))
        return canvas is not None and canvas.width <= room

    def draw_simple_hexes(self, panel: BoardPanel) -> Canvas:
        """Draws hexagons with at most one thing each. Empty ones show their label."""
        where = hex_positions(panel)
        canvas = Canvas()
        wide = max(len(spot.label) for spot in panel.spots) + 1
        step = wide if panel.flat else -(-wide // 2)
        for spot in panel.spots:
            x, y = where[spot.at]
            shown = replace(spot.pieces[0] if spot.pieces else StyledText(spot.label, "dim"), amount=None)
            text = self.paint.sign(shown)
            at = x * step + len(text.center(wide - 1)) - len(text.center(wide - 1).lstrip())
            shown = replace(shown, changed=spot.changed)
            canvas.write_text(at, y, self.paint.sign(shown), self.paint.style(shown, strong=bool(spot.pieces)))
            if self.paint.pointed:
                canvas.mark_clickable(at, y, len(self.paint.sign(shown)), spot.label, spot.target)
        return canvas


def with_amount_in_words(span: StyledText) -> StyledText:
    """Returns a part whose text has its amount, even if it is one."""
    return span if span.amount is None else replace(span, text=span.words_with_amount, amount=None)
