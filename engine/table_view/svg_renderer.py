"""A table as a picture: each panel in parts that stand for themselves (a cell with all that lies on it, a line of a table), boards as
polygons. Letters stand beside the colours.

Every panel is drawn from its own left upper corner, so that what has not changed stays the same text wherever it stands: a whole game
needs each part only once (film.py). Colours are classes, so that light and dark paper need no other picture (ink.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin, sqrt

from rich.cells import cell_len, chop_cells

from ...dsl.diagnostics.sanitize import visible
from ..narration.narrator import Teller
from ..position.position import Position
from .build_panels import build
from .stylesheet import on, sheet
from .theme import Look, look_of
from .view_model import Chart, Entries, Grid, Legend, Line, Panel, Span, Spot, joined
from .visible_values import EMPTY

WIDE, TALL, EDGE = 1000, 900, 16                                   # of a picture, of its boards, around each panel
LINE, LETTER, SIZE = 21, 8.6, 14                                  # height of a line, width of a letter, size of the type
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
LARGEST = 66                                                       # half the width of a hexagon
ROOT = sqrt(3)
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

At = tuple[int, int]


@dataclass(frozen=True)
class Frame:
    """What a panel keeps room for: the cells of a board that are used at some time, the widest entry of each column of a table."""

    cells: frozenset[At] = frozenset()
    simple: bool = True
    columns: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Drawn:
    """A panel drawn from its own left upper corner."""

    title: str
    width: float
    height: float
    parts: tuple[str, ...]


def table_svg(position: Position, teller: Teller, seat: int | None, wide: int = WIDE, tall: int = TALL,
              frames: dict[str, Frame] | None = None) -> str:
    """The whole table as `seat` sees it (None: as one who only watches), as the text of an SVG file."""
    look = look_of(position.game)
    panels = build(position, teller, seat)
    drawn = [draw(panel, look, wide, tall, (frames or {}).get(panel.title)) for panel in panels]
    return compose(drawn, look, teller.words.text("game.name"), wide)


def compose(drawn: list[Drawn], look: Look, title: str, wide: int) -> str:
    """Panels as one SVG: side by side where there is room, else below each other."""
    rows: list[list[Drawn]] = []
    for panel in drawn:
        used = sum(other.width + EDGE for other in rows[-1]) if rows else 0.0
        if rows and used + panel.width <= wide - 2 * EDGE:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    out, y = [], float(EDGE)
    for row in rows:
        high = max(panel.height for panel in row)
        x = float(EDGE)
        for n, panel in enumerate(row):
            across = wide - EDGE - x if n == len(row) - 1 else panel.width
            frame = f'<rect class="panel" width="{short(across)}" height="{short(high)}" rx="10"/>'
            out.append("\n".join([f'<g transform="translate({short(x)} {short(y)})">', frame, *panel.parts, "</g>"]))
            x += panel.width + EDGE
        y += high + EDGE
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="table" viewBox="0 0 {wide} {short(y)}" role="img" font-size="{SIZE}" '
            f'font-family="{FONT}" xml:space="preserve">\n<title>{told(title)}</title>\n<style>{sheet(look)}</style>\n'
            f'<rect class="paper" width="{wide}" height="{short(y)}"/>\n' + "\n".join(out) + "\n</svg>\n")


def frames_of(tables: list[list[Panel]]) -> dict[str, Frame]:
    """What the panels need room for, by title, so that none of these tables has its boards or columns elsewhere than the others."""
    cells: dict[str, set[At]] = {}
    simple: dict[str, bool] = {}
    columns: dict[str, dict[str, int]] = {}
    for panel in {id(panel): panel for table in tables for panel in table}.values():
        if isinstance(panel, Chart):
            simple[panel.title] = simple.get(panel.title, True) and panel.simple
            cells.setdefault(panel.title, set()).update(spot.at for spot in shown(panel, panel.simple))
        elif isinstance(panel, Grid):
            kept = columns.setdefault(panel.title, {})
            for head, wide in columns_of(panel):
                kept[head] = max(wide, kept.get(head, 0))
    return {title: Frame(frozenset(cells.get(title, ())), simple.get(title, True), tuple(columns.get(title, {}).items()))
            for title in {*cells, *columns}}


def shown(panel: Chart, simple: bool) -> list[Spot]:
    """The cells that are drawn."""
    return panel.spots if simple or panel.shape != "hex" else [s for s in panel.spots if s.ground or s.here or s.marks]


def columns_of(panel: Grid) -> list[tuple[str, int]]:
    """The columns of a table, each with its head and the width of its widest entry."""
    out = []
    seen: dict[str, int] = {}
    for k, head in enumerate(panel.heads):
        seen[head] = seen.get(head, 0) + 1
        wide = max([wide_of([Span(head)]), *(wide_of(row[k]) for row in panel.rows)])
        out.append((f"{head} {seen[head]}", wide))
    return out


def wide_of(line: Line, between: str = ", ") -> int:
    """The columns that a line takes."""
    return cell_len(between.join(span.words for span in line))


def short(number: float) -> str:
    """A number of the picture: no more digits than can be seen."""
    return f"{number:.1f}".removesuffix(".0")


def clean(text: str) -> str:
    """A text that can only be read, without the signs that no XML may hold and no file can."""
    return FORBIDDEN.sub("\ufffd", visible(text))


def told(text: str) -> str:
    """A text as XML has it."""
    return escape(clean(text), quote=False)


def draw(panel: Panel, look: Look, wide: int = WIDE, tall: int = TALL, frame: Frame | None = None) -> Drawn:
    """One panel, at most so wide, its board at most so tall."""
    pen = Pen(look, wide - 2 * EDGE, tall, frame or Frame())
    if panel.title:
        pen.text(EDGE, pen.y + SIZE, [Span(panel.title, "title")])
        pen.y += LINE + 6
    if isinstance(panel, Chart):
        pen.chart(panel)
    elif isinstance(panel, Grid):
        pen.grid(panel)
    else:
        pen.entries(panel)
    return Drawn(panel.title, pen.reach + EDGE, pen.y + EDGE / 2, tuple(pen.parts))


class Pen:
    """Draws one panel downwards. `reach` is how far to the right it came."""

    def __init__(self, look: Look, wide: float, tall: float, frame: Frame) -> None:
        self.look, self.wide, self.tall, self.frame = look, wide, tall, frame
        self.chars = int((wide - 2 * EDGE) / LETTER)
        self.parts: list[str] = []
        self.y = self.reach = float(EDGE)

    def together(self, start: int) -> None:
        """Make one part of all since the `start`th."""
        self.parts[start:] = ["".join(self.parts[start:])]

    def text(self, x: float, y: float, line: Line, middle: bool = False, size: int | None = None, between: str = ", ") -> None:
        """A line of coloured parts."""
        inner = []
        for span in line:
            colour = self.look.colour(span.style)
            kind = f"c{colour[1:]}" if colour else {"dim": "q", "title": "b", "strong": "b"}.get(span.style, "")
            words = told(span.words)
            inner.append(f'<tspan class="{kind}">{words}</tspan>' if kind else f"<tspan>{words}</tspan>" if line[1:] else words)
        extra = (' text-anchor="middle"' if middle else "") + (f' font-size="{size}"' if size else "")
        self.parts.append(f'<text x="{short(x)}" y="{short(y)}"{extra}>{between.join(inner)}</text>')
        if not middle:
            self.reach = max(self.reach, x + wide_of(line, between) * LETTER)

    def lines(self, x: float, line: Line, chars: int, between: str = ", ") -> None:
        """A line that goes on below where it is too long."""
        rows: list[Line] = [[]]
        used = 0
        for span in line:
            for piece in cut_up(span, chars, chars - used):
                long = wide_of([piece]) + len(between)
                if rows[-1] and used + long - len(between) > chars:
                    rows.append([])
                    used = 0
                rows[-1].append(piece)
                used += long
        for row in rows:
            self.text(x, self.y + SIZE, row, between=between)
            self.y += LINE

    # ------------------------------------------------------------ boards

    def chart(self, panel: Chart) -> None:
        simple = panel.simple and self.frame.simple
        spots = shown(panel, simple)
        if not spots:
            return
        flat, square = panel.flat, panel.shape != "hex"

        def middle(at: At) -> tuple[float, float]:
            x, y = at
            if square:
                return x * ROOT, -y * ROOT
            return (1.5 * x, ROOT * (y + x / 2)) if flat else (ROOT * (x + y / 2), 1.5 * y)
        half = (ROOT / 2, ROOT / 2) if square else (1, ROOT / 2) if flat else (ROOT / 2, 1)
        places = [middle(at) for at in {*self.frame.cells, *(spot.at for spot in spots)}]
        left, top = min(x for x, _ in places) - half[0], min(y for _, y in places) - half[1]
        across, down = max(x for x, _ in places) - left + half[0], max(y for _, y in places) - top + half[1]
        radius = min(LARGEST / 2 if simple else LARGEST, (self.wide - 2 * EDGE) / across, self.tall / down)
        angles = [pi / 4 + k * pi / 2 for k in range(4)] if square else [(k if flat else k + 0.5) * pi / 3 for k in range(6)]
        tags = ("se", "sw", "nw", "ne") if square else ("e", "se", "sw", "w", "nw", "ne") if flat else ("es", "s", "sw", "wn", "n", "ne")
        reach = radius * sqrt(1.5) if square else radius
        def spot_at(at: At) -> tuple[float, float]:
            return EDGE + (middle(at)[0] - left) * radius, self.y + (middle(at)[1] - top) * radius
        if panel.joins:
            ends = ((*spot_at(one), *spot_at(two)) for one, two in panel.joins)
            self.parts.append("".join(f'<line class="edge" x1="{short(a)}" y1="{short(b)}" x2="{short(c)}" y2="{short(d)}"/>'
                                      for a, b, c, d in ends))
        corners: list[tuple[float, float, Span]] = []
        for spot in spots:
            cx, cy = spot_at(spot.at)
            ring = [] if panel.shape == "graph" else [(cx + reach * cos(a), cy + reach * sin(a)) for a in angles]
            start = len(self.parts)
            self.cell(spot, cx, cy, ring, radius)
            self.together(start)
            corners += [(*ring[k], spot.corners[tag]) for k, tag in enumerate(tags) if tag in spot.corners]
        size = max(5.0, min(9.0, radius / 5))
        for x, y, span in dict.fromkeys(corners):
            start = len(self.parts)
            self.parts.append(f'<g><title>{told(span.text)}</title><circle class="edge {self.bright(span)}" '
                              f'cx="{short(x)}" cy="{short(y)}" r="{short(size)}"/>')
            self.on_bright(x, y + size * 0.45, span, span.short or span.text[:2], int(size * 1.35))
            self.parts.append("</g>")
            self.together(start)
        self.reach = max(self.reach, EDGE + across * radius)
        self.y += down * radius + EDGE
        self.legend(panel.legend)

    def cell(self, spot: Spot, x: float, y: float, ring: list[tuple[float, float]], radius: float) -> None:
        """One cell: its ground, its label and what it is, what is true of it, what lies on it; in words where one points at it."""
        colour = self.look.colour(spot.ground.style) if spot.ground else None
        kind = f'class="edge {"g" + colour[1:] if colour else "bare"}"'
        points = " ".join(f"{short(px)},{short(py)}" for px, py in ring)
        shape = f'<polygon {kind} points="{points}"/>'
        if not ring:
            shape = f'<circle {kind} cx="{short(x)}" cy="{short(y)}" r="{short(radius / 2)}"/>'
        said = [f"{caption}: {joined(line)}" if joined(line) != caption else caption for caption, line in [*spot.here, *spot.marks]]
        words = "; ".join(([spot.ground.words] if spot.ground else []) + said)
        self.parts.append(f"<g><title>{told(spot.label + (': ' + words if words else ''))}</title>{shape}")
        only = spot.pieces[0] if len(spot.pieces) == 1 and spot.pieces[0].amount is None and not spot.ground else None
        if only is not None and not spot.signs:
            self.parts.append(f'<circle class="{self.bright(only)}" cx="{short(x)}" cy="{short(y)}" r="{short(radius * 0.66)}"/>')
            self.on_bright(x, y + radius * 0.1, only, only.short, int(radius * 0.55))
            self.on_bright(x, y + radius * 0.5, only, spot.label, max(7, int(radius * 0.28)))
        else:
            self.held(spot, x, y, radius, colour)
        self.parts.append("</g>")

    def held(self, spot: Spot, x: float, y: float, radius: float, colour: str | None) -> None:
        """The writing in a cell, as large as there is room for."""
        ground = [Span(spot.ground.short or spot.ground.text)] if spot.ground else []
        head: Line = [Span(spot.label, "" if colour else "dim"), *ground,
                      *(Span(sign.short or sign.words, "strong") for sign in spot.signs)]
        badges = [(f"{piece.short}{piece.amount}" if piece.short and piece.amount is not None else piece.short or f"({piece.words})", piece)
                  for piece in spot.pieces]
        small = max(9, min(14, int(radius / 4.4)))
        while True:
            high = small + 6
            lines: list[list[tuple[str, Span]]] = [[]]
            for badge in badges:
                if sum(badge_wide(text, small) for text, _ in [*lines[-1], badge]) > 1.55 * radius and lines[-1]:
                    lines.append([])
                lines[-1].append(badge)
            if small <= 7 or wide_of(head, " ") * small * 0.61 <= 1.5 * radius and (len(lines) if badges else 0) * high <= 1.1 * radius:
                break
            small -= 1
        start = y - (len(lines) if badges else 0) * high / 2 + small / 3
        self.text(x, start, head, True, small, " ")
        for n, line in enumerate(lines if badges else []):
            at = x - sum(badge_wide(text, small) for text, _ in line) / 2
            for text, piece in line:
                wide = badge_wide(text, small)
                self.parts.append(f'<rect class="{self.bright(piece)}" x="{short(at + 1)}" y="{short(start + n * high + 5)}" '
                                  f'width="{short(wide - 2)}" height="{high - 2}" rx="4"/>')
                self.on_bright(at + wide / 2, start + n * high + small + 4, piece, text, small)
                at += wide

    def bright(self, span: Span) -> str:
        """The class of something of a member's own colour."""
        colour = self.look.colour(span.style)
        return f"f{colour[1:]}" if colour else "plain"

    def on_bright(self, x: float, y: float, ground: Span, text: str, size: int) -> None:
        """Letters on something that has a member's own colour."""
        self.parts.append(f'<text class="{on(self.look.colour(ground.style))}" x="{short(x)}" y="{short(y)}" text-anchor="middle" '
                          f'font-size="{size}">{told(text)}</text>')

    def legend(self, legend: Legend) -> None:
        for heading, meanings in legend.items():
            parts = [Span(f"{code} {span.text}", span.style) for code, span in meanings.items()]
            self.lines(EDGE, [Span(heading + ":", "dim"), *parts], self.chars, "  ")

    # ------------------------------------------------------------ tables and lists

    def grid(self, panel: Grid) -> None:
        table = [[[Span(head, "dim")] for head in panel.heads], *panel.rows]
        kept = dict(self.frame.columns)
        wides = [max(wide, kept.get(head, 0)) for head, wide in columns_of(panel)]
        while sum(wides) + 2 * (len(wides) - 1) > self.chars and max(wides) > 3:
            wides[wides.index(max(wides))] -= 1
        for n, row in enumerate(table):
            for band in panel.bands.get(n - 1, []) if n else []:
                self.lines(EDGE, [band], self.chars)
            start, top = len(self.parts), self.y
            bottom, x = top, float(EDGE)
            for line, wide in zip(row, wides):
                self.y = top
                self.lines(x, line or [Span("" if panel.bands else EMPTY, "dim")], wide)
                bottom = max(bottom, self.y)
                x += (wide + 2) * LETTER
            self.together(start)
            self.y = bottom
        for band in panel.bands.get(len(panel.rows), []):
            self.lines(EDGE, [band], self.chars)

    def entries(self, panel: Entries) -> None:
        if panel.flow == "lists":
            self.groups(panel)
            return
        if panel.flow == "steps":
            steps = [Span(f"{e.head[0].words} {span.words}", span.style) for e in panel.entries for span in e.body[0]]
            self.lines(EDGE, steps, self.chars, " › ")
            return
        if not any(e.body for e in panel.entries):
            self.lines(EDGE, [span for e in panel.entries for span in e.head], self.chars, "   ")
            return
        for e in panel.entries:
            self.lines(EDGE, [Span(e.head[0].words + ":", "dim"), *(e.body[0] if e.body else [])], self.chars, "  ")

    def groups(self, panel: Entries) -> None:
        """Groups of places."""
        for e in panel.entries:
            parts = [Span(e.head[0].words, "title")]
            for place in e.body:
                at = next(n for n, span in enumerate(place) if span.text == ":")
                said = "/".join(span.short or span.words for span in place[1:at])
                here = " ".join(f"{span.short}{span.many}" if span.short else span.words for span in place[at + 1 :])
                parts.append(Span(f"[{place[0].words}{' ' + said if said else ''}: {here}]", place[at + 1].style))
            self.lines(EDGE, [*parts, *e.head[1:]], self.chars, "  ")
        self.legend(panel.legend)


def badge_wide(text: str, size: int) -> float:
    return cell_len(text) * size * 0.63 + 7


def cut_up(span: Span, chars: int, room: int) -> Line:
    """What is longer than a line in several parts, between words where there are some; the first is no longer than `room`, if a word has
    room there."""
    if wide_of([span]) <= chars:
        return [span]
    words = [piece for whole in span.words.split(" ") for piece in chop_cells(whole, max(1, chars)) or [""]]
    first = room if cell_len(words[0]) <= room else chars
    out: Line = []
    text = ""
    for word in words:
        if text and cell_len(text) + 1 + cell_len(word) > (chars if out else first):
            out.append(Span(text, span.style))
            text = word
        else:
            text = f"{text} {word}".strip()
    return [*out, Span(text, span.style)]
