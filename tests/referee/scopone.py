"""Scopone scientifico in plain Python, from the rules that players use. `decisions` follows the protocol of the other referees.

Two pairs sit across, each player has ten cards, and the table is empty. Cards are taken as in Scopa, whose referee says what a card can
take. `dealt()` returns the hands at the start of each deal. There is no other chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .scopa import CARDS, PRIMIERA, SUITS, captures

SEATS = 4


class Scopone:
    """A game to `target` points."""

    def __init__(self, dealt: Callable[[], list[list[str]]], target: int) -> None:
        self.dealt, self.target = dealt, target
        self.points, self.first = [0, 0], 0
        self.table: set[str] = set()
        self.hands: list[set[str]] = [set() for _ in range(SEATS)]
        self.piles: list[set[str]] = [set(), set()]
        self.scope = [0, 0]

    def decisions(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        while not self.is_over():
            self.table, self.piles, self.scope = set(), [set(), set()], [0, 0]
            self.hands = [set(hand) for hand in self.dealt()]
            last = None
            for turn in range(len(CARDS)):
                seat = (self.first + turn) % SEATS
                card = yield from self.ask(seat, "play.card", "card", self.hands[seat])
                self.hands[seat] -= {card}
                ways = captures(card, self.table)
                named: set[str] = set()
                while len(ways) > 1:                               # the player names cards until only one way is left
                    named.add((yield from self.ask(seat, "take.other", "other", set().union(*ways) - named)))
                    ways = [way for way in ways if named <= way]
                if ways:
                    self.table -= ways[0]
                    self.piles[seat % 2] |= {card, *ways[0]}
                    last = seat
                    self.scope[seat % 2] += not self.table and turn < len(CARDS) - 1
                else:
                    self.table.add(card)
            if last is not None:
                self.piles[last % 2] |= self.table
                self.table = set()
            self.score_deal()
            self.first = (self.first + 1) % SEATS

    def is_over(self) -> bool:
        return max(self.points) >= self.target and self.points[0] != self.points[1]

    def ask(self, seat: int, key: str, name: str, cards: set[str]) -> Iterator[tuple[int, str, list[str]]]:
        """Returns one of these cards, and asks only if there are several."""
        options = [f"{name}={card}" for card in CARDS if card in cards]
        answer = options[0] if len(options) == 1 else (yield seat, key, options)
        return answer.partition("=")[2]

    def score_deal(self) -> None:
        """Adds the points of a deal: cards, coins, settebello, primiera and scopas."""
        for mine, theirs in ((0, 1), (1, 0)):
            pair, others = self.piles[mine], self.piles[theirs]
            for measure in (len, count_coins, primiera):
                self.points[mine] += measure(pair) > measure(others)
            self.points[mine] += ("seven_of_coins" in pair) + self.scope[mine]

    def snapshot(self) -> dict[str, Any]:
        return {"table": in_order(self.table), "hands": [in_order(hand) for hand in self.hands],
                "taken": [in_order(pile) for pile in self.piles], "sweeps": list(self.scope), "points": list(self.points)}


def in_order(cards: set[str]) -> list[str]:
    return [card for card in CARDS if card in cards]


def count_coins(cards: set[str]) -> int:
    return sum(card.endswith("_of_coins") for card in cards)


def primiera(cards: set[str]) -> int:
    """Returns the sum of the best card of each suit."""
    worth = [[PRIMIERA[card.partition("_of_")[0]] for card in cards if card.endswith(f"_of_{suit}")] for suit in SUITS]
    return sum(max(values, default=0) for values in worth)
