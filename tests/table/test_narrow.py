"""Checks narrow terminals: from 20 columns on, lines are wrapped between words."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.theme import theme_of
from ludoglot.engine.table_view.view_model import StyledText
from rich.cells import cell_len

from .terminal_harness import HUMAN, Desk

COMMANDS = ["help", "board", "cards", "options", "log", "news", "why", "rules", "try 1", "undo", "save"]
WORD_PATTERN = re.compile(r"[^\W\d_]+")


def play_with_all_commands(game, seats, columns, lang):
    """Returns all lines of a short game in which a player uses every command."""
    desk, rng, left = Desk(game, seats, columns=columns, lines=35, lang=lang, seed=1), random.Random(3), [*COMMANDS]
    many = [0]

    def answer(screen):
        many[0] += 1
        if many[0] > len(COMMANDS) + 3 or desk.session.question is None:
            return None
        return left.pop(0) if left and many[0] > 1 else rng.choice(desk.session.question.choices).token

    desk.answer = answer
    desk.sit()
    desk.run()
    return [line for line in desk.console.written if "> " not in line]


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "hu"])
@pytest.mark.parametrize("game, seats", [("hearts", [HUMAN, *["bot:random"] * 3]), ("tic-tac-toe", [HUMAN, "bot:random"]),
                                         ("oware", [HUMAN, "bot:random"])], ids=lambda one: one if isinstance(one, str) else "")
def test_no_word_is_broken_in_thirty_columns(game, seats, lang):
    lines, wide = play_with_all_commands(game, seats, 30, lang), play_with_all_commands(game, seats, 120, lang)
    assert [line for line in lines if cell_len(line) > 30] == []
    known = set(WORD_PATTERN.findall(" ".join(wide)))
    assert {word for word in WORD_PATTERN.findall(" ".join(lines)) if len(word) > 1} - known <= {"No", "room", "here", "fér"}


@pytest.mark.parametrize("plain", [False, True])
def test_options_are_wrapped_between_words(plain):
    desk = Desk("hearts", [HUMAN, *["bot:random"] * 3], columns=20, lines=60, plain=plain, seed=3)
    desk.answer = lambda screen: None
    desk.sit()
    desk.run()
    shown = [line for line in desk.console.written if "clubs" in line or "diamonds" in line or "hearts" in line]
    assert shown and all(cell_len(line) <= 20 for line in shown)


def test_lines_fit_into_twenty_columns():
    lines = play_with_all_commands("tic-tac-toe", [HUMAN, "bot:random"], 20, "en")
    assert [line for line in lines if cell_len(line) > 20 and " " in line.strip()] == []


@pytest.mark.parametrize("columns, width", [(10, 20), (20, 20), (30, 30), (80, 80), (400, 120)])
def test_console_width_is_between_20_and_120_columns(columns, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert LocalizedConsole("en").width == width


def test_a_thing_and_its_number_stay_on_one_line():
    """The cost “diamond, ruby, onyx 3” was broken before the 3."""
    desk = Desk("splendor", [HUMAN, HUMAN], seed=5)
    panels = build_panels(desk.table.position, desk.session.narrator, 0)
    mines = next(panel for panel in panels if panel.title == "For sale")
    costs = [[StyledText("ruby", amount=1), StyledText("diamond", amount=1), StyledText("onyx", amount=3)]]
    mines = replace(mines, heads=["", "Cost"], rows=[[mines.rows[0][0], *costs]], bands={})
    lines = render_terminal([mines], theme_of(desk.table.game), 39, None)
    assert any(re.search(r"│ +onyx 3 +│", line) for line in lines), lines
