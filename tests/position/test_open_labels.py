"""Checks labels such as n15 for the places of a board without an edge.

A rule computes the labels. They are stable, and Ludoglot reads them back. Coordinates are still accepted."""

from __future__ import annotations

import pytest
from ludoglot.dsl.core.fingerprint import rules_fingerprint
from ludoglot.dsl.model.codec import find_member
from ludoglot.dsl.types.boards import decode_open_cell, encode_open_cell, make_board
from shared_games import shared


def make_sea(top="flat", **more):
    return make_board("sea", {"shape": "hex", "top": top, "cells": "Water", "open": True, **more})


@pytest.mark.parametrize("top", ["flat", "pointed"])
def test_every_label_is_read_back_as_the_same_cell(top):
    board, labels = make_sea(top, origin="n15"), set()
    for q in range(-40, 40):
        for r in range(-40, 40):
            cell = encode_open_cell(q, r)
            labels.add(label := board.open_cell_label(cell))
            if "," in label:
                assert label == f"{q},{r}", "left of column a and above row 1"
            else:
                assert board.parse_open_cell_label(label) == board.parse_open_cell_label(label.upper()) == cell
    assert len(labels) == 80 * 80


def test_letters_count_to_the_right_and_numbers_count_down():
    board = make_sea(origin="n15")

    def label(q, r):
        return board.open_cell_label(encode_open_cell(q, r))

    assert label(0, 0) == "n15" and label(0, 1) == "n16" and label(0, -1) == "n14"
    assert {label(1, 0), label(1, -1)} == {"o15", "o14"}, "the neighbours at the right are half a cell lower and higher"
    assert label(13, -6) == "aa15" and label(-13, 7) == "a15" and label(-14, 7) == "-14,7"
    assert [decode_open_cell(board.parse_open_cell_label(name)) for name in ("aa15", "a15")] == [(13, -6), (-13, 7)]


def test_without_an_origin_labels_are_coordinates():
    board = make_sea()
    assert board.open_cell_label(encode_open_cell(-3, 4)) == "-3,4" and board.parse_open_cell_label("n15") is None


def test_labels_are_read_and_saves_keep_coordinates():
    trias = shared("trias", 3)
    enum = trias.model.enums["Cell"]
    assert find_member(enum, "o15") == find_member(enum, "1,0") == encode_open_cell(1, 0)
    assert find_member(enum, "o0") is find_member(enum, "abc1") is None
    position = trias.start(1)
    assert any("," in option.spelling for option in position.decision.options)
    assert not any("n15" in option.spelling for option in position.decision.options)


def test_labels_do_not_change_the_rules():
    trias = shared("trias", 3)
    board, before = trias.model.boards["ocean"], rules_fingerprint(trias.ruleset.program)
    origin, board.origin = board.origin, None
    try:
        assert rules_fingerprint(trias.ruleset.program) == before
    finally:
        board.origin = origin
