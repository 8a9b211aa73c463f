"""Builds panels (view_model.py) from table.yaml and a position. Rendering is a later step."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from ...dsl.game.table_config import TableValue, lookup_table_values, panel_kind, stars_of_board
from ...dsl.storage.layout import StateStorage
from ...dsl.types.board_parts import PART_SIGNS
from ...dsl.types.boards import Board, GraphBoard, decode_open_cell
from ...dsl.types.types import BagOf, Bool, Int, ListOf, PileOf, SetOf, domain_of
from ..i18n.template import capitalize_first
from ..narration.narrator import Narrator
from ..position.position import Position
from ..position.visibility import ALL_SEATS_VIEWER, can_see
from .board_parts import iter_parts
from .build_places import PlacePanelBuilder
from .default_panels import build_rest_panel, default_panels
from .view_model import (
    DIE_FACES,
    MARK_SIGN,
    OWNER_SHAPE,
    BoardCell,
    BoardPanel,
    GridPanel,
    Legend,
    Line,
    ListItem,
    ListPanel,
    Panel,
    StyledText,
    join_words,
)
from .visible_values import HiddenValue, SeatView, VisibleValue


def build_panels(position: Position, narrator: Narrator, seat: int | None) -> list[Panel]:
    """Returns the panels of the table as `seat` sees it. Empty panels are left out.

    `seat`: ALL shows all hands, None is the view of a spectator."""
    sight = SeatView(position, narrator, seat)
    written = sight.theme.panels
    builder = PanelBuilder(sight, {panel["hand"] for panel in written or () if panel_kind(panel) == "hand"})
    found: list[Panel | None] = []
    keys: Counter[str] = Counter()
    for panel in default_panels(sight) if written is None else written:
        kind = panel_kind(panel)
        made = getattr(builder, kind)(panel)
        keys[key := f"{kind} {panel[kind]}"] += 1
        asked = {at: tuple(panel.get(at) or ()) for at in ("questions", "summary")}
        found.append(None if made is None else replace(made, key=f"{key} {keys[key]}", **asked))
    if written is None:
        found.append(build_rest_panel(sight))
    return [panel for panel in found if panel is not None]


def count_signs(line: Line) -> Line:
    """Returns things as signs with amounts. Equal things are counted together."""
    amounts: Counter[StyledText] = Counter()
    for span in line:
        amounts[replace(span, amount=None, signed=True)] += span.amount or 1
    return [replace(span, amount=many) for span, many in amounts.items()]


class PanelBuilder(PlacePanelBuilder):
    """Builds panels. There is one method for each kind of panel in table.yaml, called by the name of the kind."""

    # ------------------------------------------------------------ boards

    def board(self, panel: dict[str, Any]) -> BoardPanel | None:
        """Builds the panel of a board. None if it is an open board with nothing on it."""
        sight, board = self.sight, self.model.boards[panel["board"]]
        ground = sight.find_value(panel["terrain"], board.cell_type) if "terrain" in panel else None
        here = [value for name in panel.get("pieces", []) if (value := self.board_value(board, name)) is not None]
        marks = [value for name in panel.get("markers", []) if (value := sight.find_value(name, board.cell_type)) is not None]
        parts = [(board.parts_of_kind(kind).labels, value) for kind in PART_SIGNS for name in panel.get(kind, ())
                 if (value := sight.find_value(name, board.part_types.get(kind, ""))) is not None]
        numbers = range(len(board.cells)) if not board.open else self.find_occupied_cells([ground, *here, *marks])
        if not numbers:
            return None
        legend: Legend = {}
        spots = []
        signed: list[str] = []
        bare: dict[str, int] = {}                                  # caption → an example of a bare number
        on_part = {(value.domains[0], n): span for labels, value in parts for n in range(len(labels))
                   for span in self.part_line(value, n, legend)}
        owners = sight.find_value(panel["owners"], board.cell_type) if "owners" in panel else None
        flat = board.flat if "top" not in panel else panel["top"] == "flat"
        stars = stars_of_board(panel, board)
        for n in numbers:
            spot = BoardCell(sight.member(board.cell_type, n).text, decode_open_cell(n) if board.open else board.cells[n])
            spot.star = not board.open and board.labels[n] in stars
            if ground is not None:
                spot.ground = next(iter(self.note_in_legend(legend, sight.line(sight.read(ground, n)), sight.caption(ground.name))), None)
            spot.contents = [(sight.caption(value.name), line) for value in here
                         if (line := self.note_in_legend(legend, self.cell_line(value, n), sight.caption(value.name)))]
            spot.marks = [(sight.caption(value.name), line) for value in marks
                          if not sight.is_empty(found := sight.read(value, n)) and (line := self.marker_line(value, found, legend))]
            for owner in sight.line(sight.read(owners, n)) if owners is not None else ():
                spot.owner = replace(owner, short=owner.short.lower(), shape=OWNER_SHAPE)
            signed += [caption for caption, _ in spot.marks]
            bare |= {caption: span.amount for caption, line in spot.contents for span in line if not span.text and span.amount is not None}
            if on_part:
                spot.parts = {suffix: on_part[place] for suffix, place in iter_parts(board, n, flat) if place in on_part}
            spots.append(spot)
        notes = [(sight.caption(value.name), [(sight.words.part_label(label), span) for n, label in enumerate(labels)
                                              for span in self.part_line(value, n)]) for labels, value in parts]
        told, whole = self.finish_legend(legend)
        for caption, n in bare.items() if len(here) > 1 else ():   # a bare number needs an explanation next to others
            told.setdefault(caption, {}).setdefault(f"({n})", StyledText("", "strong", f"({n})"))
        for spot in spots:
            if owners is not None and spot.owner is not None and spot.owner_code:
                told.setdefault(sight.caption(owners.name), {}).setdefault(spot.owner_code, spot.owner)
        for caption in signed:
            told.setdefault(caption, {}).setdefault("*", StyledText("", "strong", "*"))
        return BoardPanel(
            self.panel_title(panel),
            board.shape,
            flat,
            spots,
            [note for note in notes if note[1]],
            told,
            whole=whole,
            joins=[(board.cells[one], board.cells[two]) for one, two in board.adjacent_pairs] if isinstance(board, GraphBoard) else [],
            surface=panel.get("surface", "grid"),
            stores=self.stores(panel),
            has_parts=bool(parts),
            gapless=bool(parts) and ground is None,
        )

    def stores(self, panel: dict[str, Any]) -> list[tuple[StyledText, Line]]:
        """Returns what is drawn at the ends of a board, the left end first: the value of the last player, then the others."""
        value = self.sight.find_value(panel["stores"], "Player") if "stores" in panel else None
        seats = reversed(range(len(self.model.enums["Player"]))) if value is not None else ()
        return [(self.sight.member("Player", seat), self.sight.line(self.sight.read(value, seat))) for seat in seats if value is not None]

    def board_value(self, board: Board, name: str) -> TableValue | None:
        """Returns the value `name` over the cells of a board, or over another type and the cells. None if there is none."""
        found = [
            value for value in lookup_table_values(self.sight.game.ruleset, name) if value.domains and value.domains[-1] == board.cell_type
        ]
        return found[0] if found and len(found[0].domains) <= 2 else None

    def find_occupied_cells(self, values: list[TableValue | None]) -> list[int]:
        """Returns the cells of an open board where one of these values holds something."""
        return self.find_nonempty_cells([value.cell for value in values if value is not None and value.cell is not None])

    def find_nonempty_cells(self, cells: list[StateStorage]) -> list[int]:
        """Returns the cells of an open board where one of these states holds something. States that are not open to all
        are ignored."""
        words, seen = self.sight.position.s, [cell for cell in cells if cell.state.seen == "open"]
        return sorted({n for cell in seen for found in words[cell.base : cell.base + cell.count] for n in found})

    def marker_line(self, value: TableValue, found: VisibleValue | HiddenValue, legend: Legend) -> Line:
        """Returns the marker that a value puts on a cell: a star for a truth value, or a number, or a code with a star."""
        caption = self.sight.caption(value.name)
        if isinstance(found, VisibleValue) and isinstance(found.type, Bool):
            return [StyledText(caption, "strong", MARK_SIGN)]
        if isinstance(found, VisibleValue) and isinstance(found.type, Int):
            return [StyledText(str(found.raw), "strong", f"({found.raw})")]
        return [replace(span, short=f"*{span.short}", shape="") for span in self.note_in_legend(legend, self.sight.line(found), caption)]

    def part_line(self, value: TableValue, n: int, legend: Legend | None = None) -> Line:
        """Returns what a value puts on a corner or an edge: a mark for a truth value, or else its things."""
        found = self.sight.read(value, n)
        if self.sight.is_empty(found):
            return []
        caption = self.sight.caption(value.name)
        if isinstance(found, VisibleValue) and isinstance(found.type, Bool):
            return [StyledText(caption, "strong", MARK_SIGN)]
        line = self.sight.line(found)
        return line if legend is None else self.note_in_legend(legend, line, caption)

    # ------------------------------------------------------------ other panels

    def cards(self, panel: dict[str, Any]) -> ListPanel | None:
        """Builds a `cards` panel: the things in some values, each with its text."""
        sight = self.sight
        entries: dict[tuple[str, str], ListItem] = {}
        for name in panel["cards"]:
            for value in lookup_table_values(sight.game.ruleset, name)[:1]:
                indices = [()] if not value.domains else [(n,) for n in range(len(self.model.enums[value.domains[0]]))]
                for kind, n in (thing for index in indices for thing in sight.things(sight.read(value, *index))):
                    span = sight.member(kind, n)
                    entries.setdefault(
                        (kind, span.style), ListItem([replace(span, text=capitalize_first(span.text))], self.card_text(kind, n))
                    )
        title = self.panel_title(panel, sight.caption(panel["cards"][0]))
        return ListPanel(title, list(entries.values()), "texts") if entries else None

    def card_text(self, kind: str, n: int) -> list[Line]:
        """Returns the text of a thing, if it has one."""
        said = self.sight.description(kind, n)
        return [[StyledText(said)]] if said is not None else []

    def hand(self, panel: dict[str, Any]) -> ListPanel | None:
        """Builds a `hand` panel: the things that only this seat may see. None if there are none, or if all hands are
        open."""
        sight = self.sight
        value = sight.find_value(panel["hand"], "Player")
        if sight.seat == ALL_SEATS_VIEWER:                                      # the other panels show it
            return None
        line = sight.line(sight.read(value, sight.seat)) if value is not None and sight.seat is not None else []
        for over in lookup_table_values(sight.game.ruleset, panel["hand"])[:1] if value is None else ():
            line = [span for n in range(len(self.model.enums[over.domains[0]])) for span in self.private_line(over, n)]
        if not line:
            return None
        title = self.panel_title(panel, sight.caption(panel["hand"]))
        legend = sight.suit_legend(line[0].style.partition(".")[0])
        flow = "dice" if all(span.shape and span.shape in DIE_FACES for span in line) else "items"
        return ListPanel(title, [ListItem([replace(span, text=capitalize_first(span.text))], []) for span in line], flow, legend)

    def private_line(self, value: TableValue, n: int) -> Line:
        """Returns what a member holds in a value, if this seat may see it and not everyone may."""
        sight, cell = self.sight, value.cell
        if cell is None or can_see(sight.position, cell, [n], None) or not can_see(sight.position, cell, [n], sight.seat):
            return []
        return sight.line(sight.read(value, n))

    def counters(self, panel: dict[str, Any]) -> ListPanel | None:
        """Builds a `counters` panel: one line for each value, with members of equal value together."""
        sight = self.sight
        entries = []
        legend: Legend = {}
        for name in panel["counters"]:
            value = lookup_table_values(sight.game.ruleset, name)[0]
            if not self.hands and (domain := domain_of(value.type)) is not None:  # the panel of a hand explains its cards
                legend |= sight.suit_legend(domain)
            found = sight.read(value) if not value.domains else None
            line = sight.line(found)
            alike: dict[str, list[str]] = {}                       # value → members that share it
            for n in range(len(self.model.enums[value.domains[0]])) if value.domains else ():
                if not sight.is_empty(inner := sight.read(value, n)):
                    member = sight.member(value.domains[0], n).text
                    if isinstance(inner, HiddenValue) and [back for back, _ in inner.backs] == [member]:
                        inner = replace(inner, backs=())           # the name before them says it
                    alike.setdefault(join_words(sight.line(inner)), []).append(member)
            for text, names in alike.items():
                each = len(names) > 1 and text.isdigit()
                line.append(StyledText(f"{', '.join(names)}: {sight.words.text('table.each', value=text) if each else text}"))
            if line:                                               # leave out empty counters
                entries.append(ListItem([StyledText(sight.caption(name))], [line]))
        return ListPanel(self.panel_title(panel), entries, legend=legend) if entries else None

    def table(self, panel: dict[str, Any]) -> GridPanel | None:
        """Builds a `table` panel: a row for each member of a type, or for each thing in the value `rows`, grouped by
        player if it has one."""
        sight, domain = self.sight, self.domain_name(panel["table"])
        columns = [one for column in panel["columns"] for one in self.expand_column(column, domain)]
        bands: dict[int, Line] = {}
        order: list[int] = []
        own = -1
        if "rows" not in panel:
            order = list(range(len(self.model.enums[domain])))
        elif (alone := sight.find_value(panel["rows"])) is not None:
            order = [n for _, n in sight.things(sight.read(alone))]
        elif (by := sight.find_value(panel["rows"], "Player")) is not None:
            for seat in range(len(self.model.enums["Player"])):    # players without rows are left out
                if theirs := [n for _, n in sight.things(sight.read(by, seat))]:
                    own = len(order) if seat == sight.seat else own
                    bands[len(order)] = [sight.member("Player", seat)]
                    order += theirs
        heads = ["", *(self.column_heading(column) for column in columns)]
        rows = [[[sight.member(domain, n)], *(self.row_entry(column, domain, n) for column in columns)] for n in order]
        if "rows" not in panel and self.model.enums[domain].kind != "player":       # leave out empty rows
            order = [n for n, row in zip(order, rows) if any(span.words not in ("", "0") for line in row[1:] for span in line)]
            rows = [row for row in rows if any(span.words not in ("", "0") for line in row[1:] for span in line)]
        full = [0, *(k for k in range(1, len(heads))
                     if isinstance(columns[k - 1], tuple) or any(span.text for row in rows for span in row[k]))]
        if not rows:
            return None
        title, words = self.panel_title(panel), sight.words
        typed = f"{words.text('command.board')} {title[:1].lower()}{title[1:]}".strip()
        return GridPanel(title, [heads[k] for k in full], [[row[k] for k in full] for row in rows], bands,
                    [self.column_key(columns[k - 1]) for k in full[1:]], "rows" in panel, own,
                    left_out=lambda what: words.text("table.left_out", what=what, board=typed), mats=panel.get("layout") == "mats",
                    stacked=frozenset(self.column_key(column) for column in columns if self.is_list_column(column, domain)),
                    members=[(domain, n) for n in order])

    def regions(self, panel: dict[str, Any]) -> GridPanel | None:
        """Builds a `regions` panel: a row for each group of connected cells, the largest first.

        A group is named by a cell with a name of its own, or else by its first cell, so that the name is stable. The
        columns show the size, the total of amounts in the group, and other values of its first cell."""
        sight = self.sight
        value = next(one for one in lookup_table_values(sight.game.ruleset, panel["regions"]) if len(one.domains) == 1)
        domain = value.domains[0]
        groups: dict[int, tuple[int, ...]] = {}
        for n in self.row_members(domain):
            if not any(n in group for group in groups.values()):
                groups |= {group[0]: group for group in [tuple(k for _, k in sight.things(sight.read(value, n)))] if group}
        if not groups:
            return None
        columns = [one for column in panel["columns"] for one in self.expand_column(column, domain)]
        heads = ["", sight.words.text("table.size"), *(self.column_heading(column) for column in columns)]
        known = [cell for board in self.model.boards.values() if board.cell_type == domain for cell in board.named.values()]
        names = {first: next((cell for cell in known if cell in group), first) for first, group in groups.items()}
        rows = [
            [
                [sight.member(domain, names[first])],
                [StyledText(str(len(group)))],
                *(self.group_entry(column, domain, group) for column in columns),
            ]
            for first, group in sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))
        ]
        title = self.panel_title(panel) or sight.caption(panel["regions"])
        return GridPanel(title, heads, rows, {}, ["size", *map(self.column_key, columns)], True)

    def row_members(self, domain: str) -> list[int]:
        """Returns the members of a type. For an open board, only the cells that contain something."""
        enum = self.model.enums[domain]
        if enum.kind != "open":
            return list(range(len(enum.members)))
        return self.find_nonempty_cells(
            [cell for cell in self.sight.game.cells.values() if cell.state.axes and cell.state.axes[-1][1] == domain]
        )

    def group_entry(self, column: Any, domain: str, group: tuple[int, ...]) -> Line:
        """Returns the entry of a column for a group: the sum of amounts, or else the value of the first cell."""
        value = column[0] if isinstance(column, tuple) else self.sight.find_value(column, domain) if isinstance(column, str) else None
        if value is None or value.cell is None or not isinstance(value.type, Int):
            return self.row_entry(column, domain, group[0])
        index = (column[1],) if isinstance(column, tuple) else ()
        found = [self.sight.read(value, *index, n) for n in group]
        if any(isinstance(one, HiddenValue) for one in found):
            return self.sight.line(next(one for one in found if isinstance(one, HiddenValue)))
        return self.sight.line(VisibleValue(value.type, sum(one.raw for one in found if isinstance(one, VisibleValue))))

    def expand_column(self, column: Any, domain: str) -> list[Any]:
        """Returns the columns of a value. If it is over another type and that of the rows, there is one (value, member)
        for each member."""
        if not isinstance(column, str) or self.sight.find_value(column, domain) is not None:
            return [column]
        values = [one for one in lookup_table_values(self.sight.game.ruleset, column) if len(one.domains) == 2 and one.domains[1] == domain]
        return [(one, n) for one in values[:1] for n in range(len(self.model.enums[one.domains[0]]))] or [column]

    def column_key(self, column: Any) -> str:
        """Returns a key of a column that does not depend on the language."""
        return f"{column[0].name} {column[1]}" if isinstance(column, tuple) else str(column)

    def is_list_column(self, column: Any, domain: str) -> bool:
        """Whether a column shows a list, set, bag, or pile of things."""
        name = column.get("of") if isinstance(column, dict) else column
        value = self.sight.find_value(name, domain) if isinstance(name, str) else None
        return value is not None and isinstance(value.type, BagOf | ListOf | PileOf | SetOf)

    def column_heading(self, column: Any) -> str:
        """Returns the heading of a column."""
        if isinstance(column, tuple):
            return self.sight.member(column[0].domains[0], column[1]).text
        if isinstance(column, dict):
            return self.sight.caption(column["name"] if "name" in column else column["of"])
        if isinstance(column, list):
            return ""
        return self.sight.caption(column)

    def row_entry(self, column: Any, domain: str, n: int) -> Line:
        """Returns the entry of a column for one member."""
        if isinstance(column, tuple):
            value, other = column
            return self.sight.line(self.sight.read(value, other, n))
        if isinstance(column, dict):
            if "told" in column:
                return self.sight.line_with_details(column["of"], column["told"], domain, n)
            if column.get("as") == "count":
                return self.count_entry(column["of"], domain, n)
            line = self.sight.line_for(column["of"], domain, n)
            return count_signs(line) if column.get("as") == "signs" else line
        if isinstance(column, list):
            return self.sight.join_values(column, domain, n) or [StyledText("")]
        if column in self.hands and self.model.enums[domain].kind == "player" and n == self.sight.seat:
            return self.count_entry(column, domain, n)                   # the `hand` panel lists them
        return self.sight.line_for(column, domain, n)

    def count_entry(self, name: str, domain: str, n: int) -> Line:
        """Returns the number of things in a value of one member."""
        found = self.sight.read_named(name, domain, n)
        many = found.many if isinstance(found, HiddenValue) else len(self.sight.things(found))
        return [StyledText(str(many))] if many or found is None else self.sight.line(found)
