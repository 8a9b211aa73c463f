"""Nobody sees more than the rules allow: views, sampling, and what may be taken back."""

from __future__ import annotations

import random

import pytest
from ludoglot.dsl.ruleset import load
from ludoglot.engine.position import Game
from ludoglot.engine.view import learned, sample, unseen, view


@pytest.fixture(scope="module")
def parry(toys):
    return Game(load(toys / "parry", 3))


def played(game, seed, decisions):
    position, rng = game.start(seed), random.Random(seed)
    for _ in range(decisions):
        if position.over:
            break
        decision = position.decision
        position.play(decision.seat, rng.choice(decision.options))
    return position


def test_a_view_shows_the_own_hand_and_only_the_number_of_others_cards(parry):
    position = parry.start(3)
    mine_held = position.value("hand", 0).bit_count()
    assert unseen(position, 0)["Card"].total() == 16 - mine_held - position.value("table").bit_count()
    mine = position.value("hand", 0)
    assert mine in view(position, 0)["states"] and mine not in view(position, 1)["states"]


def test_what_a_seat_may_not_see_does_not_change_its_view(parry):
    for seed in range(60):
        position = played(parry, seed, seed % 12)
        if position.over:
            continue
        for seat in range(3):
            if position.decision.seat != seat and position.decision.kind.secret:
                continue
            other = sample(position, seat, random.Random(seed))
            assert view(other, seat) == view(position, seat)
            assert other.decision.key == position.decision.key


def test_samples_differ_in_what_is_hidden_and_play_to_the_end(parry):
    position = played(parry, 5, 2)
    seat = position.decision.seat
    samples = [sample(position, seat, random.Random(n)) for n in range(20)]
    assert len({s.value("hand", (seat + 1) % 3) for s in samples}) > 5
    for imagined in samples:
        rng = random.Random(1)
        while not imagined.over:
            imagined.play(imagined.decision.seat, rng.choice(imagined.decision.options))
        assert imagined.broken_laws() == []


def test_sampling_throws_the_dice_anew(parry):
    position = parry.start(1)
    assert len({sample(position, position.decision.seat, random.Random(n)).s[4] for n in range(5)} | {position.s[4]}) == 6


def test_the_options_of_another_hand_are_not_for_this_seat(parry):
    position = parry.start(0)
    mine, other = position.decision.seat, (position.decision.seat + 1) % 3
    assert view(position, mine)["asked"][2] != "?" and view(position, other)["asked"][2] == "?"
    with pytest.raises(ValueError):
        sample(position, other, random.Random(0))


def test_a_step_can_be_taken_back_until_something_was_learned(rules, parry):
    open_game = Game(load(rules / "tic-tac-toe")).start()
    before = open_game.copy()
    assert learned(before, open_game, open_game.play(0, "cell=a1")) is None
    position = parry.start(2)
    before = position.copy()
    told = position.play(position.decision.seat, "decline")  # then a card is drawn from the deck
    assert learned(before, position, told) == "revealed"
