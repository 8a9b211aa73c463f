"""Pictures of the table for a rulebook: as it lies when the set-up is done, and as much of it as an example needs."""

from __future__ import annotations

import random

from ..narration.narrator import Teller
from ..position.position import Game, Position
from ..table_view.build_panels import build
from ..table_view.plain_renderer import plain_lines
from ..table_view.rich_renderer import screen_lines
from ..table_view.svg_renderer import draw
from ..table_view.theme import Look, look_of
from ..table_view.view_model import Chart, Panel
from .book import Block, Picture
from .rule_walk import Walk

SEED, STEPS = 1, 400                                               # of the game that is set up for the picture
WIDE = 1000
LETTERS = 96                                                      # columns of boards and tables drawn with letters


def ready(game: Game, walk: Walk) -> Position:
    """The position when the first decision after the set-up waits; what players choose before it is chosen by chance."""
    position = game.new(SEED)
    position.go()
    chance = random.Random(SEED)
    for _ in range(STEPS):
        decision = position.decision
        if decision is None or not walk.only_before(decision.key.partition(".")[0].partition("[")[0]):
            break
        position.play(decision.seat, decision.option(chance.choice(list(decision.codes))))
    return position


def picture(position: Position, teller: Teller, title: str, panels: list[Panel] | None = None) -> list[Block]:
    """The table as everybody sees it, or some of its panels."""
    found = build(position, teller, None) if panels is None else panels
    look = look_of(position.game)
    return [Picture(title, [draw(panel, look, WIDE) for panel in found], found, [lettered(panel, look) for panel in found],
                    panels is not None)] if found else []


def lettered(panel: Panel, look: Look) -> list[str]:
    """A panel drawn with letters; a board of hexagons with more on them than one letter tells lies there as it does on a table."""
    if isinstance(panel, Chart) and panel.shape == "hex" and not panel.simple:
        return screen_lines([panel], look, LETTERS, colour=None)
    return plain_lines([panel], LETTERS)


def changed(before: list[Panel], after: list[Panel]) -> list[Panel]:
    """The panels of a table that look otherwise in another position, with its boards; nothing where all look the same."""
    then = {panel.key: panel for panel in after}
    other = [panel for panel in before if panel.key not in then or then[panel.key] != panel]
    return [panel for panel in before if panel in other or isinstance(panel, Chart)] if other else []
