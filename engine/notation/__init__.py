"""Reads and writes moves, positions and whole games as players of a game write them, by its notation.yaml (dsl/game/notation_config.py).

value_spelling.py holds values and expressions as text, moves.py a move and which one a text means, position_line.py a position in one
line (divided by forms.py), and game_record.py a whole game with its tags. movetext.py and sgf.py read the text of games, with tags or as a
tree of nodes, and playback.py plays such a game again. match_notation.py serves a match that is being played."""

from __future__ import annotations

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.game.notation_config import Notation, make_notation, read_notation
from ..position.position import Game
from .value_spelling import NotationError


def load_notation(game: Game) -> Notation:
    """The notation of a game. Raises NotationFault where it has none, or none that fits its rules."""
    findings, source = DiagnosticList(), game.ruleset.source
    document = read_notation(source.folder, findings, source.shown)
    if document is None and not findings.items:
        raise NotationError("notation.none", game=game.ruleset.id)
    notation = make_notation(document, game.ruleset, findings) if document is not None else None
    if notation is None:
        raise NotationError("notation.broken", game=game.ruleset.id)
    return notation


__all__ = ["NotationError", "load_notation"]
