"""Checks the meaning of typed lines: an action by its text, several numbers, or the same answer again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ludoglot.engine.terminal.offered import refusal_lines
from ludoglot.engine.terminal.question import DecisionPrompt

from .terminal_harness import HUMAN, Desk
from .test_transcripts import play_random_game

GAME = """\
game: well
name: Well
players: 2
rules: [well.rules]
enums:
  Player: [ann, bea]
  Rope: [short, long]
"""
RULES = """\
state drawn[Player]: 0..9

phase game:
    rounds of player in Player until drawn[ann] >= 3: turn(player)

proc turn(player) by player:
    choose as deed:
        rest(rope in Rope): drawn[player] += 0
        haul(rope in Rope):
            drawn[player] += 1
            more(player)

proc more(player) by player:
    choose up to 2 times rope in Rope: drawn[player] += 1

standing player: drawn[player]
"""
TEXTS = """\
option.turn.deed.rest: "Rest on the {rope} rope"
option.turn.deed.haul: "Haul with the {rope} rope"
option.more.rope: "Haul with the {rope} rope"
"""


@pytest.fixture
def well_game(tmp_path: Path) -> str:
    folder = tmp_path / "well"
    folder.mkdir()
    for name, text in (("game.yaml", GAME), ("well.rules", RULES), ("messages.yaml", TEXTS)):
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


@pytest.mark.long
def test_the_action_whose_text_was_typed_is_explained():
    """A herd can walk from a place where no herd can reproduce. The text of one action does not explain the other."""
    desk = play_random_game("trias", [HUMAN, HUMAN], 0, seed=2)
    while (decision := desk.table.position.decision) is not None and not sum(one.entry == "breed" for one in decision.options) > 1:
        desk.table.take(decision, decision.options[0], auto=len(decision) == 1)
    assert decision is not None
    position, narrator = desk.table.position, desk.session.narrator
    one, *_, last = [one for one in decision.options if one.entry == "breed"]
    text = narrator.option_text(decision, one).partition(" (")[0]
    for entry in desk.table.game.literal_reader.read_literals({"stock": {f"player_{decision.seat + 1}": 1}}):
        entry.write_to(position.s)
    position.invalidate_memos()
    desk.table.take(decision, last)                             # the last herd of the stock
    said = " ".join(refusal_lines(desk.table, desk.loaded, narrator, text.lower(), 200))
    assert "TRI-REPR-07" in said and "Move a herd" not in said


def test_numbers_without_spaces_get_a_typing_hint():
    desk = Desk("trias", [HUMAN, "bot:random"], typed=["3,3,4"])
    desk.run()
    said = " ".join(desk.screens[-1].lines)
    assert "“3, 3, 4”" in said, said[-600:]


def test_repeated_answer_matches_by_text_in_the_next_question(well_game):
    desk = Desk(well_game, [HUMAN, HUMAN], typed=["4 x2"])
    desk.run()
    found = [(step.key, step.option.spelling) for step in desk.table.steps]
    assert found[:2] == [("turn.deed", "haul rope=long"), ("more.rope", "rope=long")]


@pytest.mark.long
def test_unknown_number_does_not_match_option_texts():
    """With options 6, 7 and 9, “12” once put animal 12 to sleep."""
    desk = play_random_game("evolution", [HUMAN, HUMAN], 0, seed=1)
    rng = random.Random(3)
    for _ in range(400):
        decision = desk.table.position.decision
        question = DecisionPrompt(decision, desk.session.narrator)
        taken = {one.token for one in question.choices}
        inside = {word.strip("(),:;") for one in question.choices for word in one.text.split()} - taken
        number = next((word for word in sorted(inside) if word.isdigit() and word != "0"), None)
        if decision.key == "go.go" and number is not None:
            break
        desk.table.take(decision, rng.choice(decision.options), auto=len(decision) == 1)
    fitting = question.match_words(number)
    assert not question.match_answer(number) and question.is_unknown_number(number) and fitting
    animal = f"animal {number}"
    assert any(animal in one.text for one in fitting) <= bool(question.match_answer(animal))
    before = len(desk.table.steps)
    typed = [number]
    desk.script.answer = lambda screen: "" if not screen.prompt else typed.pop() if typed else None
    desk.run()
    said = desk.screens[-1].text.rpartition(f"> {number}")[2]
    assert len(desk.table.steps) == before and f"There is no option {number}. Choose from 1 to " in said
    assert all(one.list_entry in said for one in fitting) and f"“{number}” appears in the text of" in said
