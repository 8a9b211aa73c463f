"""Checks the statistics of the members that moves choose."""

from __future__ import annotations

import pytest
from ludoglot.engine.lab import MAX_GAME_DECISIONS
from ludoglot.engine.lab.plan import get_loaded_game
from ludoglot.engine.lab.playout import choosable_things, chosen_things, play_game
from ludoglot.engine.lab.score_sources import average_score_sources
from shared_games import shared

from .conftest import load_rules


@pytest.mark.parametrize("name", ["cribbage", "hearts", "parry"])
def test_chosen_members_are_counted_and_known_in_advance(name: str) -> None:
    """Covers members of a set: in cribbage, one move discards two cards."""
    game = shared(name)
    decision = game.start(3).decision
    assert decision is not None
    found = {option.spelling: chosen_things(game, decision.kind, option.code) for option in decision.options}
    assert set().union(*found.values()) <= set(choosable_things(game))
    if name == "cribbage":
        assert all(things == [f"Card.{card}" for card in spelling.removeprefix("cards=").split("+")] for spelling, things in found.items())


def test_points_are_split_by_score_source(market) -> None:
    """Each day the stalls pay, and so does luck. The sources are those of the score table, and add up to the points."""
    rules = market / "market.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("coins[player] += luck\n", "reward(player, luck)\n").replace(
        "phase game:", "proc reward(player: Player, many: int):\n    coins[player] += many\n\nphase game:"), encoding="utf-8")
    game = get_loaded_game(load_rules(market))
    games = [play_game(game, seed) for seed in range(3)]
    found = average_score_sources(game, games, ("random",), MAX_GAME_DECISIONS, None, lambda key: key == "score.reward")
    assert set(found) == {"score.reward", "game"}
    for seat in range(2):
        assert sum(each[seat] for each in found.values()) == pytest.approx(sum(one.scores[seat] for one in games) / 3)
    assert all(value % 2 == 0 for value in (3 * each for each in found["game"]))         # every stall pays 2
