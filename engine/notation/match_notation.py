"""Writes a match in progress in its players' notation, and detects whether a text is a game or a position."""

from __future__ import annotations

import re

from ...dsl.diagnostics.source_lines import normalize_source
from ...dsl.game.notation_config import Notation
from ..match.table import MatchTable
from ..position.position import Game
from ..position.seeds import Seed
from . import load_record_notation
from .game_record import GameRecordNotation
from .moves import MoveNotation
from .movetext import RESULTS
from .playback import ReplayedRecord, find_record_options, parse_game_text
from .position_line import PositionNotation, StartPosition
from .value_spelling import NotationError

NUMBERED_MOVE = re.compile(r"(?:^|\s)\d+\s*[.…]+\s*[^\s.…]")


def write_game(table: MatchTable) -> str:
    """Returns the match so far as a game record. Raises NotationError."""
    setup, options = table.setup, [step.option.spelling for step in table.steps]
    kept = setup.scoresheet
    ended = kept.get("result", "") if len(options) == kept.get("decisions") else ""
    return GameRecordNotation(table.game, load_record_notation(table.game)).write(
        StartPosition.from_data(setup.start), setup.seed, options, setup.names, kept.get("tags"), ended)


def write_position(table: MatchTable) -> str:
    """Returns the current position as one line. Raises NotationError."""
    notation = load_record_notation(table.game)
    taken = [(step.seat, step.key) for step in table.steps]
    number = GameRecordNotation(table.game, notation).next_move_number(StartPosition.from_data(table.setup.start), taken)
    after = (table.steps[-1].seat + 1) % table.game.players if table.steps else 0
    return PositionNotation(table.game, notation).write(table.position, number, after)


def read_game_text(game: Game, text: str, seed: Seed, number: int = 1, whole: bool = True) -> ReplayedRecord:
    """Reads a text that holds a game with its moves or a position alone. If there are
    several, reads the one with the number `number`.

    Raises NotationError, UnfinishedTextError if the text is not `whole` and stops
    before the end, and RuleError if a rule fails."""
    notation = load_record_notation(game)
    if notation.nodes or notation.position is None:
        return GameRecordNotation(game, notation).read(text, seed, number, whole)
    diagrams, lines = PositionNotation(game, notation), [line for line in normalize_source(text).split("\n") if line.strip()]
    if not looks_like_game(notation, text) and lines and any(diagrams.is_position(line) for line in (text, lines[0])):
        found = [text] if diagrams.is_position(text) else lines
        if number > len(found):
            raise NotationError("notation.no_such_game", n=len(found), number=number)
        return ReplayedRecord(diagrams.read(found[number - 1]), [], {}, more=len(found) > 1)
    if not lines or holds_game(game, notation, text):
        return GameRecordNotation(game, notation).read(text, seed, number, whole)
    return ReplayedRecord(diagrams.read(text), [], {})


def read_game_options(game: Game, text: str, number: int = 1, whole: bool = True) -> dict[str, str]:
    """Returns the game options that a record declares, or nothing for a position.
    Raises NotationError and UnfinishedTextError."""
    notation = load_record_notation(game)
    if not any(statement.option for statement in notation.statements.values()):
        return {}
    if not notation.nodes and not holds_game(game, notation, text):
        return {}
    return find_record_options(notation, parse_game_text(notation, text, number, whole))


def looks_like_game(notation: Notation, text: str) -> bool:
    """Whether a text looks like a game: it begins with a tag, a comment or a move number, or ends with a result."""
    words = normalize_source(text).split()
    return bool(words) and (
        words[0][0] in "[{(;%"
        or NUMBERED_MOVE.match(normalize_source(text).lstrip()) is not None
        or words[-1] in RESULTS | notation.result_texts
    )


def holds_game(game: Game, notation: Notation, text: str) -> bool:
    """Whether a text is a game and not a single position: it looks like one, has move numbers, or begins with a
    move."""
    if not text.strip() or looks_like_game(notation, text) or NUMBERED_MOVE.search(text) is not None:
        return True
    position = game.start(1)
    try:
        return position.decision is not None and bool(MoveNotation(game, notation).read(position, text.split()[0]))
    except NotationError:
        return False
