"""Describes one thing on the table in sentences: its values, its neighbours, and the clauses about it.

`inspect:` in table.yaml declares which values are listed. A game may give a value its own sentence, with these
keys:

    look.<value>       fields {it}, {held} (what is there, in words), and {n} (a number)
    look.<value>.none  used if the value is empty

A value without a sentence is printed after its caption. It is left out if it is empty."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from ...dsl.core.nodes import GeneratorBinding
from ...dsl.core.walk import walk
from ...dsl.game.table_config import TableValue, lookup_table_values
from ...dsl.types.boards import Board, GraphBoard, decode_open_cell, encode_open_cell
from ...dsl.types.types import Bool, Int, MemberOf, OptionalOf, domain_of
from ..i18n import CountedNoun, Noun
from ..i18n import TextValue as WordsValue
from ..i18n.template import capitalize_first
from ..i18n.user_input import normalize
from ..narration.narrator import Narrator
from ..narration.setup_clauses import is_setup_only
from ..position.answer_index import AnswerIndex, IndexEntry
from ..position.position import Position
from .board_parts import find_part, iter_parts
from .view_model import Line, join_words
from .visible_values import HiddenValue, SeatView, VisibleValue

CELL_PATTERN = re.compile(r"(-?\d+),(-?\d+)")
DIRECTION_TYPE = "Direction"                                            # type name of board directions
Thing = tuple[str, int]                                            # (type, index)


class ItemInspector:
    """Describes things on the table, as far as a seat may see them."""

    def __init__(self, position: Position, narrator: Narrator, seat: int | None) -> None:
        self.sight = SeatView(position, narrator, seat)
        self.words, self.model = narrator.words, narrator.game.model
        self.boards = {kind: board for board in self.model.boards.values() for kind in (board.cell_type, *board.part_types.values())}

    # ------------------------------------------------------------ names

    def find_things(self, typed: str) -> list[Thing]:
        """Returns the things with this name on the table or in the rules. If there are none, those whose name begins
        with it."""
        cell = CELL_PATTERN.fullmatch(normalize(typed))
        for board in self.model.boards.values():
            if cell is not None and board.open:
                return [(board.cell_type, encode_open_cell(int(cell[1]), int(cell[2])))]
            if (labelled := board.parse_open_cell_label(typed.strip())) is not None and not self.find_exact(typed):
                return [(board.cell_type, labelled)]
        return self.find_exact(typed) or self.names.find(typed)

    def find_exact(self, typed: str) -> list[Thing]:
        """Returns the things with exactly this name on the table or in the rules. A corner or an edge has several names."""
        part = find_part(self.model, self.words, typed)
        return [part] if part is not None else self.names.find_exact(typed)

    @cached_property
    def names(self) -> AnswerIndex[Thing]:
        """The things of all types by name, in texts for players and in the rules."""
        return self.index_things()

    def index_things(self) -> AnswerIndex[Thing]:
        """Returns a new index of the things of all types."""
        return AnswerIndex(
            (IndexEntry((enum.name, n), (self.sight.member(enum.name, n).text, member.replace("_", " ")))
             for enum in self.model.enums.values() if enum.kind != "open" for n, member in enumerate(enum.members)), normalize)

    def group_by_description(self, things: Iterable[Thing]) -> dict[Thing, set[Thing]]:
        """Returns the things to describe, each with those of `things` that it describes.

        A thing that shows another one is described as that one (see `inspect_as`). If a thing lists another one of the same name
        among its attributes, only that other one is described."""
        found: dict[Thing, set[Thing]] = {}
        for thing in things:
            found.setdefault(self.described_thing(thing), set()).add(thing)
        names = {thing: normalize(self.sight.member(*thing).text) for thing in found}
        for whole in list(found):
            part = next((one for one in self.attribute_things(whole) if one in found and names[one] == names[whole]), None)
            if part is not None:
                found[part] |= found.pop(whole)
        return found

    def described_thing(self, thing: Thing) -> Thing:
        """Returns the thing that a thing shows, if the game declares that it is described as that one. Otherwise the thing itself."""
        name = self.sight.theme.inspect_as.get(thing[0])
        shown = self.sight.things(self.sight.read_named(name, *thing)) if name is not None else []
        return shown[0] if len(shown) == 1 else thing

    def attribute_things(self, thing: Thing) -> list[Thing]:
        """Returns the things that the attributes of a thing list."""
        enum = self.model.enum_of(thing[0])
        if enum is None or enum.name != thing[0]:
            return []
        values = [VisibleValue(kind, enum.values[name][thing[1]]) for name, kind in enum.attributes.items()]
        return [other for value in values for other in self.sight.things(value) if other != thing]

    def has_label(self, thing: Thing) -> bool:
        """Whether the game has a separate label for this thing on the table."""
        return bool(self.sight.label(*thing))

    # ------------------------------------------------------------ descriptions

    def describe(self, thing: Thing) -> list[str]:
        """Returns the description: the name, a sentence for each value, and a sentence for corners, for edges and for neighbours."""
        name = self.sight.member(*thing).text
        out = [name if thing[0] in self.boards else capitalize_first(self.name_with_side(name, thing))]
        for value in self.values_about(thing[0]):
            said = self.value_sentence(value, thing)
            out += [said] if said else []
        parts, beside = self.part_texts(thing), self.neighbour_texts(thing)
        out += [self.words.text(f"look.{kind}", places=places) for kind, places in parts.items()]
        return [*out, self.words.text("look.near", n=len(beside), places=beside)] if beside else out

    def name_with_side(self, name: str, thing: Thing) -> str:
        """Returns the name of a thing. For a player, the side that they play is added, such as a colour, if it has its
        own name."""
        enum, key = self.model.enum_of(thing[0]), self.sight.narrator.noun_key(*thing)
        if enum is None or enum.kind != "player" or not self.words.has(f"{key}.name"):
            return name
        side = self.words.noun(key)
        return name if normalize(side) == normalize(name) else f"{name} ({side})"

    def values_about(self, domain: str) -> list[TableValue]:
        """Returns the values to list for a member of a type: those that the game declares, or else its states without
        `per`."""
        declared = self.sight.theme.inspect.get(domain)
        ruleset = self.sight.game.ruleset
        lasting = [state for state in ruleset.program.states.values() if state.per is None and state.axes]
        names = declared if declared is not None else [state.name for state in lasting if self.is_domain(state.axes[-1][1], domain)]
        return [one for name in names for one in lookup_table_values(ruleset, name)
                if one.domains and len(one.domains) <= 2 and self.is_domain(one.domains[-1], domain)]

    def is_domain(self, name: str, domain: str) -> bool:
        """Whether the type `name`, which may be an alias, is `domain`."""
        return self.model.aliases.get(name, name) == domain

    def value_sentence(self, value: TableValue, thing: Thing) -> str:
        """Returns a sentence about a value of a thing. Empty if the value belongs to a phase that is not active."""
        if self.sight.is_outside_phase(value):
            return ""
        found = self.sight.read(value, thing[1]) if len(value.domains) == 1 else None
        line = self.sight.line(found) if len(value.domains) == 1 else self.line_by_member(value, thing[1])
        empty = not line or isinstance(found, VisibleValue) and isinstance(found.type, Int | Bool) and not found.raw
        key = f"look.{value.name}"
        if empty:
            return (
                self.sentence(f"{key}.none", thing, "", 0) if self.words.has(f"{key}.none") and not isinstance(found, HiddenValue) else ""
            )
        held = self.single_value(found) or self.amounts_by_member(value, thing[1], found) or self.words.list([span.words for span in line])
        number = found.raw if isinstance(found, VisibleValue) and isinstance(found.type, Int) else None
        if self.words.has(key):
            return self.sentence(key, thing, held, number)
        true = isinstance(found, VisibleValue) and isinstance(found.type, Bool)
        printed = f"attribute.{thing[0]}.{value.name}"
        caption = self.words.text(printed) if self.words.has(printed) else self.sight.caption(value.name)
        return capitalize_first(caption) + ("" if true else f": {self.words.list([span.words for span in line])}")

    def single_value(self, found: VisibleValue | HiddenValue | None) -> WordsValue:
        """Returns a single thing or player as a value that sentences can inflect. None for anything else."""
        if not isinstance(found, VisibleValue):
            return None
        kind = found.type.of if isinstance(found.type, OptionalOf) else found.type
        enum = self.model.enum_of(kind.name) if isinstance(kind, MemberOf) else None
        return self.sight.narrator.value(kind, found.raw) if enum is not None and enum.kind in ("enum", "player") else None

    def amounts_by_member(self, value: TableValue, n: int, found: VisibleValue | HiddenValue | None) -> list[WordsValue]:
        """Returns several things with their amounts, as values that sentences can inflect. Empty if plain words are
        enough."""
        pairs: list[tuple[str, int, int]] = []
        if len(value.domains) == 1:
            pairs = [(kind, other, 1) for kind, other in self.sight.things(found)]
        else:
            for other in range(len(self.model.enums[value.domains[0]])):
                held = self.sight.read(value, other, n)
                if not self.sight.is_empty(held):
                    many = held.raw if isinstance(held, VisibleValue) and isinstance(held.type, Int) else 0
                    pairs.append((value.domains[0], other, many))
        kinds = {domain: self.model.enum_of(domain) for domain, _, _ in pairs}
        if any(enum is None or enum.kind not in ("enum", "player") or enum.kind == "player" and many
               for domain, _, many in pairs for enum in [kinds[domain]]):
            return []
        narrator = self.sight.narrator
        return [
            CountedNoun(many, Noun(narrator.noun_key(domain, other)))
            if many and len(value.domains) == 2
            else narrator.member_value(domain, other)
            for domain, other, many in pairs
        ]

    def sentence(self, key: str, thing: Thing, held: WordsValue, n: int | None) -> str:
        return self.sight.narrator.sentence(key, {"it": (MemberOf(thing[0]), thing[1])}, None, self.sight.seat, held=held, n=n)

    def line_by_member(self, value: TableValue, n: int) -> Line:
        """Returns the members of another type that have this value here, with numbers as amounts."""
        out: Line = []
        for other in range(len(self.model.enums[value.domains[0]])):
            found = self.sight.read(value, other, n)
            if not self.sight.is_empty(found):
                who = self.sight.member(value.domains[0], other)
                number = isinstance(found, VisibleValue) and isinstance(found.type, Int)
                out += [replace(who, amount=found.raw)] if number and isinstance(found, VisibleValue) else [who]
        return out

    def part_texts(self, thing: Thing) -> dict[str, list[str]]:
        """Returns the non-empty corners and edges of a cell with their contents, by kind of part."""
        board = self.boards.get(thing[0])
        if board is None or thing[0] != board.cell_type or board.open:
            return {}
        out: dict[str, list[str]] = {}
        for suffix, (part_type, n) in iter_parts(board, thing[1]):
            told = [join_words(line) for value in self.values_about(part_type) if len(value.domains) == 1
                    for line in [self.sight.line(self.sight.read(value, n))] if line]
            if told:
                label = self.words.part_label(f"{board.labels[thing[1]]}{suffix}")
                out.setdefault(self.model.enums[part_type].kind, []).append(f"{label} ({'; '.join(told)})")
        return out

    def neighbour_texts(self, thing: Thing) -> list[str]:
        """Returns the neighbours of a cell, or the cells at a corner or an edge, each with what it is.

        If the board's panel declares `beside`, that value defines the neighbours."""
        board = self.boards.get(thing[0])
        if board is None:
            return []
        if thing[0] != board.cell_type:
            return [self.place_text(board, n) for n in board.parts_of_kind(self.model.enums[thing[0]].kind).cells[thing[1]]]
        drawn = (panel for panel in self.sight.theme.panels or () if panel.get("board") == board.name)
        said = next((panel["beside"] for panel in drawn if "beside" in panel), None)
        if said is not None:
            value = next(one for one in lookup_table_values(self.sight.game.ruleset, said) if one.domains == (board.cell_type,))
            return [self.place_text(board, n) for _, n in self.sight.things(self.sight.read(value, thing[1]))]
        if isinstance(board, GraphBoard):
            return [self.place_text(board, n) for n in board.near[thing[1]]]
        x, y = decode_open_cell(thing[1]) if board.open else board.cells[thing[1]]
        steps = [(x + dx, y + dy) for dx, dy in self.neighbour_offsets(board)]
        found = [encode_open_cell(*at) for at in steps] if board.open else sorted(board.index[at] for at in steps if at in board.index)
        return [self.place_text(board, n) for n in found]

    def neighbour_offsets(self, board: Board) -> list[tuple[int, int]]:
        """Returns the offsets to the neighbours of a cell.

        These are the directions that the data name, or all directions if rules iterate over them. Otherwise, cells
        that share an edge are neighbours."""
        program = self.sight.game.ruleset.program
        named = {n for enum in self.model.enums.values() for name, kind in enum.attributes.items() if domain_of(kind) == DIRECTION_TYPE
                 for raw in enum.values[name] for n in ([raw] if isinstance(kind, MemberOf) else self.sight.game.codec(kind).parts(raw))}
        if not named and not board.open and any(
                isinstance(node, GeneratorBinding) and any(local.type == MemberOf(DIRECTION_TYPE) for local in node.locals)
                for routine in program.routines for node in walk(routine.parts)):
            return list(board.directions.values())
        return [way for n, way in enumerate(board.directions.values()) if n in named] or board.neighbour_offsets

    def place_text(self, board: Board, n: int) -> str:
        """Returns a cell with its name and its contents."""
        label = self.sight.member(board.cell_type, n).text
        told = [
            join_words(line)
            for value in self.values_about(board.cell_type)[:2]
            for line in [self.sight.line(self.sight.read(value, n)) if len(value.domains) == 1 else self.line_by_member(value, n)]
            if line
        ]
        return f"{label} ({'; '.join(told)})" if told else label

    def clause_texts(self, thing: Thing) -> list[str]:
        """Returns the clauses that the listed values cite. After the setup, clauses of the setup are left out."""
        program = self.sight.game.ruleset.program
        begun = self.sight.position.rounds > 0
        cited = [
            clause
            for value in self.values_about(thing[0])
            if value.name in program.states
            for clause in program.states[value.name].cites
            if not begun or not is_setup_only(program, clause)
        ]
        return [f"[{clause}] {said}" for clause in dict.fromkeys(cited) if (said := self.sight.narrator.clause_text(clause))]
