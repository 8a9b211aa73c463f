"""A table as a picture: one SVG with all panels below each other, boards as polygons. Letters stand beside the colours."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape, quoteattr

from ..position import Position
from ..telling import Teller
from .build import build
from .look import Look, look_of
from .model import Chart, Entries, Grid, Legend, Line, Panel, Span, Spot
from .paint import INK, tint
from .values import EMPTY

WIDE, EDGE = 1000, 16                                              # of the picture and around each panel
LINE, LETTER, SIZE = 21, 8.9, 14                                  # height of a line, width of a letter, size of the type
PAPER, PANEL, QUIET = "#16191d", "#22272d", "#8d96a0"
LARGEST = 66                                                       # half the width of a hexagon
CHARS = int((WIDE - 4 * EDGE) / LETTER)


def table_svg(position: Position, teller: Teller, seat: int | None) -> str:
    """The whole table as `seat` sees it (None: as one who only watches), as the text of an SVG file."""
    return Picture(look_of(position.game)).all(build(position, teller, seat), teller.words.text("game.name"))


class Picture:
    """Draws downwards."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.parts: list[str] = []
        self.y = float(EDGE)

    def all(self, panels: list[Panel], title: str) -> str:
        for panel in panels:
            top, at = self.y, len(self.parts)
            self.y += EDGE
            if panel.title:
                self.text(2 * EDGE, self.y + SIZE, [Span(panel.title, "title")])
                self.y += LINE + 6
            if isinstance(panel, Chart):
                self.chart(panel)
            elif isinstance(panel, Grid):
                self.grid(panel)
            else:
                self.entries(panel)
            self.y += EDGE / 2
            frame = f'x="{EDGE}" y="{top:.0f}" width="{WIDE - 2 * EDGE}" height="{self.y - top:.0f}"'
            self.parts.insert(at, f'<rect {frame} rx="10" fill="{PANEL}"/>')
            self.y += EDGE
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {self.y:.0f}" role="img" font-size="{SIZE}" '
                'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">\n'
                f'<title>{escape(title)}</title>\n<rect width="{WIDE}" height="{self.y:.0f}" fill="{PAPER}"/>\n'
                + "\n".join(self.parts) + "\n</svg>\n")

    def text(self, x: float, y: float, line: Line, middle: bool = False, size: int | None = None, between: str = ", ") -> None:
        """A line of coloured parts."""
        inner = []
        for n, span in enumerate(line):
            colour = self.look.colour(span.style) or (QUIET if span.style == "dim" else INK)
            weight = ' font-weight="bold"' if span.style in ("title", "strong") else ""
            inner.append(f'<tspan fill="{colour}"{weight}>{escape((between if n else "") + span.words)}</tspan>')
        extra = (' text-anchor="middle"' if middle else "") + (f' font-size="{size}"' if size else "")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}"{extra} xml:space="preserve">{"".join(inner)}</text>')

    def lines(self, x: float, line: Line, chars: int, between: str = ", ") -> None:
        """A line that goes on below where it is too long."""
        rows: list[Line] = [[]]
        used = 0
        for span in cut_up(line, chars):
            long = len(span.words) + len(between)
            if rows[-1] and used + long > chars:
                rows.append([])
                used = 0
            rows[-1].append(span)
            used += long
        for row in rows:
            self.text(x, self.y + SIZE, row, between=between)
            self.y += LINE

    # ------------------------------------------------------------ boards

    def chart(self, panel: Chart) -> None:
        spots = panel.spots if panel.simple or panel.shape == "square" else [s for s in panel.spots if s.ground or s.here or s.marks]
        if not spots:
            return
        flat, square = panel.flat, panel.shape == "square"
        root = sqrt(3)

        def middle(spot: Spot) -> tuple[float, float]:
            x, y = spot.at
            if square:
                return x * root, -y * root
            return (1.5 * x, root * (y + x / 2)) if flat else (root * (x + y / 2), 1.5 * y)
        places = [middle(spot) for spot in spots]
        left, top = min(x for x, _ in places) - 1, min(y for _, y in places) - 1
        across = max(x for x, _ in places) - left + 1
        radius = min(LARGEST if not panel.simple else LARGEST / 2, (WIDE - 4 * EDGE) / across)
        shift = (WIDE - across * radius) / 2
        corners: list[tuple[float, float, Span]] = []
        for spot, (x, y) in zip(spots, places):
            cx, cy = shift + (x - left) * radius, self.y + (y - top) * radius
            angles = [pi / 4 + k * pi / 2 for k in range(4)] if square else [(k if flat else k + 0.5) * pi / 3 for k in range(6)]
            reach = radius * sqrt(1.5) if square else radius
            ring = [(cx + reach * cos(a), cy + reach * sin(a)) for a in angles]
            self.cell(spot, cx, cy, ring, radius)
            if flat and not square:
                for tag, k in {"e": 0, "se": 1, "sw": 2, "w": 3, "nw": 4, "ne": 5}.items():
                    if tag in spot.corners:
                        corners.append((*ring[k], spot.corners[tag]))
        for x, y, span in corners:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{self.look.colour(span.style) or QUIET}" stroke="{PAPER}"/>')
            self.dark(x, y + 4, span.short or span.text[:2], 12)
        self.y += (max(y for _, y in places) - top + 1) * radius + EDGE
        self.legend(panel.legend)

    def cell(self, spot: Spot, x: float, y: float, ring: list[tuple[float, float]], radius: float) -> None:
        """One cell: its ground, its label and what it is, what is true of it, what lies on it."""
        colour = self.look.colour(spot.ground.style) if spot.ground else None
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in ring)
        fill = tint(colour, 0.5) if colour else "#2c333b"
        self.parts.append(f'<polygon points={quoteattr(points)} fill="{fill}" stroke="{PAPER}" stroke-width="2"/>')
        only = spot.pieces[0] if len(spot.pieces) == 1 and spot.pieces[0].amount is None and not spot.ground else None
        if only is not None:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * 0.66:.1f}" fill="{self.look.colour(only.style) or INK}"/>')
            self.dark(x, y + 3, only.short, int(radius * 0.55))
            self.dark(x, y + radius * 0.5, spot.label, max(7, int(radius * 0.28)))
            return
        small = max(9, min(14, int(radius / 4.4)))
        ground = [Span(spot.ground.short or spot.ground.text)] if spot.ground else []
        rows: list[Line] = [[Span(spot.label, "" if colour else "dim"), *ground,
                             *(Span(sign.short or sign.words, "strong") for sign in spot.signs)]]
        badges = [(f"{piece.short}{piece.amount}" if piece.short and piece.amount is not None else piece.short or f"({piece.words})",
                   self.look.colour(piece.style) or INK) for piece in spot.pieces]
        high = small + 6
        lines: list[list[tuple[str, str]]] = [[]]
        for badge in badges:
            if sum(self.badge(text, small) for text, _ in [*lines[-1], badge]) > 1.55 * radius and lines[-1]:
                lines.append([])
            lines[-1].append(badge)
        start = y - (len(lines) if badges else 0) * high / 2 + small / 3
        self.text(x, start, rows[0], True, small, " ")
        for n, line in enumerate(lines if badges else []):
            at = x - sum(self.badge(text, small) for text, _ in line) / 2
            for text, paint in line:
                wide = self.badge(text, small)
                frame = f'x="{at + 1:.1f}" y="{start + n * high + 5:.1f}" width="{wide - 2:.1f}" height="{high - 2}"'
                self.parts.append(f'<rect {frame} rx="4" fill="{paint}"/>')
                self.dark(at + wide / 2, start + n * high + small + 4, text, small)
                at += wide

    def badge(self, text: str, size: int) -> float:
        return len(text) * size * 0.63 + 7

    def dark(self, x: float, y: float, text: str, size: int) -> None:
        """Dark letters on something bright."""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{size}" font-weight="bold" fill="#101010">'
                          f'{escape(text)}</text>')

    def legend(self, legend: Legend) -> None:
        for heading, meanings in legend.items():
            parts = [Span(f"{code} {span.text}", span.style) for code, span in meanings.items()]
            self.lines(2 * EDGE, [Span(heading + ":", "dim"), *parts], CHARS, "  ")

    # ------------------------------------------------------------ tables and lists

    def grid(self, panel: Grid) -> None:
        table = [[[Span(head, "dim")] for head in panel.heads], *panel.rows]
        wides = [max(sum(len(span.words) + 2 for span in row[k]) for row in table) for k in range(len(panel.heads))]
        while sum(wides) + 2 * len(wides) > CHARS:
            wides[wides.index(max(wides))] -= 1
        for n, row in enumerate(table):
            for band in panel.bands.get(n - 1, []) if n else []:
                self.lines(2 * EDGE, [band], CHARS)
            top = bottom = self.y
            x = 2.0 * EDGE
            for line, wide in zip(row, wides):
                self.y = top
                self.lines(x, line or [Span("" if panel.bands else EMPTY, "dim")], wide)
                bottom = max(bottom, self.y)
                x += (wide + 2) * LETTER
            self.y = bottom
        for band in panel.bands.get(len(panel.rows), []):
            self.lines(2 * EDGE, [band], CHARS)

    def entries(self, panel: Entries) -> None:
        if panel.flow == "lists":
            self.groups(panel)
            return
        if panel.flow == "steps":
            steps = [Span(f"{e.head[0].words} {span.words}", span.style) for e in panel.entries for span in e.body[0]]
            self.lines(2 * EDGE, steps, CHARS, " › ")
            return
        if not any(e.body for e in panel.entries):
            self.lines(2 * EDGE, [span for e in panel.entries for span in e.head], CHARS, "   ")
            return
        for e in panel.entries:
            self.lines(2 * EDGE, [Span(e.head[0].words + ":", "dim"), *(e.body[0] if e.body else [])], CHARS, "  ")

    def groups(self, panel: Entries) -> None:
        """Groups of places."""
        for e in panel.entries:
            parts = [Span(e.head[0].words, "title")]
            for place in e.body:
                at = next(n for n, span in enumerate(place) if span.text == ":")
                told = "/".join(span.short or span.words for span in place[1:at])
                here = place[at + 1]
                parts.append(Span(f"[{place[0].words}{' ' + told if told else ''}: {here.short or here.words}]", here.style))
            self.lines(2 * EDGE, [*parts, *e.head[1:]], CHARS, "  ")
        self.legend(panel.legend)


def cut_up(line: Line, chars: int) -> Line:
    """Parts that are longer than a line in several."""
    out: Line = []
    for span in line:
        words, text = span.words.split(" "), ""
        if len(span.words) <= chars:
            out.append(span)
            continue
        for word in words:
            if text and len(text) + 1 + len(word) > chars:
                out.append(Span(text, span.style))
                text = word
            else:
                text = f"{text} {word}".strip()
        out.append(Span(text, span.style))
    return out
