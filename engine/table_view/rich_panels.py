"""Renders panels in their frames for one terminal with rich, side by side if there is space."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rich import box as borders
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.panel import Panel as Frame
from rich.segment import Segment, Segments
from rich.style import Style
from rich.text import Text

from ...dsl.diagnostics.sanitize import SafeText, sanitize
from .canvas import StyleResolver
from .compact_grid import leading_columns
from .flow_layout import FlowText
from .palette import palette_for_theme
from .rich_boards import BoardRenderer
from .rich_lines import FRAME_COLUMNS, MIN_TEXT_COLUMNS
from .rich_lists import ListRenderer
from .theme import Theme
from .view_model import BoardPanel, GridPanel, Line, Panel

MAX_OVERHANG_LINES = 3                  # a panel may be this much higher than the one next to it
Colours = Literal["standard", "256", "truecolor"] | None           # colours of the terminal


class FramedPanel(NamedTuple):
    """A panel in its frame, with its minimum and its preferred width."""

    inside: RenderableType
    least: int
    best: int
    panel: Panel


@dataclass
class RenderCache:
    """Lists and tables as they were rendered, for several layouts of the same panels on one terminal. The panels must not change
    meanwhile. The entries refer to what their keys identify, so that the identities stay valid."""

    framed: dict[tuple[int, int], tuple[Panel, FramedPanel]] = field(default_factory=dict)
    segments: dict[tuple[int, int], tuple[RenderableType, list[list[Segment]]]] = field(default_factory=dict)
    variants: dict[tuple[int, str], tuple[Panel, Panel]] = field(default_factory=dict)

    def get_variant(self, panel: Panel, form: Callable[[Panel], Panel], name: str) -> Panel:
        """Returns a variant of a panel: the same object for the same name."""
        if (id(panel), name) not in self.variants:
            self.variants[id(panel), name] = panel, form(panel)
        return self.variants[id(panel), name][1]


class TerminalRenderer:
    """Renders panels for one terminal.

      - `high`: lines that a board should fit into, 0 for no limit
      - `pointed`: whether board places can be clicked
      - `cut`: whether a hexagonal board that is too high is cropped
      - `tight`: whether boards leave room for a table next to them, tables without owners lose columns to fit there, and
        lists lose their legends"""

    def __init__(
        self, theme: Theme, width: int, colour: Colours, utf: bool, height: int = 0, pointed: bool = False, cut: bool = False,
        tight: bool = False, cache: RenderCache | None = None
    ) -> None:
        self.width, self.utf = width, utf
        self.cache = cache or RenderCache()
        self.side_columns = max(MIN_TEXT_COLUMNS, width * 2 // 5) if tight else 0       # columns next to a board
        few = palette_for_theme(theme, colour) if colour == "standard" or colour == "256" else None
        self.paint = StyleResolver(theme, utf, colour is not None, pointed, few)
        self.lists = ListRenderer(self.paint, width, utf, height, self.side_columns)
        self.boards = BoardRenderer(self.paint, width, utf, height, self.side_columns, cut)
        self.file = io.StringIO()
        self.console = Console(file=self.file, width=width, height=200, force_terminal=colour is not None, no_color=colour is None,
                               highlight=False, color_system=colour, legacy_windows=False, emoji=False, markup=False, _environ={})

    def iter_blocks(self, panels: list[Panel]) -> Iterator[list[str]]:
        """Yields the lines of each row of panels, from top to bottom."""
        yield from map(self.to_ansi_lines, self.iter_shelves(panels))

    def iter_shelves(self, panels: list[Panel]) -> Iterator[list[list[Segment]]]:
        """Yields the segments of each row of panels, from top to bottom."""
        todo = [self.frame_panel(panel) for panel in panels]
        while todo:
            yield self.pop_shelf(todo)

    def status_line_segments(self, parts: list[Line]) -> list[list[Segment]]:
        """Returns the segments of the status line, with separators between its parts."""
        rule, gap = ("── ", " · ") if self.utf else ("-- ", " | ")
        flow = FlowText([self.lists.line_text(part) for part in parts], gap, Text(rule, Style(dim=True)))
        return self.render_segments(flow, self.width) if parts else []

    def to_ansi_lines(self, found: list[list[Segment]]) -> list[str]:
        """Returns lines of text with ANSI codes for colours."""
        self.file.seek(0)
        self.file.truncate()
        lines = [[*line, Segment.line()] for line in found]
        harmless = [Segment(sanitize(text), style) for line in lines for text, style, _ in line]
        self.console.print(Segments(harmless), end="", crop=False)
        return [SafeText(line.rstrip()) for line in self.file.getvalue().splitlines()]

    def pop_shelf(self, todo: list[FramedPanel]) -> list[list[Segment]]:
        """Removes the first panel and as many others as fit next to it from `todo`. Returns the lines of this row."""
        first, _, wide, _ = todo.pop(0)
        wide = min(wide, self.width)
        lines = self.render_segments(first, wide)
        room = self.width - wide - 1
        beside: list[list[Segment]] = []
        for one in list(todo):
            if one.least > room or len(beside) >= len(lines):
                continue
            more = self.render_segments(one.inside, min(room, one.best))
            if len(beside) + len(more) <= len(lines) + MAX_OVERHANG_LINES:
                beside += more
                todo.remove(one)
        blank = [Segment(" " * wide)]
        return [[*(lines[n] if n < len(lines) else blank), *([Segment(" "), *beside[n]] if n < len(beside) else [])]
                for n in range(max(len(lines), len(beside)))]

    def render_segments(self, found: RenderableType, width: int) -> list[list[Segment]]:
        """Renders an element at a width as lines of segments."""
        key = id(found), width
        if key not in self.cache.segments:
            self.cache.segments[key] = found, self.console.render_lines(found, self.console.options.update(width=width))
        return self.cache.segments[key][1]

    def frame_panel(self, panel: Panel) -> FramedPanel:
        """Returns a panel in its frame, with its minimum and its preferred width."""
        key = id(panel), self.side_columns
        if key not in self.cache.framed:
            framed = self.build_frame(panel)
            if isinstance(panel, BoardPanel):                      # it depends on the height as well
                return framed
            self.cache.framed[key] = panel, framed
        return self.cache.framed[key][1]

    def fits_without_frame(self, inner: RenderableType) -> bool:
        """Whether a board fits into the lines of this terminal, but not with a frame."""
        high = self.boards.high
        return high > 1 and high - 2 < len(self.render_segments(inner, self.width)) <= high

    def build_frame(self, panel: Panel) -> FramedPanel:
        """Builds the frame of a panel."""
        if self.side_columns and isinstance(panel, GridPanel) and not panel.bands:
            panel = leading_columns(panel, self.side_columns - FRAME_COLUMNS, self.paint.sign)
        inner = (
            self.boards.render_board(panel)
            if isinstance(panel, BoardPanel)
            else self.lists.render_grid(panel)
            if isinstance(panel, GridPanel)
            else self.lists.render_list(panel)
        )
        if isinstance(panel, BoardPanel) and not panel.title and self.fits_without_frame(inner):
            bare = Measurement.get(self.console, self.console.options.update(width=self.width), inner)
            return FramedPanel(inner, bare.minimum, bare.maximum, panel)
        title = Text(panel.title, Style(bold=True, dim=False)) if panel.title else None
        around = FRAME_COLUMNS if not isinstance(panel, BoardPanel) else 2
        wish = Measurement.get(self.console, self.console.options.update(width=self.width - around), inner)
        most = max(wish.maximum, len(panel.title) + 2) + around
        least = max(wish.minimum, len(panel.title) + 2) + around
        frame = Frame(inner, title=title, title_align="left", box=borders.ROUNDED if self.utf else borders.ASCII2, width=None,
                      border_style=Style(dim=True), padding=(0, 1) if around == FRAME_COLUMNS else (0, 0), expand=False)
        return FramedPanel(frame, min(max(least, MIN_TEXT_COLUMNS), most), most, panel)
