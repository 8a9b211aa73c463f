"""The colours of drawn boards: light and dark squares, wood, changed cells, and what is written on them.

A terminal shows its own white and black as greys, because its background may be white or black. A drawn surface has a
known colour, so that white pieces are white on it and black pieces are black. The colours belong to the 256 of a
terminal."""

from __future__ import annotations

from dataclasses import replace

from .colours import MIN_SIGN_CONTRAST, colour_distance, contrast, ensure_contrast, relative_luminance
from .palette import BLACK, WHITE
from .view_model import BoardPanel, Legend, StyledText

CARD_PAPER, CHANGED_CARD = "#eeeeee", "#ffffaf"
LIGHT_SQUARE, DARK_SQUARE, CHANGED_SQUARE = "#af875f", "#875f00", "#5f8700"
# outlines are drawn with a colour where there is one: the white chess pieces, circles, and triangles
SOLID_SHAPES = {**{chr(0x2654 + n): chr(0x265A + n) for n in range(6)}, "○": "●", "◎": "◉", "△": "▲", "□": "■", "◇": "◆"}


def square_colour(panel: BoardPanel, at: tuple[int, int], changed: bool = False) -> str:
    """Returns the colour of a cell on a coloured surface."""
    if changed:
        return CHANGED_SQUARE
    return DARK_SQUARE if panel.surface == "checkered" and sum(at) % 2 == 0 else LIGHT_SQUARE


def ink_on_surface(colour: str | None, ground: str) -> str:
    """Returns a colour for a sign on a surface: as declared, but with as much contrast as there is, up to that of text.

    Signs without a colour are black."""
    if colour is None:
        return BLACK
    ends = (BLACK, WHITE) if relative_luminance(colour) < relative_luminance(ground) else (WHITE, BLACK)
    return max((ensure_contrast(colour, ground, end) for end in ends), key=lambda ink: min(contrast(ink, ground), MIN_SIGN_CONTRAST))


def nearest_ink(ink: str, ground: str, colours: dict[int, str]) -> int:
    """Returns the number of the terminal colour that is nearest to an ink and readable on a ground."""
    readable = {n: one for n, one in colours.items() if contrast(one, ground) >= MIN_SIGN_CONTRAST}
    return min(readable, key=lambda n: colour_distance(readable[n], ink))


def with_solid_shapes(panel: BoardPanel) -> BoardPanel:
    """Returns a board whose things have their filled shapes, because their colours tell them apart."""
    def solid(span: StyledText) -> StyledText:
        return replace(span, shape=SOLID_SHAPES.get(span.shape, span.shape))

    def solid_legend(legend: Legend) -> Legend:
        return {head: {code: solid(span) for code, span in entries.items()} for head, entries in legend.items()}

    spots = [replace(spot, contents=[(caption, [solid(span) for span in line]) for caption, line in spot.contents]) for spot in panel.spots]
    legend, whole = solid_legend(panel.legend), solid_legend(panel.whole)
    return replace(panel, spots=spots, legend=legend, whole=whole)
