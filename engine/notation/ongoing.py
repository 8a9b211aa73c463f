"""A game that is being played, written as its players write it; and what a text begins with, be it a game or a position."""

from __future__ import annotations

from ..playing.table import Table
from ..position.position import Game
from ..position.seeds import Seed
from . import notation_of
from .diagrams import Diagrams, Start
from .scoresheets import Played, Scoresheets, is_game


def game_of(table: Table) -> str:
    """The game so far. Raises NotationFault."""
    setup, options = table.setup, [step.option.spelling for step in table.steps]
    return Scoresheets(table.game, notation_of(table.game)).write(Start.of(setup.start), setup.seed, options, setup.names)


def position_of(table: Table) -> str:
    """The position in one line. Raises NotationFault."""
    notation = notation_of(table.game)
    taken = [(step.seat, step.key) for step in table.steps]
    number = Scoresheets(table.game, notation).number_after(Start.of(table.setup.start), taken)
    after = (table.steps[-1].seat + 1) % table.game.players if table.steps else 0
    return Diagrams(table.game, notation).write(table.position, number, after)


def played(game: Game, text: str, seed: Seed) -> Played:
    """What a text plays: a game with its moves, or a position alone. Raises NotationFault, and RuleError where a rule fails on the way."""
    notation = notation_of(game)
    if is_game(text):
        return Scoresheets(game, notation).read(text, seed)
    return Played(Diagrams(game, notation).read(text), [], {})
