"""The contents of mats: card-like boxes, one for each row of a table.

A mat has the name of the row as its title. Its lines are the values that are not empty, each after its caption, and then
the things in its lists, one below the other."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box as borders
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.panel import Panel as Frame
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..i18n.text_layout import wrap_styled
from .view_model import GridPanel, Line, StyledText

MAX_MAT_COLUMNS = 32                                               # width of the contents. Longer lines are wrapped
MIN_MAT_COLUMNS = 10
MAT_FRAME_COLUMNS, MAT_GAP = 4, 1                                  # frame with padding, and the space between two mats

MatLine = tuple[str, Line]                                         # caption, or "", and what follows it


def mat_lines(panel: GridPanel, n: int) -> list[MatLine]:
    """Returns the contents of the mat of row `n`. Empty values and zeros are left out."""
    out: list[MatLine] = []
    for key, head, line in zip(panel.columns, panel.heads[1:], panel.rows[n][1:]):
        shown = [span for span in line if span.words not in ("", "0")]
        if key in panel.stacked:
            out += [("", [span]) for span in shown]
        elif shown:
            out.append((head, shown))
    return out


def mat_groups(panel: GridPanel) -> list[tuple[Line, list[int]]]:
    """Returns the rows of a table by the heading above them."""
    groups: list[tuple[Line, list[int]]] = []
    for n in range(len(panel.rows)):
        if n in panel.bands or not groups:
            groups.append((panel.bands.get(n, []), []))
        groups[-1][1].append(n)
    return groups


class MatShelves:
    """Mats side by side, as many as fit, below the heading of their owner."""

    def __init__(self, groups: Sequence[tuple[Text | None, Sequence[tuple[Text, Sequence[Text]]]]], utf: bool) -> None:
        """`groups`: heading, and mats as (title, lines)."""
        self.groups, self.utf = groups, utf

    def mat_width(self, title: Text, lines: Sequence[Text]) -> int:
        """Returns the width of a mat with its frame."""
        longest = max([MIN_MAT_COLUMNS, title.cell_len + 2, *(line.cell_len for line in lines)])
        return min(MAX_MAT_COLUMNS, longest) + MAT_FRAME_COLUMNS

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [[self.mat_width(*mat) for mat in mats] for _, mats in self.groups]
        least, most = max(map(max, widths)), max(sum(row) + MAT_GAP * (len(row) - 1) for row in widths)
        return Measurement(min(options.max_width, least), min(options.max_width, most))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for heading, mats in self.groups:
            if heading is not None:
                yield heading
            shelf: list[tuple[Text, list[Text], int]] = []
            for title, lines in mats:
                width = min(self.mat_width(title, lines), options.max_width)
                if shelf and sum(wide + MAT_GAP for _, _, wide in shelf) + width > options.max_width:
                    yield self.draw_shelf(shelf)
                    shelf = []
                wrapped = [part for line in lines for part in wrap_styled(line, width - MAT_FRAME_COLUMNS, 2, break_words=False)]
                shelf.append((title, wrapped, width))
            yield self.draw_shelf(shelf)

    def draw_shelf(self, shelf: Sequence[tuple[Text, Sequence[Text], int]]) -> Table:
        """Returns mats side by side, all as high as the highest."""
        found = Table.grid(padding=(0, MAT_GAP, 0, 0))
        high = max(len(lines) for _, lines, _ in shelf) + 2
        frames = []
        for title, lines, width in shelf:
            found.add_column(width=width)
            frames.append(Frame(Text("\n").join(lines), title=title, title_align="left", height=high, width=width,
                                box=borders.ROUNDED if self.utf else borders.ASCII2, border_style=Style(dim=True)))
        found.add_row(*frames)
        return found


def caption_span(caption: str) -> StyledText:
    """Returns the caption of a value as the first part of its line."""
    return StyledText(f"{caption}:", "dim")
