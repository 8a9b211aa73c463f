"""A position in one line of text, and what such a line puts on the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...dsl.rulesets.notation import FIELD, NUMBER, Line, Notation, Part
from ...dsl.values.boards import Board
from ...dsl.values.types import Int, Maybe, Of, Type
from ..position.entries import Misread, put_all
from ..position.position import Game, Position, RuleError
from .spelling import Names, NotationFault, Speller

DIGITS = 6                           # of a number in a position
READ = {"rows": r"[^\s:]+", "places": r"[^\s:]*", "value": r"[^\s:]+", NUMBER: r"\d+"}        # how the text of a part may look


@dataclass
class Start:
    """With what a game begins that does not begin as usual: states that are emptied, entries that are put then, and the number of the
    first move."""

    clear: list[str]
    given: dict[str, Any] = field(default_factory=dict)
    number: int = 1

    @classmethod
    def of(cls, data: dict[str, Any]) -> Start | None:
        """What a save says; None where the game begins as usual."""
        return cls(data.get("clear", []), data.get("given", {}), data.get("number", 1)) if data else None

    def data(self) -> dict[str, Any]:
        """As a save holds it."""
        return {"clear": self.clear, "given": self.given, "number": self.number}


class Diagrams:
    """Writes and reads the positions of a game."""

    def __init__(self, game: Game, notation: Notation) -> None:
        if notation.position is None:
            raise NotationFault("notation.no_positions", game=game.ruleset.id)
        self.game, self.notation, self.speller = game, notation, Speller(game, notation)
        self.line: Line = notation.position

    # ------------------------------------------------------------ writing

    def write(self, position: Position, number: int = 1, seat: int | None = None) -> str:
        """A position as text. `number` is that of its next move, `seat` whose move it is where nothing is asked any more."""
        decision = position.decision
        names: Names = {"player": (Of("Player"), decision.seat if decision is not None else seat or 0)}
        fields = {name: self.part(part, position, names) for name, part in self.line.parts.items()}
        return self.speller.filled(self.line.texts[0], {}, {**fields, NUMBER: str(number)})

    def part(self, part: Part, position: Position, names: Names) -> str:
        if part.kind in ("one", "each"):
            signs = [sign.text for sign in part.signs if self.speller.ask(sign.when, position, names)]
            return (signs[0] if part.kind == "one" else "".join(signs)) if signs else part.none or ""
        cell = self.game.cells[part.state]
        kind = cell.state.type
        if part.kind == "value":
            text = self.speller.spelt(kind, position.at(cell, []))
            return part.none if part.none is not None and text == "none" else text
        held = {n: position.at(cell, [n]) for n in range(len(cell.enums[0].members))}
        lying = {n: self.game.spell(kind, raw) for n, raw in held.items() if self.game.spell(kind, raw) != "none"}
        if part.kind == "places":
            place = Of(cell.enums[0].name)
            listed = [(self.speller.spelt(kind, held[n]), self.speller.spelt(place, n)) for n, member in lying.items() if member in part.of]
            return ",".join(before + where for before, where in sorted(listed, key=lambda one: (in_order(one[1]), one)))
        return "/".join(self.row(row, {n: self.speller.spelt(kind, held[n]) for n in lying}) for row in rows(self.board(part)))

    def row(self, cells: list[int], lying: dict[int, str]) -> str:
        """The cells of a row, with numbers for those where nothing lies."""
        text, empty = "", 0
        for cell in cells:
            if cell not in lying:
                empty += 1
                continue
            text, empty = text + (str(empty) if empty else "") + lying[cell], 0
        return text + (str(empty) if empty else "")

    def board(self, part: Part) -> Board:
        """The board on which a state lies."""
        domain = self.game.cells[part.state].enums[0].name
        return next(board for board in self.game.model.boards.values() if board.cell_type == domain)

    # ------------------------------------------------------------ reading

    def read(self, text: str) -> Start:
        """What a line puts on the table. Raises NotationFault where it is no position of this game."""
        text = " ".join(text.split()).removesuffix(".")
        for template in self.line.texts:
            found = re.fullmatch(self.pattern(template), text)
            if found is None:
                continue
            start = Start(list(self.line.clear))
            for name, written in found.groupdict().items():
                if len(max(re.findall(r"\d+", written), key=len, default="")) > DIGITS:
                    raise self.wrong(text, written)
                if name == NUMBER:
                    start.number = max(1, int(written))
                else:
                    try:
                        merge(start.given, self.given(self.line.parts[name], written))
                    except ValueError as error:
                        raise self.wrong(text, written) from error
            self.begun(start, text)
            return start
        raise NotationFault("notation.no_position", text=text, wanted=self.write(self.game.start(1)))

    def wrong(self, text: str, part: str) -> NotationFault:
        return NotationFault("notation.wrong_part", text=text, part=part)

    def begun(self, start: Start, text: str) -> Position:
        """The position with which a game begins then. Raises NotationFault where the rules cannot go on from it."""
        position = self.game.new(1)
        try:
            put_all(position, start.clear, start.given)
            position.go()
        except (Misread, RuleError) as error:
            raise NotationFault("notation.unplayable", text=text) from error
        return position

    def pattern(self, template: str) -> str:
        """What a text of this form looks like."""
        out, end = "", 0
        for found in FIELD.finditer(template):
            out += re.escape(template[end : found.start()]) + f"(?P<{found[1]}>{self.form(found[1])})"
            end = found.end()
        return out + re.escape(template[end:])

    def form(self, name: str) -> str:
        part = self.line.parts.get(name)
        if part is None or part.kind in READ:
            return READ[part.kind if part is not None else NUMBER]
        signs = "|".join(re.escape(sign.text) for sign in part.signs)
        return f"(?:{signs})" if part.kind == "one" else f"(?:(?:{signs})+|{re.escape(part.none or '')})"

    def given(self, part: Part, text: str) -> dict[str, Any]:
        """The entries that a part of a text stands for. Raises ValueError where it stands for none."""
        if part.kind == "one":
            return dict(next(sign.given for sign in part.signs if sign.text == text))
        if part.kind == "each":
            out: dict[str, Any] = {}
            for sign in part.signs if text != part.none else ():
                if sign.text in text:
                    merge(out, dict(sign.given))
            return out
        cell = self.game.cells[part.state]
        if part.kind == "value":
            return {} if text == part.none else {part.state: self.value(cell.state.type, text)}
        places, things = cell.enums[0], self.things(cell.state.type, part)
        found = self.listed(text, places.name, things) if part.kind == "places" else self.laid(text, self.board(part), things)
        return {part.state: {places.members[n]: member for n, member in found}}

    def value(self, kind: Type, text: str) -> int | str:
        inner = kind.of if isinstance(kind, Maybe) else kind
        if isinstance(inner, Int):
            return int(text)
        assert isinstance(inner, Of)
        meant = self.speller.meant(inner.name)
        if text not in meant:
            raise ValueError(text)
        return self.game.spell(inner, meant[text])

    def things(self, kind: Type, part: Part) -> dict[str, str]:
        """By what stands for it, each thing that may lie on a cell."""
        inner = kind.of if isinstance(kind, Maybe) else kind
        assert isinstance(inner, Of)
        members = self.game.model.enums[inner.name].members
        return {self.speller.spelt(inner, n): member for n, member in enumerate(members) if not part.of or member in part.of}

    def listed(self, text: str, domain: str, things: dict[str, str]) -> Iterator[tuple[int, str]]:
        """`21,K22,5-8`: where each thing lies."""
        places = self.speller.meant(domain)
        for item in text.split(",") if text else []:
            before = max((word for word in things if item.startswith(word)), key=len, default=None)
            if before is None:
                raise ValueError(item)
            first, dash, last = item.removeprefix(before).partition("-")
            every = [str(n) for n in range(int(first), int(last) + 1)] if dash and int(last) - int(first) < len(places) else [first]
            for where in every:
                if where not in places:
                    raise ValueError(item)
                yield places[where], things[before]

    def laid(self, text: str, board: Board, things: dict[str, str]) -> Iterator[tuple[int, str]]:
        """`rnb2/8/...`: what lies on each cell, row by row."""
        words = "|".join(sorted((re.escape(word) for word in things if word), key=len, reverse=True))
        cells, texts = rows(board), text.split("/")
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


def rows(board: Board) -> list[list[int]]:
    """The cells of a board, row by row from the top."""
    found: dict[int, list[tuple[int, int]]] = {}
    for n, (x, y) in enumerate(board.cells):
        found.setdefault(-y, []).append((x, n))
    return [[n for _, n in sorted(found[y])] for y in sorted(found)]


def in_order(text: str) -> tuple[int, str]:
    """Numbers by their size."""
    return (int(text), "") if text.isdigit() else (0, text)


def merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    """Put entries of states to those that there are."""
    for name, given in more.items():
        if isinstance(given, dict) and isinstance(into.get(name), dict):
            into[name] = {**into[name], **given}
        else:
            into[name] = given
