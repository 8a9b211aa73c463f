"""Draws places with stacks in characters: two rows that face each other, the middle between their halves, and what has
left the board at the right. Numbers of options are outside the labels. Also draws dice.

     13 14 15 16 17 18│bar│19 20 21 22 23 24
      ○           ●   │   │ ●              ○
      ○           ●   │   │ ●              ○
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style

from .canvas import Canvas, StyleResolver
from .surface import CARD_PAPER, CHANGED_SQUARE, DARK_SQUARE, LIGHT_SQUARE, SOLID_SHAPES
from .view_model import DIE_FACES, OPTION_NUMBER, Line, ListItem, ListPanel, StyledText

PLACE_COLUMNS, MIDDLE_COLUMNS = 3, 5
MAX_STACK, MIN_STACK = 5, 2                                        # lines of a stack. The last one says the number of more things
OFF_COLUMNS = 6
DIE_COLUMNS, DIE_LINES, DIE_GAP = 7, 3, 2
PIPS = ((), (4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))     # on a grid of three by three, by number


@dataclass
class StackRow:
    """One of the two rows: its places from left to right, and its first line. `step` is 1 if stacks grow downwards."""

    places: list[ListItem]
    top: int
    step: int


def fold_places(panel: ListPanel) -> tuple[list[ListItem], list[ListItem], list[ListItem]]:
    """Returns the places of the upper row and of the lower row, from left to right, and those in the middle."""
    rows = [entry for n, entry in enumerate(panel.entries) if n not in panel.stacks.middle]
    half = (len(rows) + 1) // 2
    return rows[half:], rows[:half][::-1], [panel.entries[n] for n in panel.stacks.middle]


def pieces_in_middle(places: list[ListItem]) -> tuple[Line, Line]:
    """Returns the things in the middle for the upper and for the lower row. Each kind of things has one of them."""
    found = [span for place in places for line in place.body for span in line]
    kinds = sorted({span.style for span in found})
    return [span for span in found if kinds.index(span.style) % 2], [span for span in found if not kinds.index(span.style) % 2]


def draw_stack_board(panel: ListPanel, paint: StyleResolver, room: int, high: int = 0) -> Canvas | None:
    """Returns the drawn places, or None if they do not fit into `room` columns. `high`: lines, or 0 for no limit."""
    upper, lower, middle = fold_places(panel)
    before = len(lower) // 2                                       # places before the middle
    off = bool(panel.stacks.off)
    gap = MIDDLE_COLUMNS if middle else 0
    wide = len(lower) * PLACE_COLUMNS + gap
    if wide + OFF_COLUMNS * off > room:
        return None
    highest = max([MIN_STACK, *(stack_height(entry.body[0]) for entry in panel.entries if entry.body)])
    numbered = any(entry.target for entry in panel.entries)
    tall = min(MAX_STACK, highest) if not high else max(MIN_STACK, min(MAX_STACK, highest, (high - 3) // 2 - numbered))
    canvas = Canvas()
    number_of_middle = next((entry.target for entry in middle if entry.target), "")
    if paint.has_surfaces:
        canvas.write_text(0, tall + 1, " " * wide, Style(bgcolor=LIGHT_SQUARE))
    for row in (StackRow(upper, 0, 1), StackRow(lower, 2 * tall + 2, -1)):
        for n, place in enumerate(row.places):
            x = n * PLACE_COLUMNS + (gap if n >= before else 0)
            label = place.head[0]
            style = paint.style(label if label.changed else StyledText("", "dim"))
            canvas.write_text(x, row.top, (paint.words(label)[:PLACE_COLUMNS]).rjust(2).ljust(PLACE_COLUMNS), Style(dim=True))
            canvas.write_text(x, row.top, paint.words(label)[:PLACE_COLUMNS].rjust(2), style)
            ground = None if not paint.has_surfaces else CHANGED_SQUARE if label.changed else (LIGHT_SQUARE, DARK_SQUARE)[n % 2]
            write_stack(canvas, x, row, tall, place.body[0] if place.body else [], paint, ground)
            write_number(canvas, x, row, tall, place.target, paint)
        if middle:
            write_number(canvas, before * PLACE_COLUMNS + 1, row, tall, number_of_middle, paint)
            pieces = pieces_in_middle(middle)[0 if row.step > 0 else 1]
            write_middle(canvas, before * PLACE_COLUMNS, row, tall, pieces, paint)
    if middle:
        name = middle[0].head[0]
        caption = paint.words(name)[: MIDDLE_COLUMNS - 2].center(MIDDLE_COLUMNS - 2)
        style = paint.style(name if name.changed else StyledText("", "dim"))
        side = "│" if paint.utf else "|"
        canvas.write_text(before * PLACE_COLUMNS, tall + 1, side, Style(dim=True))
        canvas.write_text(before * PLACE_COLUMNS + 1, tall + 1, caption, style)
        canvas.write_text(before * PLACE_COLUMNS + MIDDLE_COLUMNS - 1, tall + 1, side, Style(dim=True))
    for span, line in zip(panel.stacks.off, (2 * tall + 1, 1)):
        style = paint.style(span, strong=True)
        many = f"{'×' if paint.utf else 'x'}{span.amount or 0}"
        canvas.write_text(wide + 1, line, stack_sign(span, paint, paint.has_surfaces) + many, style)
    return canvas


def write_number(canvas: Canvas, x: int, row: StackRow, tall: int, number: str, paint: StyleResolver) -> None:
    """Writes the number of the option that chooses a place, outside its label. A click on the place answers with it."""
    if not number:
        return
    canvas.write_text(x, row.top - row.step, number[:PLACE_COLUMNS].rjust(2), paint.style(OPTION_NUMBER, strong=True))
    canvas.aimed.append(row.top - row.step)
    for y in range(-1, tall + 1) if paint.pointed else ():
        canvas.mark_clickable(x, row.top + row.step * y, PLACE_COLUMNS, number, number)


def stack_height(line: Line) -> int:
    """Returns the number of things on a place."""
    return sum(span.amount or 1 for span in line)


def write_stack(canvas: Canvas, x: int, row: StackRow, tall: int, pieces: Line, paint: StyleResolver, ground: str | None) -> None:
    """Writes the things on a place, from the rim inwards. If there are too many, the last line is their number."""
    things = [span for span in pieces for _ in range(span.amount or 1)]
    for k in range(tall):
        y = row.top + row.step * (k + 1)
        span = things[k] if k < len(things) else StyledText("", "dim")
        free = ("·" if paint.utf else ".") if not k and ground is None else ""
        text = stack_sign(span, paint, ground is not None) if k < len(things) else free
        if k == tall - 1 and len(things) > tall:
            text = str(len(things))
        style = paint.style_on(span, ground) if ground is not None else paint.style(span, strong=k < len(things))
        if ground is not None:
            canvas.write_text(x, y, " " * PLACE_COLUMNS, Style(bgcolor=ground))
        canvas.write_text(x + (len(text) < 2), y, text, style)


def stack_sign(span: StyledText, paint: StyleResolver, coloured: bool) -> str:
    """Returns the sign of one thing."""
    sign = paint.sign(StyledText(span.text, span.style, span.short, span.shape))
    return SOLID_SHAPES.get(sign, sign) if coloured else sign


def write_middle(canvas: Canvas, x: int, row: StackRow, tall: int, pieces: Line, paint: StyleResolver) -> None:
    """Writes the middle of a row between two lines."""
    side = "│" if paint.utf else "|"
    things = [span for span in pieces for _ in range(span.amount or 1)]
    for k in range(tall + 1):
        y = row.top + row.step * k
        canvas.write_text(x, y, side, Style(dim=True))
        canvas.write_text(x + MIDDLE_COLUMNS - 1, y, side, Style(dim=True))
        depth = tall - k                                           # things lie next to the middle of the board
        if depth < min(tall, len(things)):
            text = str(len(things)) if len(things) > tall and depth == tall - 1 else stack_sign(things[depth], paint, paint.has_surfaces)
            canvas.write_text(x + (MIDDLE_COLUMNS - 1) // 2, y, text, paint.style(things[depth], strong=True))


# ---------------------------------------------------------------- dice


def draw_dice(spans: Line, paint: StyleResolver) -> Canvas:
    """Returns dice side by side: on paper with pips if there are colours, or else as signs with numbers."""
    canvas, x = Canvas(), 0
    for span in spans:
        number = DIE_FACES.index(span.shape) + 1 if span.shape else 0
        if paint.has_surfaces and number:
            for y in range(DIE_LINES):
                pips = [("●" if paint.utf else "o") if 3 * y + k in PIPS[number] else " " for k in range(3)]
                canvas.write_text(x, y, f" {' '.join(pips)} ", paint.style_on(StyledText(""), CARD_PAPER))
            x += DIE_COLUMNS + DIE_GAP
        else:
            sign = f"{span.shape} {number}" if number and paint.utf else span.words
            canvas.write_text(x, 0, f"[{sign}]", paint.style(StyledText("", "strong", changed=span.changed and paint.coloured)))
            x += len(sign) + 2 + 1
    return canvas
