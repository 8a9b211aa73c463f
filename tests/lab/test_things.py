"""What games are counted by: the things that options choose."""

from __future__ import annotations

import pytest
from compiled import shared
from ludoglot.engine.lab.playouts import choosable, things_of


@pytest.mark.parametrize("name", ["cribbage", "hearts", "parry"])
def test_each_thing_that_is_chosen_is_counted_and_known_before(name: str) -> None:
    """Those of a set, too: in cribbage two cards are put aside with one option."""
    game = shared(name)
    decision = game.start(3).decision
    assert decision is not None
    found = {option.spelling: things_of(game, decision.kind, option.code) for option in decision.options}
    assert set().union(*found.values()) <= set(choosable(game))
    if name == "cribbage":
        assert all(things == [f"Card.{card}" for card in spelling.removeprefix("cards=").split("+")] for spelling, things in found.items())
