"""Reads and writes moves, positions and whole games in the notation of a game's players, as its
notation.yaml declares it (dsl/game/notation_config.py).

    value_spelling.py    values and expressions as text
    moves.py             a move as text, and the move that a text means
    position_line.py     a position in one line of text, split by forms.py
    game_record.py       a whole game with its tags
    movetext.py, sgf.py  parsers for the text of games, with tags or as a tree of nodes
    playback.py          replays a parsed game
    match_notation.py    a match in progress"""

from __future__ import annotations

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.game.notation_config import Notation, make_notation, read_notation
from ..position.position import Game
from .value_spelling import NotationError


def load_notation(game: Game) -> Notation:
    """Returns the notation of a game. Raises NotationError if it has none, or one that does not fit its rules."""
    findings, source = DiagnosticList(), game.ruleset.source
    document = read_notation(source.folder, findings, source.shown)
    if document is None and not findings.items:
        raise NotationError("notation.none", game=game.ruleset.id)
    notation = make_notation(document, game.ruleset, findings) if document is not None else None
    if notation is None:
        raise NotationError("notation.broken", game=game.ruleset.id)
    return notation


def load_record_notation(game: Game) -> Notation:
    """Returns the notation of a game for whole games and positions. Raises NotationError if it has none, or only one for
    moves."""
    notation = load_notation(game)
    if not notation.files:
        raise NotationError("notation.none", game=game.ruleset.id)
    return notation


__all__ = ["NotationError", "load_notation", "load_record_notation"]
