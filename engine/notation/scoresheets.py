"""A whole game as text: tags in brackets, the moves with their numbers, the result; and what such a text plays.

What others write between the moves is passed over: comments in braces or behind a semicolon, moves that were not played in parentheses,
signs such as `$1`, lines that begin with `%`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...dsl.rulesets.notation import FIELD, RESULT, Chosen, Notation
from ..position.entries import put_all
from ..position.position import Game, Position
from ..position.seeds import Seed
from .diagrams import Diagrams, Start
from .moves import Moves
from .spelling import NotationFault, Speller
from .trees import WIDE, Property, is_tree, named, nodes, tree

LONGEST = 1_000_000                  # characters of a text that is read
MANY = 20_000                        # moves of a game
TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
BESIDE = re.compile(r"\{[^}]*\}?|;[^\n]*|^%[^\n]*|\$\d+", re.MULTILINE)
NUMBERED = re.compile(r"^\d+\.+")


@dataclass
class Sheet:
    """A game as it is written: its tags, its moves as text, and what stands at its end. `more`: other games follow. `by` and `nodes`: of a
    tree, who moved, and the whole property."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    result: str = ""
    more: bool = False
    by: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)


@dataclass
class Played:
    """What a written game plays: how it begins (None: as always), its options in order, and who played."""

    start: Start | None
    options: list[str]
    names: dict[str, str]
    more: bool = False


class Scoresheets:
    """Writes and reads whole games."""

    def __init__(self, game: Game, notation: Notation) -> None:
        self.game, self.notation = game, notation
        self.moves = Moves(game, notation)

    # ------------------------------------------------------------ writing

    def write(self, start: Start | None, seed: Seed, options: Sequence[str], names: Sequence[str]) -> str:
        """A game that began so, with these options taken. Raises NotationFault."""
        position = begun(self.game, start, seed)
        tags_at_start = self.tags_of(start, position)
        texts, number, last = [], start.number if start is not None else 1, None
        moved: list[Property] = []
        left = list(options)
        while left and position.decision is not None:
            seat = position.decision.seat
            text, taken, position = self.moves.write(position, left)
            left = left[taken:]
            first = self.first(seat)
            if first or last is None:
                texts.append(f"{number}." if first else f"{number}...")
            texts.append(text)
            moved.append((self.notation.nodes.get(self.game.model.enums["Player"].members[seat], ""), text))
            number += self.ends_number(seat)
            last = seat
        result = self.result(position)
        if self.notation.nodes:
            return tree({**self.tags(names, result, position), **tags_at_start}, moved)
        lines = [f'[{tag} "{escaped(value)}"]' for tag, value in {**self.tags(names, result, position), **tags_at_start}.items()]
        return "\n".join([*lines, "", *textwrap.wrap(" ".join([*texts, result]), WIDE, break_long_words=False, break_on_hyphens=False), ""])

    def number_after(self, start: Start | None, taken: Sequence[tuple[int, str]]) -> int:
        """The number of the move that follows, after decisions by seat and key."""
        later = {key for key, move in self.notation.moves.items() if move.continues}
        return (start.number if start is not None else 1) + sum(self.ends_number(seat) for seat, key in taken if key not in later)

    def first(self, seat: int) -> bool:
        """Whether a number begins with the move of this seat."""
        return self.notation.first is None or self.game.model.enums["Player"].members[seat] == self.notation.first

    def ends_number(self, seat: int) -> bool:
        """Whether the move after one of this seat has the next number."""
        return self.first((seat + 1) % self.game.players)

    def tags_of(self, start: Start | None, position: Position) -> dict[str, str]:
        """The tags of a game that does not begin as usual."""
        if start is None or self.notation.position is None:
            return {}
        diagrams = Diagrams(self.game, self.notation)
        return {**diagrams.line.beside, diagrams.line.tag: diagrams.write(position, start.number)}

    def tags(self, names: Sequence[str], result: str, position: Position) -> dict[str, str]:
        players = self.game.model.enums["Player"].members
        fields = {who: names[seat] or "?" for seat, who in enumerate(players)} | {RESULT: result}
        speller = Speller(self.game, self.notation)
        return {tag: speller.field(text, position, {}) if isinstance(text, Chosen) else speller.filled(text, {}, fields)
                for tag, text in self.notation.tags.items()}

    def result(self, position: Position) -> str:
        """What stands at the end."""
        if not position.over:
            return self.notation.open
        best = [rank.seat for rank in position.standing() if rank.rank == 1]
        winner = self.game.model.enums["Player"].members[best[0]]
        return self.notation.wins.get(winner, self.notation.open) if len(best) == 1 else self.notation.draw

    # ------------------------------------------------------------ reading

    def read(self, text: str, seed: Seed) -> Played:
        """The game that a text holds, or the first of several. Raises NotationFault where it cannot be played."""
        sheet = self.unfolded(text) if self.notation.nodes else parsed(text, self.notation.ends)
        line = self.notation.position
        start = None
        if line is not None and line.tag in sheet.tags:
            start = Diagrams(self.game, self.notation).read(sheet.tags[line.tag])
        position = begun(self.game, start, seed)
        number = start.number if start is not None else 1
        options: list[str] = []
        for n, text in enumerate(sheet.moves):
            if position.decision is None:
                raise NotationFault("notation.over", number=number, text=text)
            seat = position.decision.seat
            if sheet.by and sheet.by[n] != self.game.model.enums["Player"].members[seat]:
                raise NotationFault("notation.no_move", text=sheet.nodes[n], number=number)
            try:
                taken = self.moves.read(position, text)
            except NotationFault as error:
                error.args_ = {**error.args_, "number": number}
                raise
            for option in taken:
                position.play(seat, option)
            options += taken
            number += self.ends_number(seat)
        return Played(start, options, self.players(sheet), sheet.more)

    def unfolded(self, text: str) -> Sheet:
        """The first game in a text of trees. Raises NotationFault where it is too long, and where a node does what no move does."""
        if len(text) > LONGEST:
            raise NotationFault("notation.too_long", most=LONGEST)
        found, more = nodes(text)
        sheet = Sheet(more=more, tags=dict(found[0]) if found else {})
        who = {name: player for player, name in self.notation.nodes.items()}
        for node in found:
            for name, value in named(node, {*who, *self.notation.refuses}):
                if name not in who:
                    raise NotationFault("notation.no_move", text=f"{name}[{value}]", number=len(sheet.moves) + 1)
                sheet.by.append(who[name])
                sheet.moves.append(value.strip())
                sheet.nodes.append(f"{name}[{value}]")
        if len(sheet.moves) > MANY:
            raise NotationFault("notation.too_long", most=MANY)
        return sheet

    def players(self, sheet: Sheet) -> dict[str, str]:
        """Who played, by seat's name, as the tags say."""
        found = {}
        for tag, text in self.notation.tags.items():
            only = FIELD.fullmatch(text) if isinstance(text, str) else None
            if only is not None and only[1] != RESULT and sheet.tags.get(tag, "").strip("?"):
                found[only[1]] = sheet.tags[tag]
        return found


def begun(game: Game, start: Start | None, seed: Seed) -> Position:
    """The position at the first decision of a game that begins so."""
    position = game.new(seed)
    if start is not None:
        put_all(position, start.clear, start.given)
    position.go()
    return position


def escaped(text: str) -> str:
    """A text as it stands in a tag."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def is_game(text: str) -> bool:
    """Whether a text holds a game, and no single position: it is a tree, has tags, or numbers of moves."""
    return is_tree(text) or TAG.match(text) is not None or re.search(r"(?:^|\s)\d+\.", text) is not None


def parsed(text: str, ends: set[str]) -> Sheet:
    """The first game in a text. Raises NotationFault where it is too long."""
    if len(text) > LONGEST:
        raise NotationFault("notation.too_long", most=LONGEST)
    sheet, at = Sheet(), 0
    text = text.removeprefix("\ufeff")
    while (found := TAG.match(text, at)) is not None:
        sheet.tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        at = found.end()
    depth = 0
    body = BESIDE.sub(" ", text[at:])
    for found in re.finditer(r"[()]|[^\s()]+", body):
        word = found[0]
        if word in "()":
            depth = max(0, depth + (1 if word == "(" else -1))
        elif depth == 0:
            if word in ends:
                sheet.result = word
                sheet.more = bool(body[found.end():].strip())
                break
            if word.startswith("["):                               # the next game, where the first has no result
                sheet.more = True
                break
            move = NUMBERED.sub("", word)
            if move and not move.isdigit():
                sheet.moves.append(move)
            if len(sheet.moves) > MANY:
                raise NotationFault("notation.too_long", most=MANY)
    return sheet
