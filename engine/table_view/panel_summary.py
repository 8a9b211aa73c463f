"""Panels in a line or two: the title, then each row with its first value, or the names of the entries.

The full screen shows these lines below the panels that a question needs, if the others do not fit (`summary:` in table.yaml)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from .flow_layout import FlowText
from .rich_lines import LineRenderer
from .rich_panels import Colours, TerminalRenderer
from .theme import Theme
from .view_model import BoardPanel, GridPanel, Panel


def render_summaries(
    panels: Sequence[Panel], boards: Sequence[Panel], theme: Theme, width: int, colour: Colours, utf: bool, height: int
) -> tuple[list[list[Segment]], list[Panel]]:
    """Returns the lines of as many summaries as fit into `height` lines, and the panels that do not fit. Legends of `boards` follow."""
    screen = TerminalRenderer(theme, width, colour, utf, pointed=True)
    out: list[list[Segment]] = []
    left: list[Panel] = []
    for panel, flow in [*((panel, summarize_panel(panel, screen.lists)) for panel in panels), *iter_legends(boards, screen.lists)]:
        lines = screen.render_segments(flow, width)
        if len(out) + len(lines) <= height:
            out += lines
        elif panel is not None:
            left.append(panel)
    return out, left


def summarize_panel(panel: Panel, pen: LineRenderer) -> FlowText:
    """Returns the summary of a table or a list."""
    head = Text(f"{panel.title}: ", Style(bold=True))
    if isinstance(panel, GridPanel):
        parts = [pen.heading_text(row[0]).append(" ").append_text(pen.line_text(row[1])) for row in panel.rows if len(row) > 1]
    else:
        parts = [] if isinstance(panel, BoardPanel) else [pen.line_text(entry.head) for entry in panel.entries]
    return FlowText([part.append("," if n < len(parts) - 1 else "") for n, part in enumerate(parts)], " ", head)


def iter_legends(boards: Sequence[Panel], pen: LineRenderer) -> Iterator[tuple[None, FlowText]]:
    """Yields the legends of boards, which the panels of a crowded screen do without."""
    for board in boards:
        if not isinstance(board, GridPanel):
            for flow in pen.legend_flows(board.legend):
                yield None, flow
