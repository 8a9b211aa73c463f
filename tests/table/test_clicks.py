"""Clicks on the whole screen: a click does what the cell under it says, or nothing."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.terminal import full_screen
from ludoglot.engine.terminal.clicks import click_to_line, split_clickable_parts
from ludoglot.engine.terminal.full_screen import FullScreenConsole, FullScreenSession, pane_titles
from ludoglot.engine.terminal.pane_layout import PaneLayout, ScreenContent
from ludoglot.engine.terminal.question import DecisionPrompt, PromptOption, parse_number_list
from rich.segment import Segment

from .terminal_harness import HUMAN, Desk

GAMES = [("dominant-species", 4, "en", 140, 45), ("dominant-species", 2, "it", 100, 40), ("evolution", 2, "es", 100, 40),
         ("trias", 2, "hu", 140, 45), ("hex", 2, "en", 80, 30), ("chess", 2, "en", 120, 40), ("scopa", 2, "it", 80, 24),
         ("backgammon", 2, "es", 100, 35), ("hearts", 4, "en", 120, 35), ("oware", 2, "hu", 60, 20)]
CLICKS = 25


def choices(*texts):
    return [PromptOption(str(n), None, text, ()) for n, text in enumerate(texts, 1)]


def cells(row, shown):
    return [(part.text, part.style.meta["answer"]) for part in split_clickable_parts(row, shown) if part.style]


def test_a_cell_is_the_number_and_the_text_of_an_option():
    shown = choices("a1", "b1", "c1", "a tower of wood")
    assert cells("  1  a1    3  c1", shown) == [("1  a1", "1"), ("3  c1", "3")]
    assert cells("  4  a tower of wood  -> +2", shown) == [("4  a tower of wood", "4")]
    assert cells("  4  a tower of", shown) == [("4  a tower of", "4")]
    assert cells("     It stands.", shown) == cells("  5  a1", shown) == cells("  1  a12", shown) == cells("on  1  b1", shown) == []


def test_numbers_that_stand_together_open_their_options():
    shown = choices(*(f"Tower {n}" for n in range(1, 41)))
    row = "  5-6  Tower 5, 6        10  Tower 10         18-20  Tower 18-20      34-38  Tower 34-38"
    assert cells(row, shown) == [("5-6  Tower 5, 6", "5-6"), ("10  Tower 10", "10"), ("18-20  Tower 18-20", "18-20"),
                                 ("34-38  Tower 34-38", "34-38")]
    assert cells("  2-6, 8, 10-12  Tower ...", shown) == [("2-6, 8, 10-12  Tower ...", "2-6, 8, 10-12")]
    assert cells("  39-41  Tower 39-41", shown) == []
    assert click_to_line("34-38") == "/options 34-38" and click_to_line("4+") == "/options 4+" and click_to_line("4") == "4"


def test_numbers_before_the_ends_of_texts_can_be_clicked():
    shown = choices("Move to a1", "Move to b1", "Stay")
    assert cells("     Move to ... [1] a1  [2] b1  [3] b1", shown) == [("[1] a1", "1"), ("[2] b1", "2")]


@pytest.mark.parametrize("typed, found", [("2-4", "2 3 4"), ("1, 3-4", "1 3 4"), ("7", "7"), ("4-2", ""), ("-3,1", ""), ("1-99999999", ""),
                                          ("1-999999", ""), ("x", ""), ("", "")])
def test_numbers_together_are_read(typed, found):
    assert parse_number_list(typed) == found.split()


class Clicked:
    """The whole screen on paper: somebody clicks anywhere, and each click must do what the cell under it says, or nothing."""

    size = (100, 40)
    session: FullScreenSession | None = None
    rng = random.Random(0)
    left = 0
    seen: list[str] = []
    small = False

    def __init__(self, panes, console):
        self.panes, self.opened = panes, None

    open = close = request_redraw = lambda self: None

    def read_line(self, prompt, fits, bar, person):
        columns, lines = self.size
        question = self.session.question
        rows = self.panes.render_lines(columns, lines - 2)
        grid = [[(letter, part.style.meta.get("answer") if part.style else None) for part in row for letter in part.text] for row in rows]
        self.check_opened(question)
        Clicked.left -= 1
        if self.left < 0:
            return None
        marked = [(x, y) for y, row in enumerate(grid) for x, (_, answer) in enumerate(row) if answer]
        anywhere = self.rng.randrange(columns), self.rng.randrange(len(grid))
        x, y = self.rng.choice(marked) if marked and self.rng.random() < 0.8 else anywhere
        answer = grid[y][x][1] if x < len(grid[y]) else None
        if answer is None:
            self.opened, opened = None, self.opened
            return self.rng.choice(question.choices).token if opened is None else ""
        area = next(area for area in self.panes.areas if area.contains(x, y))
        assert area.part in ("question", "boards", "table"), area
        self.says(answer, cell_at(grid[y], x), question, area.part == "question")
        Clicked.seen.append(answer)
        self.opened = None if answer.isdigit() else (question, [one.token for one in question.match_number_list(answer)])
        return click_to_line(answer)

    def says(self, answer, text, question, listed):
        """What stands under the click is the option that it takes, or the numbers that it opens."""
        if not listed:
            place = next(place for place, token in question.targets.items() if token == answer)
            here = [one.token for one in question.choices if question.option_places(one)[:1] == [place]]
            assert here[0] == answer.rstrip("+") and (len(here) > 1) == answer.endswith("+")
        elif answer.isdigit():
            said = next(one.text for one in question.choices if one.token == answer)
            number, _, rest = text.partition(" ")
            assert number.strip("[]") == answer and (said.endswith(rest) if "[" in number else f"{said} ".startswith(f"{rest.strip()} "))
        else:
            assert re.match(re.escape(answer) + "  ", text) and len(question.match_number_list(answer)) > 1

    def check_opened(self, question):
        """Several options were opened: nothing was chosen, and each of them is there to be clicked."""
        if self.opened is not None:
            before, tokens = self.opened
            assert question is before
            answers = {answer for row in self.panes.content.question(self.size[0], 0) for part in row if part.style
                       for answer in [part.style.meta.get("answer")] if answer}
            assert answers == set(tokens)


def cell_at(row, x):
    """The text around a column that has the same answer."""
    first, last = x, x
    while first and row[first - 1][1] == row[x][1]:
        first -= 1
    while last + 1 < len(row) and row[last + 1][1] == row[x][1]:
        last += 1
    return "".join(letter for letter, _ in row[first : last + 1])


@pytest.mark.long
@pytest.mark.parametrize("game, seats, lang, columns, lines", GAMES, ids=[f"{one[0]}.{one[2]}.{one[3]}" for one in GAMES])
def test_random_clicks_do_what_the_cell_under_them_says(game, seats, lang, columns, lines, monkeypatch):
    monkeypatch.setattr(full_screen, "FullScreen", Clicked)
    for name, value in {"screen": (columns, lines), "utf": True, "colours": None}.items():
        monkeypatch.setattr(LocalizedConsole, name, value)
    console = LocalizedConsole(lang)
    desk = Desk(game, [HUMAN] * seats, lang=lang, seed=11)
    session = FullScreenSession(FullScreenConsole(console, PaneLayout(True, pane_titles(console.words))), desk.table, desk.loaded, None)
    for name, value in {"size": (columns, lines), "session": session, "rng": random.Random(5), "left": CLICKS, "seen": []}.items():
        monkeypatch.setattr(Clicked, name, value)
    session.run()
    assert Clicked.seen


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


def test_options_that_were_opened_are_shown_until_the_question_is_put_again():
    panes = PaneLayout(True, pane_titles(engine_localizer("en")))
    nothing = lambda columns, lines: []  # noqa: E731
    panes.set_question(ScreenContent(nothing, nothing, nothing, lambda columns, lines: [[Segment("all of them")]]))
    assert "all of them" in str(panes.render_lines(80, 20))
    panes.replace_question(lambda columns, lines: [[Segment("some of them")]])
    assert "some of them" in str(panes.render_lines(80, 20)) and "all of them" not in str(panes.render_lines(80, 20))
