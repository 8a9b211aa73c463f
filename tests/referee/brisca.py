"""Brisca and Briscola for two in plain Python, from the rules that players use. `decisions` follows the protocol of the other referees.

`start` contains the talon from the bottom up, the turned card, and the hands after dealing. There is no other chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .suits import face, in_order, suit

SUITS = ("coins", "cups", "swords", "clubs")
FACES = ("ace", "two", "three", "four", "five", "six", "seven", "jack", "knight", "king")
ORDER = ("ace", "three", "king", "knight", "jack", "seven", "six", "five", "four", "two")
COUNTS = {"ace": 11, "three": 10, "king": 4, "knight": 3, "jack": 2}


class Brisca:
    """One game. `taken` holds the cards that each seat has won."""

    def __init__(self, start: dict[str, Any], changing: bool) -> None:
        self.talon: list[str] = list(start["talon"])
        self.turned: str | None = start["turned"]
        self.hands = [set(hand) for hand in start["hands"]]
        self.taken: list[list[str]] = [[], []]
        self.table: dict[int, str] = {}
        self.trump, self.changing, self.leader = suit(start["turned"]), changing, 0

    def takes(self, led: str, other: str) -> bool:
        """Whether the second card takes the first one."""
        if suit(led) == suit(other):
            return ORDER.index(face(other)) < ORDER.index(face(led))
        return suit(other) == self.trump

    def change(self) -> str | None:
        """Returns the card that the winner of the trick may exchange for the turned one."""
        if self.turned is None or not self.changing:
            return None
        place, seven = ORDER.index(face(self.turned)), ORDER.index("seven")
        wanted = "seven" if place < seven else "two" if place > seven else None
        card = f"{wanted}_of_{self.trump}"
        return card if card in self.hands[self.leader] else None

    def decisions(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        while any(self.hands):
            self.table = {}
            for seat in (self.leader, 1 - self.leader):
                cards = in_order(self.hands[seat], SUITS, FACES)
                taken = cards[0] if len(cards) == 1 else (yield seat, "play.card", [f"card={card}" for card in cards]).removeprefix("card=")
                self.hands[seat].remove(taken)
                self.table[seat] = taken
            if self.takes(self.table[self.leader], self.table[1 - self.leader]):
                self.leader = 1 - self.leader
            self.taken[self.leader] += self.table.values()
            self.table = {}
            if (card := self.change()) is not None:
                option = f"card={card} shown={self.turned}"
                if (yield self.leader, "change.card", [option, "decline"]) == option:
                    assert self.turned is not None
                    self.hands[self.leader] ^= {card, self.turned}
                    self.turned = card
            for seat in (self.leader, 1 - self.leader):
                if self.talon:
                    self.hands[seat].add(self.talon.pop())
                elif self.turned is not None:
                    self.hands[seat].add(self.turned)
                    self.turned = None

    def points(self) -> list[int]:
        return [sum(COUNTS.get(face(card), 0) for card in cards) for cards in self.taken]

    def snapshot(self) -> dict[str, Any]:
        return {"talon": list(self.talon), "turned": self.turned, "hands": [in_order(hand, SUITS, FACES) for hand in self.hands],
                "table": dict(self.table), "taken": [in_order(set(cards), SUITS, FACES) for cards in self.taken], "points": self.points()}
