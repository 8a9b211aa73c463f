"""Snapszer in plain Python, from the rules that players use. `decisions` follows the protocol of the other referees.

`dealt()` returns, at the start of each deal, the talon from the bottom up, the turned card, and the hands. There is no other chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .suits import face, in_order, suit

SUITS = ("acorns", "leaves", "hearts", "bells")
FACES = ("ace", "ten", "king", "over", "under")
COUNTS = dict(zip(FACES, (11, 10, 4, 3, 2), strict=True))


class Snapszer:
    """A game to seven. `score` holds the points of each seat."""

    def __init__(self, dealt: Callable[[], dict[str, Any]]) -> None:
        self.dealt, self.score, self.first = dealt, [0, 0], 0

    def total(self, seat: int) -> int:
        cards = sum(COUNTS[face(card)] for card in self.taken[seat])
        return cards + self.married[seat] if self.taken[seat] else 0

    def loss(self, seat: int) -> int:
        """Returns the points that a loss would cost this seat now."""
        if not self.taken[seat]:
            return 3
        return 2 if self.total(seat) <= 32 else 1

    def takes(self, led: str, other: str) -> bool:
        if suit(led) == suit(other):
            return FACES.index(face(other)) < FACES.index(face(led))
        return suit(other) == self.trump

    def answers(self, seat: int, led: str) -> list[str]:
        """Returns the cards that may answer a lead: any card, as long as cards can be drawn."""
        hand = in_order(self.hands[seat], SUITS, FACES)
        if self.closed is None and (self.talon or self.turned):
            return hand
        same = [card for card in hand if suit(card) == suit(led)]
        higher = [card for card in same if self.takes(led, card)]
        return higher or same or [card for card in hand if suit(card) == self.trump] or hand

    def leads(self, seat: int) -> list[str]:
        hand = in_order(self.hands[seat], SUITS, FACES)
        options = [f"play card={card}" for card in hand]
        for card in hand:
            partner = {"king": "over", "over": "king"}.get(face(card))
            if partner and f"{partner}_of_{suit(card)}" in hand:
                options.append(f"announce card={card}")
        if self.closed is None and len(self.talon) + 1 >= 3 and self.turned is not None:
            lowest = f"under_of_{self.trump}"
            if lowest in hand:
                options.append(f"exchange card={lowest} shown={self.turned}")
            options.append("close")
        if self.taken[seat]:
            options.append("enough")
        return options

    def win(self, seat: int, wrong: bool) -> None:
        """Scores a win. `wrong`: the other player's claim was wrong."""
        other = 1 - seat
        losses = [self.loss(0), self.loss(1)] if self.closed is None else self.losses
        failed = wrong or self.closed == other
        self.score[seat] += (3 if losses[seat] == 3 else 2) if failed else losses[other]
        self.won = seat

    def say(self, seat: int) -> None:
        if self.total(seat) >= 66:
            self.win(seat, wrong=False)
        else:
            self.win(1 - seat, wrong=True)

    def decisions(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        while max(self.score) < 7:
            start = self.dealt()
            self.talon: list[str] = list(start["talon"])
            self.turned: str | None = start["turned"]
            self.hands = [set(hand) for hand in start["hands"]]
            self.trump, self.leader = suit(start["turned"]), self.first
            self.taken: list[set[str]] = [set(), set()]
            self.table: dict[int, str] = {}
            self.married, self.losses = [0, 0], [1, 1]
            self.closed: int | None = None
            self.won: int | None = None
            while self.won is None and any(self.hands):
                yield from self.trick()
            if self.won is None and self.closed is None:
                self.win(self.leader, wrong=False)
            elif self.won is None:
                assert self.closed is not None
                self.win(self.closed if self.total(self.closed) >= 66 else 1 - self.closed, wrong=False)
            self.first = 1 - self.first

    def trick(self) -> Iterator[tuple[int, str, list[str]]]:
        seat, other = self.leader, 1 - self.leader
        self.table = {}
        while seat not in self.table:
            options = self.leads(seat)
            taken = options[0] if len(options) == 1 else (yield seat, "lead.turn", options)
            if taken == "enough":
                self.say(seat)
                return
            if taken == "close":
                self.closed, self.losses = seat, [self.loss(0), self.loss(1)]
            elif taken.startswith("exchange"):
                assert self.turned is not None
                self.hands[seat].add(self.turned)
                self.turned = f"under_of_{self.trump}"
                self.hands[seat].remove(self.turned)
            else:
                card = taken.split("card=")[1]
                self.hands[seat].remove(card)
                self.table[seat] = card
                if taken.startswith("announce"):
                    self.married[seat] += 40 if suit(card) == self.trump else 20
                    if self.taken[seat] and (yield seat, "say_or_go_on.say", ["go_on", "enough"]) == "enough":
                        self.say(seat)
                        return
        answers = [f"card={card}" for card in self.answers(other, self.table[seat])]
        card = (answers[0] if len(answers) == 1 else (yield other, "follow.card", answers)).removeprefix("card=")
        self.hands[other].remove(card)
        self.table[other] = card
        if self.takes(self.table[seat], card):
            self.leader = other
        self.taken[self.leader] |= set(self.table.values())
        self.table = {}
        if self.closed is None:
            for drawer in (self.leader, 1 - self.leader):
                if self.talon:
                    self.hands[drawer].add(self.talon.pop())
                elif self.turned is not None:
                    self.hands[drawer].add(self.turned)
                    self.turned = None

    def snapshot(self) -> dict[str, Any]:
        return {"talon": list(self.talon), "turned": self.turned, "hands": [in_order(hand, SUITS, FACES) for hand in self.hands],
                "table": dict(self.table),
                "taken": [in_order(cards, SUITS, FACES) for cards in self.taken], "points": [self.total(0), self.total(1)],
                "score": list(self.score)}
