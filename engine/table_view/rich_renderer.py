"""A table for a terminal, drawn with rich: frames, colours, letters and shapes; side by side where there is room. Without UTF-8 frames and
shapes are ASCII, with NO_COLOR nothing is coloured: letters tell things apart as well."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
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

from ...dsl.diagnostics.sanitize import Shown, visible
from .board_graph import cells_of_graph
from .board_hex import cells_of_hexes
from .board_square import cells_of_squares
from .canvas import Canvas, Paint
from .compact_grid import shorter
from .flow_layout import Beside, Columns, Flow, Picture
from .palette import palette_of
from .plain_renderer import chart as told_chart
from .plain_renderer import places
from .theme import Look
from .view_model import Chart, Entries, Grid, Legend, Line, Panel, Span
from .visible_values import EMPTY

NARROW = 38                                                        # columns that a text needs beside something else
AROUND = 4                                                         # columns of a frame and its blanks
SHORT = 34                                                         # columns of a counter that may stand beside others
LEGEND = 60                                                        # columns that a legend may be wider than its board
Colours = Literal["standard", "256", "truecolor"] | None           # how many a terminal has
FOOTNOTES = 5                                                      # of a cut map, one line in so many tells what finds no room in it
FLAT = 3                                                           # lines by which something may be higher than what it stands beside


class Framed(NamedTuple):
    """A panel in its frame, its least and its best width."""

    inside: RenderableType
    least: int
    best: int
    panel: Panel


def screen_lines(panels: list[Panel], look: Look, width: int, colour: Colours = "truecolor", utf: bool = True, high: int = 0,
                 needed: int = 0, cut: bool = False) -> list[str]:
    """All panels as lines for a terminal of this width; with `high`, those that fit into so many lines, the first ones first, boards
    without the sides of their cells where that helps them or one of the first panels, of which so many are `needed`. `cut`: of a
    board of hexagons that is too high, the lines with the most numbers of options."""
    if not high:
        return [line for block in Screen(look, width, colour, utf).blocks(panels) for line in block]
    tries = [fitting(panels, Screen(look, width, colour, utf, room, cut=cut), high) for room in ([high, 1] if needed > 1 else [high])]
    seen, lines = max(tries, key=lambda one: min(needed, one[0]))  # the first of those that are alike
    if seen < needed:                                              # rather nothing than what nobody asked for
        return max((fitting(panels[:needed], Screen(look, width, colour, utf, room, cut=cut), high)[1] for room in (high, 1)), key=len)
    return lines


def fitting(panels: list[Panel], screen: Screen, high: int) -> tuple[int, list[str]]:
    """How many of the first panels fit into so many lines, and all lines that do; some of them in a shorter form, those that stand alone
    with all that their letters mean, or at least with all of each kind of which they tell some; where that has no room, without the
    kinds of which the rest would stand nowhere: who reads a part takes it for all."""
    seen, out, shown = one_above_another(panels, screen, high)
    told = {sign.style for panel in shown if not isinstance(panel, Grid) and panel.key not in screen.unexplained
            for entries in panel.legend.values() for sign in entries.values()}
    untold = {head for panel in shown if not isinstance(panel, Grid)
              for head, entries in panel.whole.items() if any(sign.style not in told for sign in entries.values())}
    if untold:
        for form in (explained, partly_explained, lambda panel: unexplained(panel, untold)):
            alone = one_above_another([form(panel) if panel in shown else panel for panel in panels], screen, high)
            if alone[0] >= seen and len(alone[2]) >= len(shown):
                return alone[0], alone[1]
    return seen, out


def explained(panel: Panel) -> Panel:
    """A panel with its whole legend."""
    return panel if isinstance(panel, Grid) or not panel.whole else replace(panel, legend={
        **panel.whole, **{head: entries for head, entries in panel.legend.items() if head not in panel.whole}})


def partly_explained(panel: Panel) -> Panel:
    """A panel with the whole of those parts of its legend of which it has some."""
    return panel if isinstance(panel, Grid) or not panel.whole else replace(
        panel, legend={head: panel.whole.get(head, entries) for head, entries in panel.legend.items()})


def unexplained(panel: Panel, untold: set[str]) -> Panel:
    """A panel without these parts of its legend."""
    return panel if isinstance(panel, Grid) else replace(
        panel, legend={head: entries for head, entries in panel.legend.items() if head not in untold})


def one_above_another(panels: list[Panel], screen: Screen, high: int) -> tuple[int, list[str], list[Panel]]:
    """The same as `fitting` with the legends as they are, and which panels these are."""
    out: list[str] = []
    shown: list[Panel] = []
    seen, whole = 0, True
    todo = [screen.framed(panel) for panel in panels]
    while todo:
        before, waiting = len(todo), [one.panel for one in todo]
        first, rest = todo[0].panel, todo[1:]
        block = screen.printed(screen.shelf(todo))
        if len(out) + len(block) > high and isinstance(first, Grid):
            for form in shorter(first, high - len(out)):
                tried = [screen.framed(form), *rest]
                less = screen.printed(screen.shelf(tried))
                if len(out) + len(less) <= high:
                    todo, block = tried, less
                    break
        whole = whole and len(out) + len(block) <= high
        if len(out) + len(block) <= high:
            out += block
            shown += [panel for panel in waiting if all(panel is not one.panel for one in todo)]
        seen += (before - len(todo)) * whole
    return seen, out, shown


def line_on_top(parts: list[Line], look: Look, width: int, colour: Colours = "truecolor", utf: bool = True) -> list[str]:
    """The line on top of a table (headline.py) for a terminal of this width; more than one line where it does not fit."""
    screen = Screen(look, width, colour, utf)
    return screen.printed(screen.line_on_top(parts))


def screen_segments(panels: list[Panel], look: Look, width: int, colour: Colours, utf: bool, high: int = 0) -> list[list[Segment]]:
    """All panels as lines of parts with their styles; what is to be typed for a place of a board is the `answer` of its style."""
    screen = Screen(look, width, colour, utf, high, pointed=True)
    return [line for block in screen.shelves(panels) for line in block]


class Screen:
    """A terminal: how wide it is and what it can show; with `high`, the lines into which a board should fit if it can; whether places
    can be `pointed` at; whether a board of hexagons that is too high is `cut` there."""

    def __init__(self, look: Look, width: int, colour: Colours, utf: bool, high: int = 0, pointed: bool = False, cut: bool = False) -> None:
        self.width, self.utf, self.high, self.cut = width, utf, high, cut
        few = palette_of(look, colour) if colour == "standard" or colour == "256" else None
        self.paint = Paint(look, utf, colour is not None, pointed, few)
        self.unexplained: set[str] = set()                         # boards that had no room for what their signs mean
        self.file = io.StringIO()
        self.console = Console(file=self.file, width=width, height=200, force_terminal=colour is not None, no_color=colour is None,
                               highlight=False, color_system=colour, legacy_windows=False, emoji=False, markup=False, _environ={})

    def blocks(self, panels: list[Panel]) -> Iterator[list[str]]:
        """What stands side by side, from top to bottom."""
        yield from map(self.printed, self.shelves(panels))

    def shelves(self, panels: list[Panel]) -> Iterator[list[list[Segment]]]:
        todo = [self.framed(panel) for panel in panels]
        while todo:
            yield self.shelf(todo)

    def line_on_top(self, parts: list[Line]) -> list[list[Segment]]:
        """Where the game stands, the parts set off from each other."""
        rule, gap = ("── ", " · ") if self.utf else ("-- ", " | ")
        flow = Flow([self.spread(part) for part in parts], gap, Text(rule, Style(dim=True)))
        return self.drawn(flow, self.width) if parts else []

    def printed(self, found: list[list[Segment]]) -> list[str]:
        """Lines with the codes of the terminal's colours."""
        self.file.seek(0)
        self.file.truncate()
        lines = [[*line, Segment.line()] for line in found]
        harmless = [Segment(visible(text), style) for line in lines for text, style, _ in line]
        self.console.print(Segments(harmless), end="", crop=False)
        return [Shown(line.rstrip()) for line in self.file.getvalue().splitlines()]

    # ------------------------------------------------------------ one beside the other

    def shelf(self, todo: list[Framed]) -> list[list[Segment]]:
        """The lines of the first of these, and beside it as many others as fit into its height; they are taken off the list."""
        first, _, wide, _ = todo.pop(0)
        wide = min(wide, self.width)
        lines = self.drawn(first, wide)
        room = self.width - wide - 1
        beside: list[list[Segment]] = []
        for one in list(todo) if room >= NARROW else []:
            if one.least > room or len(beside) >= len(lines):
                continue
            more = self.drawn(one.inside, min(room, one.best))
            if len(beside) + len(more) <= len(lines) + FLAT:
                beside += more
                todo.remove(one)
        blank = [Segment(" " * wide)]
        return [[*(lines[n] if n < len(lines) else blank), *([Segment(" "), *beside[n]] if n < len(beside) else [])]
                for n in range(max(len(lines), len(beside)))]

    def drawn(self, found: RenderableType, width: int) -> list[list[Segment]]:
        return self.console.render_lines(found, self.console.options.update(width=width))

    # ------------------------------------------------------------ panels

    def framed(self, panel: Panel) -> Framed:
        """A panel in its frame, how narrow it can be, and how wide it would like to be."""
        inner = self.chart(panel) if isinstance(panel, Chart) else self.grid(panel) if isinstance(panel, Grid) else self.entries(panel)
        title = Text(panel.title, Style(bold=True, dim=False)) if panel.title else None
        around = AROUND if not isinstance(panel, Chart) else 2
        wish = Measurement.get(self.console, self.console.options.update(width=self.width - around), inner)
        most = max(wish.maximum, len(panel.title) + 2) + around
        least = max(wish.minimum, len(panel.title) + 2) + around
        frame = Frame(inner, title=title, title_align="left", box=borders.ROUNDED if self.utf else borders.ASCII2, width=None,
                      border_style=Style(dim=True), padding=(0, 1) if around == AROUND else (0, 0), expand=False)
        return Framed(frame, min(max(least, NARROW), most), most, panel)

    def chart(self, panel: Chart) -> RenderableType:
        """A board as it lies, or told cell by cell where it does not fit."""
        room = self.width - 2
        canvas: Canvas | None
        missing: list[tuple[str, Line]] = []
        if panel.shape != "hex":
            drawn = cells_of_squares if panel.shape == "square" else cells_of_graph
            canvas, missing = drawn(panel, self.paint, room)
            if canvas is not None and panel.simple and 0 < self.high < canvas.height + len(missing) + len(panel.legend) + 2:
                return Group(*(Text(line) for line in told_chart(panel, room)))
        elif panel.simple or not panel.flat:
            canvas = self.loose_hexes(panel) if panel.simple else None
        else:
            canvas, missing = cells_of_hexes(panel, self.paint, room)
            if canvas is not None and 0 < self.high < canvas.height + len(missing) + len(panel.legend) + 2:
                low, left = cells_of_hexes(panel, self.paint, room, low=True)
                canvas, missing = (canvas, missing) if low is None else (low, left)
        if canvas is None or canvas.width > room:
            return Group(*(Text(line) for line in told_chart(panel, room)))
        wide = max(min(room, LEGEND), canvas.width)
        said = [Text(f"{label}: ").append_text(self.spread(line)) for label, line in missing]
        if 0 < self.high < canvas.height + len(said) + 2:
            said = list(Flow(said, "   ").lines(wide)) if said else []
        if self.cut and panel.shape != "square" and 0 < self.high < canvas.height + len(said) + 2:
            said = said if len(said) <= self.high // FOOTNOTES else []
            canvas = canvas.part(max(1, self.high - 2 - len(said)), *("▲▼" if self.utf else "^v"))
        parts: list[RenderableType] = [Picture(canvas.lines(), canvas.width), *said]
        if 0 < self.high < canvas.height + len(said) + len(panel.legend) + 2:          # what signs mean is told where there is room
            self.unexplained |= {panel.key} if panel.legend else set()
            return Group(*parts)
        return Group(*parts, *(Constrain(flow, wide) for flow in self.legend(panel.legend)))

    def can_draw(self, panel: Chart) -> bool:
        """Whether a board of hexagons can be drawn in this width; other boards are drawn or told as ever."""
        if panel.shape != "hex" or panel.simple or not panel.flat:
            return True
        canvas, _ = cells_of_hexes(panel, self.paint, self.width - 2)
        return canvas is not None and canvas.width <= self.width - 2

    def loose_hexes(self, panel: Chart) -> Canvas:
        """Hexagons with one thing each: labels where nothing lies."""
        where = places(panel)
        canvas = Canvas()
        wide = max(len(spot.label) for spot in panel.spots) + 1
        step = wide if panel.flat else -(-wide // 2)
        for spot in panel.spots:
            x, y = where[spot.at]
            shown = replace(spot.pieces[0] if spot.pieces else Span(spot.label, "dim"), amount=None)
            text = self.paint.sign(shown)
            at = x * step + len(text.center(wide - 1)) - len(text.center(wide - 1).lstrip())
            shown = replace(shown, changed=spot.changed)
            canvas.put(at, y, self.paint.sign(shown), self.paint.style(shown, strong=bool(spot.pieces)))
        return canvas

    def legend(self, legend: Legend) -> Iterable[Flow]:
        """What letters and shapes mean."""
        bare: list[Text] = []                                      # signs that mean just their heading
        for heading, meanings in legend.items():
            said = [Text().append(self.paint.sign(span), self.paint.style(span, strong=True)).append(f" {span.text}".rstrip())
                    for span in meanings.values()]
            head = Text(f"{heading}: ", Style(dim=True))
            if len(said) == 1 and not any(span.text for span in meanings.values()):
                bare.append(head.append_text(said[0]))
            else:
                yield Flow(said, "  ", head)
        if bare:
            yield Flow(bare, "   ")

    def grid(self, panel: Grid) -> RenderableType:
        blank = Text("" if panel.bands else EMPTY, Style(dim=True))
        rows = [[self.spread(line) if line else blank for line in row] for row in panel.rows]
        bands = {n: [Text(self.paint.words(span), self.paint.style(span, strong=True)) for span in band] for n, band in panel.bands.items()}
        columns = Columns(panel.heads, rows, bands)
        if columns.narrowest > self.width - AROUND:
            return Group(*columns.stacked(self.width - AROUND), *([Text(panel.note, Style(dim=True))] if panel.note else []))
        return Group(columns, Text(panel.note, Style(dim=True))) if panel.note else columns

    def entries(self, panel: Entries) -> RenderableType:
        if panel.flow == "texts" and self.width < NARROW:
            return Group(*(part for entry in panel.entries for part in (
                self.spread(entry.head, strong=True), *(self.spread(line) for line in entry.body[:1]))))
        if panel.flow == "texts":
            found = Table.grid(padding=(0, 2, 0, 0))
            found.add_column(width=min(24, max(len(self.words(entry.head)) for entry in panel.entries)))
            found.add_column()
            for entry in panel.entries:
                found.add_row(self.spread(entry.head, strong=True), self.spread(entry.body[0]) if entry.body else Text(""))
            return found
        if panel.flow == "lists":
            return self.lists(panel)
        if panel.flow in ("things", "packed"):
            gap = " · " if self.utf else " | "
            flows = ((list(self.packed(entry.body, gap)), " ") if panel.flow == "packed"
                     else ([self.thing(line) for line in entry.body], gap) for entry in panel.entries)
            return Group(*(Flow(tokens, between, self.heading(entry.head).append(": ")) if tokens else self.heading(entry.head)
                           for entry, (tokens, between) in zip(panel.entries, flows)))
        if panel.flow == "steps":
            steps = [self.heading(entry.head).append(" ").append_text(self.spread(entry.body[0], strong=True))
                     for entry in panel.entries]
            return Flow(steps, f" {'›' if self.utf else '>'} ")
        if not any(entry.body for entry in panel.entries):
            return Flow([Text(f"[{self.words(entry.head)}]", self.paint.style(entry.head[0])) for entry in panel.entries])
        texts = [self.heading(entry.head).append(": ").append_text(self.spread(entry.body[0])) for entry in panel.entries]
        parts: list[RenderableType] = []
        short: list[Text] = []
        for text in texts:
            if text.cell_len <= SHORT:
                short.append(text)
                continue
            parts += [*([Flow(short, "   ")] if short else []), text]
            short = []
        return Group(*parts, *([Flow(short, "   ")] if short else []))

    def lists(self, panel: Entries) -> RenderableType:
        """Groups of places: heading, places with who stands there, what lies in the group."""
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
                    token.append(self.paint.sign(span) + span.many, self.paint.style(span, strong=True))
                tokens.append(token)
            lying = [Text(f"{self.paint.sign(span)}{span.amount or ''}", self.paint.style(span)) for span in entry.head[1:]]
            name = replace(entry.head[0], style="strong")
            rows.append((Text(self.paint.words(name), self.paint.style(name)), [*([Flow(lying, " ")] if some else []), Flow(tokens)]))
        return Group(Beside(rows), *self.legend(panel.legend))

    def thing(self, line: Line) -> Text:
        """A thing with what is said of it behind it."""
        first, *others = line
        return self.spread([first], strong=True).append(" " * bool(others)).append_text(self.spread(others))

    def packed(self, things: list[Line], gap: str) -> Iterator[Text]:
        """Things in parts that may stand on different lines: each with what is said of it first, then what else is, part by part."""
        for n, line in enumerate(things):
            parts = [self.thing(line[:2]), *(self.spread([span]) for span in line[2:])]
            for part in parts[:-1]:
                yield part.append(",")
            yield parts[-1].append(gap.rstrip() if n < len(things) - 1 else "")

    def heading(self, line: Line) -> Text:
        """What stands before the thing itself."""
        return self.spread([replace(span, style="dim") for span in line])

    def words(self, line: Line) -> str:
        return ", ".join(self.paint.words(span) for span in line)

    def spread(self, line: Line, strong: bool = False) -> Text:
        """A line in words and colours."""
        text = Text()
        for n, span in enumerate(line):
            text.append(", " if n else "").append(self.paint.words(span), self.paint.style(span, strong))
        return text
