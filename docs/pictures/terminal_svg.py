"""Draws the screen of a terminal as SVG, and several screens as a recording that plays without a script."""

from __future__ import annotations

from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

CELL_WIDTH, CELL_HEIGHT, BASELINE = 8.4, 18.0, 13.5
MARGIN, TITLE_HEIGHT = 14.0, 34.0
SECONDS_PER_FRAME = 3.0
FOREGROUND, BACKGROUND, FRAME = "#d8dee9", "#1e222a", "#3b4252"
BUTTONS = ("#ff5f57", "#febc2e", "#28c840")
NAMED_COLOURS = {
    "black": "#2e3440", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b", "blue": "#61afef", "magenta": "#c678dd",
    "cyan": "#56b6c2", "white": "#d8dee9", "brightblack": "#7f848e", "brightred": "#ff7b85", "brightgreen": "#b5e08f",
    "brightbrown": "#ffd98b",
    "brightyellow": "#ffd98b", "brightblue": "#83c7ff", "brightmagenta": "#e08fff", "brightcyan": "#7fdbe6", "brightwhite": "#ffffff",
}
FONT = "'DejaVu Sans Mono','Cascadia Mono',Menlo,Consolas,monospace"


def draw_screen(screen: Any) -> str:
    """Returns the cells of a pyte screen as SVG elements: backgrounds first, then text in runs of one style."""
    parts: list[str] = []
    for row in range(screen.lines):
        cells = [(column, screen.buffer[row][column]) for column in range(screen.columns)]
        for style, run in groupby(cells, key=lambda cell: cell_style(cell[1])):
            parts += draw_run(row, style, list(run))
    return "".join(parts)


def cell_style(cell: Any) -> tuple[str, str, bool, bool, bool]:
    """Returns (colour, background, bold, italic, underlined) of a cell."""
    front, back = colour(cell.fg, FOREGROUND), colour(cell.bg, BACKGROUND)
    if cell.reverse:
        front, back = back, front
    return front, back, cell.bold, cell.italics, cell.underscore


def colour(name: str, default: str) -> str:
    """Returns a colour of pyte (a name or six hexadecimal digits) as a colour of SVG."""
    if name == "default":
        return default
    return NAMED_COLOURS.get(name) or f"#{name}"


def draw_run(row: int, style: tuple[str, str, bool, bool, bool], cells: list[tuple[int, Any]]) -> list[str]:
    """Returns the SVG elements of neighbouring cells of one style."""
    front, back, bold, italic, underlined = style
    first = cells[0][0]
    text = "".join(cell.data for _, cell in cells)
    x, y = MARGIN + first * CELL_WIDTH, TITLE_HEIGHT + row * CELL_HEIGHT
    found = []
    if back != BACKGROUND:
        found.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{len(cells) * CELL_WIDTH:.1f}" height="{CELL_HEIGHT}" fill="{back}" '
                     'shape-rendering="crispEdges"/>')
    if text.strip():
        kept = text.rstrip()
        skipped = len(kept) - len(kept.lstrip())
        shown = kept.lstrip()
        width = sum(1 for _, cell in cells[skipped : skipped + len(shown)]) * CELL_WIDTH
        marks = (' font-weight="bold"' if bold else "") + (' font-style="italic"' if italic else "")
        marks += ' text-decoration="underline"' if underlined else ""
        found.append(f'<text x="{x + skipped * CELL_WIDTH:.1f}" y="{y + BASELINE:.1f}" fill="{front}" textLength="{width:.1f}"{marks}>'
                     f"{escape(shown)}</text>")
    return found


def draw_recording(screens: list[str], columns: int, rows: int, title: str, alt: str) -> str:
    """Returns an SVG with a title bar. It shows several screens in a loop, each for some seconds."""
    width, height = 2 * MARGIN + columns * CELL_WIDTH, TITLE_HEIGHT + MARGIN + rows * CELL_HEIGHT
    style = f"text{{font-family:{FONT};font-size:14px;white-space:pre}}"
    body = screens[0]
    if len(screens) > 1:
        share = 100 / len(screens)
        style += f"@keyframes show{{0%,{share:.3f}%{{visibility:visible}}{share + 0.001:.3f}%,100%{{visibility:hidden}}}}"
        style += f".frame{{visibility:hidden;animation:show {SECONDS_PER_FRAME * len(screens):g}s step-end infinite}}"
        body = "".join(f'<g class="frame" style="animation-delay:{n * SECONDS_PER_FRAME:g}s">{one}</g>' for n, one in enumerate(screens))
    dots = "".join(f'<circle cx="{MARGIN + 6 + 18 * n}" cy="17" r="5.5" fill="{dot}"/>' for n, dot in enumerate(BUTTONS))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(alt)}">'
            f"<title>{escape(alt)}</title><style>{style}</style>"
            f'<rect width="{width:.0f}" height="{height:.0f}" rx="8" fill="{BACKGROUND}" stroke="{FRAME}"/>{dots}'
            f'<text x="{width / 2:.0f}" y="21" fill="#9aa2b1" text-anchor="middle">{escape(title)}</text>{body}</svg>\n')
