"""Checks places on the map: they show the numbers of options, numbers keep their meaning, and other places give a reason."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.table_view.board_hex import fill_hex, widen_columns
from ludoglot.engine.table_view.canvas import Canvas, StyleResolver
from ludoglot.engine.table_view.theme import Theme
from ludoglot.engine.table_view.view_model import BoardCell, StyledText
from ludoglot.engine.terminal.question import DECLINE_PREFIX, assign_tokens

from .terminal_harness import HUMAN, Desk, random_script


def type_at_decision(desk: Desk, key: str, then: list[str]) -> Desk:
    """Plays at random until a decision of a kind waits, and types these lines there."""
    answer = random_script(lambda: desk, random.Random(11), 400)
    left = list(then)

    def next_line(screen):
        decision = desk.table.position.decision
        if left and (decision.key == key or len(left) < len(then)) and screen.prompt:
            return left.pop(0)
        return None if not left else answer(screen)
    desk.script.answer = next_line
    desk.run()
    return desk


def test_narrow_cell_shows_number_and_contents_before_its_name():
    herds = [("Herds", [StyledText("Player 1", "Player.player_1", "A", amount=12)])]
    spot = BoardCell("-3,3", (0, 0), StyledText("forest", "Land.forest", "f"), herds, target="12")
    canvas = Canvas()
    assert fill_hex(canvas, [(0, 0, 7), (0, 1, 7)], spot, StyleResolver(Theme(), True, False)) == []
    drawn = ["".join(canvas.spots.get((y, x), " ")[0] for x in range(7)).split() for y in (0, 1)]
    assert drawn == [["12", "-3,3"], ["f", "A12"]]


@pytest.mark.long
def test_corners_have_the_numbers_of_their_options():
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], seed=4, lines=50)
    type_at_decision(desk, "perform[abundance].corner", ["help"])
    screen = desk.screens[-1].text.rpartition("Earth")[2]
    tokens = {one.token for one in desk.session.question.choices}
    assert len(tokens) > 15
    assert all(token in screen.partition("Elements on the earth")[0] for token in tokens if len(token) == 2)


@pytest.mark.long
def test_a_cell_filters_the_corners_it_touches():
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], seed=4, lines=50)
    type_at_decision(desk, "perform[abundance].corner", ["d4"])
    told = desk.screens[-1].text.rpartition("> d4")[2]
    question = desk.session.question
    board = desk.table.game.model.boards["earth_grid"]
    corners = {board.parts.corners.labels[board.parts.corners.names[f"d4.{tag}"]] for tag in ("w", "nw", "ne", "e", "se", "sw")}
    offered = {one.text for one in question.choices if one.text in corners}
    assert len(offered) > 1 and "“d4” matches" in told
    assert {word for word in told.split() if "." in word} == offered


@pytest.mark.long
def test_empty_water_shows_option_numbers():
    desk = type_at_decision(Desk("trias", [HUMAN, "bot:random", "bot:random"], seed=4, lines=45), "drift.target", ["help"])
    screen = desk.screens[-1].text.rpartition("─ Map ─")[2].partition("Land:")[0]
    assert [f"[{one.token}]" in screen for one in desk.session.question.choices] == [True] * len(desk.session.question.choices)


@pytest.mark.long
def test_every_destination_has_a_number():
    """If several options lead to a place, it shows the number of the first one with a plus. The name of the place lists all."""
    desk = type_at_decision(Desk("trias", [HUMAN, "bot:random", "bot:random"], seed=4, lines=60), "act.action", ["help"])
    question, model = desk.session.question, desk.table.game.model
    leads = {}
    for one in question.choices:
        cells = [raw for _, kind, raw in one.option.values if getattr(kind, "name", "") == "Cell"]
        if cells:
            leads.setdefault(cells[-1], []).append(one.token)
    assert any(len(tokens) > 1 for tokens in leads.values()) and model.boards
    screen = desk.screens[-1].text.rpartition("─ Map ─")[2].partition("Land:")[0]
    for several in leads.values():
        assert f"[{several[0]}{'+' * (len(several) > 1)}]" in screen


def test_the_same_thing_keeps_its_number():
    desk = Desk("connect-four", [HUMAN, HUMAN], typed=["d1", "g1"])
    desk.run()
    numbers = {one.text: one.token for one in desk.session.question.choices}     # of the first player, who has seen neither d2 nor g2
    assert numbers == {"a1": "1", "b1": "2", "c1": "3", "d2": "4", "e1": "5", "f1": "6", "g2": "7"}


@pytest.mark.long
def test_taken_space_is_explained():
    desk = Desk("dominant-species", [HUMAN, HUMAN], typed=["Adaptation 2", "", "Adaptation 2", "4"], seed=7)
    desk.run()
    said = desk.text.rpartition("> Adaptation 2")[2]
    assert "not one of the options" not in said
    assert "The arachnid has a pawn on Adaptation 2." in said


@pytest.mark.long
def test_a_refusal_ends_with_a_whole_sentence():
    desk = Desk("dominant-species", [HUMAN, HUMAN], typed=["Adaptation 2", "", "Adaptation 2", "4"], seed=7)
    desk.run()
    said = re.split(r"\n\S", desk.text.rpartition("> Adaptation 2")[2].strip())[0]
    clauses = said.split("[DS-")[1:]
    assert clauses and all(clause.strip().endswith(".") for clause in clauses)


@pytest.mark.long
@pytest.mark.parametrize("typed", ["1,1", "1,2"])
def test_unoffered_coordinate_is_not_read_as_a_list(typed):
    desk = type_at_decision(Desk("trias", [HUMAN, "bot:random"], seed=4), "act.action", [typed])
    last = [step for step in desk.table.steps if not step.auto][-1]
    assert desk.screens[-1].text.count(f"> {typed}") == 1
    assert last.key != "act.action" or desk.table.position.decision.key == "act.action"


@pytest.mark.long
def test_map_is_redrawn_after_own_answers_and_undo():
    """The map is drawn between a player's own answers in one turn, and after an undo of one of them."""
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], seed=4, lines=60)
    type_at_decision(desk, "perform[migration].n", ["1", "undo"])
    screens = [screen.text.rpartition("> ")[2] for screen in desk.screens]
    after, back = screens[-2:]
    assert "╭─ Earth" in after and "╭─ Earth" in back
    assert "Undone" in back


@pytest.mark.long
def test_remaining_options_and_declining_keep_their_numbers():
    """Numbers are stable in a short list without a map too. Otherwise 4 could feed an animal in one turn and end the turn in the next."""
    desk = type_at_decision(Desk("evolution", [HUMAN, "bot:random", "bot:random"], seed=4), "go.go", ["help"])
    decision = desk.table.position.decision
    options = {option.spelling: option for option in decision.options}
    declining = next(spelling for spelling, option in options.items() if option.declines)
    first, *others = [spelling for spelling in options if spelling != declining]
    given = {option.spelling: token for token, option in assign_tokens(decision, {"gone": "1", first: "6", DECLINE_PREFIX: "4"})}
    assert given[first] == "6" and given[declining] == "4"
    assert sorted(given.values()) == sorted(set(given.values()))
    anew = {option.spelling: token for token, option in assign_tokens(decision, {"gone": "1", DECLINE_PREFIX: "2"})}
    assert anew[declining] == "2" and anew[first] == "1"
    assert assign_tokens(decision, {"gone": "1", DECLINE_PREFIX: "2"})[-1][1].declines


@pytest.mark.long
def test_undo_restores_the_numbers():
    seen = []
    desk = Desk("trias", [HUMAN, "bot:random"], seed=4)
    answer, steps = random_script(lambda: desk, random.Random(11), 400), []

    def next_line(screen):
        if desk.table.position.decision.key != "act.action" and not seen:
            return answer(screen)
        seen.append(dict(desk.session.question.tokens_by_key))
        steps.append(len(desk.table.steps))
        walks = [one for one in desk.session.question.choices if one.option.entry == "walk"]
        return {1: walks[0].token, 2: "undo", 3: walks[0].token}.get(len(seen))
    desk.script.answer = next_line
    desk.run()
    assert steps[0] == steps[2] != steps[1] == steps[3]
    assert seen[0] == seen[2] and seen[1] == seen[3]
    both = [spelling for spelling in seen[1] if spelling in seen[0]]
    assert both and all(seen[0][spelling] == seen[1][spelling] for spelling in both)


def render_cell(wide: int, spot: BoardCell) -> list[str]:
    """Returns the two lines of a low hexagon of this width, and the contents that did not fit."""
    canvas = Canvas()
    left = fill_hex(canvas, [(0, 0, wide), (0, 1, wide)], spot, StyleResolver(Theme(), True, False))
    return ["".join(canvas.spots.get((y, x), " ")[0] for x in range(wide)).strip() for y in (0, 1)] + [span.words for span in left]


def test_cell_marks_omitted_contents():
    herds = [("Herds", [StyledText("Ada", "", "A", amount=4), StyledText("Béla", "", "B"), StyledText("Cleo", "", "C", amount=3)])]
    assert render_cell(9, BoardCell("1,2", (0, 0), None, herds)) == ["1,2", "A4 B C3"]
    assert render_cell(5, BoardCell("1,2", (0, 0), None, herds)) == ["1,2", "A4 B+", "Cleo 3"]
    assert render_cell(4, BoardCell("-1,2", (0, 0), None, herds)) == ["-1,2", "A4B+", "Cleo 3"]


def test_largest_contents_are_shown_next_to_a_number():
    herds = [("Herds", [StyledText("Ada", "", "A"), StyledText("Béla", "", "B", amount=4)])]
    assert render_cell(4, BoardCell("-1,2", (0, 0), StyledText("forest", "", "f"), herds, target="18")) == ["[18]", "B4 A"]
    assert render_cell(4, BoardCell("-1,2", (0, 0), StyledText("forest", "", "f"), herds, target="18+"))[0] == "18+"


def test_spare_columns_go_to_long_names():
    spots = [BoardCell(label, (n, 0)) for n, label in enumerate(("-1,-2", "0,1", "-3,-4"))]
    where = {(n, 0): (n, 0) for n in range(3)}
    assert [widen_columns(spots, where, 5, room) for room in (20, 19, 18)] == [[6, 5, 6], [6, 5, 5], [5, 5, 5]]


@pytest.mark.long
def test_subject_of_the_question_is_bracketed_on_the_map():
    desk = type_at_decision(Desk("trias", [HUMAN, "bot:random", "bot:random"], seed=4, lines=45, columns=110), "drift.target", ["help"])
    screen = desk.screens[-1].text.rpartition("─ Map ─")[2]
    land = {"steppe": "s", "forest": "f", "mountain": "m"}[next(word for word in ("steppe", "forest", "mountain")
                                                               if f"({word}) go?" in screen)]
    assert screen.count(f"({land})") == 1 and "In question: ( )" in screen
