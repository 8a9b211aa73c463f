"""A game that is being played, written as its players write it; and what a text begins with, be it a game or a position."""

from __future__ import annotations

import re

from ...dsl.diagnostics.source_lines import unmarked
from ...dsl.game.notation_config import Notation
from ..match.table import Table
from ..position.position import Game
from ..position.seeds import Seed
from . import notation_of
from .game_record import Scoresheets
from .moves import Moves
from .movetext import RESULTS
from .playback import Played, options_said, sheet_of
from .position_line import Diagrams, Start
from .value_spelling import NotationFault

NUMBERED = re.compile(r"(?:^|\s)\d+\s*[.…]+\s*[^\s.…]")


def game_of(table: Table) -> str:
    """The game so far. Raises NotationFault."""
    setup, options = table.setup, [step.option.spelling for step in table.steps]
    kept = setup.scoresheet
    ended = kept.get("result", "") if len(options) == kept.get("decisions") else ""
    return Scoresheets(table.game, notation_of(table.game)).write(
        Start.of(setup.start), setup.seed, options, setup.names, kept.get("tags"), ended)


def position_of(table: Table) -> str:
    """The position in one line. Raises NotationFault."""
    notation = notation_of(table.game)
    taken = [(step.seat, step.key) for step in table.steps]
    number = Scoresheets(table.game, notation).number_after(Start.of(table.setup.start), taken)
    after = (table.steps[-1].seat + 1) % table.game.players if table.steps else 0
    return Diagrams(table.game, notation).write(table.position, number, after)


def played(game: Game, text: str, seed: Seed, which: int = 1, whole: bool = True) -> Played:
    """What a text plays: a game with its moves, or a position alone; of several the one with this number. Raises NotationFault, Unfinished
    where the text is not whole and stops before its end, and RuleError where a rule fails on the way."""
    notation = notation_of(game)
    if notation.nodes or notation.position is None:
        return Scoresheets(game, notation).read(text, seed, which, whole)
    diagrams, lines = Diagrams(game, notation), [line for line in unmarked(text).split("\n") if line.strip()]
    if not begins_game(notation, text) and lines and any(diagrams.fits(line) for line in (text, lines[0])):
        found = [text] if diagrams.fits(text) else lines
        if which > len(found):
            raise NotationFault("notation.no_such_game", n=len(found), number=which)
        return Played(diagrams.read(found[which - 1]), [], {}, more=len(found) > 1)
    if not lines or is_game(game, notation, text):
        return Scoresheets(game, notation).read(text, seed, which, whole)
    return Played(diagrams.read(text), [], {})


def options_in(game: Game, text: str, which: int = 1, whole: bool = True) -> dict[str, str]:
    """The options of the game that a text chooses by what it says of itself; none where it is a position. Raises NotationFault, and
    Unfinished."""
    notation = notation_of(game)
    if not any(statement.option for statement in notation.statements.values()):
        return {}
    if not notation.nodes and not is_game(game, notation, text):
        return {}
    return options_said(notation, sheet_of(notation, text, which, whole))


def begins_game(notation: Notation, text: str) -> bool:
    """Whether a text is written as a game: it begins with a tag, a remark or the number of a move, or ends with a result."""
    words = unmarked(text).split()
    return bool(words) and (
        words[0][0] in "[{(;%" or NUMBERED.match(unmarked(text).lstrip()) is not None or words[-1] in RESULTS | notation.ends)


def is_game(game: Game, notation: Notation, text: str) -> bool:
    """Whether a text holds a game, and no single position: it begins as one, has numbers of moves, or begins with a move."""
    if not text.strip() or begins_game(notation, text) or NUMBERED.search(text) is not None:
        return True
    position = game.start(1)
    try:
        return position.decision is not None and bool(Moves(game, notation).read(position, text.split()[0]))
    except NotationFault:
        return False
