"""Parses the text of whole games, similar to PGN: tags in brackets, numbered
moves, and a result. A text may hold many games.

Comments, variations, annotation glyphs and escaped lines are skipped as in the PGN standard.
Everything else must be a tag, a number, a move or a result. Other text raises NotationError with its
line. The text is scanned once, from left to right."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...dsl.diagnostics.source_lines import normalize_newlines
from .value_spelling import NotationError

MAX_GAME_CHARS = 1_000_000                  # characters
MAX_GAME_MOVES = 20_000                        # moves
TOKEN = re.compile(r"""
    (?P<gap>\s+) | (?P<escaped>^%[^\n]*) | (?P<comment>\{[^}]*\}) | (?P<rest>;[^\n]*) | (?P<glyph>\$\d+) | (?P<paren>[()])
    | (?P<word>[^\s(){}\[\];$<>"]+(?:(?<==)\s+[A-Za-z](?!\w)|\s+=\s*[A-Za-z](?!\w))?(?:\([A-Za-z]\))?)
    """, re.VERBOSE | re.MULTILINE)
TAG_NAME = r"([A-Za-z0-9][\w+#=:.-]*)"
TAG = re.compile(rf'\[\s*{TAG_NAME}\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
LOOSE_TAG = re.compile(rf'\[\s*{TAG_NAME}\s+"([^\n]*)"[^\S\n]*\][^\S\n]*$', re.MULTILINE)        # unescaped quotes
EVALUATION = re.compile(r"(?:\+/?[-−–=]|[-−–=]/?\+|[±∓⩲⩱∞□]|^=)$")         # of the position, behind a move or alone
MOVE_NUMBER = re.compile(r"(\d+)(?:([.…]+)|$)")
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u2060\ufeff"))
DASHES = str.maketrans("–—−‐‑", "-----")
# Results in the files of any game: a win, a draw, or a game in progress.
RESULTS = frozenset(("1-0", "0-1", "1/2-1/2", "½-½", "1/2", "½", "2-0", "0-2", "1-1", "0-0", "*"))
DRAW_RESULT = re.compile(r"^(?:½(?:-½)?|1/2)$")
JOINING_SIGNS = "-:xX×"                      # signs in a move that some writers surround with spaces


@dataclass(frozen=True)
class MoveToken:
    """A move, a result or a move number as written, with its line."""

    text: str
    line: int
    number: int | None = None


@dataclass
class ParsedRecord:
    """A parsed game.

    - `more`: whether other games follow
    - `statements`: statements about the game as name, value and source text
    - `notes`: messages for the reader
    - `by`, `turns`: only for a tree, the player of each move, and the player to move before a move
    - `placed`: only for a tree, values and source texts of pieces that are placed before the first turn"""

    tags: dict[str, str] = field(default_factory=dict)
    words: list[MoveToken] = field(default_factory=list)
    result: str = ""
    more: bool = False
    statements: list[tuple[str, str, str]] = field(default_factory=list)
    by: list[str] = field(default_factory=list)
    turns: dict[int, tuple[str, str]] = field(default_factory=dict)
    placed: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    count: int = 1                                                 # number of games up to this one

    def add_note(self, key: str, **args: Any) -> None:
        """Adds a message for the reader."""
        self.notes.append((key, args))


class UnfinishedTextError(Exception):
    """Raised if the text stops before the end of the wanted game."""


def parse_record(text: str, ends: Collection[str] = RESULTS, number: int = 1, joins: str = "", whole: bool = True) -> ParsedRecord:
    """Returns the game with the number `number`. `ends` are the possible results. `whole` means that no more text
    follows.

    Raises NotationError and UnfinishedTextError."""
    count = 0
    for count, sheet in enumerate(MovetextParser(text, ends, joins, whole).iter_records(), start=1):
        if count == number:
            sheet.count = count
            return sheet
    if not whole:
        raise UnfinishedTextError
    if not count:
        raise NotationError("notation.empty")
    raise NotationError("notation.no_such_game", n=count, number=number)


class MovetextParser:
    """Parses the games of a text one by one."""

    def __init__(self, text: str, ends: Collection[str], joins: str, whole: bool) -> None:
        self.text = normalize_newlines(text.translate(INVISIBLE))
        self.ends, self.joins, self.whole = set(ends), tuple(sign for sign in JOINING_SIGNS if sign in joins), whole
        self.at, self.line, self.counted = 0, 1, 0
        self.open: list[int] = []                                  # the lines of the open parentheses
        self.glued = False                                         # whether only whitespace follows the last word
        self.began = 0

    def iter_records(self) -> Iterator[ParsedRecord]:
        """Yields each game in the order of the text."""
        sheet = ParsedRecord()
        while self.at < len(self.text):
            self.began = self.began if sheet.tags or sheet.words else self.at
            if self.at - self.began > MAX_GAME_CHARS or len(sheet.words) > 3 * MAX_GAME_MOVES:
                raise NotationError("notation.too_long", most=MAX_GAME_CHARS)
            if self.text[self.at] == "[" and not self.open:
                if sheet.words or sheet.result:
                    if not sheet.result and not self.is_at_line_start():
                        raise self.make_error("notation.bad_tag")
                    yield self.finish_record(sheet, more=True)
                    sheet, self.began = ParsedRecord(), self.at
                self.parse_tag(sheet)
                continue
            found = TOKEN.match(self.text, self.at)
            if found is None and not (self.open and self.text[self.at] in '[]<>"$'):
                raise self.make_error("notation.open_comment" if self.text[self.at] == "{" else "notation.stray")
            if found is None:
                if TAG.match(self.text, self.at) and self.is_at_line_start():
                    raise NotationError("notation.open_variation", line=self.open[-1])
                self.at += 1
                continue
            kind, token = found.lastgroup, found[0]
            if kind == "paren":
                self.parse_parenthesis(sheet, token)
            elif kind == "comment" and "{" in token[1:]:
                sheet.add_note("notation.comment_inside", line=self.line_number(self.at))
            if kind != "gap":
                self.glued = self.glued and kind == "word" and not self.open
            begins_next = kind == "word" and not self.open and self.parse_word(sheet, token)
            if begins_next:
                yield self.finish_record(sheet, more=True)
                sheet, self.began = ParsedRecord(), self.at
                continue
            self.at = found.end()
        if not self.whole:
            return
        if self.open:
            raise NotationError("notation.open_variation", line=self.open[-1])
        if sheet.tags or sheet.words or sheet.result:
            yield self.finish_record(sheet, more=False)

    def parse_tag(self, sheet: ParsedRecord) -> None:
        """Parses the tag at the current position."""
        found = TAG.match(self.text, self.at) or LOOSE_TAG.match(self.text, self.at)
        if found is None or re.search(r'"\s*\]', found[2]):
            raise self.make_error("notation.bad_tag")
        value = re.sub(r'\\(["\\])', r"\1", found[2])
        sheet.tags[found[1]] = value
        sheet.statements.append((found[1], value, found[0]))
        self.at, self.glued = found.end(), False

    def parse_parenthesis(self, sheet: ParsedRecord, token: str) -> None:
        """Opens or closes a variation."""
        if token == "(":
            self.open.append(self.line_number(self.at))
        elif not self.open:
            if not self.ends_move_number(sheet):
                raise self.make_error("notation.stray")
        else:
            self.open.pop()

    def ends_move_number(self, sheet: ParsedRecord) -> bool:
        """Whether the current position directly follows a move number, as in `1) e4`."""
        return bool(sheet.words) and sheet.words[-1].number is not None and self.text[self.at - 1] in "0123456789."

    def parse_word(self, sheet: ParsedRecord, text: str) -> bool:
        """Parses a word: a number, a move, a part of a move, or a result. Returns whether the word begins the next game."""
        text = EVALUATION.sub("", text)
        if not text:
            return False
        line, words = self.line_number(self.at), sheet.words
        last = words[-1] if words and self.glued else None
        if not sheet.result and last is not None and (last.text.endswith(self.joins) or text.startswith(self.joins)) and self.joins:
            words[-1] = MoveToken(last.text + text, last.line)
            self.detect_result(sheet)
            return False
        found = MOVE_NUMBER.match(text)
        if sheet.result:
            if found is not None and int(found[1][:6]) == 1:
                return True
            raise self.make_error("notation.after_result", text)
        if found is not None and text.translate(DASHES) not in self.ends:
            words.append(MoveToken(found[0], line, int(found[1][:9])))
            text = text[found.end():]
        text = text.lstrip(".…")
        self.glued = True
        if text:
            words.append(MoveToken(text, line))
            self.detect_result(sheet)
        return False

    def detect_result(self, sheet: ParsedRecord) -> None:
        """Stores the last word as the result if it is one."""
        plain = sheet.words[-1].text.translate(DASHES)
        if plain in self.ends and not self.is_joined_by_next():
            sheet.result = DRAW_RESULT.sub("1/2-1/2", plain)

    def is_joined_by_next(self) -> bool:
        """Whether the following text belongs to the same word: `1 - 0`, `1/2 - 1/2`."""
        return bool(self.joins) and re.compile(rf"\S*\s+[{re.escape(''.join(self.joins))}]").match(self.text, self.at) is not None

    def finish_record(self, sheet: ParsedRecord, more: bool) -> ParsedRecord:
        """Completes a parsed game. Removes the result from its moves, or adds a note if it has none."""
        sheet.more = more
        if sheet.result:
            sheet.words.pop()
        else:
            sheet.add_note("notation.no_result", line=self.line_number(self.at))
        if sum(word.number is None for word in sheet.words) > MAX_GAME_MOVES:
            raise NotationError("notation.too_long", most=MAX_GAME_MOVES)
        return sheet

    def is_at_line_start(self) -> bool:
        """Whether only whitespace precedes the current position in its line."""
        return not self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at].strip()

    def line_number(self, at: int) -> int:
        """Returns the line number of a position. Positions must be given in ascending order."""
        self.line += self.text.count("\n", self.counted, at)
        self.counted = at
        return self.line

    def make_error(self, key: str, text: str | None = None) -> NotationError:
        """Returns the error for the current position."""
        shown = text if text is not None else self.text[self.at : self.at + 40].partition("\n")[0]
        return NotationError(key, line=self.line_number(self.at), text=shown)
