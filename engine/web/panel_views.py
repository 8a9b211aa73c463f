"""Panels as data for the templates. Boards are SVG, everything else is HTML, so that it wraps on a small screen.

A part of a line has the CSS classes of its meaning: the colour of the member that it stands for, `dim`, `strong`, or
`changed`.
page_styles.py writes the rules of these classes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from markupsafe import Markup

from ...dsl.diagnostics.sanitize import sanitize
from ..table_view.html_page import escape_html, text_class
from ..table_view.mats import mat_groups, mat_lines
from ..table_view.option_markers import iter_numbers
from ..table_view.plain_renderer import board_lines, list_lines
from ..table_view.surface import SOLID_SHAPES
from ..table_view.svg_pen import format_number
from ..table_view.svg_renderer import draw_panel
from ..table_view.svg_surface import DISC_SHAPES
from ..table_view.theme import Theme
from ..table_view.view_model import BoardPanel, GridPanel, Line, ListPanel, Panel, StyledText

TEXT_STYLES = {"dim": "dim", "title": "strong", "strong": "strong"}
PICTURE_FLOWS = ("stacks", "dice")                                 # flows of lists that are pictures
DESCRIPTION_COLUMNS = 100
THING = re.compile(r"[A-Za-z]\w*\.\w+")      # a member as the rules name it
MAX_MARKED_TARGETS = 40                     # places that can be chosen have a mark, unless that is nearly the whole board


@dataclass(frozen=True)
class Span:
    """A part of a line with its CSS class."""

    text: str
    css: str = ""
    face: str = ""                                                 # the signs on it, if it is a card
    thing: str = ""                                                # as the rules name it: Card.ace
    target: str = ""                                               # the id of the first option that chooses it


@dataclass(frozen=True)
class LegendEntry:
    """A code on a board and its meaning. `css` has the colour of pieces with this code."""

    code: str
    text: str
    css: str
    thing: str = ""                                                # as the rules name it


@dataclass(frozen=True)
class BoardView:
    """A board: its picture, the meaning of its codes, and the same in words."""

    title: str
    svg: Markup
    legend: tuple[tuple[str, tuple[LegendEntry, ...]], ...]
    lines: tuple[str, ...]
    key: str
    kind: str = "board"
    is_hand: bool = False                                          # whether it shows things that only the viewer sees


@dataclass(frozen=True)
class GridRow:
    """A row of a table, or a heading inside it."""

    cells: tuple[tuple[Span, ...], ...]
    band: bool = False


@dataclass(frozen=True)
class MatView:
    """A card-like box with its title and its lines, each as (caption, contents)."""

    title: tuple[Span, ...]
    lines: tuple[tuple[str, tuple[Span, ...]], ...]


@dataclass(frozen=True)
class GridView:
    """A table. `mats`: the same as boxes, as (heading, boxes) for each owner, if it is drawn that way."""

    title: str
    key: str
    heads: tuple[str, ...]
    rows: tuple[GridRow, ...]
    note: str = ""
    mats: tuple[tuple[tuple[Span, ...], tuple[MatView, ...]], ...] = ()
    kind: str = "grid"
    is_hand: bool = False


@dataclass(frozen=True)
class ListEntry:
    """An entry of a list: its name, and lines below or after it."""

    head: tuple[Span, ...]
    body: tuple[tuple[Span, ...], ...] = ()


@dataclass(frozen=True)
class ListView:
    """A list. `flow` is the layout of the panel."""

    title: str
    flow: str
    entries: tuple[ListEntry, ...] = field(default=())
    kind: str = "list"
    is_hand: bool = False


PanelView = BoardView | GridView | ListView


@dataclass
class ThingTargets:
    """The things that options choose, by id. `shown` collects those that the panels show, which people can click.

    A thing has two ids: its own, and that of all equal things, because a hand does not say which of them it shows.
    `readable` are the things with a name of their own (`Trait.swimming`). Their names lead to their texts.
    On a page without questions, none are."""

    known: Collection[str] = ()
    shown: set[str] = field(default_factory=set)
    readable: Collection[str] = ()

    def find(self, member: tuple[str, int] | None, style: str) -> str:
        """Returns the id of a thing that an option chooses, or ""."""
        found = member_id(*member) if member is not None else kind_id(style)
        if found not in self.known:
            return ""
        self.shown.add(found)
        return found

    def find_readable(self, span: StyledText, is_name: bool) -> str:
        """Returns the name with which a reader can ask for the text of a thing, or "". `is_name`: it begins a row."""
        if span.style in self.readable:
            return span.style
        return span.words if self.readable and is_name and THING.fullmatch(span.style) else ""


def member_id(domain: str, n: int) -> str:
    """Returns the id of the first option that chooses a member. Links in panels lead to it."""
    return f"at-{domain}-{n}"


def kind_id(style: str) -> str:
    """Returns the id of the first option that chooses one of several equal things, such as `Card.guard`."""
    return f"at-{style}"


def view_panels(panels: Sequence[Panel], theme: Theme, targets: ThingTargets) -> list[PanelView]:
    """Returns the panels of a table for the templates."""
    return [view_panel(panel, theme, targets) for panel in panels]


def view_panel(panel: Panel, theme: Theme, targets: ThingTargets) -> PanelView:
    """Returns one panel. Boards, stacks, and dice are pictures."""
    if isinstance(panel, GridPanel):
        return view_grid(panel, theme, targets)
    if isinstance(panel, BoardPanel) or panel.flow in PICTURE_FLOWS:
        return view_board(panel, theme)
    return view_list(panel, theme, targets)


def is_hand(panel: Panel) -> bool:
    """Whether a panel shows the things that only this viewer sees."""
    return panel.key.startswith("hand ")


def view_line(line: Line, theme: Theme, targets: ThingTargets | None = None) -> tuple[Span, ...]:
    """Returns the parts of a line. Of its parts, only cards lead to options."""
    if targets is None:
        return tuple(view_span(span, theme) for span in line)
    return tuple(view_span(span, theme, targets.find(None, span.style) if span.face else "", targets.find_readable(span, False))
                 for span in line)


def view_name(line: Line, theme: Theme, targets: ThingTargets, member: tuple[str, int] | None = None) -> tuple[Span, ...]:
    """Returns the parts of a line that begins with the name of a thing."""
    return tuple(view_span(span, theme, targets.find(None if n else member, span.style) if not n or span.face else "",
                           targets.find_readable(span, not n and member is not None)) for n, span in enumerate(line))


def view_span(span: StyledText, theme: Theme, target: str = "", readable: str = "") -> Span:
    """Returns a part of a line. `readable` is the name of the thing, if it is no card and its text leads to a description."""
    colour = theme.colour(span.style)
    css = (f"k{colour[1:]}" if colour else "") if span.face else text_style(span.style, theme)
    return Span(span_text(span), f"{css} changed".strip() if span.changed else css, span.face and f"{span.face}{count_sign(span)}",
                span.style if span.face and THING.fullmatch(span.style) else readable, target)


def span_text(span: StyledText) -> str:
    """Returns the words of a part, with the number of equal things as `Swimming ×2`."""
    return f"{sanitize(span.text)}{count_sign(span)}" if span.text else span.words


def count_sign(span: StyledText) -> str:
    """Returns the number of equal things that a part stands for, such as ` ×2`, or "" for one."""
    return "" if span.amount in (None, 1) else f"\u00a0×{span.amount}"


def text_style(style: str, theme: Theme) -> str:
    """Returns the CSS class of a text."""
    colour = theme.colour(style)
    return f"c{colour[1:]}" if colour else TEXT_STYLES.get(style, "")


def view_board(panel: BoardPanel | ListPanel, theme: Theme) -> BoardView:
    """Returns a board, or a list with a picture. Its legend is not part of the picture, which shrinks on small screens."""
    legend = panel.whole or panel.legend
    entries = tuple((heading, tuple(view_code(code, span, theme) for code, span in meanings.items()))
                    for heading, meanings in {**legend, **panel.legend}.items())
    plain = replace(panel, title="", legend={})
    drawn = draw_panel(plain, theme)
    wide, high = format_number(drawn.width), format_number(drawn.height)
    few = " few" if sum(1 for _ in iter_numbers(panel)) <= MAX_MARKED_TARGETS else ""
    svg = (f'<svg class="table{few}" role="group" aria-label="{escape_html(panel.title)}" viewBox="0 0 {wide} {high}" width="{wide}" '
           f'height="{high}">{"".join(drawn.parts)}</svg>')
    lines = board_lines(plain, DESCRIPTION_COLUMNS) if isinstance(plain, BoardPanel) else list_lines(plain, DESCRIPTION_COLUMNS)
    return BoardView(panel.title, Markup(svg), entries, tuple(lines), panel.key, is_hand=is_hand(panel))


def view_code(code: str, span: StyledText, theme: Theme) -> LegendEntry:
    """Returns the legend entry of a code, or of the sign that the board shows instead. Discs have no sign."""
    colour, shape = theme.colour(span.style), SOLID_SHAPES.get(span.shape, span.shape)
    return LegendEntry(shape if shape and shape not in DISC_SHAPES else code, span.text,
                       f"f{colour[1:]} {text_class(colour)}" if colour else "", span.style if THING.fullmatch(span.style) else "")


def view_grid(panel: GridPanel, theme: Theme, targets: ThingTargets) -> GridView:
    """Returns a table."""
    rows: list[GridRow] = []
    names = [view_name(row[0], theme, targets, member) for row, member in zip_longest(panel.rows, panel.members)]
    for n, row in enumerate(panel.rows):
        rows += [GridRow((view_line([band], theme),), True) for band in panel.bands.get(n, [])]
        rows.append(GridRow((names[n], *(view_line(cell, theme, targets) for cell in row[1:]))))
    rows += [GridRow((view_line([band], theme),), True) for band in panel.bands.get(len(panel.rows), [])]
    groups = mat_groups(panel) if panel.mats else ()
    mats = tuple((view_line(band, theme), tuple(view_mat(panel, n, names[n], theme, targets) for n in members)) for band, members in groups)
    return GridView(panel.title, panel.key, tuple(panel.heads), tuple(rows), panel.note, mats)


def view_mat(panel: GridPanel, n: int, name: tuple[Span, ...], theme: Theme, targets: ThingTargets) -> MatView:
    """Returns the mat of one row of a table."""
    return MatView(name, tuple((caption, view_line(line, theme, targets)) for caption, line in mat_lines(panel, n)))


def view_list(panel: ListPanel, theme: Theme, targets: ThingTargets) -> ListView:
    """Returns a list. In a list of places, each line is a place."""
    are_places = panel.flow == "lists"
    entries = [
        ListEntry(view_name(entry.head, theme, targets),
                  tuple(view_place(line, theme, targets, member) if are_places else view_line(line, theme, targets)
                        for line, member in zip_longest(entry.body, entry.members if are_places else ())))
        for entry in panel.entries]
    return ListView(panel.title, panel.flow, tuple(entries), is_hand=is_hand(panel))


def view_place(line: Line, theme: Theme, targets: ThingTargets, member: tuple[str, int] | None) -> tuple[Span, ...]:
    """Returns one place of a group: its label with its attributes, and who occupies it."""
    at = next((n for n, span in enumerate(line) if span.text == ":"), len(line))
    return view_name([*line[:at], *line[at + 1 :]], theme, targets, member)
