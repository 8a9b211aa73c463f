"""Checks the line above a question: the round, its phase, the points, and the remaining supply."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.table_view.status_line import build_status_line

from .terminal_harness import HUMAN, Desk
from .test_display import narrator, play_randomly

POSITIONS = [("dominant-species", 3, 60), ("evolution", 3, 40), ("trias", 2, 30), ("masquerade", 3, 12), ("hearts", 4, 30)]


def status_parts(position, lang="en", seat=0):
    return [", ".join(span.words for span in part) for part in build_status_line(position, narrator(position.game, lang), seat)]


@pytest.mark.long
def test_status_line_shows_round_phase_points_and_supply(game):
    position = play_randomly(game("dominant-species", 3), 3, 0)
    assert status_parts(position) == ["Turn 1", "Planning", "Player 1 (0)", "Player 2 (0)", "Player 3 (0)", "20 cards before the Ice Age"]
    assert status_parts(position, "it") == ["Turno 1", "Pianificazione", "Giocatore 1 (0)", "Giocatore 2 (0)", "Giocatore 3 (0)",
                                   "20 carte prima dell'Era Glaciale"]
    rng = random.Random(1)
    for _ in range(100):
        if position.decision.key == "perform[speciation].corner":
            break
        position.play(position.decision.seat, rng.choice(position.decision.options))
    assert status_parts(position)[:3] == ["Turn 1", "Execution", "Speciation"]


def test_status_line_does_not_repeat_the_round(game):
    position = play_randomly(game("trias", 2), 3, 30)
    assert not any("Turn" in part for part in status_parts(position)[1:2])
    assert any("action points left" in part for part in status_parts(position) + status_parts(play_randomly(game("trias", 2), 3, 31)))


@pytest.mark.long
def test_empty_values_are_omitted(game):
    before = play_randomly(game("evolution", 3), 3, 0)
    assert not any("food" in part for part in status_parts(before))


def test_boolean_values_are_shown_in_words(game):
    """Hearts: players may lead hearts once a heart was played on a trick of another suit."""
    position, rng, seen = play_randomly(game("hearts", 4), 3, 30), random.Random(3), set()
    cell = position.game.cells["broken"]
    while len(seen) < 2:
        broken = bool(position.raw_at(cell, []))
        seen.add(broken)
        parts = status_parts(position)
        assert ("hearts may be led" in parts, "hearts may not be led yet" in parts) == (broken, not broken)
        position.play(position.decision.seat, rng.choice(position.decision.options))


def test_penalty_points_have_the_sign_of_the_table(game):
    position, rng = game("hearts", 4).start(1), random.Random(3)
    points = position.game.cells["points"]
    while not any(position.raw_at(points, [seat]) for seat in range(4)):
        position.play(position.decision.seat, rng.choice(position.decision.options))
    shown = [f"Player {seat + 1} ({position.raw_at(points, [seat])})" for seat in range(4)]
    assert [part for part in status_parts(position) if part.startswith("Player")] == shown


def test_member_is_named_in_the_text_of_its_value(game):
    made = game("brisca", 2)
    position = made.start(1)
    trump = made.model.enums["Suit"].members[position.raw_at(made.cells["trump"], [])]
    assert f"trumps: {trump}" in status_parts(position)


def test_game_without_points_shows_none(game):
    assert status_parts(play_randomly(game("hex", 2), 3, 4)) == ["Round 3"]


@pytest.mark.long_cases("dominant-species", "evolution")
@pytest.mark.parametrize("name, players, decisions", POSITIONS, ids=[one[0] for one in POSITIONS])
def test_status_line_reveals_nothing_hidden(name, players, decisions, game):
    position = play_randomly(game(name, players), 3, decisions)
    asked = position.decision
    for seat in [asked.seat] if asked.kind.secret else range(players):
        assert status_parts(position, seat=seat) == status_parts(determinize_position(position, seat, random.Random(5)), seat=seat)


@pytest.mark.long
def test_status_line_precedes_questions_except_in_plain_mode():
    desk = Desk("dominant-species", [HUMAN, HUMAN], typed=["1"], lang="hu", names=["Anna", "Béla"])
    desk.run()
    lines = desk.screens[0].lines
    asked = next(n for n, line in enumerate(lines) if "hová" in line or line.endswith("?"))
    assert lines[asked - 1].startswith("── ") and "Anna (0)" in lines[asked - 1]
    plain = Desk("dominant-species", [HUMAN, HUMAN], plain=True, typed=["1"])
    plain.run()
    assert "──" not in plain.text and "Turn 1" not in plain.text
