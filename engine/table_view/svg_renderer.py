"""Renders a table as SVG. Boards are polygons, and codes appear next to the colours.

  - A panel consists of independent parts, such as a cell with everything on it, or a row of a table.
  - Coordinates start at the top left of each panel. So a part that has not changed is the same text wherever the
    panel is, and a whole game stores each part once (replay_frames.py).
  - Colours are CSS classes, so one picture serves dark and light pages (html_page.py)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

from rich.cells import cell_len, chop_cells

from ..narration.narrator import Narrator
from ..position.position import Position
from .build_panels import build_panels
from .html_page import build_stylesheet, escape_xml, target_link, text_class
from .surface import SOLID_SHAPES
from .svg_cards import draw_hand, draw_small_card, face_text
from .svg_groups import draw_groups
from .svg_mats import draw_mats
from .svg_parts import PartLayer
from .svg_pen import LETTER_WIDTH, format_number
from .svg_stacks import draw_dice, draw_stacks
from .svg_surface import can_draw_surface, draw_surface
from .theme import Theme, theme_of
from .view_model import BoardCell, BoardPanel, GridPanel, Legend, Line, ListPanel, Panel, StyledText, join_words
from .visible_values import EMPTY_MARK

# in SVG units
PICTURE_WIDTH, MAX_BOARD_HEIGHT, PANEL_MARGIN = 1000, 900, 16
LINE_HEIGHT, FONT_SIZE = 21, 14                                  # in SVG units
FONT_FAMILY = "DejaVu Sans Mono, Menlo, Consolas, monospace"
MAX_HEX_RADIUS = 66                                                       # in SVG units
RING_SHARE = 0.92                                                         # of the radius of a cell, for the mark of a target inside it
SQRT_3 = sqrt(3)

At = tuple[int, int]


@dataclass(frozen=True)
class PanelSize:
    """The space that a panel reserves: the cells of a board that are ever used, and the widest entry of each column
    of a table."""

    cells: frozenset[At] = frozenset()
    simple: bool = True
    columns: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class PanelSvg:
    """The SVG of a panel, with coordinates from its top left corner."""

    title: str
    width: float
    height: float
    parts: tuple[str, ...]


def render_svg(position: Position, narrator: Narrator, seat: int | None, width: int = PICTURE_WIDTH, height: int = MAX_BOARD_HEIGHT,
              frames: dict[str, PanelSize] | None = None) -> str:
    """Returns the table as `seat` sees it, as the text of an SVG file. None is the view of a spectator."""
    theme = theme_of(position.game)
    panels = build_panels(position, narrator, seat)
    drawn = [draw_panel(panel, theme, width, height, (frames or {}).get(panel.title)) for panel in panels]
    return compose_svg(drawn, theme, narrator.words.text("game.name"), width)


def compose_svg(drawn: list[PanelSvg], theme: Theme, title: str, width: int) -> str:
    """Returns panels as one SVG, side by side if they fit, else below each other."""
    rows: list[list[PanelSvg]] = []
    for panel in drawn:
        used = sum(other.width + PANEL_MARGIN for other in rows[-1]) if rows else 0.0
        if rows and used + panel.width <= width - 2 * PANEL_MARGIN:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    out, y = [], float(PANEL_MARGIN)
    for row in rows:
        high = max(panel.height for panel in row)
        x = float(PANEL_MARGIN)
        for n, panel in enumerate(row):
            across = width - PANEL_MARGIN - x if n == len(row) - 1 else panel.width
            frame = f'<rect class="panel" width="{format_number(across)}" height="{format_number(high)}" rx="10"/>'
            out.append("\n".join([f'<g transform="translate({format_number(x)} {format_number(y)})">', frame, *panel.parts, "</g>"]))
            x += panel.width + PANEL_MARGIN
        y += high + PANEL_MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="table" viewBox="0 0 {width} {format_number(y)}" role="img" '
        f'font-size="{FONT_SIZE}" font-family="{FONT_FAMILY}" xml:space="preserve">\n'
        f'<title>{escape_xml(title)}</title>\n<style>{build_stylesheet(theme)}</style>\n'
        f'<rect class="paper" width="{width}" height="{format_number(y)}"/>\n' + "\n".join(out) + "\n</svg>\n"
    )


def panel_sizes(tables: list[list[Panel]]) -> dict[str, PanelSize]:
    """Returns the space that panels need, by title, so that boards and columns keep their place in all of these
    tables."""
    cells: dict[str, set[At]] = {}
    simple: dict[str, bool] = {}
    columns: dict[str, dict[str, int]] = {}
    for panel in {id(panel): panel for table in tables for panel in table}.values():
        if isinstance(panel, BoardPanel):
            simple[panel.title] = simple.get(panel.title, True) and panel.is_simple
            cells.setdefault(panel.title, set()).update(spot.at for spot in visible_cells(panel, panel.is_simple))
        elif isinstance(panel, GridPanel):
            kept = columns.setdefault(panel.title, {})
            for head, wide in column_widths(panel):
                kept[head] = max(wide, kept.get(head, 0))
    return {title: PanelSize(frozenset(cells.get(title, ())), simple.get(title, True), tuple(columns.get(title, {}).items()))
            for title in {*cells, *columns}}


def visible_cells(panel: BoardPanel, simple: bool) -> list[BoardCell]:
    """Returns the cells to draw. On hexagonal boards that are not simple, empty cells are left out unless somebody can choose them."""
    if simple or panel.gapless or panel.shape != "hex":
        return panel.spots
    return [spot for spot in panel.spots if spot.ground or spot.contents or spot.marks or spot.target or spot.aimed]


def column_widths(panel: GridPanel) -> list[tuple[str, int]]:
    """Returns the columns of a table, as (numbered heading, width of the widest entry)."""
    out = []
    seen: dict[str, int] = {}
    for k, head in enumerate(panel.heads):
        seen[head] = seen.get(head, 0) + 1
        wide = max([line_width([StyledText(head)]), *(line_width(row[k]) for row in panel.rows)])
        out.append((f"{head} {seen[head]}", wide))
    return out


def line_width(line: Line, between: str = ", ") -> int:
    """Returns the width of a line in characters."""
    return cell_len(between.join(face_text(span) for span in line))


def draw_panel(
    panel: Panel, theme: Theme, width: int = PICTURE_WIDTH, height: int = MAX_BOARD_HEIGHT, frame: PanelSize | None = None
) -> PanelSvg:
    """Returns the SVG of one panel, with a maximum width and a maximum height for its board."""
    pen = PanelPainter(theme, width - 2 * PANEL_MARGIN, height, frame or PanelSize())
    if panel.title:
        pen.draw_text(PANEL_MARGIN, pen.y + FONT_SIZE, [StyledText(panel.title, "title")])
        pen.y += LINE_HEIGHT + 6
    if isinstance(panel, BoardPanel):
        pen.draw_board(panel)
    elif isinstance(panel, GridPanel):
        pen.draw_grid(panel)
    else:
        pen.draw_list(panel)
    return PanelSvg(panel.title, pen.reach + PANEL_MARGIN, pen.y + PANEL_MARGIN / 2, tuple(pen.parts))


class PanelPainter:
    """Draws one panel from top to bottom. `y` is the current position, `reach` the right edge of what was drawn."""

    def __init__(self, theme: Theme, width: float, height: float, frame: PanelSize) -> None:
        self.theme, self.wide, self.tall, self.frame = theme, width, height, frame
        self.chars = int((width - 2 * PANEL_MARGIN) / LETTER_WIDTH)
        self.parts: list[str] = []
        self.y = self.reach = float(PANEL_MARGIN)

    def merge_parts(self, start: int) -> None:
        """Merges all parts from index `start` into one."""
        self.parts[start:] = ["".join(self.parts[start:])]

    def draw_text(self, x: float, y: float, line: Line, middle: bool = False, size: int | None = None, between: str = ", ") -> None:
        """Draws a line of coloured parts."""
        inner = []
        if not middle and any(span.face for span in line):
            self.draw_line_with_cards(x, y, line, between)
            return
        for span in line:
            colour = self.theme.colour(span.style)
            kind = f"c{colour[1:]}" if colour else {"dim": "q", "title": "b", "strong": "b"}.get(span.style, "")
            words = escape_xml(face_text(replace(span, face="")))
            inner.append(f'<tspan class="{kind}">{words}</tspan>' if kind else f"<tspan>{words}</tspan>" if line[1:] else words)
        extra = (' text-anchor="middle"' if middle else "") + (f' font-size="{size}"' if size else "")
        self.parts.append(f'<text x="{format_number(x)}" y="{format_number(y)}"{extra}>{between.join(inner)}</text>')
        if not middle:
            self.reach = max(self.reach, x + line_width(line, between) * LETTER_WIDTH)

    def draw_line_with_cards(self, x: float, y: float, line: Line, between: str) -> None:
        """Draws a line with cards among its parts."""
        for span in line:
            wide = cell_len(face_text(span)) * LETTER_WIDTH
            if span.face:
                draw_small_card(self, x, y, span, wide)
                self.reach = max(self.reach, x + wide)
            else:
                self.draw_text(x, y, [span])
            x += wide + cell_len(between) * LETTER_WIDTH

    def draw_wrapped_line(self, x: float, line: Line, chars: int, between: str = ", ") -> None:
        """Draws a line, wrapped to `chars` characters."""
        rows: list[Line] = [[]]
        used = 0
        between = " " if any(span.face or span.signed for span in line) else between
        for span in line:
            for piece in split_styled_text(span, chars, chars - used):
                long = line_width([piece]) + len(between)
                if rows[-1] and used + long - len(between) > chars:
                    rows.append([])
                    used = 0
                rows[-1].append(piece)
                used += long
        for row in rows:
            self.draw_text(x, self.y + FONT_SIZE, row, between=between)
            self.y += LINE_HEIGHT

    # ------------------------------------------------------------ boards

    def draw_board(self, panel: BoardPanel) -> None:
        """Draws a board."""
        simple = panel.is_simple and self.frame.simple
        spots = visible_cells(panel, simple)
        if not spots:
            return
        if can_draw_surface(panel, simple):
            draw_surface(self, panel, PANEL_MARGIN)
            self.draw_legend(panel.legend)
            return
        flat, square = panel.flat, panel.shape != "hex"

        def unit_centre(at: At) -> tuple[float, float]:
            """Returns the centre of a cell, in units of the radius."""
            x, y = at
            if square:
                return x * SQRT_3, -y * SQRT_3
            return (1.5 * x, SQRT_3 * (y + x / 2)) if flat else (SQRT_3 * (x + y / 2), 1.5 * y)
        half = (SQRT_3 / 2, SQRT_3 / 2) if square else (1, SQRT_3 / 2) if flat else (SQRT_3 / 2, 1)
        places = [unit_centre(at) for at in {*self.frame.cells, *(spot.at for spot in spots)}]
        left, top = min(x for x, _ in places) - half[0], min(y for _, y in places) - half[1]
        across, down = max(x for x, _ in places) - left + half[0], max(y for _, y in places) - top + half[1]
        radius = min(MAX_HEX_RADIUS / 2 if simple else MAX_HEX_RADIUS, (self.wide - 2 * PANEL_MARGIN) / across, self.tall / down)
        angles = [pi / 4 + k * pi / 2 for k in range(4)] if square else [(k if flat else k + 0.5) * pi / 3 for k in range(6)]
        reach = radius * sqrt(1.5) if square else radius
        def cell_centre(at: At) -> tuple[float, float]:
            """Returns the centre of a cell in the picture."""
            return PANEL_MARGIN + (unit_centre(at)[0] - left) * radius, self.y + (unit_centre(at)[1] - top) * radius
        if panel.joins:
            ends = ((*cell_centre(one), *cell_centre(two)) for one, two in panel.joins)
            self.parts.append(
                "".join(
                    f'<line class="edge" x1="{format_number(a)}" y1="{format_number(b)}" x2="{format_number(c)}" y2="{format_number(d)}"/>'
                    for a, b, c, d in ends
                )
            )
        layer = PartLayer(square, flat)
        for spot in spots:
            cx, cy = cell_centre(spot.at)
            ring = [] if panel.shape == "graph" else [(cx + reach * cos(a), cy + reach * sin(a)) for a in angles]
            start = len(self.parts)
            self.draw_cell(spot, cx, cy, ring, radius)
            self.merge_parts(start)
            layer.add_cell(spot, ring)
        layer.draw(self, max(5.0, min(9.0, radius / 5)))
        self.reach = max(self.reach, PANEL_MARGIN + across * radius)
        self.y += down * radius + PANEL_MARGIN
        self.draw_legend(panel.legend)

    def draw_cell(self, spot: BoardCell, x: float, y: float, ring: list[tuple[float, float]], radius: float) -> None:
        """Draws one cell: ground, label, marks, and pieces, with a tooltip in words."""
        colour = self.theme.colour(spot.ground.style) if spot.ground else None
        kind = f'class="edge {"g" + colour[1:] if colour else "bare"}{" changed" if spot.changed else ""}"'
        points = " ".join(f"{format_number(px)},{format_number(py)}" for px, py in ring)
        shape = f'<polygon {kind} points="{points}"/>'
        if not ring:
            shape = f'<circle {kind} cx="{format_number(x)}" cy="{format_number(y)}" r="{format_number(radius / 2)}"/>'
        said = [
            f"{caption}: {join_words(line)}" if join_words(line) != caption else caption for caption, line in [*spot.contents, *spot.marks]
        ]
        words = "; ".join(([spot.ground.words] if spot.ground else []) + said)
        label = spot.label + (": " + words if words else "")
        opening, closing = (target_link(spot.target, label), "</a>") if spot.target else ("<g>", "</g>")
        self.parts.append(f"{opening}<title>{escape_xml(label)}</title>{shape}")
        only = spot.pieces[0] if len(spot.pieces) == 1 and spot.pieces[0].amount is None and not spot.ground else None
        if only is not None and not spot.signs:
            self.parts.append(
                f'<circle class="{self.fill_class(only)}" cx="{format_number(x)}" cy="{format_number(y)}" '
                f'r="{format_number(radius * 0.66)}"/>'
            )
            self.draw_text_on_colour(x, y + radius * 0.1, only, only.short, int(radius * 0.55))
            self.draw_text_on_colour(x, y + radius * 0.5, only, spot.label, max(7, int(radius * 0.28)))
        else:
            self.draw_cell_contents(spot, x, y, radius, colour)
        if spot.target and ring:                                   # inside the edge, which its neighbours cover
            inner = " ".join(f"{format_number(x + (px - x) * RING_SHARE)},{format_number(y + (py - y) * RING_SHARE)}" for px, py in ring)
            self.parts.append(f'<polygon class="ring" points="{inner}"/>')
        self.parts.append(closing)

    def draw_cell_contents(self, spot: BoardCell, x: float, y: float, radius: float, colour: str | None) -> None:
        """Writes the contents of a cell in the largest type that fits."""
        ground = [StyledText(spot.ground.short or spot.ground.text)] if spot.ground else []
        head: Line = [StyledText(spot.label, "" if colour else "dim"), *ground,
                      *(StyledText(sign.short or sign.words, "strong") for sign in spot.signs)]
        badges = [(f"{piece.short}{piece.amount}" if piece.short and piece.amount is not None else piece.short or f"({piece.words})", piece)
                  for piece in spot.pieces]
        small = max(9, min(14, int(radius / 4.4)))
        while True:
            high = small + 6
            lines: list[list[tuple[str, StyledText]]] = [[]]
            for badge in badges:
                if sum(badge_width(text, small) for text, _ in [*lines[-1], badge]) > 1.55 * radius and lines[-1]:
                    lines.append([])
                lines[-1].append(badge)
            if small <= 7 or line_width(head, " ") * small * 0.61 <= 1.5 * radius and (len(lines) if badges else 0) * high <= 1.1 * radius:
                break
            small -= 1
        start = y - (len(lines) if badges else 0) * high / 2 + small / 3
        self.draw_text(x, start, head, True, small, " ")
        for n, line in enumerate(lines if badges else []):
            at = x - sum(badge_width(text, small) for text, _ in line) / 2
            for text, piece in line:
                wide = badge_width(text, small)
                self.parts.append(
                    f'<rect class="{self.fill_class(piece)}" x="{format_number(at + 1)}" y="{format_number(start + n * high + 5)}" '
                    f'width="{format_number(wide - 2)}" height="{high - 2}" rx="4"/>'
                )
                self.draw_text_on_colour(at + wide / 2, start + n * high + small + 4, piece, text, small)
                at += wide

    def fill_class(self, span: StyledText) -> str:
        """Returns the CSS class of a shape in a member's own colour."""
        colour = self.theme.colour(span.style)
        return f"f{colour[1:]}" if colour else "plain"

    def draw_text_on_colour(self, x: float, y: float, ground: StyledText, text: str, size: int) -> None:
        """Writes text on a shape in a member's own colour."""
        self.parts.append(
            f'<text class="{text_class(self.theme.colour(ground.style))}" x="{format_number(x)}" y="{format_number(y)}" '
            f'text-anchor="middle" font-size="{size}">{escape_xml(text)}</text>'
        )

    def draw_legend(self, legend: Legend) -> None:
        """Draws the legend, one line for each heading."""
        for heading, meanings in legend.items():
            signs = ((SOLID_SHAPES.get(span.shape, span.shape) or code, span) for code, span in meanings.items())
            parts = [StyledText(f"{sign} {span.text}", span.style) for sign, span in signs]
            self.draw_wrapped_line(PANEL_MARGIN, [StyledText(heading + ":", "dim"), *parts], self.chars, "  ")

    # ------------------------------------------------------------ tables and lists

    def draw_grid(self, panel: GridPanel) -> None:
        """Draws a table, or its mats."""
        if panel.mats:
            draw_mats(self, panel, PANEL_MARGIN)
            return
        table = [[[StyledText(head, "dim")] for head in panel.heads], *panel.rows]
        kept = dict(self.frame.columns)
        wides = [max(wide, kept.get(head, 0)) for head, wide in column_widths(panel)]
        while sum(wides) + 2 * (len(wides) - 1) > self.chars and max(wides) > 3:
            wides[wides.index(max(wides))] -= 1
        for n, row in enumerate(table):
            for band in panel.bands.get(n - 1, []) if n else []:
                self.draw_wrapped_line(PANEL_MARGIN, [band], self.chars)
            start, top = len(self.parts), self.y
            bottom, x = top, float(PANEL_MARGIN)
            for line, wide in zip(row, wides):
                self.y = top
                self.draw_wrapped_line(x, line or [StyledText("" if panel.bands else EMPTY_MARK, "dim")], wide)
                bottom = max(bottom, self.y)
                x += (wide + 2) * LETTER_WIDTH
            self.merge_parts(start)
            self.y = bottom
        for band in panel.bands.get(len(panel.rows), []):
            self.draw_wrapped_line(PANEL_MARGIN, [band], self.chars)

    def draw_list(self, panel: ListPanel) -> None:
        """Draws a list panel, according to its `flow`."""
        if panel.flow == "lists":
            draw_groups(self, panel, PANEL_MARGIN)
            return
        if panel.flow in ("stacks", "dice"):
            (draw_stacks if panel.flow == "stacks" else draw_dice)(self, panel, PANEL_MARGIN)
            return
        if panel.flow == "steps":
            steps = [StyledText(f"{e.head[0].words} {span.words}", span.style) for e in panel.entries for span in e.body[0]]
            self.draw_wrapped_line(PANEL_MARGIN, steps, self.chars, " › ")
            return
        if not any(e.body for e in panel.entries) and all(e.head[0].face for e in panel.entries):
            draw_hand(self, [e.head[0] for e in panel.entries], PANEL_MARGIN)
            self.draw_legend(panel.legend)
            return
        if not any(e.body for e in panel.entries):
            self.draw_wrapped_line(PANEL_MARGIN, [span for e in panel.entries for span in e.head], self.chars, "   ")
            return
        for e in panel.entries:
            self.draw_wrapped_line(
                PANEL_MARGIN, [StyledText(e.head[0].words + ":", "dim"), *(e.body[0] if e.body else [])], self.chars, "  "
            )


def badge_width(text: str, size: int) -> float:
    """Returns the width of a badge with this text."""
    return cell_len(text) * size * 0.63 + 7


def split_styled_text(span: StyledText, chars: int, room: int) -> Line:
    """Splits a part that is longer than a line, between words if possible.

    The first piece has at most `room` characters if a word fits there, the others at most `chars`."""
    if line_width([span]) <= chars:
        return [span]
    words = [piece for whole in span.words.split(" ") for piece in chop_cells(whole, max(1, chars)) or [""]]
    first = room if cell_len(words[0]) <= room else chars
    out: Line = []
    text = ""
    for word in words:
        if text and cell_len(text) + 1 + cell_len(word) > (chars if out else first):
            out.append(StyledText(text, span.style))
            text = word
        else:
            text = f"{text} {word}".strip()
    return [*out, StyledText(text, span.style)]
