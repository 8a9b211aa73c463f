"""Checks pictures of tables: readable colours, and words and boards that keep their place."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.table_view import html_page
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.replay_frames import ReplayFrames
from ludoglot.engine.table_view.svg_renderer import PanelPainter, PanelSize, draw_panel, render_svg
from ludoglot.engine.table_view.theme import Theme, theme_of
from ludoglot.engine.table_view.view_model import StyledText
from rich.cells import cell_len

from .test_colours import SAMPLE_COLOURS
from .test_display import narrator, play_randomly


@pytest.mark.parametrize("paper", [html_page.DARK_PAPER, html_page.LIGHT_PAPER])
def test_every_colour_can_be_read_on_both_papers(paper):
    fills = dict(re.findall(r"\.table \.([cgf][0-9a-f]{6})\{fill:(#[0-9a-f]{6})\}", html_page.paper_rules(paper, sorted(SAMPLE_COLOURS))))
    assert len(fills) == 3 * len(SAMPLE_COLOURS)
    for name, colour in fills.items():
        usual = html_page.BLACK if html_page.text_class(colour) == "on" else html_page.WHITE
        other = {"c": paper["panel"], "g": paper["ink"]}.get(name[0], usual)
        assert html_page.contrast(colour, other) >= 4.5, (name, colour)


@pytest.mark.heavy_long
@pytest.mark.parametrize("name, players", [("dominant-species", 3), ("trias", 2), ("connect-four", 2)])
def test_every_css_class_has_a_rule(game, name, players):
    played = game(name, players)
    svg = render_svg(play_randomly(played, 3, 12), narrator(played), None)
    classes = {name for found in re.findall(r'class="([^"]*)"', svg) for name in found.split()} - {"table"}
    assert len(classes) > 4 and classes <= set(re.findall(r"\.table \.([a-z0-9]+)\{", html_page.build_stylesheet(theme_of(played))))


@pytest.mark.parametrize("wide", [1000, 500])
def test_long_names_stay_in_their_column(game, wide):
    played = game("evolution", 2)
    long = Narrator(played, narrator(played).words, ["Wolfeschlegelsteinhausenbergerdorff" * 3, "日本語の名前" * 12])
    for panel in build_panels(played.start(1), long, 0):
        drawn = draw_panel(panel, theme_of(played), wide)
        assert drawn.width <= wide
        for part in drawn.parts:
            texts = ET.fromstring(f"<svg>{part}</svg>").iter("text")
            row = [(float(text.attrib["x"]), cell_len("".join(text.itertext()))) for text in texts]
            for x, long_is in row:
                assert x + 8 * long_is <= min([left for left, _ in row if left > x], default=wide)


@pytest.mark.parametrize("words", ["Each animal, in the order of food, gives up one thing", "A " + "x" * 70 + " b c d",
                                   "x" * 25 + " is it", ""])
@pytest.mark.parametrize("chars, head", [(20, 3), (20, 12), (20, 19), (40, 10), (200, 10)])
def test_long_text_is_wrapped_without_losing_words(words, chars, head):
    pen = PanelPainter(Theme(), 1000, 1000, PanelSize())
    pen.draw_wrapped_line(0, [StyledText("h" * head), StyledText(words)], chars, ", ")
    rows = ["".join(ET.fromstring(part).itertext()) for part in pen.parts]
    assert all(cell_len(row) <= chars for row in rows)
    said = "".join(rows).replace(" ", "")
    assert said.removeprefix("h" * head).removeprefix(",") == words.replace(" ", "") and len(rows) <= 2 + cell_len(words) // (chars // 2)


@pytest.mark.long
def test_cell_titles_describe_their_contents(game):
    played = game("dominant-species", 3)
    position = played.start(1)
    titles = re.findall(r"<g><title>([^<]*)</title><polygon", render_svg(position, narrator(played), None))
    assert len(titles) == 7 and all(": " in title for title in titles)


@pytest.mark.long
def test_unchanged_parts_are_stored_once(game):
    played = game("hex")
    film = ReplayFrames(narrator(played), None)
    for n in range(20):
        film.add(play_randomly(played, 1, n))
    film.finish()
    assert len(film.steps) == 20 and len(film.parts) < 121 + 3 * 20
