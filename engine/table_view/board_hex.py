"""Draws a board of hexagons with a flat top in characters: edges, ground, labels, pieces, and things on corners and
edges."""

from __future__ import annotations

from dataclasses import replace

from rich.style import Style

from ...dsl.types.board_parts import PART_SIGNS
from .board_parts import PartPlace, draw_part_numbers, draw_parts, horizontal_edge
from .canvas import Canvas, StyleResolver
from .plain_renderer import hex_positions
from .view_model import OPTION_NUMBER, BoardCell, BoardPanel, Line, StyledText

HEX_LINES, LOW_HEX_LINES = 4, 2                                                   # with edges, without edges
MIN_HEX_STEP, MAX_HEX_STEP = 5, 14                                                # columns from one hexagon to the next
MIN_RIM_STEP = 12                                                         # columns needed to label the empty neighbours
# columns needed for numbers at the corners of low cells
MIN_CORNER_NUMBER_STEP = 10
OVERFLOW_SIGN = "+"                                                         # marks a hexagon that holds more than is shown
NEIGHBOUR_OFFSETS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def draw_hex_board(panel: BoardPanel, paint: StyleResolver, room: int, low: bool = False) -> tuple[Canvas | None, list[tuple[str, Line]]]:
    """Returns the drawn board and what did not fit into its cell, as (label, things). None if the board itself does
    not fit.

    `room`: columns available. `low`: cells without edges, in half as many lines."""
    spots = [spot for spot in panel.spots if panel.gapless or spot.ground or spot.contents or spot.marks or spot.target]
    if not spots:
        return Canvas(), []
    rim = empty_neighbours(panel, spots) if not low else []
    where, step = place_hexes(panel, [*spots, *rim], room)
    if step < MIN_RIM_STEP:
        where, step = place_hexes(panel, spots, room)
        rim = []
    if step < MIN_HEX_STEP or low and step < MIN_CORNER_NUMBER_STEP and any(spot.aimed for spot in spots):
        return None, []
    if low and not all({*spot.parts, *spot.aimed} <= {*part_places(step, low)} for spot in spots):
        return None, []                                            # low cells have no room for edges between them
    canvas = Canvas()
    missing = []
    edge = Style(dim=True)
    steps = widen_columns([*spots, *rim], where, step, room)
    starts = [sum(steps[:n]) + (low and bool(panel.parts)) for n in range(len(steps))]
    begins = {at: (starts[x], y * (LOW_HEX_LINES if low else HEX_LINES) // 2) for at, (x, y) in where.items()}
    for spot in rim:
        (x, y), step = begins[spot.at], steps[where[spot.at][0]]
        canvas.write_text(x + 2 + (step - 1 - len(spot.label)) // 2, y + HEX_LINES // 2, spot.label, edge)
    for spot in spots if not low else ():
        draw_sides(canvas, *begins[spot.at], steps[where[spot.at][0]], paint.utf, edge)
    for spot in spots:
        (x, y), step = begins[spot.at], steps[where[spot.at][0]]
        left = fill_hex(canvas, interior_lines(x, y, step, low), spot, paint)
        if left:
            missing.append((spot.label, left))
        draw_parts(canvas, spot, x, y, part_places(step, low), paint)
    for spot in spots:                                             # drawn last, over the edges
        (x, y), step = begins[spot.at], steps[where[spot.at][0]]
        draw_part_numbers(canvas, spot, x, y, part_places(step, low), paint)
    return canvas, missing


def empty_neighbours(panel: BoardPanel, spots: list[BoardCell]) -> list[BoardCell]:
    """Returns the empty neighbours of the drawn cells. Their labels are shown, because something may be placed
    there."""
    beside = {(spot.at[0] + dx, spot.at[1] + dy) for spot in spots for dx, dy in NEIGHBOUR_OFFSETS} - {spot.at for spot in spots}
    return [spot for spot in panel.spots if spot.at in beside]


def place_hexes(panel: BoardPanel, spots: list[BoardCell], room: int) -> tuple[dict[tuple[int, int], tuple[int, int]], int]:
    """Returns the column and half line of each cell, and the number of characters from one column of hexagons to the
    next."""
    where = hex_positions(replace(panel, spots=spots))
    return where, min(MAX_HEX_STEP, (room - 3) // (max(x for x, _ in where.values()) + 1))


def widen_columns(spots: list[BoardCell], where: dict[tuple[int, int], tuple[int, int]], step: int, room: int) -> list[int]:
    """Returns the width of each column of hexagons. Spare characters go to the columns whose labels need them."""
    steps = [step] * (max(x for x, _ in where.values()) + 1)
    longest = {n: max((len(spot.label) for spot in spots if where[spot.at][0] == n), default=0) for n in range(len(steps))}
    left = room - 3 - sum(steps)
    for n in sorted(longest, key=lambda n: longest[n]):
        more = max(0, min(longest[n] - (step - 1), left))
        steps[n] += more
        left -= more
    return steps


def interior_lines(x: int, y: int, step: int, low: bool) -> list[tuple[int, int, int]]:
    """Returns the lines inside a hexagon, as (x, y, width)."""
    if low:
        return [(x, y, step - 1), (x, y + 1, step - 1)]
    return [(x + 2, y + 1, step - 1), (x + 1, y + 2, step + 1), (x + 2, y + 3, step - 1)]


def part_places(step: int, low: bool = False) -> dict[str, PartPlace]:
    """Returns the places of the corners and the edges of a hexagon by suffix.

    Low cells have no lines around them: their corners are in the gaps, and edges have no place."""
    if low:
        at = {".w": (-1, 1), ".nw": (-1, 0), ".ne": (step - 1, 0), ".e": (step - 1, 1), ".se": (step - 1, 2), ".sw": (-1, 2)}
        return {suffix: PartPlace(*offset) for suffix, offset in at.items()}
    at = {".w": (0, 2), ".nw": (2, 0), ".ne": (step, 0), ".e": (step + 2, 2), ".se": (step, 4), ".sw": (2, 4),
          "-ne": (step + 1, 1), "-se": (step + 1, 3), "-sw": (1, 3), "-nw": (1, 1)}
    flat = {suffix: horizontal_edge(3, y, step - 3) for suffix, y in (("-n", 0), ("-s", HEX_LINES))}
    return flat | {suffix: PartPlace(*offset) for suffix, offset in at.items()}


def draw_sides(canvas: Canvas, x: int, y: int, step: int, utf: bool, style: Style) -> None:
    """Draws the six edges of a hexagon."""
    flat, up, down, dot = ("─", "╱", "╲", "·") if utf else ("-", "/", "\\", ".")
    for dy in (0, HEX_LINES):
        canvas.write_text(x + 3, y + dy, flat * (step - 3), style)
    canvas.write_text(x + 1, y + 1, up, style)
    canvas.write_text(x + step + 1, y + 1, down, style)
    canvas.write_text(x + 1, y + 3, down, style)
    canvas.write_text(x + step + 1, y + 3, up, style)
    for suffix, place in part_places(step).items():
        if suffix.startswith(PART_SIGNS["corners"]):
            canvas.write_text(x + place.x, y + place.y, dot, style)


def fill_hex(canvas: Canvas, lines: list[tuple[int, int, int]], spot: BoardCell, paint: StyleResolver) -> Line:
    """Writes the contents of a cell into the lines of its hexagon and returns what did not fit.

    If space is short in a target cell, the number loses its brackets, and then a ground with a colour loses its letters. Pieces
    take precedence over the label only if that is not enough, because the list of options has the label too."""
    ground = spot.ground if spot.ground is not None and paint.theme.colour(spot.ground.style) is not None else None
    tokens, left = arrange_tokens(lines, spot, paint, ground, spot)
    if left and spot.target:
        most = [(caption, sorted(line, key=lambda span: -(span.amount or 1))) for caption, line in spot.contents]
        plain = [replace(spot, ground=None)] if ground is not None and paint.has_surfaces else []
        for less in (spot, *plain):
            if left:
                tokens, left = arrange_tokens(lines, spot, paint, ground, less, bare=True)
        for less in (replace(spot, label=""), replace(spot, label="", contents=most), replace(spot, label="", contents=most, ground=None)):
            if left:
                tokens, left = arrange_tokens(lines, spot, paint, ground, less)
    if left:
        mark_overflow(tokens, lines, paint, ground)
    if spot.target:
        canvas.aimed.append(lines[0][1])
    base = paint.style(StyledText("", "dim"), ground=ground)
    for (start, y, wide), some in zip(lines, tokens):
        if ground is not None:
            canvas.write_text(start, y, " " * wide, base)
        at = start + (wide - sum(len(text) for text, _ in some) - max(0, len(some) - 1)) // 2
        for text, style in some:
            canvas.write_text(at, y, text, style)
            at += len(text) + 1
        if paint.pointed:
            canvas.mark_clickable(start, y, wide, spot.label, spot.target)
    return left


def mark_overflow(
    tokens: list[list[tuple[str, Style]]], lines: list[tuple[int, int, int]], paint: StyleResolver, on: StyledText | None
) -> None:
    """Adds a plus sign to a hexagon that holds more than is shown, in the last line with space for it."""
    for n in reversed(range(len(lines))):
        used = sum(len(text) for text, _ in tokens[n]) + max(0, len(tokens[n]) - 1)
        if used < lines[n][2]:
            if tokens[n]:
                text, style = tokens[n].pop()
                tokens[n].append((f"{text}{OVERFLOW_SIGN}", style))
            else:
                tokens[n].append((OVERFLOW_SIGN, paint.style(OPTION_NUMBER, strong=True, ground=on)))
            return
    for some in reversed(tokens):                                  # no space left: join the last two
        if len(some) > 1:
            (before, _), (text, style) = some[-2:]
            some[-2:] = [(f"{before}{text}{OVERFLOW_SIGN}", style)]
            return


def arrange_tokens(lines: list[tuple[int, int, int]], spot: BoardCell, paint: StyleResolver, on: StyledText | None, cell: BoardCell,
            bare: bool = False) -> tuple[list[list[tuple[str, Style]]], Line]:
    """Distributes the contents of a cell over the lines of its hexagon. Returns the tokens of each line and what did
    not fit.

    `on`: the ground whose colour is behind the text. `cell`: the part of the cell's contents to place. `bare`: the number
    of the option has no brackets."""
    tokens: list[list[tuple[str, Style]]] = [[] for _ in lines]
    used = [0] * len(lines)
    left: Line = []

    def add_token(text: str, style: Style, first: int, span: StyledText | None = None) -> bool:
        """Adds a token to the first line with space, from line `first` on. Returns whether it fits."""
        for n in range(first, len(lines)):
            if used[n] + bool(used[n]) + len(text) <= lines[n][2]:
                tokens[n].append((text, style))
                used[n] += bool(used[n]) + len(text)
                return True
        if span is not None:
            left.append(spot.with_caption(span))
        return False

    if spot.target:
        aimed = paint.style(OPTION_NUMBER, strong=True, ground=on)
        numbers = [f"[{spot.target}]"] * (not bare) + [spot.target, spot.target.removesuffix("+")]
        any(add_token(number, aimed, 0) for number in numbers)
    if cell.label:
        label = StyledText(spot.label, "dim", changed=spot.changed)
        fits = add_token(paint.words(label), paint.style(label, ground=on), 0)
        left += [label] if not fits and spot.target else []          # try again with fewer parts
    if cell.ground is not None:
        add_token(paint.sign(cell.ground), paint.style(StyledText("") if on is not None else cell.ground, ground=on), 0)
    for sign in cell.signs:
        add_token(paint.sign_with_amount(sign), paint.style(sign, strong=True, ground=on), 0, sign)
    for piece in cell.pieces:
        add_token(paint.sign_with_amount(piece), paint.style(piece, strong=True, ground=on), 1, piece)
    return tokens, left
