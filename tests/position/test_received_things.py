"""Checks the things that the log reports as received by a player."""

from __future__ import annotations

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.observation import iter_received
from ludoglot.engine.position.position import Game

GAME = """\
game: draws
name: Draws
players: 2
rules: [draws.rules]
enums:
  Player: {members: {ada: {}, ben: {}}}
  Card: [fox, owl]
"""
RULES = """\
state deck: bag of Card hidden
state hand[Player]: bag of Card seen by player
state laid[Player]: bag of Card seen by player
state discards[Player]: bag of Card seen by player

phase game:
    deck[fox] = 2
    laid[ada][fox] = 1
    laid[ben][owl] = 1
    choose n in 1..2 by ada
    if n == 1: move fox from laid[ada] to discards[ada]
    else: move owl from laid[ben] to discards[ada]
    draw 1 from deck to hand[ada]
    choose m in 1..2 by ada

standing player: 0
"""


@pytest.mark.parametrize("spelling, received", [("n=1", [("hand", [0], True)]), ("n=2", [("hand", [0], True), ("discards", [1], False)])])
def test_a_card_that_only_moves_hides_no_equal_card_from_the_deck(tmp_path, spelling, received):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "draws.rules").write_text(RULES, encoding="utf-8")
    position = Game(load_ruleset(tmp_path, 2)).start(1)
    before = position.copy()
    position.play(0, spelling)
    assert [(cell.state.name, things, is_first) for cell, things, is_first in iter_received(before, position, 0)] == received
