"""Draws mats as SVG: card-like boxes side by side, below the heading of their owner."""

from __future__ import annotations

from rich.cells import cell_len

from .mats import MAX_MAT_COLUMNS, MIN_MAT_COLUMNS, caption_span, mat_groups, mat_lines
from .svg_cards import face_text
from .svg_pen import LETTER_WIDTH, SvgPen
from .view_model import GridPanel, Line, StyledText

PADDING, GAP, HEAD_HEIGHT = 9, 10, 26                              # in SVG units


def draw_mats(pen: SvgPen, panel: GridPanel, margin: float) -> None:
    """Draws the rows of a table as boxes."""
    for band, rows in mat_groups(panel):
        if band:
            pen.draw_wrapped_line(margin, band, pen.chars)
        x, top, bottom = margin, pen.y, pen.y
        for n in rows:
            lines = [[*([caption_span(caption)] if caption else []), *line] for caption, line in mat_lines(panel, n)]
            chars = min(MAX_MAT_COLUMNS, pen.chars - 3, max([MIN_MAT_COLUMNS, *map(count_letters, [panel.rows[n][0], *lines])]))
            wide = chars * LETTER_WIDTH + 2 * PADDING
            if x > margin and x + wide > pen.wide - margin:
                x, top = margin, bottom + GAP
            pen.y = top
            draw_mat(pen, panel.rows[n][0], lines, x, chars)
            bottom, pen.reach = max(bottom, pen.y), max(pen.reach, x + wide)
            x += wide + GAP
        pen.y = bottom + GAP


def draw_mat(pen: SvgPen, title: Line, lines: list[Line], x: float, chars: int) -> None:
    """Draws one box. `pen.y` is moved below it."""
    top, start, wide = pen.y, len(pen.parts), chars * LETTER_WIDTH + 2 * PADDING
    pen.y = top + HEAD_HEIGHT - 21
    pen.draw_wrapped_line(x + PADDING, bold_line(pen, title), chars)
    pen.y += HEAD_HEIGHT - 21
    for line in lines:
        pen.draw_wrapped_line(x + PADDING, line, chars, " ")
    pen.y += PADDING
    frame = f'width="{wide:.1f}" height="{pen.y - top:.1f}" rx="7"/>'
    pen.parts.insert(start, f'<rect class="mat" x="{x:.1f}" y="{top:.1f}" {frame}')
    pen.merge_parts(start)


def bold_line(pen: SvgPen, line: Line) -> Line:
    """Returns a line in bold, except for things with a colour of their own."""
    return [span if pen.theme.colour(span.style) else StyledText(span.words, "title") for span in line]


def count_letters(line: Line) -> int:
    """Returns the width of a line in characters."""
    return cell_len(" ".join(map(face_text, line)))
