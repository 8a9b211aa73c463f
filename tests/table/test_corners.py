"""Checks that corners and edges keep their place if hexagons are drawn with another side up."""

from __future__ import annotations

import pytest
from ludoglot.dsl.types.boards import make_board
from ludoglot.engine.table_view.svg_renderer import draw_panel
from ludoglot.engine.table_view.theme import Theme
from ludoglot.engine.table_view.view_model import BoardCell, BoardPanel, StyledText

# A corner is between the same two neighbours in both orientations of hexagons. Both lists go clockwise.
POINTY_EDGES, FLAT_EDGES = ["ne", "e", "se", "sw", "w", "nw"], ["ne", "se", "s", "sw", "nw", "n"]
POINTY = ["ne", "es", "s", "sw", "wn", "n"]
FLAT = ["e", "se", "sw", "w", "nw", "ne"]


def make_hex_board(top):
    return make_board("beach", {"shape": "hex", "cells": "Cell", "corners": "Corner", "radius": 1, "top": top})


def test_tags_change_with_the_orientation():
    assert make_hex_board("pointy").map_part_tags("corners", flat=True) == dict(zip(POINTY, FLAT))
    assert make_hex_board("flat").map_part_tags("corners", flat=False) == dict(zip(FLAT, POINTY))
    assert make_hex_board("pointy").map_part_tags("edges", flat=True) == dict(zip(POINTY_EDGES, FLAT_EDGES))
    assert make_hex_board("flat").map_part_tags("edges", flat=False) == dict(zip(FLAT_EDGES, POINTY_EDGES))


@pytest.mark.parametrize("top, tags", [("flat", FLAT), ("pointy", POINTY)])
def test_corners_of_a_board_as_declared_keep_their_tags(top, tags):
    assert make_hex_board(top).map_part_tags("corners", flat=top == "flat") == {tag: tag for tag in tags}


@pytest.mark.parametrize("shape, flat, tag, side", [
    ("hex", True, "n", (0, -1)), ("hex", True, "se", (1, 1)), ("hex", False, "w", (-1, 0)), ("hex", False, "ne", (1, -1)),
    ("square", True, "e", (1, 0)), ("square", True, "s", (0, 1))])
def test_edge_is_drawn_on_its_side(shape, flat, tag, side):
    spot = BoardCell("a1", (0, 0), StyledText("grass"), parts={f"-{tag}": StyledText("road", "", "q")})
    svg = "".join(draw_panel(BoardPanel("", shape, flat, [spot]), Theme()).parts)
    cell, bar = ([tuple(map(float, pair.split(","))) for pair in part.split('"')[0].split()] for part in svg.split('points="')[1:])
    here, there = ([sum(axis) / len(points) for axis in zip(*points)] for points in (cell, bar))
    assert tuple((b > a + 1) - (b < a - 1) for a, b in zip(here, there)) == side


@pytest.mark.parametrize("shape, flat, tag, side", [("hex", True, "e", (1, 0)), ("hex", False, "n", (0, -1)), ("hex", False, "es", (1, 1)),
                                                    ("square", True, "ne", (1, -1)), ("square", True, "sw", (-1, 1))])
def test_corner_is_drawn_on_its_side(shape, flat, tag, side):
    spot = BoardCell("a1", (0, 0), StyledText("grass"), parts={f".{tag}": StyledText("lamp", "", "q")})
    svg = "".join(draw_panel(BoardPanel("", shape, flat, [spot]), Theme()).parts)
    points = [tuple(map(float, pair.split(","))) for pair in svg.split('points="')[1].split('"')[0].split()]
    centre = [sum(axis) / len(points) for axis in zip(*points)]
    lamp = [float(svg.split("<title>lamp</title>")[1].split(f' c{axis}="')[1].split('"')[0]) for axis in "xy"]
    assert tuple((there > here + 1) - (there < here - 1) for here, there in zip(centre, lamp)) == side
