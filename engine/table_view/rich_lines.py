"""Renders lines of panels with rich: text in words and colours, headings, things with their values, legends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from .canvas import StyleResolver
from .flow_layout import MAX_UNBROKEN_PART_COLUMNS, NO_BREAK, FlowText
from .view_model import Legend, Line

FRAME_COLUMNS = 4                       # width of a frame and its padding
MIN_TEXT_COLUMNS = 38                   # minimum width of a text next to another panel


class LineRenderer:
    """Renders lines for one terminal.

      - `width`: columns of the terminal
      - `utf`: whether the terminal shows UTF-8
      - `high`: lines that a panel should fit into, 0 for no limit
      - `side_columns`: columns that boards leave free for a table, 0 for none"""

    def __init__(self, paint: StyleResolver, width: int, utf: bool, high: int = 0, side_columns: int = 0) -> None:
        self.paint, self.width, self.utf, self.high, self.side_columns = paint, width, utf, high, side_columns

    def line_text(self, line: Line, strong: bool = False, unbroken: bool = False) -> Text:
        """Returns a line in words and colours. With `unbroken`, it may be wrapped between its parts, but not within a short one."""
        text = Text()
        for n, span in enumerate(line):
            if self.paint.has_face(span):
                text.append(" " if n else "").append(*self.paint.face(span))
            else:
                gap = " " if span.signed else ", "
                words = self.paint.words(span)
                if unbroken and cell_len(words) <= MAX_UNBROKEN_PART_COLUMNS:
                    words = words.replace(" ", NO_BREAK)
                text.append(gap if n else "").append(words, self.paint.style(span, strong or span.signed))
        return text

    def heading_text(self, line: Line) -> Text:
        """Returns a line as a dim heading."""
        return self.line_text([replace(span, style="dim") for span in line])

    def thing_text(self, line: Line) -> Text:
        """Returns a thing, followed by its values."""
        first, *others = line
        return self.line_text([first], strong=True).append(" " * bool(others)).append_text(self.line_text(others))

    def iter_thing_parts(self, things: list[Line], gap: str) -> Iterator[Text]:
        """Yields things in pieces that may be on different lines: each with its first value, then its other values one
        by one."""
        for n, line in enumerate(things):
            parts = [self.thing_text(line[:2]), *(self.line_text([span]) for span in line[2:])]
            for part in parts[:-1]:
                yield part.append(",")
            yield parts[-1].append(gap.rstrip() if n < len(things) - 1 else "")

    def line_words(self, line: Line) -> str:
        """Returns a line as plain words."""
        return ", ".join(self.paint.words(span) for span in line)

    def legend_flows(self, legend: Legend) -> Iterable[FlowText]:
        """Yields the legend: the meaning of codes and shapes."""
        bare: list[Text] = []                                      # signs explained by their heading alone
        for heading, meanings in legend.items():
            said = [Text().append(self.paint.sign(span), self.paint.style(span, strong=True)).append(f" {span.text}".rstrip())
                    for span in meanings.values()]
            head = Text(f"{heading}: ", Style(dim=True))
            if len(said) == 1 and not any(span.text for span in meanings.values()):
                bare.append(head.append_text(said[0]))
            else:
                yield FlowText(said, "  ", head)
        if bare:
            yield FlowText(bare, "   ")
