"""Compares Splendor with its referee: the printed cards, moves, payments, positions, and results over random games."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from ludoglot.engine.position.options import Option
from ludoglot.engine.position.position import Decision, Position
from referee.splendor import CARDS, GEMS, GOAL, TOKENS, WANTED, Splendor
from shared_games import shared

from .duel import duel

BUYS = ("buy", "buy_secret")
PREFERRED = 0.6                                                     # how often a player makes a preferred move if there is one
CLEARED = ("deck", "market", "patrons", "spare", "tokens", "bank", "mines", "bonus", "held", "secret", "guests")
STYLES = {"buying": BUYS, "reserving": ("reserve", "reserve_top"), "taking": ("take", "take_two"), "at random": ()}


def count_tokens(bag: dict[str, int], kinds: tuple[str, ...] = TOKENS) -> list[int]:
    return [bag.get(token, 0) for token in kinds]


def snapshot(position: Position) -> dict[str, Any]:
    """Returns our position in the form of the referee."""
    points, bought = (position.game.module.shown[name][1] for name in ("points", "mine_count"))
    return {"bank": count_tokens(position["bank"]), "decks": position["deck"],
            "market": {level: set(cards) for level, cards in position["market"].items()}, "patrons": set(position["patrons"]),
            "seats": [{"tokens": count_tokens(position["tokens"][name]), "bonus": count_tokens(position["bonus"][name], GEMS),
                       "points": points(position.s, seat), "bought": bought(position.s, seat)}
                      | {state: set(position[state][name]) for state in ("mines", "held", "secret", "guests")}
                      for seat, name in enumerate(position["tokens"])]}


def scatter_components(position: Position, rng: random.Random) -> dict[str, Any]:
    """Returns the states of a random late position: short decks, few tokens in the bank, and reserved and bought cards."""
    names = list(position["tokens"])
    cards = sorted(rng.sample(list(CARDS), len(CARDS)), key=lambda card: -CARDS[card].points)       # players have the cheap ones
    bank = Counter(position["bank"]) - Counter(diamond=1, sapphire=1, emerald=1)          # the next move takes these
    states: dict[str, Any] = {state: {} for state in CLEARED}
    poor = rng.random() < 0.3
    for name in names:
        states["mines"][name] = [] if poor else [cards.pop() for _ in range(rng.randint(0, 40 // len(names)))]
        states["bonus"][name] = dict(Counter(CARDS[card].gem for card in states["mines"][name]))
        held = [cards.pop() for _ in range(3 if poor else rng.randint(0, 3))]
        states["held"][name], states["secret"][name] = held[:1], held[1:]
        chips = list(bank.elements())
        taken = rng.sample(chips, min(len(chips), 7 if poor else rng.randint(0, 7)))
        if poor:
            taken = sorted(chips)[:7]
        states["tokens"][name] = dict(Counter(taken))
        bank -= Counter(taken)
    states["bank"] = dict(bank + Counter(diamond=1, sapphire=1, emerald=1))
    rng.shuffle(cards)
    for level in position["deck"]:
        rest = [card for card in cards if CARDS[card].level == level and not (poor and CARDS[card].points < 3)]
        states["market"][level] = rest[:rng.randint(0, 4)]
        states["deck"][level] = rest[4:][:rng.choice((0, 1, 3, 30))] if len(states["market"][level]) == 4 else []
    states["spare"], states["patrons"] = [], rng.sample(list(WANTED), len(names) + 1)
    return states


def start_late_game(players: int, seed: int) -> Position:
    """Returns a position at the beginning of a round, with components at random places. The last player has just taken three gems."""
    for attempt in range(100):
        rng = random.Random(f"{seed} {attempt}")
        position = shared("splendor", players).start(seed)
        assert position.decision is not None
        first = position.decision.seat
        for step in range(players):
            if step == players - 1:
                position.set_states(CLEARED, scatter_components(position, rng))
            position.play((first + step) % players, "take gems=diamond+sapphire+emerald")
        if position.decision and position.decision.seat == first and position.decision.key == "turn.act":
            return position
    raise AssertionError("no position was possible")


def compare_random_game(players: int, seed: int, preferred: tuple[str, ...] = BUYS, late: bool = False) -> tuple[int, Counter]:
    """Plays one random game on both sides. Returns the number of decisions, and how often something rare happened."""
    position, rng = start_late_game(players, seed) if late else shared("splendor", players).start(seed), random.Random(seed)
    assert position.decision is not None
    start = snapshot(position)
    referee = Splendor(players, start | {"first": position.decision.seat})
    if late:
        referee.resume(start)
    assert start == referee.snapshot()
    assert late or (len(start["patrons"]) == players + 1 and all(len(cards) == 4 for cards in start["market"].values()))
    made: Counter = Counter()

    def choose(position: Position, decision: Decision, rng: random.Random) -> Option:
        wished = [option for option in decision.options if option.entry in preferred]
        option = rng.choice(wished if wished and rng.random() < PREFERRED else decision.options)
        made[f"{decision.key} {option.entry or ''}".strip()] += 1
        made["with gold"] += "gold=" in option.spelling and decision.key == "pay.paid"
        made["no gold left"] += option.entry in STYLES["reserving"] and not position["bank"].get("gold")
        made["fewer than three"] += option.entry == "take" and option.spelling.count("+") < 2
        return option

    count, _ = duel(position, referee, [], snapshot, rng, 5000, choose)
    assert position.over and snapshot(position) == referee.snapshot()
    assert [(row.rank, row.values[0]) for row in sorted(position.standing(), key=lambda row: row.seat)] == referee.standing()
    points = [seat.points() for seat in referee.seats]
    made["equal points"] += len(set(points)) < players
    made["nobody could move"] += max(points) < GOAL
    return count, made


def test_cards_and_patrons_are_the_printed_ones():
    enums = shared("splendor", 2).model.enums
    values = enums["Card"].values
    names = [enums[kind].members for kind in ("Level", "Token")]
    ours = {card: (names[0][level], names[1][gem], points, cost[:5], cost[5]) for card, level, gem, points, cost in zip(
        enums["Card"].members, values["level"], values["gem"], values["points"], values["cost"], strict=True)}
    assert ours == {card: (*printed, 0) for card, printed in CARDS.items()}
    assert dict(zip(enums["Patron"].members, enums["Patron"].values["wants"], strict=True)) == {
        patron: (*wanted, 0) for patron, wanted in WANTED.items()}


@pytest.mark.parametrize(("level", "total"), [("one", 33), ("two", 41), ("three", 43)])
def test_cards_of_a_level_cost_each_colour_equally(level, total):
    costs = [card.cost for card in CARDS.values() if card.level == level]
    assert [sum(cost) for cost in zip(*costs, strict=True)] == [total] * len(GEMS)


def test_both_play_the_same_game():
    assert compare_random_game(2, 1)[0] > 40


def test_both_play_the_same_late_games():
    made: Counter = Counter()
    for seed in range(12):
        made.update(compare_random_game(2 + seed % 3, seed, late=True)[1])
    assert min(made[key] for key in ("turn.act buy_secret", "with gold", "nobody could move", "equal points")) > 0, made


@pytest.mark.long
@pytest.mark.parametrize("late", [False, True])
def test_both_play_the_same_games_in_every_style(late):
    made: Counter = Counter()
    for preferred in STYLES.values():
        for seed in range(60):
            made.update(compare_random_game(2 + seed % 3, seed, preferred, late)[1])
    common = ("pay.paid", "with gold", "give_back.back", "no gold left", "fewer than three", "turn.act buy_secret", "turn.act reserve_top")
    assert min(made[key] for key in common) > 40, made
    assert min(made[key] for key in ("welcome.patron", "equal points", *(["nobody could move"] if late else []))) > 5, made
