"""Checks boards of points and lines: how lines meet, cross, and slant, and how points are named."""

from __future__ import annotations

from ludoglot.dsl.types.boards import GraphBoard, make_board
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.theme import Theme
from ludoglot.engine.table_view.view_model import BoardCell, BoardPanel, StyledText

LETTERED = {"points": {"a1": [1, 1], "b1": [2, 1], "c1": [3, 1], "b2": [2, 2], "a3": [1, 3], "c3": [3, 3]},
            "lines": [["a1", "b1", "c1"], ["a1", "b2", "c3"], ["c1", "b2", "a3"], ["a1", "a3"], ["b1", "b2"]]}


def make_graph_board(data):
    made = make_board("land", {"shape": "graph", "cells": "Point", **data})
    assert isinstance(made, GraphBoard)
    return made


def make_panel(data, lying=()):
    made = make_graph_board(data)
    spots = [BoardCell(label, at) for label, at in zip(made.labels, made.cells)]
    for label, sign in dict(lying).items():
        spots[made.labels.index(label)].contents = [("Men", [StyledText(label, "", sign, sign)])]
    return BoardPanel("", "graph", False, spots, joins=[(made.cells[one], made.cells[two]) for one, two in made.adjacent_pairs])


def render_lines(found, width=60, utf=True):
    return [line.strip("│|").rstrip() for line in render_terminal([found], Theme(), width, None, utf)[1:-1]]


def test_lines_meet_and_slant():
    assert render_lines(make_panel(LETTERED)) == [
        "3   ╷       ·", "    │ ╲   ╱", "2   │   ╷", "    │ ╱ │ ╲", "1   └───┴───╴", "    a   b   c"]
    assert render_lines(make_panel(LETTERED), utf=False) == [
        "3   |       .", "    | \\   /", "2   |   |", "    | / | \\", "1   +---+----", "    a   b   c"]


def test_piece_replaces_its_point():
    assert render_lines(make_panel(LETTERED, {"b1": "X", "b2": "O"}))[2:5] == ["2   │   O", "    │ ╱ │ ╲", "1   └───X───╴"]


def test_named_points_show_their_names():
    found = make_panel({"points": {"inn": [1, 1], "ford": [2, 1], "mill": [3, 1]}, "lines": [["inn", "ford", "mill"]]}, {"mill": "O"})
    assert render_lines(found) == ["  inn────ford──O mill"]
    assert render_plain([found], 60) == ["mill: Men: mill"]              # a list of names needs no picture


def test_lines_cross_without_a_point():
    crossed = {"points": {"a2": [1, 2], "c2": [3, 2], "b1": [2, 1], "b3": [2, 3]}, "lines": [["a2", "c2"], ["b1", "b3"]]}
    assert render_lines(make_panel(crossed))[2] == "2   ╶───┼───╴"


def test_too_wide_board_is_described_in_words():
    wide = {"points": {f"p{n}": [n, 1] for n in range(1, 21)}, "lines": [[f"p{n}" for n in range(1, 21)]]}
    assert render_lines(make_panel(wide, {"p3": "X"}), width=40) == ["p3: Men: p3"]


def test_lines_and_distances_of_a_graph():
    made = make_graph_board(LETTERED)
    assert made.lines(3) == [(0, 1, 2), (0, 3, 5), (2, 3, 4)] and made.longest_run == 3
    assert made.distance(0, 5) == 2 and made.between[0][5] == (3,) and 5 not in made.between[1]
