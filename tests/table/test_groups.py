"""Checks groups of places as boxes of a picture, and tables with symbols instead of words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.compact_grid import leading_columns
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.svg_renderer import draw_panel
from ludoglot.engine.table_view.theme import Theme, theme_of
from ludoglot.engine.table_view.view_model import GridPanel, ListItem, ListPanel, StyledText

from .test_display import narrator, play_randomly


def make_place(label, *here):
    return [StyledText(label, "dim"), StyledText(":", "dim"), *(here or [StyledText("free", "dim", "-", "·")])]


def test_a_picture_has_a_box_for_each_place_and_a_disc_for_each_thing():
    entries = [ListItem([StyledText(f"Group {n}")], [make_place("1"), make_place("2", StyledText("Anna", "", "A"))]) for n in range(4)]
    parts = "".join(draw_panel(ListPanel("Places", entries, "lists"), Theme()).parts)
    root = ET.fromstring(f"<svg>{parts}</svg>")
    assert len(list(root.iter("rect"))) == 8 and len(list(root.iter("circle"))) == 4
    assert {title.text for title in root.iter("title")} >= {"Group 0 1", "Group 3 2: Anna"}


def test_a_column_shows_the_number_of_things_alone(game):
    """The seat may see its own discarded cards, but not those of others. The table shows how many there are."""
    played = game("evolution", 2)
    position = play_randomly(played, 3, 60)
    discards = played.cells["discards"]
    many = [sum(position.raw_at(discards, [seat])) for seat in range(2)]
    table = next(panel for panel in build_panels(position, narrator(played), 0) if panel.key == "table Player 1")
    shown = [[span.words for span in row[2]] for row in table.rows]
    assert max(many) > 1 and shown == [[str(n)] if n else [] for n in many], (shown, many)


def test_a_table_shows_elements_as_signs_and_plain_text_in_words(game):
    played = game("dominant-species", 4)
    position = play_randomly(played, 3, 120)
    panels = [panel for panel in build_panels(position, narrator(played), 0) if isinstance(panel, GridPanel)]
    screen = "".join(render_terminal(panels, theme_of(played), 120, None))
    assert "♣3" in screen and "≈3" in screen and "grass 3" not in screen
    assert "grass 3" in "".join(render_plain(panels, 120))
    assert any("♣3" in part for panel in panels for part in draw_panel(panel, theme_of(played)).parts)
    beside = leading_columns(panels[0], 60, lambda span: span.shape)
    assert "♣3" in "".join(render_terminal([beside], theme_of(played), 120, None)), "the narrow table must show the same amounts"
    assert "g3" in "".join(render_terminal(panels, theme_of(played), 120, None, utf=False))
