"""Compares Gin Rummy with pyspiel: what players may draw, discard, knock with and lay off, and the points of every deal.

In pyspiel, a game is one deal. The test repeats each deal of a game there, with the same cards. Seven deviations are known:

  - pyspiel lets players discard the card that they have just taken from the discards (GIN-TURN-03).
  - If the stock falls to two cards, pyspiel asks once more whether the player knocks. Here nobody scores (GIN-TURN-04).
  - pyspiel looks for the best melds of eleven cards first, and then for a card to knock with. It misses some knocks.
  - pyspiel makes a run longer by two cards at most.
  - If both players have as many points left over, nobody scores in pyspiel (GIN-SCORE-03).
  - pyspiel ends a deal after fifty draws from the discards. The test then ends the game.
  - In pyspiel, players form their melds themselves. The test forms the best ones there.
"""

from __future__ import annotations

import random
import re
from collections import Counter

import pyspiel
import pytest
from ludoglot.engine.position.position import Position
from shared_games import shared

RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
CARDS = [f"{rank}_of_{suit}" for suit in ("spades", "clubs", "diamonds", "hearts") for rank in RANKS]
DRAW_UPCARD, DRAW_STOCK, PASS, KNOCK = 52, 53, 54, 55
SEATS = ("player_1", "player_2")


def read_cards(state: pyspiel.State, action: int) -> set[str]:
    """Returns the cards of a meld in pyspiel, from its text."""
    text = state.action_to_string(action).rpartition(" ")[2]
    letters = "A23456789TJQK"
    names = {"s": "spades", "c": "clubs", "d": "diamonds", "h": "hearts"}
    return {f"{RANKS[letters.index(text[n])]}_of_{names[text[n + 1]]}" for n in range(0, len(text), 2)}


def find_best_returns(state: pyspiel.State) -> list[float]:
    """Returns the points of a deal if every player does the best from here on."""
    if state.is_terminal():
        return list(state.returns())
    seat = state.current_player()
    return max((find_best_returns(state.child(action)) for action in state.legal_actions()), key=lambda returns: returns[seat])


def read_deadwood(state: pyspiel.State, player: int) -> int:
    """Returns the points that pyspiel counts as left over in a hand."""
    found = re.search(rf"Player{player}: Deadwood=(\d+)", str(state))
    assert found is not None
    return int(found[1])


class Deal:
    """A deal in pyspiel, and the same one in a position of ours."""

    def __init__(self, ours: Position) -> None:
        self.ours, self.theirs = ours, pyspiel.load_game("gin_rummy").new_initial_state()
        other = SEATS[1 - SEATS.index(ours["dealer"])]
        self.order = [other, ours["dealer"]]                       # our seats in the order of pyspiel
        for card in [card for seat in self.order for card in ours["hand"][seat]] + list(ours["discards"]):
            self.theirs.apply_action(CARDS.index(card))

    def list_cards(self) -> set[str]:
        """Returns the cards that pyspiel lets the player discard, or lay off."""
        return {CARDS[action] for action in self.theirs.legal_actions() if action < len(CARDS)}

    def play_draw(self, spelling: str) -> None:
        """Repeats a draw, with the card that our stock has on top."""
        theirs, card = self.theirs, list(self.ours["stock"])[-1]
        theirs.apply_action(DRAW_STOCK if spelling == "stock" else DRAW_UPCARD)
        if theirs.is_chance_node():
            theirs.apply_action(CARDS.index(card))

    def refuse_first_card(self) -> None:
        """Repeats that a player does not take the first card, with the draw that follows if nobody does."""
        theirs, card = self.theirs, list(self.ours["stock"])[-1]
        theirs.apply_action(PASS)
        if theirs.legal_actions() == [DRAW_STOCK]:
            theirs.apply_action(DRAW_STOCK)
            theirs.apply_action(CARDS.index(card))

    def lay_out(self) -> None:
        """Forms the melds that our rules have formed for the player who knocked."""
        theirs, ours = self.theirs, self.ours
        melds = [{card for card, number in ours["meld"].items() if number == n} for n in (1, 2, 3)]
        knocker = theirs.current_player()
        while theirs.current_player() == knocker and not theirs.is_terminal():
            laid = [action for action in theirs.legal_actions() if action > KNOCK and read_cards(theirs, action) in melds]
            theirs.apply_action(laid[0] if laid else PASS)

    def find_points(self) -> list[float]:
        """Returns the points of the deal if nobody lays off any more, and the players form the best melds."""
        if "Phase: Layoff" in str(self.theirs):
            self.theirs.apply_action(PASS)
        return find_best_returns(self.theirs)


def compare_random_game(seed: int, eagerness: float = 0.8) -> Counter[str]:
    """Plays a random game in which players knock, and discard high cards, with a probability. Returns how often what happened."""
    ours, rng, found = shared("gin-rummy", 2).start(seed), random.Random(seed), Counter()
    while not ours.over and not found["cut"]:
        compare_deal(ours, rng, eagerness, found)
    return found


def compare_deal(ours: Position, rng: random.Random, eagerness: float, found: Counter[str]) -> None:
    """Plays a deal here and in pyspiel."""
    deal, before, dealer = Deal(ours), dict(ours["points"]), ours["dealer"]
    theirs, laid_out, laid_off = deal.theirs, False, 0
    while True:
        if theirs.is_terminal():
            found["cut"] += 1
            return
        asked = ours.decision
        assert asked is not None
        options = [option.spelling for option in asked.options]
        key, seat = asked.key, SEATS[asked.seat]
        if key == "lay_off.card" and not laid_out:
            deal.lay_out()
            laid_out = True
        assert deal.order[theirs.current_player()] == seat
        cards = {name: name.rpartition("card=")[2].split()[0] for name in options if "card=" in name}
        if key == "take_first.card":
            assert theirs.legal_actions() == [DRAW_UPCARD, PASS] and len(options) == 2
            choice = rng.choice(options)
            deal.refuse_first_card() if choice == "decline" else deal.play_draw(choice)
        elif key == "turn.source":
            assert theirs.legal_actions() == [DRAW_UPCARD, DRAW_STOCK] and len(options) == 2
            choice = rng.choice(options)
            deal.play_draw(choice)
        elif key == "discard.close":
            knocks = {name: card for name, card in cards.items() if name.startswith("knock")}
            assert deal.list_cards() - {ours["taken"]} == {card for name, card in cards.items() if name not in knocks}
            if KNOCK in theirs.legal_actions():
                knocked = theirs.child(KNOCK)
                assert {CARDS[action] for action in knocked.legal_actions()} - {ours["taken"]} == set(knocks.values())
            else:
                player = theirs.current_player()
                assert all(read_deadwood(theirs.child(CARDS.index(card)), player) <= 10 for card in knocks.values())
            if knocks and KNOCK in theirs.legal_actions() and rng.random() < eagerness:
                choice = rng.choice(sorted(knocks))
                theirs.apply_action(KNOCK)
            else:
                kept = [name for name in options if name not in knocks]
                highest = max(kept, key=lambda name: RANKS.index(cards[name].split("_")[0]))
                choice = highest if rng.random() < eagerness else rng.choice(kept)
            theirs.apply_action(CARDS.index(cards[choice]))
        else:
            assert key == "lay_off.card"
            allowed = deal.list_cards()
            extra = set(cards.values()) - allowed
            assert allowed <= set(cards.values()) and (not extra or laid_off >= 2), str(theirs)
            fitting = Counter(cards.values())                      # a card that fits two melds is not laid off: pyspiel does not ask which
            choice = rng.choice([name for name in options if name not in cards or cards[name] in allowed and fitting[cards[name]] == 1])
            if choice != "decline":
                theirs.apply_action(CARDS.index(cards[choice]))
                laid_off += 1
                found["layoffs"] += 1
        ours.play(asked.seat, choice)
        found["decisions"] += 1
        if ours.over or ours.decision.key == "take_first.card" and key != "take_first.card":
            break
    gained = [ours["points"][seat] - before[seat] for seat in deal.order]
    if "knock" in choice or laid_out:
        points = deal.find_points()
        if points == [0, 0]:                                       # both have as many points left over
            assert sorted(gained) == [0, 25]
        else:
            assert [gained[0] - gained[1], gained[1] - gained[0]] == points, str(theirs)
        found["ties"] += points == [0, 0]
        found["knocks"] += 1
        found["gins"] += max(gained) >= 25 and "knock" in choice
    else:
        assert gained == [0, 0] and ours["dealer"] == dealer
        found["walls"] += 1
    found["deals"] += 1


def test_both_engines_play_the_same_deals():
    found = compare_random_game(1)
    assert found["knocks"] > 2 and found["decisions"] > 50


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
def test_both_engines_play_the_same_games(seed):
    assert compare_random_game(seed)["knocks"] > 2
