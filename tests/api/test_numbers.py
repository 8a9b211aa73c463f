"""Checks that an action number means the same move everywhere, and that an observation contains no more than a view."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from language.random_bags import DATA, RandomBagRules
from ludoglot.api import ApiError, load
from ludoglot.engine.api.encoding import (
    LAST_ITEMS_ENCODED,
    ActionEncoder,
    GameEncodings,
    ObservationEncoder,
    count_subsets,
    encode_list,
    rank_subset,
    unrank_subset,
)
from shared_games import shared
from tmp_files import filled

from .test_match import GAMES, HIDDEN, play_random_moves


@pytest.mark.long_cases("hearts", "scopa", "chess", "hex", "cribbage")
@pytest.mark.parametrize("name", [*GAMES, "cribbage"])
def test_a_number_means_one_spelling_at_every_decision(name: str):
    game = shared(name)
    actions, observer = ActionEncoder(game), ObservationEncoder(game)
    spelt: dict[int, str] = {}
    position, rng = game.start(2), random.Random(2)
    for _ in range(120):
        decision = position.decision
        if decision is None:
            break
        offered = actions.legal_actions(position)
        assert {decision.option(code).spelling for code in offered.values()} == {option.spelling for option in decision.options}
        for number, code in offered.items():
            assert 0 <= number < len(actions)
            assert actions.spelling(number) == spelt.setdefault(number, decision.option(code).spelling) == decision.option(code).spelling
        for seat in range(game.players):
            found = observer.encode_position(position, seat)
            assert all(low <= number <= high for low, number, high in zip(observer.lows, found, observer.highs, strict=True))
        position.step(rng.choice(list(offered.values())))
    assert len(set(spelt.values())) == len(spelt) > 5


@pytest.mark.long
def test_subsets_have_consecutive_numbers():
    """Numbers all sets of at most three of five members: each number is unique, and the same as among all sets."""
    numbers = {rank_subset(5, things): things for things in range(32) if things.bit_count() <= 3}
    assert sorted(numbers) == list(range(count_subsets(5, 3))) and len(numbers) == 1 + 5 + 10 + 10
    assert all(unrank_subset(5, number) == things for number, things in numbers.items())
    assert ActionEncoder(shared("cribbage")).count > 1 + 52 + 1326


def test_a_bag_has_one_number_for_each_spelling(tmp_path):
    game = load(filled(tmp_path, {"game.yaml": DATA, "toy.rules": RandomBagRules(5).text})).loaded.game
    actions = ActionEncoder(game)
    spelt = [actions.spelling(number) for number in range(len(actions))]
    assert len(set(spelt)) == len(spelt) and any("ore=1+salt=1" in text for text in spelt)
    position, rng = game.start(2), random.Random(2)
    while position.decision is not None:
        for number, code in actions.legal_actions(position).items():
            assert spelt[number] == position.decision.option(code).spelling
        position.step(rng.choice(position.decision.codes))


@pytest.mark.long
def test_numbers_are_the_same_in_another_process():
    code = ("from ludoglot.api import load; from ludoglot.engine.api.encoding import ActionEncoder;"
            "a = ActionEncoder(load('tic-tac-toe').loaded.game); print([a.spelling(n) for n in range(len(a))])")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONHASHSEED": "2"}).stdout
    actions = ActionEncoder(shared("tic-tac-toe"))
    assert said == f"{[actions.spelling(n) for n in range(len(actions))]}\n"


@pytest.mark.long_cases("scopa")
@pytest.mark.usefixtures("shared_rules")
@pytest.mark.parametrize("name", HIDDEN)
def test_an_observation_does_not_depend_on_sampled_values(name: str):
    match = play_random_moves(name, 6)
    observer = ObservationEncoder(match.position.game)
    seat = match.seat
    assert seat is not None
    dreamt = match.sample(seat, seed=11)
    assert dreamt.digest() != match.digest()
    assert observer.encode_position(dreamt.position, seat) == observer.encode_position(match.position, seat)
    assert observer.encode_position(dreamt.position, seat) != observer.encode_position(match.position, 1 - seat if seat < 2 else 0)


def test_an_observation_shows_moves():
    game = shared("tic-tac-toe")
    observer, position = ObservationEncoder(game), game.start(1)
    before = observer.encode_position(position, 0)
    position.play(0, "cell=b2")
    after = observer.encode_position(position, 0)
    changed = {name for name, was, now in zip(observer.names, before, after) if was != now}
    assert any("b2" in name for name in changed) and "seat" in changed


def test_a_long_list_shows_its_end_and_counts_all():
    assert encode_list([2, 0, 2], 3) == [3, 2, 0, 2, *[-1] * (LAST_ITEMS_ENCODED - 3), 1, 0, 2]
    assert encode_list(list(range(20)), 0) == [20, 19, 18, 17, 16, 15, 14, 13, 12]


@pytest.mark.long
@pytest.mark.usefixtures("shared_rules")
@pytest.mark.parametrize(("lang", "said"), [
    ("en", "has no edge"), ("it", "non ha bordi"), ("es", "no tiene borde"), ("hu", "nincs pereme")])
def test_an_endless_board_is_rejected_with_a_sentence(lang: str, said: str):
    with pytest.raises(ApiError, match=said):
        GameEncodings(load("trias", lang=lang))


@pytest.mark.usefixtures("shared_rules")
def test_too_many_actions_are_rejected_with_a_sentence(monkeypatch):
    monkeypatch.setattr("ludoglot.engine.api.encoding.MAX_ACTIONS", 8)
    with pytest.raises(ApiError, match="9 different options, but at most 8"):
        GameEncodings(load("tic-tac-toe"))
