"""Checks a first game with hints: each kind of question is explained once to each person, until the player switches hints off."""

from __future__ import annotations

import pytest
from ludoglot.engine.terminal.question import DecisionPrompt
from ludoglot.engine.terminal.session import Session

from .terminal_harness import HUMAN, Desk


def run_tutorial(
    typed: list[str], lang: str = "en", game: str = "dominant-species", seats: tuple[str, ...] = (HUMAN, "bot:random")
) -> list[str]:
    """Returns the text that is new on the screen at each question."""
    desk = Desk(game, list(seats), typed=typed, seed=7, lang=lang)
    desk.session.teaching = True
    desk.run()
    out, before = [], 0
    for screen in desk.screens:
        out.append("\n".join(screen.lines[before:]))
        before = len(screen.lines) + 1
    return out


@pytest.mark.long
def test_first_question_is_explained_and_names_the_off_switch():
    first, second, *_ = run_tutorial(["1", "1"])
    said = " ".join(first.split())
    assert "In initiative order, put one of your available pawns on any free space" in said
    assert "type “rules 4." in said and "To turn this off, type “teach off”" in said
    assert "In initiative order, put" not in second and "teach off" not in second


@pytest.mark.long
def test_tutorial_is_switched_at_the_table():
    desk = Desk("dominant-species", [HUMAN, "bot:random"], typed=["teach on", "teach off"], seed=7)
    desk.run()
    assert "From now on, each new kind of question is explained." in desk.text
    assert "New kinds of questions are no longer explained." in desk.text and not desk.session.teaching


@pytest.mark.long
@pytest.mark.parametrize("lang, wanted", [("it", "scrivi «regole 4."), ("es", "escribe «reglas 4."), ("hu", "beírod: „szabályok 4.")])
def test_tutorial_uses_the_language_of_the_table(lang, wanted):
    assert wanted in " ".join(run_tutorial([], lang)[0].split())


@pytest.mark.long
def test_questions_are_not_explained_without_tutorial():
    desk = Desk("dominant-species", [HUMAN, "bot:random"], typed=["1"], seed=7)
    desk.run()
    assert "In initiative order, put" not in " ".join(desk.text.split())


@pytest.mark.long
def test_resumed_game_explains_only_new_questions():
    desk = Desk("dominant-species", [HUMAN, "bot:random"], typed=["1"], seed=7)
    desk.run()
    session = Session(desk.session.console, desk.table, desk.session.loaded, None)
    session.teaching, session.seat = True, 0
    assert session.tutorial_block(DecisionPrompt(desk.table.position.decision, session.narrator)) == []


@pytest.mark.long
def test_tutorial_shows_the_next_clauses_of_a_family():
    """The start of the rule mentions neither the tiles that may drift, nor the places they may go to."""
    screens = run_tutorial(["1", "2", "the next card", "1", "1"], game="trias", seats=(HUMAN, "bot:random", "bot:random"))
    told = next(text for text in screens if "which tile drifts?" in text)
    assert "Only a tile that touches the outer sea can drift." in told
    after = next(text for text in screens if ") go?" in text)
    assert "must end farther from the South Pole" in " ".join(after.split()) and "outer sea can drift" not in after


@pytest.mark.long
def test_the_tutorial_leaves_room_for_the_map():
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], seed=7, lines=45)
    desk.session.teaching = True
    desk.run()
    last = "\n".join(desk.screens[0].lines[-45:])
    assert "─ Earth ─" in last and "There is no room for" not in desk.text
    assert "In initiative order, put" in last, "both the map and the tutorial fit"
