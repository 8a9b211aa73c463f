"""Checks that C plays rules with sets that may be absent as Python does."""

from __future__ import annotations

import pytest
from c_comparison import compare_random_game, compile_game
from ludoglot.dsl.backend_c.program import CProgram
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game

GAME = """\
game: pairs
name: Pairs
players: 2
rules: [pairs.rules]
enums:
  Player: {members: {ada: {}, ben: {}}}
  Card: [a, b, c, d]
"""
RULES = """\
state free: set of Card
state n: 0..999
state marks: set of Card
def weight(cards: set of Card) = sum(card in cards: position(card))
def pair_with(card) = first(part in subsets(free, 2) where card in part)
phase game:
    free = Card
    for player in Player:
        choose card in free by player: free -= {card}
        for part in pair_with(a): n += size(free - part) + weight(part)
        let found = pair_with(b)
        if found != none: n += 1
        n += sum(part in found: weight(part)) + size(pair_with(c) otherwise {a, b})
        n += count(part in found, card in part where card != d)
        for part in found:
            n += size(free & part) + weight(part + {d})
            marks = part
            if a in part or part == free: n += 3
            choose card in part by player: n += position(card)
            free -= part
        for one in free, part in pair_with(one): n += weight(part)
        marks = pair_with(d) otherwise marks
standing player: n
"""


@pytest.fixture
def game(tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "pairs.rules").write_text(RULES, encoding="utf-8")
    return Game(load_ruleset(tmp_path, 2))


def test_rules_with_absent_sets_can_be_written_in_c(game):
    CProgram(game.module.machine, 2).write()


@pytest.mark.long
def test_rules_with_absent_sets_match_python(game):
    c = compile_game(game)
    assert [compare_random_game(game, c, seed, 30)[0] for seed in range(12)] == [None] * 12
