"""Draws square boards as SVG: squares, crossing lines or pits, pieces as discs or signs, letters and numbers at the
rim."""

from __future__ import annotations

from math import cos, pi, sin

from ...dsl.types.boards import format_column_letters
from .html_page import escape_xml, target_link
from .surface import SOLID_SHAPES
from .svg_pen import SvgPen
from .view_model import BoardCell, BoardPanel, StyledText, join_words

MAX_SIDE, RIM = 57, 24                                             # of a cell, and of the rim with letters and numbers
DISC_SHAPES = "●◉"                                                 # drawn as discs, the second with a ring
TEXT_VARIANT = "\ufe0e"                                            # asks for a sign instead of an emoji
SQUARE_CLASSES = {                                                 # of dark squares such as a1, and of light ones
    "grid": ("edge bare", "edge bare"), "checkered": ("sqd", "sql"), "lines": ("hit", "hit")}
MAX_DRAWN_SEEDS = 12
SEED_ANGLE = pi * (3 - 5 ** 0.5)                                   # seeds in a spiral, as in a sunflower


def can_draw_surface(panel: BoardPanel, simple: bool) -> bool:
    """Whether a board is drawn by `draw_surface`: a square board with at most one thing in each cell, or one of pits."""
    bare = panel.surface == "pits" and all(not span.text for spot in panel.spots for span in spot.pieces)
    return panel.has_rim_labels and (simple or bare) and not panel.has_parts


def draw_surface(pen: SvgPen, panel: BoardPanel, margin: float) -> None:
    """Draws a square board with its rim and its stores."""
    columns, rows = sorted({s.at[0] for s in panel.spots}), sorted({s.at[1] for s in panel.spots}, reverse=True)
    ends = [panel.stores[0], panel.stores[-1]] if len(panel.stores) > 1 else []
    across = len(columns) + len(ends)
    side = round(min(MAX_SIDE, (pen.wide - 2 * margin - RIM) / across, (pen.tall - RIM) / len(rows)), 1)
    left, top = margin + RIM, pen.y
    first = left + (side if ends else 0)
    if panel.surface in ("lines", "pits"):
        pen.parts.append(f'<rect class="sql" x="{left:g}" y="{top:g}" width="{across * side:g}" height="{len(rows) * side:g}" rx="6"/>')
    if panel.surface == "lines":
        pen.parts.append(render_lattice(len(columns), len(rows), first + side / 2, top + side / 2, side))
    for m, y in enumerate(rows):
        draw_rim_text(pen, left - RIM / 2, top + (m + 0.5) * side + 5, str(y + 1))
    for n, x in enumerate(columns):
        draw_rim_text(pen, first + (n + 0.5) * side, top + len(rows) * side + 17, format_column_letters(x))
    for spot in panel.spots:
        start = len(pen.parts)
        draw_spot(pen, panel, spot, first + columns.index(spot.at[0]) * side, top + rows.index(spot.at[1]) * side, side)
        pen.merge_parts(start)
    for (owner, line), at in zip(ends, (left, first + len(columns) * side)):
        many = join_words(line)
        high = len(rows) * side - 10
        pen.parts.append(f'<g><rect class="pit" x="{at + 5:g}" y="{top + 5:g}" width="{side - 10:g}" height="{high:g}" rx="{side / 3:g}"/>')
        for text, down, size in ((owner.words[:7], -6, 11), (many, 16, 18)):
            pen.parts.append(render_centred_text(text, at + side / 2, top + len(rows) * side / 2 + down, size, "on"))
        pen.parts.append("</g>")
    pen.reach = max(pen.reach, left + across * side)
    pen.y += len(rows) * side + RIM + margin / 2


def draw_rim_text(pen: SvgPen, x: float, y: float, text: str) -> None:
    """Draws a letter or a number at the rim."""
    pen.draw_text(x, y, [StyledText(text, "dim")], True, 13)


def render_lattice(columns: int, rows: int, x: float, y: float, side: float) -> str:
    """Returns the lines of a board, from the first crossing at (x, y)."""
    right, bottom = x + (columns - 1) * side, y + (rows - 1) * side
    flat = "".join(f"M{x:g} {y + m * side:g}H{right:g}" for m in range(rows))
    tall = "".join(f"M{x + n * side:g} {y:g}V{bottom:g}" for n in range(columns))
    return f'<path class="rule" d="{flat}{tall}"/>'


def render_centred_text(text: str, x: float, y: float, size: float, kind: str) -> str:
    """Returns a sign or a number, centred."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="middle" font-size="{size:g}">{escape_xml(text)}</text>'


def draw_spot(pen: SvgPen, panel: BoardPanel, spot: BoardCell, x: float, y: float, side: float) -> None:
    """Draws one cell with what is on it, with a tooltip in words."""
    said = "; ".join(join_words([spot.with_caption(span) for span in line]) for _, line in [*spot.contents, *spot.marks])
    said = said or (spot.owner.words if spot.owner is not None else "")
    label = spot.label + (": " + said if said else "")
    opening, closing = (target_link(spot.target, label), "</a>") if spot.target else ("<g>", "</g>")
    pen.parts.append(f"{opening}<title>{escape_xml(label)}</title>")
    middle = x + side / 2, y + side / 2
    if panel.surface == "pits":
        pen.parts.append(f'<circle class="{"sqc" if spot.changed else "pit"}" cx="{middle[0]:g}" cy="{middle[1]:g}" r="{side * 0.44:g}"/>')
        draw_seeds(pen, *middle, side, sum(span.amount or 0 for span in spot.pieces))
    else:
        kind = "sqc" if spot.changed else SQUARE_CLASSES[panel.surface][sum(spot.at) % 2]
        pen.parts.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}"/>')
        if spot.star and not spot.pieces:
            pen.parts.append(f'<circle class="ruled" cx="{middle[0]:g}" cy="{middle[1]:g}" r="{side / 12:g}"/>')
        if spot.owner is not None and not spot.pieces:
            fill, small = pen.fill_class(spot.owner).replace("f", "p", 1), side * 0.26
            pen.parts.append(f'<rect class="{fill} piece" x="{middle[0] - small / 2:g}" y="{middle[1] - small / 2:g}" '
                             f'width="{small:g}" height="{small:g}"/>')
        for piece in spot.pieces:
            draw_piece(pen, piece, *middle, side)
    if spot.target:
        pen.parts.append(f'<rect class="aim" x="{x + 3:g}" y="{y + 3:g}" width="{side - 6:g}" height="{side - 6:g}" rx="5"/>')
    pen.parts.append(closing)


def draw_piece(pen: SvgPen, piece: StyledText, x: float, y: float, side: float) -> None:
    """Draws a piece: a disc, a disc with a ring, or a sign. A piece without a shape is a disc with its letters."""
    shape = SOLID_SHAPES.get(piece.shape, piece.shape)
    fill = pen.fill_class(piece).replace("f", "p", 1)
    if shape and shape not in DISC_SHAPES:
        pen.parts.append(render_centred_text(shape + TEXT_VARIANT, x, y + side * 0.29, side * 0.84, f"{fill} piece"))
        return
    pen.parts.append(f'<circle class="{fill} piece" cx="{x:g}" cy="{y:g}" r="{side * 0.41:g}"/>')
    if shape == DISC_SHAPES[1]:
        pen.parts.append(f'<circle class="{fill} piece" cx="{x:g}" cy="{y:g}" r="{side * 0.24:g}"/>')
    if not shape:
        pen.draw_text_on_colour(x, y + side * 0.13, piece, piece.short, int(side * 0.38))


def draw_seeds(pen: SvgPen, x: float, y: float, side: float, many: int) -> None:
    """Draws seeds in a pit, and their number."""
    shown = min(many, MAX_DRAWN_SEEDS)
    pen.parts += [
        f'<circle class="seed" cx="{x + cos(n * SEED_ANGLE) * side * 0.09 * (n + 0.3) ** 0.5:.1f}" '
        f'cy="{y - side * 0.1 + sin(n * SEED_ANGLE) * side * 0.09 * (n + 0.3) ** 0.5:.1f}" r="{side * 0.065:g}"/>'
        for n in range(shown)
    ]
    if many:
        pen.parts.append(render_centred_text(str(many), x, y + side * 0.36, side * 0.24, "on"))
