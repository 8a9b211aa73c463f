"""The pen that parts of an SVG picture are drawn with."""

from __future__ import annotations

from typing import Protocol

from .theme import Theme
from .view_model import Legend, Line, StyledText

LETTER_WIDTH = 8.6                                                 # in SVG units


def format_number(number: float) -> str:
    """Returns a coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


class SvgPen(Protocol):
    """Draws one panel from top to bottom.

    `y` is the current position, `reach` the right edge of what was drawn, `wide` and `tall` the space in SVG units, and
    `chars` the space in characters. `parts` holds the elements that were drawn."""

    theme: Theme
    wide: float
    tall: float
    chars: int
    parts: list[str]
    y: float
    reach: float

    def merge_parts(self, start: int) -> None:
        """Merges all parts from index `start` into one."""

    def draw_text(self, x: float, y: float, line: Line, middle: bool = False, size: int | None = None, between: str = ", ") -> None:
        """Draws a line of coloured parts."""

    def draw_wrapped_line(self, x: float, line: Line, chars: int, between: str = ", ") -> None:
        """Draws a line, wrapped to `chars` characters."""

    def draw_text_on_colour(self, x: float, y: float, ground: StyledText, text: str, size: int) -> None:
        """Draws a text in the middle of a coloured shape."""

    def draw_legend(self, legend: Legend) -> None:
        """Draws what letters and signs mean."""

    def fill_class(self, span: StyledText) -> str:
        """Returns the CSS class that fills a shape with the colour of a thing."""
