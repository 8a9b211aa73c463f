"""Draws groups of places as SVG: one row for each group, with a box for each place."""

from __future__ import annotations

from rich.cells import cell_len

from .html_page import escape_xml
from .svg_pen import LETTER_WIDTH, SvgPen
from .view_model import Line, ListItem, ListPanel, StyledText

BOX_HEIGHT, ROW_HEIGHT, BOX_GAP, MIN_BOX_WIDTH = 26, 34, 6, 34     # in SVG units
HEAD_GAP, DISC_RADIUS = 14, 9


def draw_groups(pen: SvgPen, panel: ListPanel, margin: float) -> None:
    """Draws groups of places: names at the left, then the things in the group, then the boxes."""
    if not panel.entries:
        return
    head = max(cell_len(entry.head[0].words) for entry in panel.entries) * LETTER_WIDTH + HEAD_GAP
    lying = max(len(entry.head) - 1 for entry in panel.entries) * LETTER_WIDTH * 3
    for entry in panel.entries:
        start, x = len(pen.parts), margin + head
        pen.draw_text(margin, pen.y + 18, [StyledText(entry.head[0].words, "title")])
        for span in entry.head[1:]:
            pen.draw_text(x, pen.y + 18, [StyledText(span.sign_with_amount, span.style)])
            x += LETTER_WIDTH * 3
        x = first = margin + head + lying
        for place in entry.body:
            wide = box_width(place)
            if x + wide > pen.wide - margin and x > first:
                x, pen.y = first, pen.y + ROW_HEIGHT
            draw_box(pen, entry, place, x, wide)
            x += wide + BOX_GAP
        pen.reach = max(pen.reach, x)
        pen.merge_parts(start)
        pen.y += ROW_HEIGHT
    pen.draw_legend(panel.legend)


def split_box(place: Line) -> tuple[Line, Line]:
    """Returns the label and the attributes of a place, and the things on it."""
    at = next(n for n, span in enumerate(place) if span.text == ":")
    return place[:at], [span for span in place[at + 1 :] if not span.is_free]


def box_text(label: Line) -> str:
    """Returns the label of a place with its attributes, such as `2 ☼`."""
    signs = "/".join(span.shape or span.short or f"({span.words})" for span in label[1:])
    return f"{label[0].words} {signs}".strip()


def box_width(place: Line) -> float:
    """Returns the width of the box of a place."""
    label, here = split_box(place)
    return max(MIN_BOX_WIDTH, cell_len(box_text(label)) * LETTER_WIDTH * 0.86 + 12 + len(here) * (2 * DISC_RADIUS + 3))


def draw_box(pen: SvgPen, entry: ListItem, place: Line, x: float, wide: float) -> None:
    """Draws one place: a box with its label, its attributes, and discs for the things on it, with a tooltip in words."""
    label, here = split_box(place)
    words = ": ".join(filter(None, [f"{entry.head[0].words} {label[0].words}", ", ".join(span.words for span in [*label[1:], *here])]))
    kind = "sqc" if label[0].changed else "edge bare"
    pen.parts.append(
        f'<g><title>{escape_xml(words)}</title>'
        f'<rect class="{kind}" x="{x:.1f}" y="{pen.y:g}" width="{wide:.1f}" height="{BOX_HEIGHT}" rx="5"/>'
    )
    signs = [StyledText(span.shape or span.short or f"({span.words})", span.style) for span in label[1:]]
    pen.draw_text(x + 6, pen.y + 18, [StyledText(label[0].words, "dim"), *signs], size=12, between=" ")
    for n, span in enumerate(here):
        at = x + wide - (len(here) - n) * (2 * DISC_RADIUS + 3) + DISC_RADIUS - 2
        pen.parts.append(f'<circle class="{pen.fill_class(span)} edge" cx="{at:.1f}" cy="{pen.y + 13:g}" r="{DISC_RADIUS}"/>')
        pen.draw_text_on_colour(at, pen.y + 17.5, span, f"{span.short or span.words[:2]}{span.count_suffix}", 12)
    pen.parts.append("</g>")
