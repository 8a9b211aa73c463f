"""Checks places with stacks in two rows, and dice, on terminals, in plain text, and in pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.table_config import check_table_config
from ludoglot.dsl.yaml.located_yaml import parse_yaml
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.option_markers import mark_targets, places_of_option
from ludoglot.engine.table_view.panel_diff import find_changes, mark_changes
from ludoglot.engine.table_view.panel_priority import select_panels
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_segments, render_terminal
from ludoglot.engine.table_view.surface import CHANGED_SQUARE
from ludoglot.engine.table_view.svg_renderer import render_svg
from ludoglot.engine.table_view.theme import Theme, theme_of
from ludoglot.engine.table_view.view_model import ListItem, ListPanel, StackLayout, StyledText

from .test_display import narrator, play_randomly


def make_men(name, many):
    return StyledText(name, f"Side.{name}", name[0], amount=many)


def make_stack_panel(**held):
    """Returns a panel of eight places and a bar."""
    entries = [ListItem([StyledText(str(n))], [held.get(f"p{n}", [])]) for n in range(1, 9)]
    entries.append(ListItem([StyledText("bar")], [held.get("bar", [])]))
    return ListPanel("", entries, "stacks", stacks=StackLayout([8], [make_men("white", 2), make_men("black", 0)]))


def render_lines(panel, width=60, utf=True, high=0, colour=None):
    return [line[2:-2].rstrip() for line in render_terminal([panel], Theme(), width, colour, utf, high)[1:-1]]


def test_places_are_in_two_rows_and_stacks_grow_inwards():
    panel = make_stack_panel(p1=[make_men("white", 2)], p5=[make_men("black", 3)], p8=[make_men("white", 7)])
    assert render_lines(panel) == [
        " 5  6 │   │ 7  8",
        " b  · │   │ ·  w  b×0",
        " b    │   │    w",
        " b    │   │    w",
        "      │   │    w",
        "      │   │    7",
        "      │bar│",
        "      │   │",
        "      │   │",
        "      │   │",
        "      │   │    w",
        " ·  · │   │ ·  w  w×2",
        " 4  3 │   │ 2  1",
    ]


def test_low_stacks_take_few_lines():
    panel = make_stack_panel(p1=[make_men("white", 2)], p5=[make_men("black", 3)])
    assert len(render_lines(panel)) == 2 * 3 + 3
    panel = make_stack_panel(p1=[make_men("white", 9)])
    low = render_lines(panel, high=11)
    assert len(low) == 9 and low[-4].endswith("9"), low


def test_each_colour_has_its_half_of_the_middle():
    lines = render_lines(make_stack_panel(bar=[make_men("black", 1), make_men("white", 6)]))
    upper, lower = ({line[8:9] for line in some} - {" ", "", "│"} for some in (lines[:5], lines[7:]))
    assert (upper, lower) == ({"w", "6"}, {"b"})
    assert any("6" in line[6:9] for line in lines), "six are too many for five lines"


def test_the_numbers_of_options_are_outside_the_labels():
    panel = make_stack_panel(p1=[make_men("white", 2)], p5=[make_men("black", 3)])
    for n, target in ((0, "7"), (4, "12+"), (8, "3")):
        panel.entries[n].target = target
    lines = render_lines(panel)
    assert lines[0].startswith("12+") and lines[1] == " 5  6 │   │ 7  8"
    assert lines[-2] == " 4  3 │   │ 2  1" and lines[-1].split() == ["3", "7"]
    assert len(render_lines(panel, high=11)) == 9, "the numbers take two of the lines"
    [low] = [line for line in render_segments([panel], Theme(), 60, None, True) if " 4  3" in "".join(part.text for part in line)]
    answers = [part.style.meta["answer"] for part in low if part.style is not None and part.style.meta]
    assert "7" in answers, "a click on the label must answer"


@pytest.mark.extra("web")
def test_points_that_can_be_chosen_are_links_in_a_browser(game):
    from ludoglot.engine.web.panel_views import ThingTargets, view_panels
    played = game("backgammon")
    position = play_randomly(played, 3, 40)
    panels = build_panels(position, narrator(played), 0)
    mark_targets(panels, played.model, {place: f"at-{place[1]}" for option in position.decision.options
                                        for place in places_of_option(option, position.decision)})
    origins = {raw for option in position.decision.options for name, _, raw in option.values if name == "origin"}
    view = next(view for view in view_panels(panels, theme_of(played), ThingTargets()) if view.kind == "board")
    assert {int(n) for n in re.findall(r'href="#at-(\d+)"', view.svg)} == origins and origins
    assert any("White:" in line for line in view.lines), "the board must also be described in words"


def test_too_wide_stacks_are_listed_in_words():
    panel = make_stack_panel(p1=[make_men("white", 2)], p5=[make_men("white", 1), make_men("black", 3)])
    assert " ".join(" ".join(render_lines(panel, 20)).split()) == "black: 5 (3) white: 1 (2), 5 (1)"
    assert render_plain([panel], 60) == ["black: 5 (3)", "white: 1 (2), 5 (1)"]


@pytest.mark.parametrize("seed", [3, 8])
def test_every_man_of_backgammon_is_on_the_drawing(game, seed):
    played = game("backgammon")
    position = play_randomly(played, seed, 60)
    panel = next(panel for panel in build_panels(position, narrator(played), 0) if getattr(panel, "flow", "") == "stacks")
    amounts = [span.amount for entry in panel.entries for span in entry.body[0]] + [span.amount for span in panel.stacks.off]
    assert sum(amounts) == 30
    signs = "".join(render_lines(panel, 80))
    shown = sum(min(span.amount, 5) - (span.amount > 5) for entry in panel.entries for span in entry.body[0])
    assert signs.count("w") + signs.count("○") + signs.count("b") + signs.count("●") >= shown


def test_a_changed_point_is_marked(game):
    played = game("backgammon")
    before, after = (build_panels(play_randomly(played, 3, n), narrator(played), 0) for n in (39, 40))
    told = [change for change in find_changes(before, after) if change.panel == after[0].title]
    assert told and all(change.label.isdigit() or change.label == "bar" for change in told)
    mark_changes(before, after)
    red, green, blue = (str(int(CHANGED_SQUARE[n : n + 2], 16)) for n in (1, 3, 5))
    assert f"48;2;{red};{green};{blue}" in "".join(render_terminal(after, theme_of(played), 100, "truecolor"))


def test_board_is_shown_for_a_move(game):
    played = game("backgammon")
    position = play_randomly(played, 3, 40)
    first, _ = select_panels(build_panels(position, narrator(played), 0), position.decision)
    assert [panel.flow for panel in first] == ["stacks"]


def test_a_picture_has_a_point_for_each_place_and_a_die_for_each_number(game):
    played = game("backgammon")
    root = ET.fromstring(render_svg(play_randomly(played, 3, 40), narrator(played), 0))
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polygon"))) == 24
    dice = [one for one in root.iter("{http://www.w3.org/2000/svg}circle") if one.get("class") == "ruled"]
    assert len(dice) == 4 + 5


def make_dice_panel(*numbers):
    from ludoglot.engine.table_view.build_places import with_die_face
    return ListPanel("", [ListItem([StyledText("Dice")], [[with_die_face(StyledText(str(n))) for n in numbers]])], "dice")


def test_dice_have_pips_on_paper_and_numbers_without_colours():
    assert render_lines(make_dice_panel(4, 6, 9)) == ["Dice", "[⚃ 4] [⚅ 6] [9]"]
    assert render_lines(make_dice_panel(4), utf=False) == ["Dice", "[4]"]
    lines = render_terminal([make_dice_panel(5)], Theme(), 40, "256")
    assert [line.count("●") for line in lines[2:5]] == [2, 1, 2]


def test_a_hand_of_dice_is_drawn_as_dice(game):
    played = game("liars-dice", 3)
    panels = build_panels(play_randomly(played, 3, 20), narrator(played), 0)
    cup = next(panel for panel in panels if panel.key.startswith("hand"))
    assert render_lines(cup, 80) == ["[⚃ 4] [⚂ 3] [⚃ 4] [⚁ 2]"]
    assert render_plain([cup], 80)[1:] == ["Four, Three, Four, Two"]


def test_the_middle_has_members_of_the_type(game):
    findings = DiagnosticList()
    text = "panels: [{stacks: Point, pieces: men, middle: [bra], off: dice}, {stacks: Pint, pieces: men}]"
    check_table_config(parse_yaml(text, "table.yaml", findings), game("backgammon").ruleset, findings)
    assert [found.code for found in findings.items] == ["B003", "B004", "B001"]
