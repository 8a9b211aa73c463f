"""Checks that things have the numbers of the rules in every text, and that events keep the numbers of their time."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.explain.answer import list_why_lines
from ludoglot.engine.preview.transcript_changes import TranscriptWithChanges
from ludoglot.engine.table_view.plain_renderer import render_table
from ludoglot.engine.terminal.question import DecisionPrompt

from .terminal_harness import HUMAN, Desk
from .test_transcripts import play_random_game


@pytest.fixture
def tickets() -> Desk:
    """A game after the tickets 2, 2 and 1 have been taken: 11, then 12; 13."""
    desk = Desk("tickets", [HUMAN, HUMAN])
    for spelling in ("ticket=blue_2", "ticket=blue_2", "ticket=blue_1"):
        desk.table.play(spelling)
    return desk


def test_events_keep_the_numbers_of_their_time(tickets):
    told = [line.strip() for step in tickets.table.steps for line in tickets.session.narrator.step_lines(step)]
    assert told == [
        "Player 1 takes the blue ticket 2.", "It was number 2.", "It is the blue ticket 11 now, number 11.",
        "Player 2 takes the blue ticket 11.", "It was number 11.", "It is the blue ticket 12 now, number 12.",
        "Player 1 takes the blue ticket.", "It was number 1.", "It is the blue ticket 13 now, number 13."]


def test_options_and_input_use_the_numbers_of_the_rules(tickets):
    """Spellings in saves do not change. If similar things have numbers of the rules, a thing without one is shown without a number."""
    question = DecisionPrompt(tickets.table.position.decision, tickets.session.narrator)
    assert {one.option.spelling: one.text for one in question.choices} == {
        "ticket=blue_1": "Blue ticket 13", "ticket=blue_2": "Blue ticket 12", "ticket=blue_3": "Blue ticket"}
    assert [one.option.spelling for one in question.match_answer("no. 12")] == ["ticket=blue_2"]
    assert [one.option.spelling for one in question.match_answer("blue ticket 13")] == ["ticket=blue_1"]
    assert [one.option.spelling for one in question.find_completions("ticket 1")] == ["ticket=blue_1", "ticket=blue_2"]


def test_table_and_why_use_the_numbers_of_the_rules(tickets):
    drawn = "\n".join(render_table(tickets.table.position, tickets.session.narrator, 0, 80))
    assert "no. 13" in drawn and "no. 12" in drawn and "no. 1 " not in drawn and "no. 2" not in drawn
    said = list_why_lines(tickets.table, tickets.loaded, tickets.session.narrator, "no. 12", 100)
    assert any("Blue ticket 12" in line or "no. 12" in line for line in said)


def test_things_without_rule_numbers_are_counted():
    desk = Desk("tickets", [HUMAN, HUMAN])
    question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    assert [one.text for one in question.choices] == ["Blue ticket 1", "Blue ticket 2", "Blue ticket 3"]
    assert [one.option.spelling for one in question.match_answer("no. 3")] == ["ticket=blue_3"]


def test_outdated_number_is_unknown(tickets):
    """Ticket 2 has become 12, so the old number 2 has no meaning."""
    for typed in ("no. 2", "no. 3", "no. 11"):
        said = " ".join(list_why_lines(tickets.table, tickets.loaded, tickets.session.narrator, typed, 100))
        assert "There is nothing called" in said and "no. 3" not in said.replace(f"“{typed}”", "")


# -------------------------------------------------------------- a shipped game

DEATH_PATTERN = re.compile(r"nimal (\d+) of (Player \d) (?:has not eaten enough and dies|ate poison and dies)")


@pytest.fixture(scope="module")
def evolution() -> Desk:
    return play_random_game("evolution", [HUMAN, "bot:random", "bot:random"], 900, seed=2)


@pytest.mark.long
def test_dead_animals_have_different_numbers(evolution):
    """“Animal 4 of Player 3” once died, and soon after another animal 4 got a trait: its card had come back to the table."""
    told = [item.text for item in TranscriptWithChanges(evolution.table, evolution.session.narrator, None).build_lines()]
    dead = [found[1] for line in told if (found := DEATH_PATTERN.search(line))]
    assert len(dead) > 10 and len(set(dead)) == len(dead)
    position = evolution.table.position
    cards = [event.slots for step in evolution.table.steps for event in step.events if event.key in ("starved", "poisoned")]
    again = [raw for slots in cards for name, _, raw in slots if name == "animal"]
    assert len(set(again)) < len(again), "no card was used again"
    assert position.raw_value("births") >= len(dead)


def test_animals_are_numbered_in_order(evolution):
    position = evolution.table.position
    alive = [position.piece_number("Card", n) for seat in range(3) for n in position.raw_value("herd", seat)]
    assert len(set(alive)) == len(alive) and 0 not in alive
    for seat in range(3):
        herd = [position.piece_number("Card", n) for n in position.raw_value("herd", seat)]
        assert herd == sorted(herd)


def test_options_are_in_the_order_of_the_table(evolution):
    """Prey was once listed as 5, 14, 10, 12, and a trait went to the wrong animal: the numbers of an earlier list had been kept."""
    seen = 0
    before: dict[tuple[int, str], dict[str, str]] = {}
    position = evolution.table.game.start(3)
    rng = random.Random(3)
    while position.decision is not None and position.rounds < 4:
        decision = position.decision
        if decision.key in ("hunt.prey", "give.animal", "go.go", "link.this", "link.other"):
            known = before.get((decision.seat, decision.key), {})
            question = DecisionPrompt(decision, evolution.session.narrator, known)
            before[decision.seat, decision.key] = {**known, **question.tokens_by_key}
            groups: dict[tuple[object, ...], list[int]] = {}
            for one in question.choices:
                if one.option.values:
                    animal = one.option.values[0][2]
                    owner = position.raw_value("owner", animal)
                    groups.setdefault((one.option.entry, owner), []).append(position.piece_number("Card", animal))
            for (entry, _), numbers in groups.items():
                assert numbers == sorted(numbers), (decision.key, entry, numbers)
                seen += len(numbers) > 2
        position.play(decision.seat, rng.choice([one for one in decision.options if not one.declines] or decision.options))
    assert seen > 10


def test_trait_card_is_named_by_its_trait():
    """An old transcript named “Animal 29”, but that was the card between two animals."""
    desk = Desk("evolution", [HUMAN, HUMAN], seed=1)
    position = desk.table.position
    game = position.game
    card, trait = game.model.enums["Card"].index, game.model.enums["Trait"].index
    for name, n, raw in (("shows", "card_29", trait["cooperation"]), ("one", "card_29", card["card_5"]), ("two", "card_29", card["card_2"]),
                         ("birth", "card_2", 7), ("birth", "card_5", 3), ("shows", "card_30", trait["swimming"])):
        position.set_raw(game.cells[name], [card[n]], raw)
    from ludoglot.engine.table_view.visible_values import SeatView
    sight = SeatView(position, desk.session.narrator, 0)
    assert sight.label("Card", card["card_29"]) == "Cooperation between animals 3 and 7"
    assert sight.label("Card", card["card_30"]) == "Swimming"
    assert sight.label("Card", card["card_5"]) == "animal 3"
