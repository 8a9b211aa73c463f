"""Renders a table for a terminal with rich: frames, colours, codes, and shapes, with panels side by side if
there is space.

Without UTF-8, frames and shapes are ASCII. With NO_COLOR, there are no colours, and the codes still
distinguish things."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from rich import box as borders
from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.measure import Measurement
from rich.panel import Panel as Frame
from rich.segment import Segment, Segments
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ...dsl.diagnostics.sanitize import SafeText, sanitize
from .board_graph import draw_graph_board
from .board_hex import draw_hex_board
from .board_lattice import draw_lattice_board
from .board_pits import draw_pit_board
from .board_square import draw_square_board
from .board_stacks import draw_dice, draw_stack_board
from .canvas import Canvas, StyleResolver
from .compact_grid import compact_variants, leading_columns
from .flow_layout import FixedLines, FlowText, LabelledFlows, WrappedTable
from .mats import MatShelves, caption_span, mat_groups, mat_lines
from .palette import palette_for_theme
from .plain_renderer import board_lines as told_chart
from .plain_renderer import hex_positions, list_lines
from .surface import with_solid_shapes
from .theme import Theme
from .view_model import TARGET_STYLE, BoardPanel, GridPanel, Legend, Line, ListPanel, Panel, StyledText
from .visible_values import EMPTY_MARK

MIN_TIGHT_COLUMNS = 100                                                     # a table next to a board leaves it enough room
MIN_TEXT_COLUMNS = 38                                                        # minimum width of a text next to another panel
FRAME_COLUMNS = 4                                                         # width of a frame and its padding
MAX_COUNTER_COLUMNS = 34                                                         # longer counters get a line of their own
LEGEND_COLUMNS = 60                                                        # a legend may be this wide, even if its board is narrower
BOARD_WRITERS = {"lines": draw_lattice_board, "pits": draw_pit_board}        # by surface. draw_square_board draws all others
Colours = Literal["standard", "256", "truecolor"] | None           # colours of the terminal
# on a cropped board
LINES_PER_FOOTNOTE = 5
# a panel may be this much higher than the one next to it
MAX_OVERHANG_LINES = 3


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


def render_terminal(panels: list[Panel], theme: Theme, width: int, colour: Colours = "truecolor", utf: bool = True, height: int = 0,
                 needed: int = 0, cut: bool = False, cache: RenderCache | None = None) -> list[str]:
    """Returns all panels as lines for a terminal of this width.

      - `height`: if set, returns only the panels that fit into that many lines, the first ones first. Boards may lose the
        edges of their cells if that helps.
      - `needed`: the number of panels at the front that must be shown, the most important first. If they do not all fit,
        tables lose columns to stand next to a board. If that is not enough, the others are dropped.
      - `cut`: a hexagonal board that is too high is cropped to the lines with the most option numbers.
      - `cache`: what earlier calls for the same panels have rendered."""
    cache = cache or RenderCache()
    if not height:
        return [line for block in TerminalRenderer(theme, width, colour, utf).iter_blocks(panels) for line in block]
    tries = [
        fit_panels(panels, TerminalRenderer(theme, width, colour, utf, room, cut=cut, cache=cache), height)
        for room in ([height, 1] if needed > 1 else [height])
    ]
    if needed > 1 and all(seen < needed for seen, _ in tries) and width >= MIN_TIGHT_COLUMNS:
        tight = TerminalRenderer(theme, width, colour, utf, 1, cut=cut, tight=True, cache=cache)
        seen, lines = fit_panels(sort_boards_first(panels[:needed]), tight, height)
        tries += [(seen, lines)] * (seen >= needed)
    seen, lines = max(tries, key=lambda one: min(needed, one[0]))  # the first one wins ties
    if seen < needed:                                              # drop everything that is not needed
        return max(
            (fit_panels(panels[:needed], TerminalRenderer(theme, width, colour, utf, room, cut=cut, cache=cache), height)[1]
             for room in (height, 1)),
            key=len,
        )
    return lines


def sort_boards_first(panels: list[Panel]) -> list[Panel]:
    """Returns the panels with boards before the others."""
    return sorted(panels, key=lambda panel: not isinstance(panel, BoardPanel))


def fit_panels(panels: list[Panel], screen: TerminalRenderer, height: int) -> tuple[int, list[str]]:
    """Returns the number of leading panels that fit into `height` lines, and the lines of all panels that fit.

    A panel may be shown in a shorter variant. If the legend of another panel that would explain its codes is
    missing, it gets its full legend, or at least complete headings. If there is no space for those, the
    incomplete headings are removed, because a reader takes a part for the whole."""
    seen, out, shown = stack_panels(panels, screen, height)
    told = {sign.style for panel in shown if not isinstance(panel, GridPanel) and panel.key not in screen.unexplained
            for entries in panel.legend.values() for sign in entries.values()}
    untold = {head for panel in shown if not isinstance(panel, GridPanel)
              for head, entries in panel.whole.items() if any(sign.style not in told for sign in entries.values())}
    if untold:
        forms: list[tuple[Callable[[Panel], Panel], str]] = [
            (with_full_legend, "legend"), (with_full_headings, "headings"),
            (lambda panel: without_headings(panel, untold), repr(sorted(untold)))]
        for form, name in forms:
            changed = [screen.cache.get_variant(panel, form, name) if panel in shown else panel for panel in panels]
            alone = stack_panels(changed, screen, height)
            if alone[0] >= seen and len(alone[2]) >= len(shown):
                return alone[0], alone[1]
    return seen, out


def with_full_legend(panel: Panel) -> Panel:
    """Returns a panel with its full legend."""
    return panel if isinstance(panel, GridPanel) or not panel.whole else replace(panel, legend={
        **panel.whole, **{head: entries for head, entries in panel.legend.items() if head not in panel.whole}})


def with_full_headings(panel: Panel) -> Panel:
    """Returns a panel in which every heading of its legend is complete."""
    return panel if isinstance(panel, GridPanel) or not panel.whole else replace(
        panel, legend={head: panel.whole.get(head, entries) for head, entries in panel.legend.items()})


def without_headings(panel: Panel, without: set[str]) -> Panel:
    """Returns a panel without these headings of its legend."""
    return panel if isinstance(panel, GridPanel) else replace(
        panel, legend={head: entries for head, entries in panel.legend.items() if head not in without})


def stack_panels(panels: list[Panel], screen: TerminalRenderer, height: int) -> tuple[int, list[str], list[Panel]]:
    """Stacks panels without changing their legends.

    Returns the number of leading panels that fit, the lines, and the panels shown."""
    out: list[str] = []
    shown: list[Panel] = []
    seen, whole = 0, True
    todo = [screen.frame_panel(panel) for panel in panels]
    while todo:
        before, waiting = len(todo), [one.panel for one in todo]
        first, rest = todo[0].panel, todo[1:]
        block = screen.to_ansi_lines(screen.pop_shelf(todo))
        if len(out) + len(block) > height and isinstance(first, GridPanel):
            for form in compact_variants(first, height - len(out)):
                tried = [screen.frame_panel(form), *rest]
                less = screen.to_ansi_lines(screen.pop_shelf(tried))
                if len(out) + len(less) <= height:
                    todo, block = tried, less
                    break
        whole = whole and len(out) + len(block) <= height
        if len(out) + len(block) <= height:
            out += block
            shown += [panel for panel in waiting if all(panel is not one.panel for one in todo)]
        seen += (before - len(todo)) * whole
    return seen, out, shown


def render_status_line(parts: list[Line], theme: Theme, width: int, colour: Colours = "truecolor", utf: bool = True) -> list[str]:
    """Returns the status line above a table (status_line.py), wrapped to this width."""
    screen = TerminalRenderer(theme, width, colour, utf)
    return screen.to_ansi_lines(screen.status_line_segments(parts))


def render_segments(
    panels: list[Panel], theme: Theme, width: int, colour: Colours, utf: bool, height: int = 0, tight: bool = False
) -> list[list[Segment]]:
    """Returns all panels as lines of rich segments. The meta data of styles say what a click does (see
    `StyleResolver`). With `tight`, boards come first, and tables lose columns to stand next to them."""
    panels = sort_boards_first(panels) if tight else panels
    screen = TerminalRenderer(theme, width, colour, utf, 1 if tight else height, pointed=True, tight=tight)
    return [line for block in screen.iter_shelves(panels) for line in block]


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
        self.width, self.utf, self.high, self.cut = width, utf, height, cut
        self.cache = cache or RenderCache()
        self.side_columns = max(MIN_TEXT_COLUMNS, width * 2 // 5) if tight else 0       # columns next to a board
        few = palette_for_theme(theme, colour) if colour == "standard" or colour == "256" else None
        self.paint = StyleResolver(theme, utf, colour is not None, pointed, few)
        self.unexplained: set[str] = set()                         # keys of boards without space for a legend
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
        flow = FlowText([self.line_text(part) for part in parts], gap, Text(rule, Style(dim=True)))
        return self.render_segments(flow, self.width) if parts else []

    def to_ansi_lines(self, found: list[list[Segment]]) -> list[str]:
        """Returns lines of text with ANSI codes for colours."""
        self.file.seek(0)
        self.file.truncate()
        lines = [[*line, Segment.line()] for line in found]
        harmless = [Segment(sanitize(text), style) for line in lines for text, style, _ in line]
        self.console.print(Segments(harmless), end="", crop=False)
        return [SafeText(line.rstrip()) for line in self.file.getvalue().splitlines()]

    # ------------------------------------------------------------ rows of panels

    def pop_shelf(self, todo: list[FramedPanel]) -> list[list[Segment]]:
        """Removes the first panel and as many others as fit next to it from `todo`. Returns the lines of this row."""
        first, _, wide, _ = todo.pop(0)
        wide = min(wide, self.width)
        lines = self.render_segments(first, wide)
        room = self.width - wide - 1
        beside: list[list[Segment]] = []
        for one in list(todo) if room >= MIN_TEXT_COLUMNS else []:
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

    # ------------------------------------------------------------ panels

    def frame_panel(self, panel: Panel) -> FramedPanel:
        """Returns a panel in its frame, with its minimum and its preferred width."""
        key = id(panel), self.side_columns
        if key not in self.cache.framed:
            framed = self.build_frame(panel)
            if isinstance(panel, BoardPanel):                      # it depends on the height as well
                return framed
            self.cache.framed[key] = panel, framed
        return self.cache.framed[key][1]

    def build_frame(self, panel: Panel) -> FramedPanel:
        """Builds the frame of a panel."""
        if self.side_columns and isinstance(panel, GridPanel) and not panel.bands:
            panel = leading_columns(panel, self.side_columns - FRAME_COLUMNS, self.paint.sign)
        inner = (
            self.render_board(panel)
            if isinstance(panel, BoardPanel)
            else self.render_grid(panel)
            if isinstance(panel, GridPanel)
            else self.render_list(panel)
        )
        title = Text(panel.title, Style(bold=True, dim=False)) if panel.title else None
        around = FRAME_COLUMNS if not isinstance(panel, BoardPanel) else 2
        wish = Measurement.get(self.console, self.console.options.update(width=self.width - around), inner)
        most = max(wish.maximum, len(panel.title) + 2) + around
        least = max(wish.minimum, len(panel.title) + 2) + around
        frame = Frame(inner, title=title, title_align="left", box=borders.ROUNDED if self.utf else borders.ASCII2, width=None,
                      border_style=Style(dim=True), padding=(0, 1) if around == FRAME_COLUMNS else (0, 0), expand=False)
        return FramedPanel(frame, min(max(least, MIN_TEXT_COLUMNS), most), most, panel)

    def render_board(self, panel: BoardPanel) -> RenderableType:
        """Renders a board as a drawing. If it does not fit, it is listed cell by cell."""
        room = self.width - 2
        if self.side_columns and self.can_draw(panel, self.width - self.side_columns - 1):
            room = self.width - self.side_columns - 3
        canvas: Canvas | None
        missing: list[tuple[str, Line]] = []
        if panel.surface != "grid" and self.paint.has_surfaces:
            panel = with_solid_shapes(panel)
        if panel.shape != "hex":
            canvas, missing = BOARD_WRITERS.get(panel.surface, draw_square_board)(panel, self.paint, room)
            if canvas is None or panel.shape == "graph":
                canvas, missing = (draw_graph_board if panel.shape == "graph" else draw_square_board)(panel, self.paint, room)
            if canvas is not None and panel.is_simple and 0 < self.high < canvas.height + len(missing) + len(panel.legend) + 2:
                return Group(*(Text(line) for line in told_chart(panel, room)))
        elif panel.is_simple or not panel.flat:
            canvas = self.draw_simple_hexes(panel) if panel.is_simple else None
        else:
            canvas, missing = draw_hex_board(panel, self.paint, room)
            if canvas is not None and 0 < self.high < canvas.height + len(missing) + len(panel.legend) + 2:
                low, left = draw_hex_board(panel, self.paint, room, low=True)
                canvas, missing = (canvas, missing) if low is None else (low, left)
        if canvas is None or canvas.width > room:
            return Group(*(Text(line) for line in told_chart(panel, room)))
        wide = max(min(room, LEGEND_COLUMNS), canvas.width)
        said = [Text(f"{label}: ").append_text(self.line_text(line)) for label, line in missing]
        if 0 < self.high < canvas.height + len(said) + 2:
            said = list(FlowText(said, "   ").lines(wide)) if said else []
        if self.cut and panel.shape != "square" and 0 < self.high < canvas.height + len(said) + 2:
            said = said if len(said) <= self.high // LINES_PER_FOOTNOTE else []
            canvas = canvas.crop_lines(max(1, self.high - 2 - len(said)), *("▲▼" if self.utf else "^v"))
        parts: list[RenderableType] = [FixedLines(canvas.lines(), canvas.width), *said]
        if 0 < self.high < canvas.height + len(said) + len(panel.legend) + 2:          # no space for a legend
            self.unexplained |= {panel.key} if panel.legend else set()
            return Group(*parts)
        return Group(*parts, *(Constrain(flow, wide) for flow in self.legend_flows(panel.legend)))

    def can_draw(self, panel: BoardPanel, width: int = 0) -> bool:
        """Whether a hexagonal board can be drawn at a width. Always true for other boards, which have a fallback."""
        if panel.shape != "hex" or panel.is_simple or not panel.flat:
            return True
        room = (width or self.width) - 2
        canvas, _ = draw_hex_board(panel, self.paint, room, low=bool(width))
        return canvas is not None and canvas.width <= room

    def draw_simple_hexes(self, panel: BoardPanel) -> Canvas:
        """Draws hexagons with at most one thing each. Empty ones show their label."""
        where = hex_positions(panel)
        canvas = Canvas()
        wide = max(len(spot.label) for spot in panel.spots) + 1
        step = wide if panel.flat else -(-wide // 2)
        for spot in panel.spots:
            x, y = where[spot.at]
            shown = replace(spot.pieces[0] if spot.pieces else StyledText(spot.label, "dim"), amount=None)
            text = self.paint.sign(shown)
            at = x * step + len(text.center(wide - 1)) - len(text.center(wide - 1).lstrip())
            shown = replace(shown, changed=spot.changed)
            canvas.write_text(at, y, self.paint.sign(shown), self.paint.style(shown, strong=bool(spot.pieces)))
            if self.paint.pointed:
                canvas.mark_clickable(at, y, len(self.paint.sign(shown)), spot.label, spot.target)
        return canvas

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

    def render_grid(self, panel: GridPanel) -> RenderableType:
        """Renders a table."""
        blank = Text("" if panel.bands else EMPTY_MARK, Style(dim=True))
        rows = [[self.line_text(line) if line else blank for line in row] for row in panel.rows]
        bands = {n: [Text(self.paint.words(span), self.paint.style(span, strong=True)) for span in band] for n, band in panel.bands.items()}
        if panel.mats:
            return self.render_mats(panel)
        columns = WrappedTable(panel.heads, rows, bands)
        if columns.min_width > self.width - FRAME_COLUMNS:
            return Group(
                *columns.iter_stacked_lines(self.width - FRAME_COLUMNS), *([Text(panel.note, Style(dim=True))] if panel.note else [])
            )
        return Group(columns, Text(panel.note, Style(dim=True))) if panel.note else columns

    def render_mats(self, panel: GridPanel) -> RenderableType:
        """Renders each row of a table as a box."""
        groups = [
            (self.line_text(band, strong=True) if band else None,
             [(self.line_text(panel.rows[n][0], strong=True), [self.mat_line(*line) for line in mat_lines(panel, n)]) for n in rows])
            for band, rows in mat_groups(panel)
        ]
        return MatShelves(groups, self.paint.utf)

    def mat_line(self, caption: str, line: Line) -> Text:
        """Returns a line of a mat."""
        return self.line_text([caption_span(caption)]).append(" ").append_text(self.line_text(line)) if caption else self.line_text(line)

    def render_list(self, panel: ListPanel) -> RenderableType:
        """Renders a list panel, according to its `flow`."""
        if panel.flow == "texts" and self.width < MIN_TEXT_COLUMNS:
            return Group(*(part for entry in panel.entries for part in (
                self.line_text(entry.head, strong=True), *(self.line_text(line) for line in entry.body[:1]))))
        if panel.flow == "texts":
            found = Table.grid(padding=(0, 2, 0, 0))
            found.add_column(width=min(24, max(len(self.line_words(entry.head)) for entry in panel.entries)))
            found.add_column()
            for entry in panel.entries:
                found.add_row(self.line_text(entry.head, strong=True), self.line_text(entry.body[0]) if entry.body else Text(""))
            return found
        if panel.flow == "lists":
            return self.render_groups(panel)
        if panel.flow == "stacks":
            return self.render_stacks(panel)
        if panel.flow == "dice":
            return self.render_dice(panel)
        if panel.flow in ("things", "packed"):
            gap = " · " if self.utf else " | "
            flows = ((list(self.iter_thing_parts(entry.body, gap)), " ") if panel.flow == "packed"
                     else ([self.thing_text(line) for line in entry.body], gap) for entry in panel.entries)
            return Group(
                *(
                    FlowText(tokens, between, self.heading_text(entry.head).append(": ")) if tokens else self.heading_text(entry.head)
                    for entry, (tokens, between) in zip(panel.entries, flows)
                )
            )
        if panel.flow == "steps":
            steps = [self.heading_text(entry.head).append(" ").append_text(self.line_text(entry.body[0], strong=True))
                     for entry in panel.entries]
            return FlowText(steps, f" {'›' if self.utf else '>'} ")
        if not any(entry.body for entry in panel.entries):
            heads = [entry.head[0] for entry in panel.entries]
            faces = all(map(self.paint.has_face, heads))
            if faces:
                cards = FlowText([Text(*self.paint.face(span, True)) for span in heads], " ")
                return Group(cards, *self.legend_flows(panel.legend))
            return FlowText([Text(f"[{self.paint.words(span)}]", self.paint.style(span)) for span in heads])
        texts = [self.heading_text(entry.head).append(": ").append_text(self.line_text(entry.body[0])) for entry in panel.entries]
        parts: list[RenderableType] = []
        short: list[Text] = []
        for text in texts:
            if text.cell_len <= MAX_COUNTER_COLUMNS:
                short.append(text)
                continue
            parts += [*([FlowText(short, "   ")] if short else []), text]
            short = []
        return Group(*parts, *([FlowText(short, "   ")] if short else []))

    def render_stacks(self, panel: ListPanel) -> RenderableType:
        """Renders stacks as a drawing. If it does not fit, they are listed."""
        room = self.width - FRAME_COLUMNS
        canvas = draw_stack_board(panel, self.paint, room, self.high - 2 if self.high else 0)
        if canvas is None:
            return Group(*(Text(line) for line in list_lines(panel, room)))
        return FixedLines(canvas.lines(), canvas.width)

    def render_dice(self, panel: ListPanel) -> RenderableType:
        """Renders numbers as dice, below their captions if there are several values."""
        parts: list[RenderableType] = []
        if not any(entry.body for entry in panel.entries):         # a hand
            canvas = draw_dice([entry.head[0] for entry in panel.entries], self.paint)
            return FixedLines(canvas.lines(), canvas.width)
        for entry in panel.entries:
            canvas = draw_dice(entry.body[0], self.paint)
            parts += [self.heading_text(entry.head), FixedLines(canvas.lines(), canvas.width)]
        return Group(*parts)

    def render_groups(self, panel: ListPanel) -> RenderableType:
        """Renders groups of places: the heading, the places with their contents, and what lies in the group."""
        rows = []
        some = any(entry.head[1:] for entry in panel.entries)
        for entry in panel.entries:
            tokens = []
            for place in entry.body:
                at = next(k for k, span in enumerate(place) if span.text == ":")
                token = Text(self.paint.words(place[0]), self.paint.style(place[0]))
                for k, span in enumerate(place[1:at]):
                    token.append("/" if k else " ", Style(dim=True)).append(self.paint.sign(span) if span.short else f"({span.words})",
                                                                              self.paint.style(span))
                token.append(" ")
                for span in place[at + 1 :]:
                    token.append(self.paint.sign(span) + span.count_suffix, self.paint.style(span, strong=True))
                token.rstrip()
                if place[0].style == TARGET_STYLE and self.paint.pointed:
                    token.stylize(Style(meta={"answer": place[0].text[1:-1]}))
                tokens.append(token)
            lying = [Text(f"{self.paint.sign(span)}{span.amount or ''}", self.paint.style(span)) for span in entry.head[1:]]
            name = replace(entry.head[0], style="strong")
            rows.append(
                (Text(self.paint.words(name), self.paint.style(name)), [*([FlowText(lying, " ")] if some else []), FlowText(tokens)])
            )
        return Group(LabelledFlows(rows), *(() if self.side_columns else self.legend_flows(panel.legend)))

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

    def heading_text(self, line: Line) -> Text:
        """Returns a line as a dim heading."""
        return self.line_text([replace(span, style="dim") for span in line])

    def line_words(self, line: Line) -> str:
        """Returns a line as plain words."""
        return ", ".join(self.paint.words(span) for span in line)

    def line_text(self, line: Line, strong: bool = False) -> Text:
        """Returns a line in words and colours."""
        text = Text()
        for n, span in enumerate(line):
            if self.paint.has_face(span):
                text.append(" " if n else "").append(*self.paint.face(span))
            else:
                gap = " " if span.signed else ", "
                text.append(gap if n else "").append(self.paint.words(span), self.paint.style(span, strong or span.signed))
        return text
