"""Draws places with stacks as SVG: points with discs, the middle between their halves, and what has left the board.
Also draws dice."""

from __future__ import annotations

from .board_stacks import PIPS, fold_places, pieces_in_middle
from .html_page import escape_xml, target_link
from .svg_pen import SvgPen
from .svg_surface import draw_piece, draw_rim_text, render_centred_text
from .view_model import DIE_FACES, Line, ListItem, ListPanel, StyledText, join_words

PLACE_WIDTH, DISC, MIDDLE_WIDTH, OFF_WIDTH = 42, 38, 54, 60        # in SVG units
MAX_DISCS, RIM = 5, 22
DIE_SIZE, DIE_GAP = 40, 10


def draw_stacks(pen: SvgPen, panel: ListPanel, margin: float) -> None:
    """Draws the places of a panel of stacks."""
    upper, lower, middle = fold_places(panel)
    if not lower:
        return
    side = min(PLACE_WIDTH, (pen.wide - 2 * margin - MIDDLE_WIDTH - OFF_WIDTH) / len(lower))
    disc = side * DISC / PLACE_WIDTH
    before, left, top = len(lower) // 2, margin, pen.y + RIM
    gap = MIDDLE_WIDTH if middle else 0
    deep = MAX_DISCS * disc
    high, wide = 2 * deep + 40, len(lower) * side + gap
    pen.parts.append(f'<rect class="sql" x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" rx="5"/>')
    for down, places in ((True, upper), (False, lower)):
        for n, place in enumerate(places):
            x = left + n * side + (gap if n >= before else 0)
            start, rim, way = len(pen.parts), top if down else top + high, 1 if down else -1
            kind = "sqc" if place.head[0].changed else ("sqd", "pit")[n % 2]
            words = f"{place.head[0].words}: {join_words(place.body[0])}" if place.body and place.body[0] else place.head[0].words
            points = f"{x:g},{rim:g} {x + side:g},{rim:g} {x + side / 2:g},{rim + way * deep:g}"
            opening, closing = open_place(place.target, words)
            pen.parts.append(f'{opening}<polygon class="{kind}" points="{points}"/>')
            draw_stack(pen, place.body[0] if place.body else [], x + side / 2, rim, way, disc)
            if place.target:
                pen.parts.append(frame(x, rim if down else rim - deep, side, deep))
            pen.parts.append(closing)
            draw_rim_text(pen, x + side / 2, rim - 6 if down else rim + 16, place.head[0].words)
            pen.merge_parts(start)
    if middle:
        draw_middle(pen, middle, left + before * side, top, high, disc)
    for span, y in zip(panel.stacks.off, (top + high - 20, top + 32)):
        x = left + wide + OFF_WIDTH / 2
        draw_piece(pen, StyledText(span.text, span.style, span.short, span.shape), x, y - 6, disc * 0.8)
        pen.draw_text(x, y + (26 if y < top + high / 2 else -30), [StyledText(str(span.amount or 0), "strong")], True)
    pen.reach = max(pen.reach, left + wide + OFF_WIDTH * bool(panel.stacks.off))
    pen.y = top + high + RIM + margin / 2
    pen.draw_legend(panel.legend)


def draw_stack(pen: SvgPen, pieces: Line, x: float, rim: float, way: int, disc: float) -> None:
    """Draws discs from the rim inwards. If there are too many, the last one has their number."""
    things = [span for span in pieces for _ in range(span.amount or 1)]
    for n, span in enumerate(things[:MAX_DISCS]):
        y = rim + way * (n + 0.5) * disc
        draw_piece(pen, StyledText(span.text, span.style, span.short, span.shape), x, y, disc * 1.18)
        if n == MAX_DISCS - 1 and len(things) > MAX_DISCS:
            pen.draw_text_on_colour(x, y + 6, span, str(len(things)), 17)


def draw_middle(pen: SvgPen, middle: list[ListItem], x: float, top: float, high: float, disc: float) -> None:
    """Draws the middle of the board with what is on it, each kind of things in its own half."""
    words = "; ".join(f"{place.head[0].words}: {join_words(place.body[0])}" for place in middle if place.body)
    start, kind = len(pen.parts), "sqc" if any(place.head[0].changed for place in middle) else "pit"
    target = next((place.target for place in middle if place.target), "")
    opening, closing = open_place(target, words)
    pen.parts.append(f'{opening}<rect class="{kind}" x="{x + 6:g}" y="{top:g}" ')
    pen.parts.append(f'width="{MIDDLE_WIDTH - 12}" height="{high:g}"/>')
    for pieces, way in zip(pieces_in_middle(middle), (-1, 1)):
        draw_stack(pen, pieces, x + MIDDLE_WIDTH / 2, top + high / 2 + way * 12, way, disc)
    pen.parts.append(render_centred_text(middle[0].head[0].words[:6], x + MIDDLE_WIDTH / 2, top + high / 2 + 5, 13, "on"))
    if target:
        pen.parts.append(frame(x + 6, top, MIDDLE_WIDTH - 12, high))
    pen.parts.append(closing)
    pen.merge_parts(start)


def open_place(target: str, words: str) -> tuple[str, str]:
    """Returns the opening and the closing tag of a place: a link if it can be chosen. The tooltip is `words`."""
    opening, closing = (target_link(target, words), "</a>") if target else ("<g>", "</g>")
    return f"{opening}<title>{escape_xml(words)}</title>", closing


def frame(x: float, y: float, wide: float, high: float) -> str:
    """Returns the frame of a place that can be chosen."""
    return f'<rect class="aim" x="{x + 2:g}" y="{y + 2:g}" width="{wide - 4:g}" height="{high - 4:g}" rx="5"/>'


def draw_dice(pen: SvgPen, panel: ListPanel, margin: float) -> None:
    """Draws dice, below their captions if they have some."""
    rows = [entry.body[0] for entry in panel.entries if entry.body] or [[entry.head[0] for entry in panel.entries]]
    captions = [entry.head for entry in panel.entries if entry.body] or [[]]
    for caption, spans in zip(captions, rows):
        if caption:
            pen.draw_wrapped_line(margin, [StyledText(join_words(caption), "title")], pen.chars)
        for n, span in enumerate(spans):
            x = margin + n * (DIE_SIZE + DIE_GAP)
            start, number = len(pen.parts), DIE_FACES.index(span.shape) + 1 if span.shape else 0
            pen.parts.append(f'<g><title>{escape_xml(span.words)}</title><rect class="card" x="{x:g}" y="{pen.y:g}" ')
            pen.parts.append(f'width="{DIE_SIZE}" height="{DIE_SIZE}" rx="8"/>')
            pen.parts += [
                f'<circle class="ruled" cx="{x + DIE_SIZE * (1 + pip % 3) / 4:g}" cy="{pen.y + DIE_SIZE * (1 + pip // 3) / 4:g}" r="4"/>'
                for pip in PIPS[number]
            ]
            if not number:
                pen.parts.append(render_centred_text(span.words, x + DIE_SIZE / 2, pen.y + DIE_SIZE / 2 + 6, 17, "on"))
            pen.parts.append("</g>")
            pen.merge_parts(start)
        pen.reach = max(pen.reach, margin + len(spans) * (DIE_SIZE + DIE_GAP))
        pen.y += DIE_SIZE + DIE_GAP
