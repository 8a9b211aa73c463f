"""Checks that C and Python play random rules with chosen bags in the same way, also their bots, masks, and observations."""

from __future__ import annotations

import pytest
from c_comparison import compare_bots_in_game, compare_random_game, compile_game
from language.random_bags import DATA, RandomBagRules
from language.toys import make
from ludoglot.engine.bots.native import GREEDY_BOT_ID

SEEDS = (1, 5, 12, 17, 60)                                         # 12, 17 and 60 keep a secret bag while others decide


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_random_rules_with_bags_are_the_same_in_c(seed):
    game = make(DATA, RandomBagRules(seed).text)
    c = compile_game(game)
    assert [compare_random_game(game, c, start, 80)[0] for start in range(20)] == [None] * 20
    wrong, compared = compare_bots_in_game(game, c, seed, 30, (GREEDY_BOT_ID, 120), 3)
    assert wrong is None and compared > 2
