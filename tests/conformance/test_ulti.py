"""Compares Ulti with its referee: moves, positions and units over random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ludoglot.engine.position.options import Option
from ludoglot.engine.position.position import Decision, Position
from referee.suits import face, suit
from referee.ulti import FACES, PARTS, Ulti
from shared_games import shared

from .duel import duel

SEATS = ("player_1", "player_2", "player_3")
SEEDS_OF_RARE_BIDS = (1401, 1812)         # a durchmars and a 20-100 that are made
DEALS = {"three_deals": 3, "six_deals": 6, "twelve_deals": 12}


def snapshot(position: Position) -> dict:
    names = ("hand", "talon", "played", "taken", "forties", "twenties", "score")
    found = {name: [position[name][seat] for seat in SEATS] for name in names}
    levels = [{part: position["level"][seat][part] for part in PARTS} for seat in SEATS]
    return found | {"level": levels, "bid": position["bid"], "declarer": SEATS.index(position["declarer"]), "trump": position["trump"],
                    "tricks": position["tricks"]}


def choose_seldom(position: Position, decision: Decision, rng: random.Random) -> Option:
    """Returns a random option. In the auction, it mostly passes, and mostly bids one of the next four bids."""
    options = list(decision.options)
    if decision.key == "turn.turn" and rng.random() < 0.7:
        return options[-1]
    if decision.key == "bid_over.higher" and rng.random() < 0.8:
        return rng.choice(options[:4])
    return rng.choice(options)


def choose_for_declarer(position: Position, decision: Decision, rng: random.Random) -> Option:
    """Lets strong hands bid, keep and play high cards, and the defenders play low ones, so that hard bids are made too."""
    hand = position["hand"][SEATS[decision.seat]]
    if decision.key == "turn.turn":
        return decision.options[0 if sum(face(card) in FACES[:3] for card in hand) > 5 else 1]
    if decision.key == "name_trumps.suit":
        return max(decision.options, key=lambda option: sum(suit(card) in option.spelling for card in hand))
    if decision.key not in ("play.card", "bid_over.card"):
        return choose_seldom(position, decision, rng)
    keeps_high = decision.key == "play.card" and SEATS[decision.seat] == position["declarer"]
    ranked = sorted(decision.options, key=lambda option: FACES.index(face(option.spelling.partition("=")[2])))
    return ranked[0 if keeps_high else -1]


def compare_random_game(seed: int, length: str) -> Counter:
    """Plays one random game on both sides. Returns counts of decisions, of their keys, and of the bids and parts that are paid."""
    position = shared("ulti", 3, {"length": length}).start(seed)
    made: Counter = Counter()
    referee = Ulti(lambda: snapshot(position)["hand"], DEALS[length])
    is_made = referee.is_made

    def count_part(part: str) -> bool:
        made[f"bid {referee.bid}"] += 1
        made[f"{part} {is_made(part)}"] += 1
        return is_made(part)

    referee.is_made = count_part
    count, keys = duel(position, referee, [], snapshot, random.Random(seed), 5000,
                       choose_for_declarer if seed % 2 else choose_seldom)
    assert position.over and [position["score"][seat] for seat in SEATS] == referee.score and sum(referee.score) == 0
    assert {rank.seat for rank in position.standing() if rank.rank == 1} == {
        seat for seat, score in enumerate(referee.score) if score == max(referee.score)}
    made["decisions"] += count
    made.update(keys)
    return made


def test_engine_and_referee_agree():
    assert compare_random_game(1, "three_deals")["decisions"] > 60


@pytest.mark.long
def test_engine_and_referee_agree_in_many_games():
    made: Counter = Counter()
    for seed in (*range(200), *SEEDS_OF_RARE_BIDS):
        made.update(compare_random_game(seed, list(DEALS)[seed % 3]))
    assert made["say_kontra.part"] > 150 and made["say_rekontra.part"] > 100
    assert sum(name.startswith("bid ") for name in made) > 30
    assert all(made[f"{part} {outcome}"] for part in PARTS for outcome in (True, False))
