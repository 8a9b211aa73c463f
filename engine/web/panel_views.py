"""Panels as data for the templates. Boards are SVG, everything else is HTML, so that it wraps on a small screen.

A part of a line has the CSS classes of its meaning: the colour of the member that it stands for, `dim`, `strong`, or
`changed`.
page_styles.py writes the rules of these classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

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
    thing: str = ""                                                # the card as the rules name it: Card.ace


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
    kind: str = "board"


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
    heads: tuple[str, ...]
    rows: tuple[GridRow, ...]
    note: str = ""
    mats: tuple[tuple[tuple[Span, ...], tuple[MatView, ...]], ...] = ()
    kind: str = "grid"


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


PanelView = BoardView | GridView | ListView


def view_panels(panels: Sequence[Panel], theme: Theme) -> list[PanelView]:
    """Returns the panels of a table for the templates."""
    return [view_panel(panel, theme) for panel in panels]


def view_panel(panel: Panel, theme: Theme) -> PanelView:
    """Returns one panel. Boards, stacks, and dice are pictures."""
    if isinstance(panel, GridPanel):
        return view_grid(panel, theme)
    if isinstance(panel, BoardPanel) or panel.flow in PICTURE_FLOWS:
        return view_board(panel, theme)
    return view_list(panel, theme)


def view_line(line: Line, theme: Theme) -> tuple[Span, ...]:
    """Returns the parts of a line."""
    return tuple(view_span(span, theme) for span in line)


def view_span(span: StyledText, theme: Theme) -> Span:
    """Returns a part of a line."""
    colour = theme.colour(span.style)
    css = (f"k{colour[1:]}" if colour else "") if span.face else text_style(span.style, theme)
    return Span(span.words, f"{css} changed".strip() if span.changed else css, span.face,
                span.style if span.face and THING.fullmatch(span.style) else "")


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
    return BoardView(panel.title, Markup(svg), entries, tuple(lines))


def view_code(code: str, span: StyledText, theme: Theme) -> LegendEntry:
    """Returns the legend entry of a code, or of the sign that the board shows instead. Discs have no sign."""
    colour, shape = theme.colour(span.style), SOLID_SHAPES.get(span.shape, span.shape)
    return LegendEntry(shape if shape and shape not in DISC_SHAPES else code, span.text,
                       f"f{colour[1:]} {text_class(colour)}" if colour else "", span.style if THING.fullmatch(span.style) else "")


def view_grid(panel: GridPanel, theme: Theme) -> GridView:
    """Returns a table."""
    rows: list[GridRow] = []
    for n, row in enumerate(panel.rows):
        rows += [GridRow((view_line([band], theme),), True) for band in panel.bands.get(n, [])]
        rows.append(GridRow(tuple(view_line(cell, theme) for cell in row)))
    rows += [GridRow((view_line([band], theme),), True) for band in panel.bands.get(len(panel.rows), [])]
    groups = mat_groups(panel) if panel.mats else ()
    mats = tuple((view_line(band, theme), tuple(view_mat(panel, n, theme) for n in members)) for band, members in groups)
    return GridView(panel.title, tuple(panel.heads), tuple(rows), panel.note, mats)


def view_mat(panel: GridPanel, n: int, theme: Theme) -> MatView:
    """Returns the mat of one row of a table."""
    return MatView(view_line(panel.rows[n][0], theme), tuple((caption, view_line(line, theme)) for caption, line in mat_lines(panel, n)))


def view_list(panel: ListPanel, theme: Theme) -> ListView:
    """Returns a list."""
    entries = [ListEntry(view_line(entry.head, theme), tuple(view_place(line, theme) if panel.flow == "lists" else view_line(line, theme)
                                                            for line in entry.body))
               for entry in panel.entries]
    return ListView(panel.title, panel.flow, tuple(entries))


def view_place(line: Line, theme: Theme) -> tuple[Span, ...]:
    """Returns one place of a group: its label with its attributes, and who occupies it."""
    at = next((n for n, span in enumerate(line) if span.text == ":"), len(line))
    return view_line([*line[:at], *line[at + 1 :]], theme)
