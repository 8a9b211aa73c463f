"""Scopa for two in plain Python, from the rules that players use. `decisions` follows the protocol of the other referees.

`dealt()` returns, at the start of each deal, the talon from the bottom up, the table, and the hands. There is no other chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

SUITS = ("coins", "cups", "swords", "clubs")
FACES = ("ace", "two", "three", "four", "five", "six", "seven", "jack", "knight", "king")
CARDS = [f"{face}_of_{suit}" for suit in SUITS for face in FACES]
PRIMIERA = {"seven": 21, "six": 18, "ace": 16, "five": 15, "four": 14, "three": 13, "two": 12, "jack": 10, "knight": 10, "king": 10}


def value(card: str) -> int:
    return FACES.index(card.split("_of_")[0]) + 1


def captures(card: str, table: set[str]) -> list[set[str]]:
    """Returns the possible captures of a card: one card of the same value, or else any set with that sum."""
    alike = [{other} for other in table if value(other) == value(card)]
    sums = (set(cards) for n in range(2, len(table) + 1) for cards in combinations(sorted(table), n))
    return alike or [cards for cards in sums if sum(map(value, cards)) == value(card)]


class Scopa:
    """A game to eleven points."""

    def __init__(self, dealt: Callable[[], dict[str, Any]]) -> None:
        self.dealt = dealt
        self.points, self.starter = [0, 0], 0

    def decisions(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        while max(self.points) < 11 or self.points[0] == self.points[1]:
            start = self.dealt()
            self.talon, self.table = list(start["talon"]), set(start["table"])
            self.hands = [set(hand) for hand in start["hands"]]
            self.taken: list[set[str]] = [set(), set()]
            self.sweeps, last = [0, 0], None
            while any(self.hands):
                for seat in (self.starter, 1 - self.starter) * 3:
                    card = yield from self.pick(seat, "play.card", "card", self.hands[seat])
                    self.hands[seat].remove(card)
                    found = captures(card, self.table)
                    taken: set[str] = set()
                    while len(found) > 1:
                        other = yield from self.pick(seat, "take.other", "other", set.union(*found) - taken)
                        taken.add(other)
                        found = [cards for cards in found if other in cards]
                    if not found:
                        self.table.add(card)
                        continue
                    self.table -= found[0]
                    self.taken[seat] |= found[0] | {card}
                    last = seat
                    self.sweeps[seat] += not self.table and bool(self.talon or any(self.hands))
                for seat in (self.starter, 1 - self.starter):
                    for _ in range(3 if self.talon else 0):
                        self.hands[seat].add(self.talon.pop())
            if last is not None:
                self.taken[last] |= self.table
            self.count()
            self.starter = 1 - self.starter

    def pick(self, seat: int, key: str, name: str, cards: set[str]) -> Iterator[tuple[int, str, list[str]]]:
        """Returns one of these cards, and asks only if there are several."""
        options = [f"{name}={card}" for card in CARDS if card in cards]
        taken = options[0] if len(options) == 1 else (yield seat, key, options)
        return taken.removeprefix(f"{name}=")

    def count(self) -> None:
        coins = [sum(card.endswith("_of_coins") for card in cards) for cards in self.taken]
        best = [sum(max((PRIMIERA[card.split("_of_")[0]] for card in cards if card.endswith(suit)), default=0) for suit in SUITS)
                for cards in self.taken]
        for mine, theirs in ((0, 1), (1, 0)):
            more = [len(self.taken[mine]) > len(self.taken[theirs]), coins[mine] > coins[theirs], best[mine] > best[theirs]]
            self.points[mine] += sum(more) + ("seven_of_coins" in self.taken[mine]) + self.sweeps[mine]

    def snapshot(self) -> dict[str, Any]:
        def sort(cards: set[str]) -> list[str]:
            return [card for card in CARDS if card in cards]
        return {"talon": list(self.talon), "table": sort(self.table), "hands": [sort(hand) for hand in self.hands],
                "taken": [sort(cards) for cards in self.taken], "sweeps": list(self.sweeps), "points": list(self.points)}
