"""Replays a parsed game from its start position, move by move.

All statements of the file about the game, and the move numbers, are compared with the
rules, so nothing is silently ignored. If a game continues after its end by these rules,
the replay goes on from the position reached."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ...dsl.game.notation_config import FIELD_PATTERN, RESULT, Notation, VariantStatement
from ...dsl.types.types import Int
from ..position.position import Game, Position
from ..position.seeds import Seed
from .moves import MoveNotation
from .movetext import MAX_GAME_MOVES, RESULTS, MoveToken, ParsedRecord, parse_record
from .position_line import PositionNotation, StartPosition, set_up_game
from .sgf import parse_nodes
from .value_spelling import NotationError, ValueSpeller

EMPTY_TAG_VALUES = ("", "?", "-")              # values of tags without information
MAX_KEPT_TAGS, MAX_TAG_CHARS = 100, 1_000  # tags, and characters of each


@dataclass
class ReplayedRecord:
    """A replayed game: its start position (None: the usual one), its options in order, and the player names.

    `tags` and `result` are kept for writing the game again. `notes` are messages for the reader."""

    start: StartPosition | None
    options: list[str]
    names: dict[str, str]
    more: bool = False
    tags: dict[str, str] = field(default_factory=dict)
    result: str = ""
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def parse_game_text(notation: Notation, text: str, number: int = 1, whole: bool = True) -> ParsedRecord:
    """Returns a game of a text in parsed form. Raises NotationError and UnfinishedTextError."""
    if not notation.nodes:
        ends = {*notation.result_texts, *RESULTS} - {*notation.reads}      # in some notations `0-0` is a move
        return parse_record(text, ends, number, notation.optional_signs, whole)
    nodes, more, doubtful = parse_nodes(text, number, whole)
    sheet = ParsedRecord(more=more, tags=dict(nodes[0]) if nodes else {})
    sheet.result = sheet.tags.get(find_result_tag(notation) or "", "")
    who = {name: player for player, name in notation.nodes.items()}
    for node in nodes:
        for name, value in node:
            shown = f"{name}[{value}]"
            if name in who:
                sheet.by.append(who[name])
                sheet.words.append(MoveToken(value.strip(), 0))
            elif name == notation.to_play:
                sheet.turns[len(sheet.words)] = (value, shown)
            elif name in notation.places and value.strip() and not sheet.words:
                sheet.placed.append((value.strip(), shown))
            elif name in (*notation.places, *notation.refuses) and value.strip():
                raise NotationError("notation.sets_up", text=shown, number=len(sheet.words) + 1)
            else:
                sheet.statements.append((name, value, shown))
    for line in doubtful:
        sheet.add_note("notation.comment_inside", line=line)
    if len(sheet.words) > MAX_GAME_MOVES:
        raise NotationError("notation.too_long", most=MAX_GAME_MOVES)
    return sheet


def find_record_options(notation: Notation, sheet: ParsedRecord) -> dict[str, str]:
    """Returns the game options that a file chooses by its statements, or by their absence."""
    said = {name.casefold(): value for name, value, _ in reversed(sheet.statements)}
    found = {}
    for name, statement in notation.statements.items():
        value = said.get(name.casefold(), statement.missing)
        meant = statement.find_value(value) if statement.option is not None and value is not None else None
        if meant is not None and statement.option is not None:
            found[statement.option] = meant
    return found


def find_result_tag(notation: Notation) -> str | None:
    """Returns the name of the tag that holds the result."""
    return next((tag for tag, text in notation.tags.items() if text == f"{{{RESULT}}}"), None)


class RecordConventions:
    """The conventions shared by writing and reading a game: its moves, their numbers, and its result."""

    def __init__(self, game: Game, notation: Notation) -> None:
        self.game, self.notation = game, notation
        self.moves = MoveNotation(game, notation)

    def starts_move_number(self, seat: int) -> bool:
        """Whether a move of this seat begins a new move number."""
        return self.notation.first is None or self.game.model.enums["Player"].members[seat] == self.notation.first

    def ends_move_number(self, seat: int) -> bool:
        """Whether the move after one of this seat has the next number."""
        return self.starts_move_number((seat + 1) % self.game.players)

    def result_text(self, position: Position) -> str:
        """Returns the result of a position as text."""
        if not position.over:
            return self.notation.open
        best = [rank.seat for rank in position.standing() if rank.rank == 1]
        winner = self.game.model.enums["Player"].members[best[0]]
        return self.notation.wins.get(winner, self.notation.open) if len(best) == 1 else self.notation.draw


class RecordPlayback:
    """Replays one game."""

    def __init__(self, sheets: RecordConventions, sheet: ParsedRecord, seed: Seed) -> None:
        self.sheets, self.sheet, self.notation, self.seed = sheets, sheet, sheets.notation, seed
        self.tags = {tag.casefold(): text for tag, text in sheet.tags.items()}
        start = self.read_start()
        self.position = set_up_game(sheets.game, start, seed)
        self.number = start.number if start is not None else 1     # of the next move
        self.played = ReplayedRecord(start, [], self.player_names(), sheet.more, self.select_tags(), sheet.result, sheet.notes)
        decision, members = self.position.decision, sheets.game.model.enums["Player"].members
        self.next_seat = decision.seat if decision is not None else 0
        firsts = {self.next_seat, members.index(self.notation.first)} if self.notation.first is not None else {0}
        self.numbers = MoveNumberCheck(firsts, len(members) if self.notation.first is not None else 1)
        self.last = ("", 0)                                        # the last move as text, and its number
        self.whole_moves = 0                                       # options before the last move

    def run(self) -> ReplayedRecord:
        """Plays the whole game. Raises NotationError."""
        self.compare_statements()
        for text, shown in self.sheet.placed:
            self.place_piece(text, shown)
        moves = 0
        for n, word in enumerate(self.sheet.words):
            if word.number is not None:
                if not self.numbers.accepts(word.number):
                    raise NotationError("notation.misnumbered", line=word.line, said=word.number, number=self.number)
            elif self.sheet.by or self.sheets.moves.strip_annotations(word.text):
                if self.position.decision is None and not self.continue_after_end(moves, word):
                    break
                try:
                    self.play_move(moves, word)
                except NotationError:
                    if n < len(self.sheet.words) - 1 or not self.is_result(word.text):
                        raise
                    self.played.result = word.text
                    self.sheet.notes.clear()
                moves += 1
        self.compare_turn(moves)
        return self.played

    def place_piece(self, text: str, shown: str) -> None:
        """Plays a property of a tree that places a piece before the first turn. Raises NotationError."""
        decision = self.position.decision
        if decision is None or decision.key not in self.notation.places.values():
            raise NotationError("notation.placed_too_many", text=shown)
        try:
            taken = self.sheets.moves.read(self.position, text)
        except NotationError as error:
            raise NotationError(error.key, **{**error.params, "number": self.number, "text": shown}) from error
        for option in taken:
            self.position.play(decision.seat, option)
        self.played.options += taken

    def is_result(self, text: str) -> bool:
        """Whether a text that may also be a move (`0-0`) is the result that the file declares."""
        return not self.sheet.result and text in RESULTS and self.tags.get((find_result_tag(self.notation) or "").casefold()) == text

    def play_move(self, n: int, word: MoveToken) -> None:
        """Plays the move with index `n`."""
        decision, members = self.position.decision, self.sheets.game.model.enums["Player"].members
        assert decision is not None
        text, seat = self.source_text(n, word), decision.seat
        self.compare_turn(n)
        if self.sheet.by and self.sheet.by[n] != members[seat]:
            if decision.key in self.notation.places.values():
                raise NotationError("notation.placed_too_few", text=text, number=self.number)
            raise NotationError("notation.not_their_turn", text=text, number=self.number)
        try:
            taken = self.sheets.moves.read(self.position, word.text)
        except NotationError as error:
            raise NotationError(error.key, **{**error.params, "number": self.number, "text": text}) from error
        self.whole_moves = len(self.played.options)
        for option in taken:
            self.position.play(seat, option)
        self.played.options += taken
        self.last = (word.text, self.number)
        self.numbers.count_move(seat)
        self.number += self.sheets.ends_move_number(seat)
        self.next_seat = (seat + 1) % self.sheets.game.players

    def source_text(self, n: int, word: MoveToken) -> str:
        """Returns the move with index `n` as the file has it."""
        return f"{self.notation.nodes[self.sheet.by[n]]}[{word.text}]" if self.sheet.by else word.text

    # ------------------------------------------------------------ after the end

    def continue_after_end(self, n: int, word: MoveToken) -> bool:
        """Continues with the move with index `n` after the end by these rules, from the position reached.

        If that is impossible, the game ends before its final move. Returns whether the game continues. Raises
        NotationError after an end that no rules leave open."""
        told = {"text": self.last[0], "number": self.last[1]}
        if self.sheets.result_text(self.position) != self.notation.draw or not self.played.options:
            raise NotationError("notation.over", number=self.number, text=self.source_text(n, word))
        start = self.find_restart()
        if start is None:
            del self.played.options[self.whole_moves:]
            self.played.result = ""
            self.sheet.add_note("notation.ended_before", **told)
            return False
        self.sheet.add_note("notation.went_on", **told)
        self.played.start, self.played.options = start, []
        self.position = set_up_game(self.sheets.game, start, self.seed)
        return True

    def find_restart(self) -> StartPosition | None:
        """Returns the position reached as a start position, or None if the rules end the match there
        at once. Move counters are reset if necessary."""
        line = self.notation.position
        if line is None:
            return None
        diagrams = PositionNotation(self.sheets.game, self.notation)
        start = diagrams.read(diagrams.write(self.position, self.number, self.next_seat))
        cells = self.sheets.game.cells
        counters = [part.state for part in line.parts.values() if part.kind == "value" and isinstance(cells[part.state].state.type, Int)]
        for without in ([], counters):
            tried = StartPosition(start.clear, {name: given for name, given in start.entries.items() if name not in without}, start.number)
            if set_up_game(self.sheets.game, tried, self.seed).decision is not None:
                return tried
        return None

    # ------------------------------------------------------------ what the file says

    def read_start(self) -> StartPosition | None:
        """Returns the start position of the file. Raises NotationError if its tags contradict each other."""
        line = self.notation.position
        if line is None:
            return None
        text = self.tags.get(line.tag.casefold(), "").strip()
        for tag, value in line.beside.items():
            said = self.tags.get(tag.casefold(), "").strip()
            shown = f'[{tag} "{said}"]'
            if said == value and not text:
                raise NotationError("notation.setup_missing", text=shown, tag=line.tag)
            if text and said not in ("", value):
                raise NotationError("notation.other_statement", text=shown, known=[f"“{value}”"])
        return PositionNotation(self.sheets.game, self.notation).read(text) if text else None

    def compare_statements(self) -> None:
        """Compares the statements of the file with the rules. Raises NotationError."""
        speller, settings = ValueSpeller(self.sheets.game, self.notation), self.sheets.game.ruleset.settings
        statements = {name.casefold(): statement for name, statement in self.notation.statements.items()}
        for name, value, shown in self.sheet.statements:
            statement = statements.get(name.casefold())
            if statement is None or value.strip() in EMPTY_TAG_VALUES:
                continue
            if statement.ask is not None:
                kind = self.notation.questions[statement.ask].type
                here = self.sheets.game.spell(kind, speller.evaluate(statement.ask, self.position, {}))
            else:
                here = str(settings[statement.option]) if statement.option is not None else ""
            meant = statement.find_value(value)
            if meant == here:
                continue
            if meant is not None and statement.option is not None:
                raise NotationError("notation.other_option", text=shown, choice=f"{statement.option}={meant}")
            known = [f"“{text}”" for text in list_known_texts(statement, here)]
            if meant is not None and statement.number is not None:
                entry = f"set: {{{statement.number}: {meant}}}"
                raise NotationError("notation.other_number", text=shown, known=known, entry=entry)
            raise NotationError("notation.other_statement", text=shown, known=known)

    def compare_turn(self, n: int) -> None:
        """Compares the player to move with the statement of a tree before this move. Raises NotationError."""
        if n not in self.sheet.turns or self.position.decision is None:
            return
        value, shown = self.sheet.turns[n]
        member = self.sheets.game.model.enums["Player"].members[self.position.decision.seat]
        if value.strip().casefold() not in (self.notation.nodes.get(member, "").casefold(), member.casefold()):
            raise NotationError("notation.other_mover", text=shown, number=self.number)

    def player_names(self) -> dict[str, str]:
        """Returns the players named in the tags, by the name of their seat."""
        found = {}
        for tag, text in self.notation.tags.items():
            only = FIELD_PATTERN.fullmatch(text) if isinstance(text, str) else None
            if only is not None and only[1] != RESULT and self.sheet.tags.get(tag, "").strip("?"):
                found[only[1]] = self.sheet.tags[tag]
        return found

    def select_tags(self) -> dict[str, str]:
        """Returns the tags to be written again, limited in number and length to what a save holds."""
        return {tag: text[:MAX_TAG_CHARS] for tag, text in list(self.sheet.tags.items())[:MAX_KEPT_TAGS]
                if len(tag) <= MAX_TAG_CHARS and tag not in (self.notation.to_play, *self.notation.places, *self.notation.nodes.values())}


class MoveNumberCheck:
    """Checks the move numbers of a file, whatever number it begins with. A game that begins in the
    middle of a number may count from its first move."""

    def __init__(self, firsts: Collection[int], players: int) -> None:
        self.players = players
        self.counted = dict.fromkeys(firsts, 0)                    # completed numbers, by the seat that moves first
        self.began: dict[int, int] = {}                            # first number of the file, by the same seat

    def count_move(self, seat: int) -> None:
        """Counts a move."""
        for first in self.counted:
            self.counted[first] += (seat + 1) % self.players == first % self.players

    def accepts(self, number: int) -> bool:
        """Whether the next move may have this number."""
        for first, counted in list(self.counted.items()):
            if self.began.setdefault(first, number - counted) != number - counted:
                del self.counted[first]
        return bool(self.counted)


def list_known_texts(statement: VariantStatement, value: str) -> list[str]:
    """Returns the values that a file may give for a statement."""
    texts = statement.texts.get(value, ())[:1] if statement.ask is not None else [one for some in statement.texts.values() for one in some]
    return list(dict.fromkeys(text.removesuffix("*").strip() for text in texts)) or [value]
