"""Compares Mus with its referee: moves, hands and stones over random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ludoglot.engine.position.position import Position
from referee.mus import Mus
from shared_games import shared

from .duel import duel

SEATS = ("player_1", "player_2", "player_3", "player_4")
PAIRS = ("first_pair", "second_pair")


def snapshot(position: Position) -> dict:
    return {"stones": [position["stones"][pair] for pair in PAIRS], "hands": [position["hand"][seat] for seat in SEATS],
            "mano": SEATS.index(position["mano"])}


def avoid(*spellings: str):
    """Returns a chooser that takes these moves only one time in twenty. Games last longer without bets of everything."""
    def choose(position: Position, decision, rng: random.Random):
        calm = [option for option in decision.options if option.spelling not in spellings]
        return rng.choice(decision.options if rng.random() < 0.05 or not calm else calm)
    return choose


CHOOSERS = {"at random": None, "without large bets": avoid("ordago", "mus", "bet_more", "raise", "raise_more"),
            "with many exchanges": avoid("ordago", "cut")}


def compare_random_game(seed: int, choose=None) -> Counter:
    """Plays one random game on both sides. Returns counts of decisions, deals, moves, and exchanges with a new stock."""
    position = shared("mus", 4).start(seed)
    seen: Counter = Counter()

    def look() -> tuple[list[list[str]], list[str]]:
        seen["looks"] += 1
        return snapshot(position)["hands"], position["deck"]

    def record_moves(position: Position) -> dict:
        seen.update({f"{position.decision.key} {option.spelling.partition('=')[0]}": 1 for option in position.decision.options})
        return snapshot(position)

    referee = Mus(look)
    seen["decisions"] = duel(position, referee, [], record_moves, random.Random(seed), 20_000, choose)[0]
    assert position.over and [position["stones"][pair] for pair in PAIRS] == referee.stones
    assert {rank.seat for rank in position.standing() if rank.rank == 1} == ({0, 2} if referee.stones[0] == 40 else {1, 3})
    seen["redealt"] = referee.redealt
    seen["deals"] = seen.pop("looks") - referee.redealt
    return seen


def test_engine_and_referee_agree():
    assert compare_random_game(1)["decisions"] > 5
    assert compare_random_game(1, CHOOSERS["without large bets"])["decisions"] > 50


@pytest.mark.long
def test_engine_and_referee_agree_in_many_games():
    seen: Counter = Counter()
    for seed in range(70):
        for choose in CHOOSERS.values():
            seen.update(compare_random_game(seed, choose))
    assert seen["deals"] > 500 and seen["redealt"] > 50
    for kind in ("speak.answer raise_more", "speak.answer ordago", "discard.more decline", "add_more.n n"):
        assert seen[kind] > 100, kind
