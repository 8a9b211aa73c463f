"""Moves typed as the players of a game write them: several in a line, and with the letters of each language."""

from __future__ import annotations

import pytest

from .terminal_harness import HUMAN, Desk


def played(game: str, *typed: str, lang: str = "en", seed: int = 1) -> list[str]:
    """The decisions of a match after these lines."""
    desk = Desk(game, [HUMAN, HUMAN], typed=list(typed), lang=lang, seed=seed)
    desk.run()
    return [step.option.spelling for step in desk.table.steps if not step.auto]


@pytest.mark.parametrize("line", ["24/23 24/22", "24/23, 24/22", "24-23 24-22", "24/23* 24/22"])
def test_both_halves_of_a_throw_are_typed_in_one_line(line):
    """Black begins with 1 and 2, and counts the points from the end of the own race."""
    assert played("backgammon", line) == ["origin=p1 pips=1", "origin=p1 pips=2"]


def test_a_half_move_is_typed_alone_and_an_impossible_second_one_is_asked_again():
    assert played("backgammon", "24/23") == ["origin=p1 pips=1"]
    assert played("backgammon", "24/23 24/21") == ["origin=p1 pips=1"]
    assert played("backgammon", "24/20 24/22") == []
