"""Figures of the table for a rulebook: the table after the set-up, and the panels that an example needs."""

from __future__ import annotations

import random

from ..narration.narrator import Narrator
from ..position.position import Game, Position
from ..table_view.build_panels import build_panels
from ..table_view.plain_renderer import render_plain
from ..table_view.rich_renderer import render_terminal
from ..table_view.svg_renderer import draw_panel
from ..table_view.theme import Theme, theme_of
from ..table_view.view_model import BoardPanel, Panel
from .book import BookBlock, TableFigure
from .rule_walk import RuleWalk

PICTURE_SEED, MAX_SETUP_DECISIONS = 1, 400                                               # of the match that is set up for the figure
PICTURE_WIDTH = 1000
TEXT_COLUMNS = 96                                                      # columns of a figure drawn as text


def play_setup(game: Game, walk: RuleWalk) -> Position:
    """Returns the position at the first decision after the set-up. Decisions before it are made at random."""
    position = game.new_position(PICTURE_SEED)
    position.run_to_decision()
    chance = random.Random(PICTURE_SEED)
    for _ in range(MAX_SETUP_DECISIONS):
        decision = position.decision
        if decision is None or not walk.is_setup_only(decision.key.partition(".")[0].partition("[")[0]):
            break
        position.play(decision.seat, decision.option(chance.choice(list(decision.codes))))
    return position


def make_figure(position: Position, narrator: Narrator, title: str, panels: list[Panel] | None = None) -> list[BookBlock]:
    """Returns a figure of the table as all players see it, or of some of its panels."""
    found = build_panels(position, narrator, None) if panels is None else panels
    theme = theme_of(position.game)
    return (
        [
            TableFigure(
                title,
                [draw_panel(panel, theme, PICTURE_WIDTH) for panel in found],
                found,
                [draw_as_text(panel, theme) for panel in found],
                panels is not None,
            )
        ]
        if found
        else []
    )


def draw_as_text(panel: Panel, theme: Theme) -> list[str]:
    """Draws a panel as text. A hexagonal board whose cells need more than one letter is drawn as on a terminal."""
    if isinstance(panel, BoardPanel) and panel.shape == "hex" and not panel.is_simple:
        return render_terminal([panel], theme, TEXT_COLUMNS, colour=None)
    return render_plain([panel], TEXT_COLUMNS)


def find_changed_panels(before: list[Panel], after: list[Panel]) -> list[Panel]:
    """Returns the panels that differ between two positions, together with all boards. The list is empty if nothing
    differs."""
    then = {panel.key: panel for panel in after}
    other = [panel for panel in before if panel.key not in then or then[panel.key] != panel]
    return [panel for panel in before if panel in other or isinstance(panel, BoardPanel)] if other else []
