"""Panels in a line or two: the title, then each row with its first value, or the names of the entries.

The full screen shows these lines in free corners of the panels that a question needs and below them, if the others do not fit
(`summary:` in table.yaml)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from .flow_layout import FlowText
from .rich_lines import LineRenderer
from .rich_panels import Colours, TerminalRenderer
from .theme import Theme
from .view_model import BoardPanel, GridPanel, ListItem, ListPanel, Panel

MIN_CORNER_COLUMNS = 40                       # free columns next to a panel from which a summary is drawn there
Lines = list[list[Segment]]


def add_summaries(
    table: Lines, panels: Sequence[Panel], boards: Sequence[Panel], theme: Theme, width: int, colour: Colours, utf: bool, height: int
) -> tuple[Lines, list[Panel]]:
    """Returns the lines of a table with as many summaries as fit into `height` lines, and the panels that do not fit.

    Legends of `boards` follow."""
    screen = TerminalRenderer(theme, width, colour, utf, pointed=True)
    out, corners = [*table], list(iter_free_corners(table, width))
    left: list[Panel] = []
    for panel, flow in [*((panel, summarize_panel(panel, screen.lists)) for panel in panels), *iter_legends(boards, screen.lists)]:
        for n, (rows, room) in enumerate(corners):
            lines = screen.render_segments(flow, room)
            if len(lines) <= len(rows):
                for row, line in zip(rows, lines):
                    out[row] = [*Segment.adjust_line_length(out[row], width - room), *line]
                corners[n] = rows[len(lines):], room
                break
        else:
            lines = screen.render_segments(flow, width)
            if len(out) + len(lines) <= height:
                out += lines
            elif panel is not None:
                left.append(panel)
    return out, left


def iter_free_corners(table: Lines, width: int) -> Iterator[tuple[list[int], int]]:
    """Yields the free places below the lower of two panels next to each other: their rows, and the columns that are free at the right."""
    free = [count_blank_columns(line, width) - 1 for line in table]
    for wide, rows in groupby(range(len(table)), key=lambda row: free[row] >= MIN_CORNER_COLUMNS):
        if wide and (found := list(rows)):
            yield found, min(free[row] for row in found)


def count_blank_columns(line: list[Segment], width: int) -> int:
    """Returns the number of blank columns at the end of a line."""
    text = "".join(part.text for part in line if not part.control)
    return width - cell_len(text.rstrip())


def summarize_panel(panel: Panel, pen: LineRenderer) -> FlowText:
    """Returns the summary of a table or a list."""
    head = Text(f"{panel.title}: ", Style(bold=True))
    if isinstance(panel, GridPanel):
        parts = [pen.heading_text(row[0]).append(" ").append_text(pen.line_text(row[1])) for row in panel.rows if len(row) > 1 and row[1]]
    else:
        parts = [] if isinstance(panel, BoardPanel) else [summarize_entry(entry, panel, pen) for entry in panel.entries]
    return FlowText([part.append("," if n < len(parts) - 1 else "") for n, part in enumerate(parts)], " ", head)


def summarize_entry(entry: ListItem, panel: ListPanel, pen: LineRenderer) -> Text:
    """Returns the name of an entry, and in a list of counters also its value."""
    if panel.flow != "items" or not entry.body:
        return pen.line_text(entry.head)
    value = pen.line_text(entry.body[0])
    return value if pen.line_words(entry.head) == panel.title else pen.heading_text(entry.head).append(" ").append_text(value)


def iter_legends(boards: Sequence[Panel], pen: LineRenderer) -> Iterator[tuple[None, FlowText]]:
    """Yields the legends of boards, which the panels of a crowded screen do without."""
    for board in boards:
        if not isinstance(board, GridPanel):
            for flow in pen.legend_flows(board.legend):
                yield None, flow
