"""A fault reports its line, the path that led there, and the values of the names in scope. It shows nothing hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.render import render_diagnostic
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game, RuleError
from tmp_files import filled

YAML = """game: g
name: G
players: 2
rules: [g.rules]
pieces: {Card: {copies: {ace: {n: 2}, king: {n: 2}}}}
start: {deck: [ace_1, ace_2, king_1, king_2]}
"""
RULES = """state n: 0..5
state deck: pile of Card hidden
state hand[player: Player]: set of Card seen by player

phase game:
    shuffle deck
    for player in Player: draw 1 from deck to hand[player]
    choose k in 0..9 by player_1
    let card = the(c in hand[player_1])
    spend(k)

proc spend(price: int):
    for step in 1..2:
        if step == 2:
            pay(price)

proc pay(price: int):
    choose yes in 0..1 by player_2
    n += half(price)

def half(price: int) = price * 2 - price

standing player: n
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(load_ruleset(filled(tmp_path, {"game.yaml": YAML, "g.rules": RULES})))


def test_a_fault_reports_its_calls_and_values(game):
    position = game.start(1)
    position.play(0, "k=9")
    before = position.digest()
    with pytest.raises(RuleError) as stopped:
        position.play(1, "yes=1")
    found = stopped.value.diagnostic
    lines = RULES.splitlines()
    assert lines[found.place.line - 1].strip() == "n += half(price)"
    assert [lines[call.line - 1].strip() for call in found.calls] == ["pay(price)", "spend(k)"]
    assert ("price", "9") in found.values and ("yes", "1") in found.values
    assert not any("ace" in value or "king" in value for _, value in found.values), "card depends on a hidden hand"
    assert position.digest() == before, "the position must not change"
    shown = render_diagnostic(found)
    assert shown.count("called from here") == 2 and "where " in shown and "price = 9" in shown
