"""Writes a position in one line of text, similar to FEN, and reads such a line into a start position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...dsl.game.notation_config import FIELD_PATTERN, NUMBER, Notation, PositionField, PositionFormat
from ...dsl.storage.state_literals import StateLiteralError
from ...dsl.types.boards import Board
from ...dsl.types.types import Int, MemberOf, OptionalOf, Type
from ..position.position import Game, Position, RuleError
from ..position.seeds import Seed
from .forms import (
    FieldEnds,
    FormElement,
    make_choice_matcher,
    make_run_matcher,
    make_sequence_matcher,
    match_digits,
    match_form,
    split_words,
)
from .value_spelling import NamedValues, NotationError, ValueSpeller

MAX_NUMBER_DIGITS = 6                           # of a number in a position
MAX_LINE_CHARS = 2_000                 # characters
OPERATION = re.compile(r'([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*')


@dataclass
class StartPosition:
    """An unusual start position: states that are emptied, entries that are then set, and the number of the first
    move."""

    clear: list[str]
    entries: dict[str, Any] = field(default_factory=dict)
    number: int = 1

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> StartPosition | None:
        """Returns the start position stored in a save, or None if the match begins as usual."""
        return cls(data.get("clear", []), data.get("given", {}), data.get("number", 1)) if data else None

    def to_data(self) -> dict[str, Any]:
        """Returns the data for a save."""
        return {"clear": self.clear, "given": self.entries, "number": self.number}


class PositionNotation:
    """Writes and reads the positions of a game."""

    def __init__(self, game: Game, notation: Notation) -> None:
        if notation.position is None:
            raise NotationError("notation.no_positions", game=game.ruleset.id)
        self.game, self.notation, self.speller = game, notation, ValueSpeller(game, notation)
        self.line: PositionFormat = notation.position

    # ------------------------------------------------------------ writing

    def write(self, position: Position, number: int = 1, seat: int | None = None) -> str:
        """Returns a position as text. `number` is the number of its next move. `seat` is the seat to move if there is no
        decision."""
        decision = position.decision
        names: NamedValues = {"player": (MemberOf("Player"), decision.seat if decision is not None else seat or 0)}
        fields = {name: self.format_part(part, position, names) for name, part in self.line.parts.items()}
        return self.speller.fill_template(self.line.texts[0], {}, {**fields, NUMBER: str(number)})

    def format_part(self, part: PositionField, position: Position, names: NamedValues) -> str:
        """Returns the text of one field."""
        if part.kind in ("one", "each"):
            signs = [sign.text for sign in part.signs if self.speller.evaluate(sign.when, position, names)]
            return (signs[0] if part.kind == "one" else "".join(signs)) if signs else part.none or ""
        cell = self.game.cells[part.state]
        kind = cell.state.type
        if part.kind == "value":
            text = self.speller.spell_value(kind, position.raw_at(cell, []))
            return part.none if part.none is not None and text == "none" else text
        held = {n: position.raw_at(cell, [n]) for n in range(len(cell.enums[0].members))}
        lying = {n: self.game.spell(kind, raw) for n, raw in held.items() if self.game.spell(kind, raw) != "none"}
        if part.kind == "places":
            place = MemberOf(cell.enums[0].name)
            listed = [
                (self.speller.spell_value(kind, held[n]), self.speller.spell_value(place, n))
                for n, member in lying.items()
                if member in part.of
            ]
            return ",".join(before + where for before, where in sorted(listed, key=lambda one: (numeric_sort_key(one[1]), one)))
        return "/".join(
            self.format_row(row, {n: self.speller.spell_value(kind, held[n]) for n in lying}) for row in board_rows(self.find_board(part))
        )

    def format_row(self, cells: list[int], lying: dict[int, str]) -> str:
        """Returns the cells of a row as text, with a number for each run of empty cells."""
        text, empty = "", 0
        for cell in cells:
            if cell not in lying:
                empty += 1
                continue
            text, empty = text + (str(empty) if empty else "") + lying[cell], 0
        return text + (str(empty) if empty else "")

    def find_board(self, part: PositionField) -> Board:
        """Returns the board that a state belongs to."""
        domain = self.game.cells[part.state].enums[0].name
        return next(board for board in self.game.model.boards.values() if board.cell_type == domain)

    # ------------------------------------------------------------ reading

    def is_position(self, text: str) -> bool:
        """Whether a text has the form of a position."""
        return self.split_fields(normalize_line(text)) is not None

    def read(self, text: str) -> StartPosition:
        """Returns the start position that a line describes. Raises NotationError if it is not a position of this game."""
        text = normalize_line(text)
        found = self.split_fields(text)
        if found is None:
            raise NotationError("notation.no_position", text=text, wanted=self.write(self.game.start(1)))
        start = StartPosition(list(self.line.clear))
        for name, written in found:
            if len(max(re.findall(r"\d+", written), key=len, default="")) > MAX_NUMBER_DIGITS:
                raise self.make_part_error(text, written)
            if name == NUMBER and not written.isdecimal():
                raise self.make_part_error(text, written)
            if name == NUMBER:
                start.number = max(1, int(written))
                continue
            try:
                merge_entries(start.entries, self.parse_part(self.line.parts[name], written))
            except ValueError as error:
                raise self.make_part_error(text, written) from error
        self.check_playable(start, text)
        return start

    def split_fields(self, text: str) -> list[tuple[str, str]] | None:
        """Splits a text into fields by the first form that matches. Returns None if none does."""
        if len(text) > MAX_LINE_CHARS:
            return None
        behind = self.line.operations is not None
        for template in self.line.texts:
            found = match_form(self.form_elements(template), text, lambda end: end == len(text) or behind and text[end] in " ;")
            operations = self.parse_operations(text[found[1]:]) if found is not None else None
            if found is not None and operations is not None:
                return [*found[0], *operations]
        return None

    def form_elements(self, template: str) -> list[FormElement]:
        """Returns the literal texts and fields of a form in order."""
        out: list[FormElement] = []
        end = 0
        for found in FIELD_PATTERN.finditer(template):
            out += [template[end : found.start()], (found[1], self.field_matcher(found[1]))]
            end = found.end()
        return [*out, template[end:]]

    def field_matcher(self, name: str) -> FieldEnds:
        """Returns the matcher for a field."""
        part = self.line.parts.get(name)
        if part is None:
            return match_digits
        if part.kind == "value" and isinstance(self.game.cells[part.state].state.type, Int):
            nothing = make_choice_matcher([part.none] if part.none is not None else [])
            return lambda text, place: {*match_digits(text, place + text.startswith("-", place)), *nothing(text, place)}
        if part.kind in ("rows", "places", "value"):
            return make_run_matcher(":", 0 if part.kind == "places" else 1)
        signs = [sign.text for sign in part.signs]
        return make_choice_matcher(signs) if part.kind == "one" else make_sequence_matcher(signs, part.none or "")

    def parse_operations(self, text: str) -> list[tuple[str, str]] | None:
        """Returns the fields in the operations after a position, or None if the text is malformed.

            hmvc 3; bm Nf3; id "a; b";"""
        found, at = [], 0
        text = text.strip()
        while at < len(text):
            if text[at] in "; ":
                at += 1
                continue
            one = OPERATION.match(text, at)
            if one is None or text[one.end() : one.end() + 1] != ";" and not (text[0] == ";" and one.end() == len(text)):
                return None
            field = (self.line.operations or {}).get(one[1])
            if field is not None:
                found.append((field, one[2].strip()))
            at = one.end()
        return found

    def make_part_error(self, text: str, part: str) -> NotationError:
        """Returns the error for a wrong part of a line."""
        return NotationError("notation.wrong_part", text=text, part=part)

    def check_playable(self, start: StartPosition, text: str) -> Position:
        """Returns the position at the start of the match. Raises NotationError if the rules cannot continue from it."""
        position = self.game.new_position(1)
        try:
            position.set_states(start.clear, start.entries)
            position.run_to_decision()
        except (StateLiteralError, RuleError) as error:
            raise NotationError("notation.unplayable", text=text) from error
        return position

    def parse_part(self, part: PositionField, text: str) -> dict[str, Any]:
        """Returns the state entries that a field describes. Raises ValueError if it is invalid."""
        if part.kind == "one":
            return dict(next(sign.entries for sign in part.signs if sign.text == text))
        if part.kind == "each":
            out: dict[str, Any] = {}
            words = split_words([sign.text for sign in part.signs], text) if text != part.none else []
            for sign in part.signs:
                if sign.text in words:
                    merge_entries(out, dict(sign.entries))
            return out
        cell = self.game.cells[part.state]
        if part.kind == "value":
            return {} if text == part.none else {part.state: self.parse_value(cell.state.type, text)}
        places, things = cell.enums[0], self.things_by_text(cell.state.type, part)
        found = (
            self.parse_places(text, places.name, things) if part.kind == "places" else self.parse_rows(text, self.find_board(part), things)
        )
        given: dict[str, Any] = {}
        for n, member in found:
            merge_entries(given, {part.state: {places.members[n]: member}})
        return given or {part.state: {}}

    def parse_value(self, kind: Type, text: str) -> int | str:
        """Returns the number or the member name that a text stands for. Raises ValueError."""
        inner = kind.of if isinstance(kind, OptionalOf) else kind
        if isinstance(inner, Int):
            return int(text)
        assert isinstance(inner, MemberOf)
        meant = self.speller.members_by_spelling(inner.name)
        if text not in meant:
            raise ValueError(text)
        return self.game.spell(inner, meant[text])

    def things_by_text(self, kind: Type, part: PositionField) -> dict[str, str]:
        """Returns the members that may be on a cell, by their text."""
        inner = kind.of if isinstance(kind, OptionalOf) else kind
        assert isinstance(inner, MemberOf)
        members = self.game.model.enums[inner.name].members
        return {self.speller.spell_value(inner, n): member for n, member in enumerate(members) if not part.of or member in part.of}

    def parse_places(self, text: str, domain: str, things: dict[str, str]) -> Iterator[tuple[int, str]]:
        """Yields the place and the member for each item of a list such as `21,K22,5-8`. Raises ValueError."""
        places = self.speller.members_by_spelling(domain)
        for item in text.split(",") if text else []:
            before = max((word for word in things if item.startswith(word)), key=len, default=None)
            if before is None:
                raise ValueError(item)
            first, dash, last = item.removeprefix(before).partition("-")
            if dash and not 0 <= int(last) - int(first) < len(places):
                raise ValueError(item)
            every = [str(n) for n in range(int(first), int(last) + 1)] if dash else [first]
            for where in every:
                if where not in places:
                    raise ValueError(item)
                yield places[where], things[before]

    def parse_rows(self, text: str, board: Board, things: dict[str, str]) -> Iterator[tuple[int, str]]:
        """Yields the cell and the member for each occupied cell of a board, given row by row as `rnb2/8/...`. Raises
        ValueError."""
        words = "|".join(sorted((re.escape(word) for word in things if word), key=len, reverse=True))
        cells, texts = board_rows(board), text.split("/")
        if len(cells) != len(texts):
            raise ValueError(text)
        for row, written in zip(cells, texts):
            at = 0
            found = re.findall(rf"\d+|{words}", written)
            if "".join(found) != written:
                raise ValueError(written)
            for word in found:
                if word.isdigit():
                    at += int(word)
                    continue
                if at >= len(row):
                    raise ValueError(written)
                yield row[at], things[word]
                at += 1
            if at != len(row):
                raise ValueError(written)


def board_rows(board: Board) -> list[list[int]]:
    """Returns the cells of a board row by row, from the top."""
    found: dict[int, list[tuple[int, int]]] = {}
    for n, (x, y) in enumerate(board.cells):
        found.setdefault(-y, []).append((x, n))
    return [[n for _, n in sorted(found[y])] for y in sorted(found)]


def numeric_sort_key(text: str) -> tuple[int, str]:
    """Returns a sort key that orders numbers by size."""
    return (int(text), "") if text.isdigit() else (0, text)


def merge_entries(target: dict[str, Any], more: dict[str, Any]) -> None:
    """Adds state entries to others. Raises ValueError if they contradict each other."""
    for name, given in more.items():
        if isinstance(given, dict) and isinstance(target.get(name), dict):
            merge_entries(target[name], given)
        elif target.get(name, given) != given:
            raise ValueError(name)
        else:
            target[name] = dict(given) if isinstance(given, dict) else given


def set_up_game(game: Game, start: StartPosition | None, seed: Seed) -> Position:
    """Returns the position at the first decision of a match with this start."""
    position = game.new_position(seed)
    if start is not None:
        position.set_states(start.clear, start.entries)
    position.run_to_decision()
    return position


def normalize_line(text: str) -> str:
    """Returns a position on one line, with single spaces."""
    return " ".join(text.removeprefix("\ufeff").split()).removesuffix(".")
