"""Compares the corners and the edges of boards with a drawing on paper, and checks their names."""

from __future__ import annotations

import pytest
from ludoglot.dsl.types.boards import make_board

from .reference_boards import on_parts

SQUARES = {"shape": "square", "columns": 4, "rows": 3}
HEXES = {"shape": "hex", "radius": 2}
BOARDS = {
    "squares": SQUARES, "slantwise": {**SQUARES, "near": "corners"}, "one square": {**SQUARES, "columns": 1, "rows": 1},
    "flat": HEXES, "pointy": {**HEXES, "top": "pointy"}, "rhombus": {"shape": "hex", "top": "pointy", "columns": 3, "rows": 2},
    "columns apart": {"shape": "hex", "columns": {"-2": "0..1", "0": "-1..1", "2": 0}},
}
FUNCTIONS = [("cells", "corners"), ("cells", "edges"), ("corners", "touching"), ("corners", "edges"), ("corners", "near"),
             ("edges", "sides"), ("edges", "ends"), ("edges", "near")]


def board_of(name):
    return make_board("plan", {"cells": "Cell", "corners": "Corner", "edges": "Edge", **BOARDS[name]})


@pytest.mark.parametrize("name", BOARDS)
def test_parts_are_where_a_drawing_has_them(name):
    board = board_of(name)
    for kind, function in FUNCTIONS:
        table = board.relation(kind, function)
        assert table == [tuple(sorted(on_parts(board, kind, function, [n]))) for n in range(len(table))], (kind, function)


@pytest.mark.long_cases("pointy", "columns apart")
@pytest.mark.parametrize("name", ["squares", "pointy", "columns apart"])
def test_distances_follow_edges(name):
    board = board_of(name)
    for kind in ("corners", "edges"):
        parts = board.parts_of_kind(kind)
        for there in range(len(parts)):
            assert parts.distance(0, there) == on_parts(board, kind, "distance", [0, there])


@pytest.mark.parametrize("name, corners, edges", [("squares", 20, 31), ("one square", 4, 4), ("flat", 54, 72), ("pointy", 54, 72)])
def test_number_of_corners_and_edges(name, corners, edges):
    parts = board_of(name).parts
    assert (len(parts.corners), len(parts.edges)) == (corners, edges)


@pytest.mark.parametrize("name", BOARDS)
def test_each_edge_has_a_name_for_each_cell_and_one_for_both(name):
    board = board_of(name)
    edges, sides = board.parts.edges, board.relation("edges", "sides")
    for n, label in enumerate(edges.labels):
        names = {name for name, number in edges.names.items() if number == n}
        cells = [board.labels[cell] for cell in sides[n]]
        assert label in names and len(names) == (4 if len(cells) == 2 else 1)
        assert {f"{one}-{two}" for one in cells for two in cells if one != two} <= names
    assert not {*edges.names} & {*board.parts.corners.names}
