"""Bots choose by themselves, repeatably, and look at nothing they may not see."""

from __future__ import annotations

import pytest
from ludoglot.engine.bots import BOTS, choose_greedy, choose_random, generator, pick, some
from ludoglot.engine.position import Position


def test_a_generator_depends_on_seed_seat_and_number():
    firsts = {generator(*key).random() for key in [(1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]}
    assert len(firsts) == 4 and generator(1, 0, 0).random() == generator(1, 0, 0).random()


def test_a_generator_is_the_same_on_every_python():
    assert [int(generator(5, 1, 3).random() * 1000) for _ in range(1)] == [int(generator(5, 1, 3).random() * 1000)]
    assert generator(0, 0, 0).getrandbits(32) == generator(0, 0, 0).getrandbits(32)


def test_pick_and_some():
    rng = generator(1, 0, 0)
    assert {pick(rng, "abc") for _ in range(60)} == set("abc")
    assert sorted(some(rng, list(range(5)), 9)) == [0, 1, 2, 3, 4] and len(some(rng, list(range(5)), 2)) == 2


@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("name", ["connect-four", "hex", "dominant-species", "parry"])
def test_a_bot_leaves_the_position_alone_and_repeats_itself(game, kind, name):
    position = game(name).start(3)
    before = position.s.copy()
    seat = position.decision.seat
    code = BOTS[kind](position, seat, generator(1, seat, 0))
    assert code in position.decision.codes and position.s == before
    assert BOTS[kind](position.copy(), seat, generator(1, seat, 0)) == code


def test_greedy_takes_the_winning_place(game):
    position = game("tic-tac-toe").start(1)
    for cell in ("a1", "a2", "b1", "b2"):
        position.play(position.decision.seat, f"cell={cell}")
    for n in range(10):
        code = choose_greedy(position, 0, generator(n, 0, 0))
        assert position.decision.option(code).spelling == "cell=c1"


def test_greedy_does_not_see_what_is_hidden(game):
    """Two positions that differ only in the other hand and the deck are the same to it."""
    from ludoglot.engine.view import sample, view
    position = game("parry").start(2)
    seat = position.decision.seat
    for n in range(8):
        other = sample(position, seat, generator(n, 9, 9))
        assert view(position, seat) == view(other, seat)
        codes = [choose_random(p, seat, generator(n, seat, 0)) for p in (position, other)]
        assert codes[0] == codes[1]


def test_greedy_survives_a_rule_that_fails_in_its_thoughts(game, monkeypatch):
    from ludoglot.dsl.compile.runtime import RuleFault
    position = game("tic-tac-toe").start(1)

    def fails(self, code):
        raise RuleFault("F009", limit=1)
    monkeypatch.setattr(Position, "step", fails)
    assert choose_greedy(position, 0, generator(1, 0, 0)) in position.decision.codes
