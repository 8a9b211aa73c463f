"""Checks boards of points and lines: how lines meet, cross, and slant, and how points are named."""

from __future__ import annotations

from ludoglot.dsl.types.boards import GraphBoard, make_board
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.theme import Theme
from ludoglot.engine.table_view.view_model import BoardCell, BoardPanel, StyledText

LETTERED = {"points": {"a1": [1, 1], "b1": [2, 1], "c1": [3, 1], "b2": [2, 2], "a3": [1, 3], "c3": [3, 3]},
            "lines": [["a1", "b1", "c1"], ["a1", "b2", "c3"], ["c1", "b2", "a3"], ["a1", "a3"], ["b1", "b2"]]}


def board(data):
    made = make_board("land", {"shape": "graph", "cells": "Point", **data})
    assert isinstance(made, GraphBoard)
    return made


def chart(data, lying=()):
    made = board(data)
    spots = [BoardCell(label, at) for label, at in zip(made.labels, made.cells)]
    for label, sign in dict(lying).items():
        spots[made.labels.index(label)].contents = [("Men", [StyledText(label, "", sign, sign)])]
    return BoardPanel("", "graph", False, spots, joins=[(made.cells[one], made.cells[two]) for one, two in made.adjacent_pairs])


def drawn(found, width=60, utf=True):
    return [line.strip("│|").rstrip() for line in render_terminal([found], Theme(), width, None, utf)[1:-1]]


def test_lines_meet_and_slant():
    assert drawn(chart(LETTERED)) == [
        "3   ╷       ·", "    │ ╲   ╱", "2   │   ╷", "    │ ╱ │ ╲", "1   └───┴───╴", "    a   b   c"]
    assert drawn(chart(LETTERED), utf=False) == [
        "3   |       .", "    | \\   /", "2   |   |", "    | / | \\", "1   +---+----", "    a   b   c"]


def test_what_lies_on_a_point_stands_in_its_place():
    assert drawn(chart(LETTERED, {"b1": "X", "b2": "O"}))[2:5] == ["2   │   O", "    │ ╱ │ ╲", "1   └───X───╴"]


def test_points_with_names_of_their_own_tell_them():
    found = chart({"points": {"inn": [1, 1], "ford": [2, 1], "mill": [3, 1]}, "lines": [["inn", "ford", "mill"]]}, {"mill": "O"})
    assert drawn(found) == ["  inn────ford──O mill"]
    assert render_plain([found], 60) == ["mill: Men: mill"]              # a list of names needs no picture


def test_lines_cross_without_a_point():
    crossed = {"points": {"a2": [1, 2], "c2": [3, 2], "b1": [2, 1], "b3": [2, 3]}, "lines": [["a2", "c2"], ["b1", "b3"]]}
    assert drawn(chart(crossed))[2] == "2   ╶───┼───╴"


def test_a_board_that_does_not_fit_is_told():
    wide = {"points": {f"p{n}": [n, 1] for n in range(1, 21)}, "lines": [[f"p{n}" for n in range(1, 21)]]}
    assert drawn(chart(wide, {"p3": "X"}), width=40) == ["p3: Men: p3"]


def test_ways_of_a_graph():
    made = board(LETTERED)
    assert made.lines(3) == [(0, 1, 2), (0, 3, 5), (2, 3, 4)] and made.longest_run == 3
    assert made.distance(0, 5) == 2 and made.between[0][5] == (3,) and 5 not in made.between[1]
