"""Checks card-like boxes for the members of a list, on terminals, in plain text, in pictures, and in a browser."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.svg_renderer import draw_panel, render_svg
from ludoglot.engine.table_view.theme import Theme, theme_of
from ludoglot.engine.table_view.view_model import GridPanel, ListItem, ListPanel, StyledText
from rich.cells import cell_len

from .test_display import narrator, play_randomly


def make_texts(*texts):
    return [StyledText(text) for text in texts]


def make_lizard_panel(mats=True):
    """Two owners with three lizards."""
    rows = [
        [make_texts("green"), make_texts("1/4"), make_texts("Spiny", "Fast"), make_texts("Awake")],
        [make_texts("blue"), make_texts("0"), [], []],
        [make_texts("red"), make_texts("3/3"), make_texts("Horned (with blue and green, but only while both are awake)"), []],
    ]
    bands = {0: make_texts("Anna"), 2: make_texts("Béla")}
    return GridPanel("Lizards", ["", "Eaten", "Traits", ""], rows, bands, ["eaten", "traits", "awake"], True, mats=mats,
                     stacked=frozenset({"traits"}), left_out=str)


def render_lines(panel, width=60, utf=True, height=0):
    return [line[2:-2].rstrip() for line in render_terminal([panel], Theme(), width, None, utf, height)[1:-1]]


def test_each_member_is_a_box_below_its_owner():
    assert render_lines(make_lizard_panel()) == [
        "Anna",
        "╭─ green ────╮ ╭─ blue ─────╮",
        "│ Eaten: 1/4 │ │            │",
        "│ Spiny      │ │            │",
        "│ Fast       │ │            │",
        "│ Awake      │ │            │",
        "╰────────────╯ ╰────────────╯",
        "Béla",
        "╭─ red ────────────────────────────╮",
        "│ Eaten: 3/3                       │",
        "│ Horned (with blue and green, but │",
        "│   only while both are awake)     │",
        "╰──────────────────────────────────╯",
    ]


def test_boxes_become_rows_if_a_hand_has_no_room():
    hand = ListPanel("Hand", [ListItem(make_texts("a card with a long name"), [])] * 2, key="hand hand 1")
    low, high = ("\n".join(render_terminal([make_lizard_panel(), hand], Theme(), 60, None, True, lines, 2)) for lines in (17, 40))
    assert "╭─ green" in high and "Hand" in high
    assert "╭─ green" not in low and "Hand" in low and "Horned" in low


def test_boxes_are_below_each_other_if_the_screen_is_narrow():
    assert [line.split("─ ")[1].split(" ")[0] for line in render_lines(make_lizard_panel(), 32) if "─ " in line] == ["green", "blue", "red"]
    assert all(cell_len(line) <= 20 for line in render_terminal([make_lizard_panel()], Theme(), 20, None, True))


def test_without_room_the_boxes_become_a_table():
    lines = render_lines(make_lizard_panel(), height=9)
    assert lines == render_lines(make_lizard_panel(mats=False), height=9) and lines and not any("╭" in line for line in lines)


def test_screens_without_unicode_have_frames_of_ascii():
    assert all(ord(letter) < 128 for line in render_lines(make_lizard_panel(), utf=False) for letter in line.replace("é", "e"))


def test_plain_text_lists_the_values():
    assert render_plain([make_lizard_panel()], 100) == render_plain([make_lizard_panel(mats=False)], 100)


@pytest.mark.parametrize("width", [400, 1000])
def test_a_picture_has_a_box_for_each_member(width):
    panel = draw_panel(make_lizard_panel(), Theme(), width)
    boxes = [ET.fromstring(part)[0] for part in (f"<g>{part}</g>" for part in panel.parts) if 'class="mat"' in part]
    assert len(boxes) == 3
    places = [(float(one.get("x")), float(one.get("y")), float(one.get("width")), float(one.get("height"))) for one in boxes]
    assert all(x >= 0 and x + wide <= width and y + high <= panel.height for x, y, wide, high in places)
    assert not any(a != b and a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
                   for a in places for b in places)
    text = "".join("".join(ET.fromstring(f"<g>{part}</g>").itertext()) for part in panel.parts)
    assert re.sub(r"\s", "", text).endswith("Horned(withblueandgreen,butonlywhilebothareawake)")


@pytest.mark.extra("web")
def test_a_browser_gets_the_same_boxes():
    from ludoglot.engine.web.panel_views import ThingTargets, view_panels
    [view] = view_panels([make_lizard_panel()], Theme(), ThingTargets())
    (anna, first), (bela, second) = view.mats
    assert [span.text for span in (*anna, *bela)] == ["Anna", "Béla"] and (len(first), len(second)) == (2, 1)
    assert [(caption, [span.text for span in line]) for caption, line in first[0].lines] == [
        ("Eaten", ["1/4"]), ("", ["Spiny"]), ("", ["Fast"]), ("", ["Awake"])]


@pytest.mark.parametrize("width", [80, 100, 140])
def test_animals_of_evolution_are_mats_with_their_traits(game, width):
    played = game("evolution", 3)
    panels = build_panels(play_randomly(played, 5, 60), narrator(played), 0)
    [panel] = [panel for panel in panels if isinstance(panel, GridPanel) and panel.mats]
    text = "\n".join(render_terminal([panel], theme_of(played), width, None))
    assert text.count("╭─ animal ") == len(panel.rows)
    assert all(cell_len(line) <= width for line in text.splitlines())
    traits = [span.text for row in panel.rows for span in row[panel.heads.index("Traits")]]
    assert traits and all(trait in text for trait in traits if len(trait) < 30)
    picture = render_svg(play_randomly(played, 5, 60), narrator(played), 0)
    assert picture.count('class="mat"') == len(panel.rows)
