"""Checks clicks on the whole screen: a click does the action that its cell shows, or nothing."""

from __future__ import annotations

from unittest import mock

import pytest
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.rich_renderer import render_segments
from ludoglot.engine.table_view.theme import theme_of
from ludoglot.engine.terminal import cursor
from ludoglot.engine.terminal.clicks import click_to_line, split_clickable_parts
from ludoglot.engine.terminal.cursor import CursorCell, find_next_cell, iter_cells
from ludoglot.engine.terminal.full_screen import FullScreenConsole, FullScreenSession, pane_titles
from ludoglot.engine.terminal.inspect_command import list_inspection
from ludoglot.engine.terminal.pane_layout import PaneLayout, ScreenContent
from ludoglot.engine.terminal.question import DecisionPrompt, PromptOption, parse_number_list
from rich.segment import Segment
from rich.style import Style

from bench.clicks import LANGUAGES, SIZES, WrongClickError, click_through

from .terminal_harness import HUMAN, Desk, iter_questions

CLICK_COUNT = 12


def make_options(*texts):
    return [PromptOption(str(n), None, text, ()) for n, text in enumerate(texts, 1)]


def clickable_cells(row, shown):
    return [(part.text, part.style.meta["answer"]) for part in split_clickable_parts(row, shown) if part.style]


def test_clickable_cell_covers_number_and_text():
    shown = make_options("a1", "b1", "c1", "a tower of wood")
    assert clickable_cells("  1  a1    3  c1", shown) == [("1  a1", "1"), ("3  c1", "3")]
    assert clickable_cells("  4  a tower of wood  -> +2", shown) == [("4  a tower of wood", "4")]
    assert clickable_cells("  4  a tower of", shown) == [("4  a tower of", "4")]
    for text in ("     It stands.", "  5  a1", "  1  a12", "on  1  b1"):
        assert clickable_cells(text, shown) == []


def test_click_on_a_number_range_opens_its_options():
    shown = make_options(*(f"Tower {n}" for n in range(1, 41)))
    row = "  5-6  Tower 5, 6        10  Tower 10         18-20  Tower 18-20      34-38  Tower 34-38"
    assert clickable_cells(row, shown) == [("5-6  Tower 5, 6", "5-6"), ("10  Tower 10", "10"), ("18-20  Tower 18-20", "18-20"),
                                           ("34-38  Tower 34-38", "34-38")]
    assert clickable_cells("  2-6, 8, 10-12  Tower ...", shown) == [("2-6, 8, 10-12  Tower ...", "2-6, 8, 10-12")]
    assert clickable_cells("  39-41  Tower 39-41", shown) == []
    answers = {"34-38": "/options 34-38", "4+": "/options 4+", "4": "4"}
    assert {answer: click_to_line(Style(meta={"answer": answer})) for answer in answers} == answers
    assert click_to_line(Style(meta={"look": "c4"})) == "/look c4" and click_to_line(Style(bold=True)) == click_to_line(None) == ""


def test_numbers_before_text_endings_can_be_clicked():
    shown = make_options("Move to a1", "Move to b1", "Stay")
    assert clickable_cells("     Move to ... [1] a1  [2] b1  [3] b1", shown) == [("[1] a1", "1"), ("[2] b1", "2")]


@pytest.mark.parametrize("typed, found", [("2-4", "2 3 4"), ("1, 3-4", "1 3 4"), ("7", "7"), ("4-2", ""), ("-3,1", ""), ("1-99999999", ""),
                                          ("1-999999", ""), ("x", ""), ("", "")])
def test_number_lists_are_parsed(typed, found):
    assert parse_number_list(typed) == found.split()


@pytest.mark.long_cases(*(game for game in list_game_ids() if game not in ("scopa", "tic-tac-toe")))
@pytest.mark.parametrize("game", list_game_ids())
def test_random_clicks_do_the_action_of_their_cell(game):
    """`python bench/clicks.py` tries more of them."""
    n = list_game_ids().index(game)
    done = click_through(game, LANGUAGES[n % len(LANGUAGES)], SIZES[n % len(SIZES)], CLICK_COUNT, 5)
    assert sum(done.values()) == CLICK_COUNT and done["nothing"] and len(done) > 1, done


@pytest.mark.long
def test_random_clicks_detect_a_wrong_choice(monkeypatch):
    """In an old version, a click on several options chose the first of them."""
    monkeypatch.setattr(cursor, "click_to_line", lambda style: str((style or Style()).meta.get("answer", "")).partition("-")[0])
    with pytest.raises(WrongClickError):
        click_through("dominant-species", "en", (140, 45), 60, 5)


def find_look_commands(panel_rows, wanted):
    return {cell.line for cell in iter_cells(panel_rows) if cell.line.startswith("/look") and wanted in cell.line}


@pytest.mark.long
def test_tiles_cards_and_players_can_be_looked_at():
    """A click on each of them types `look` with a name that finds it, even if the screen shows a different text."""
    for game, seats, thing, said in [("dominant-species", 4, "Animal.reptile", "reptile"), ("scopa", 2, "Card.", ""),
                                     ("dominant-species", 4, "c4", "c4")]:
        desk = Desk(game, [HUMAN] * seats, columns=140, lines=45, seed=11)
        for _ in range(4):
            list(desk.table.take_automatic())
            desk.table.play(desk.table.position.decision.options[0])
        list(desk.table.take_automatic())
        panels = build_panels(desk.table.position, desk.session.narrator, 0)
        rows = render_segments(panels, theme_of(desk.table.game), 140, None, True)
        found = find_look_commands(rows, thing)
        assert found, thing
        question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
        for line in found:
            assert said in " ".join(list_inspection(desk.session, question, line.removeprefix("/look "))).casefold()


def test_equal_pieces_are_described_once():
    desk = Desk("evolution", [HUMAN, HUMAN], lang="en", seed=5)
    list(desk.table.take_automatic())
    question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    enum = desk.table.game.model.enum_of("Card")
    lines = list_inspection(desk.session, question, f"Card.{enum.kind_or_name(0)}")
    assert lines and "After the command" not in lines[0] and sum(line == lines[0] for line in lines) == 1


def test_every_option_of_a_long_list_can_be_clicked(monkeypatch):
    desk = Desk("dominant-species", [HUMAN] * 4, columns=140, lines=45, seed=11)
    list(desk.table.take_automatic())
    question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    short = [part.style.meta["answer"] for row in FullScreenSession.render_prompt(desk.session, question, 140, 7) for part in row
             if part.style and part.style.meta.get("answer")]
    assert "37-41" in short and "10" in short
    whole = {
        part.style.meta.get("answer")
        for row in FullScreenSession.render_prompt(desk.session, question, 140, 0)
        for part in row
        if part.style
    }
    assert {one.token for one in question.choices} <= whole


def test_an_arrow_key_reaches_the_nearest_cell_in_its_direction():
    one, two, three, far = CursorCell("1", 0, 0, 8), CursorCell("2", 20, 0, 8), CursorCell("3", 0, 1, 8), CursorCell("4", 20, 3, 8)
    cells = [one, two, three, far]
    assert find_next_cell(cells, one, 1, 0) == two and find_next_cell(cells, one, 0, 1) == three
    assert find_next_cell(cells, two, 0, 1) == far and find_next_cell(cells, two, -1, 0) == one
    assert find_next_cell(cells, one, -1, 0) is find_next_cell(cells, one, 0, -1) is None


def test_opened_options_replace_the_question():
    panes = PaneLayout(True, pane_titles(engine_localizer("en")))
    nothing = lambda columns, lines: []  # noqa: E731
    panes.set_question(ScreenContent(nothing, nothing, nothing, lambda columns, lines: [[Segment("all of them")]]))
    assert "all of them" in str(panes.render_lines(80, 20))
    panes.replace_question(lambda columns, lines: [[Segment("some of them")]])
    assert "some of them" in str(panes.render_lines(80, 20)) and "all of them" not in str(panes.render_lines(80, 20))


@pytest.mark.long
def test_equal_options_that_a_click_opens_have_their_own_lines():
    """A click on "3, 4 the same for …" shows options 3 and 4, although the list merges them with option 2."""
    desk, question = next((desk, question) for desk, question in iter_questions("evolution", 3, 5, 40, "go.go") if question.equal.first)
    console = FullScreenConsole(desk.console, PaneLayout(True, {}))
    session = FullScreenSession(console, desk.table, desk.loaded, None)
    session.seat, console.full = question.decision.seat, mock.Mock()
    console.panes.set_question(session.build_content(question, []))
    folded = [one for one in question.choices if one.option.code in question.equal.first]
    assert session.show_only(question, folded)
    assert {cell.line for cell in iter_cells(console.panes.content.question(100, 0))} == {one.token for one in folded}
