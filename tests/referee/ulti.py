"""Ulti for three in plain Python, from the published rules. `decisions` follows the protocol of the other referees.

`dealt()` returns the three hands at the start of each deal. There is no other chance. Open bids, silent bonuses, and kontras above the
second are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .suits import face, in_order, suit

SEATS = 3
SUITS = ("acorns", "leaves", "hearts", "bells")
FACES = ("ace", "ten", "king", "over", "under", "nine", "eight", "seven")       # the order of ranks with trumps
PLAIN_FACES = ("ace", "king", "over", "under", "ten", "nine", "eight", "seven")
PARTS = ("party", "forty", "twenty", "last", "aces", "betli", "slam")
UNITS = {"party": 1, "forty": 4, "twenty": 8, "last": 4, "aces": 4, "betli": 5, "slam": 6}
TRICKS = 10

# The bids from the lowest, with their parts.
BIDS = {name: frozenset(parts.split()) for name, parts in (
    ("pass", "party"), ("red_pass", "party"), ("forty_hundred", "forty"), ("four_aces", "aces party"), ("ulti", "last party"),
    ("betli", "betli"), ("durchmars", "slam"), ("forty_hundred_aces", "forty aces"), ("forty_hundred_ulti", "forty last"),
    ("red_forty_hundred", "forty"), ("twenty_hundred", "twenty"), ("ulti_aces", "last aces party"), ("red_four_aces", "aces party"),
    ("red_ulti", "last party"), ("rebetli", "betli"), ("forty_hundred_durchmars", "forty slam"), ("ulti_durchmars", "last slam"),
    ("forty_hundred_ulti_aces", "forty last aces"), ("twenty_hundred_aces", "twenty aces"), ("twenty_hundred_ulti", "twenty last"),
    ("redurchmars", "slam"), ("forty_hundred_ulti_durchmars", "forty last slam"), ("twenty_hundred_durchmars", "twenty slam"),
    ("twenty_hundred_ulti_aces", "twenty last aces"), ("red_forty_hundred_aces", "forty aces"), ("red_forty_hundred_ulti", "forty last"),
    ("red_twenty_hundred", "twenty"), ("red_ulti_aces", "last aces party"), ("twenty_hundred_ulti_durchmars", "twenty last slam"),
    ("red_forty_hundred_durchmars", "forty slam"), ("red_ulti_durchmars", "last slam"),
    ("red_forty_hundred_ulti_aces", "forty last aces"), ("red_twenty_hundred_aces", "twenty aces"),
    ("red_twenty_hundred_ulti", "twenty last"), ("red_forty_hundred_ulti_durchmars", "forty last slam"),
    ("red_twenty_hundred_durchmars", "twenty slam"), ("red_twenty_hundred_ulti_aces", "twenty last aces"),
    ("red_twenty_hundred_ulti_durchmars", "twenty last slam"))}
ORDER = list(BIDS)
WITHOUT_TRUMPS = {"betli", "durchmars", "rebetli", "redurchmars"}
Asking = Iterator[tuple[int, str, list[str]]]


def is_red(bid: str) -> bool:
    return bid.startswith("red_") or bid in ("rebetli", "redurchmars")


def sort_cards(cards: Any) -> list[str]:
    return in_order(cards, SUITS, FACES)


def count_points(cards: Any) -> int:
    """Returns ten for each ace and ten."""
    return sum(10 for card in cards if face(card) in ("ace", "ten"))


class Ulti:
    """A match of some deals. `score` holds the units of each seat."""

    def __init__(self, dealt: Callable[[], list[list[str]]], deals: int) -> None:
        self.dealt, self.deals = dealt, deals
        self.score, self.first = [0] * SEATS, 0

    def decisions(self) -> Asking:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        for _ in range(self.deals):
            self.start_deal()
            yield from self.auction()
            yield from self.find_trump()
            yield from self.play_tricks()
            self.pay()
            self.first = (self.first + 1) % SEATS

    def ask(self, seat: int, key: str, options: list[str]) -> Iterator[tuple[int, str, list[str]]]:
        answer = options[0] if len(options) == 1 else (yield seat, key, options)
        return answer.partition("=")[2] or answer

    def start_deal(self) -> None:
        self.hands = [set(hand) for hand in self.dealt()]
        assert [len(hand) for hand in self.hands] == [12 if seat == self.first else 10 for seat in range(SEATS)]
        self.talon: list[set[str]] = [set() for _ in range(SEATS)]
        self.taken: list[set[str]] = [set() for _ in range(SEATS)]
        self.tricks_of = [0] * SEATS
        self.played: list[str | None] = [None] * SEATS
        self.bid: str | None = None
        self.trump: str | None = None
        self.declarer, self.tricks = self.first, 0
        self.forties, self.twenties = [0] * SEATS, [0] * SEATS
        self.level = [dict.fromkeys(PARTS, 0) for _ in range(SEATS)]
        self.last_taker: int | None = None
        self.seven_won = False

    # ------------------------------------------------------------ the auction

    def auction(self) -> Asking:
        yield from self.make_bid(self.first)
        seat, passes = self.first, 0
        while self.bid != ORDER[-1] and passes < SEATS:
            seat = (seat + 1) % SEATS
            if (yield from self.ask(seat, "turn.turn", ["take", "pass"])) == "pass":
                passes += 1
                continue
            self.hands[seat] |= self.talon[self.declarer]
            self.talon[self.declarer] = set()
            yield from self.make_bid(seat)
            passes = 0

    def make_bid(self, seat: int) -> Asking:
        """The player puts two cards down and bids higher."""
        for _ in range(2):
            card = yield from self.ask(seat, "bid_over.card", [f"card={card}" for card in sort_cards(self.hands[seat])])
            self.hands[seat].remove(card)
            self.talon[seat].add(card)
        lowest = 0 if self.bid is None else ORDER.index(self.bid) + 1
        self.bid = yield from self.ask(seat, "bid_over.higher", [f"higher={bid}" for bid in ORDER[lowest:]])
        self.declarer = seat

    def find_trump(self) -> Asking:
        assert self.bid is not None
        if self.bid in WITHOUT_TRUMPS:
            return
        self.trump = "hearts"
        if not is_red(self.bid):
            self.trump = None
            self.trump = yield from self.ask(self.declarer, "name_trumps.suit", ["suit=acorns", "suit=leaves", "suit=bells"])

    # ------------------------------------------------------------ the tricks

    def rank(self, card: str) -> int:
        return -(FACES if self.trump else PLAIN_FACES).index(face(card))

    def strength(self, card: str, led: str) -> tuple[int, int]:
        """Returns a key that is highest for the card that takes the trick."""
        group = 2 if suit(card) == self.trump else 1 if suit(card) == led else 0
        return group, self.rank(card)

    def legal_cards(self, seat: int, trick: list[str]) -> list[str]:
        hand = self.hands[seat]
        cards = set(hand)
        if trick:
            led = suit(trick[0])
            best = max(self.strength(card, led) for card in trick)
            cards = {card for card in hand if suit(card) == led} or {card for card in hand if suit(card) == self.trump} or cards
            cards = {card for card in cards if self.strength(card, led) > best} or cards
        seven = f"seven_of_{self.trump}"
        if seat == self.declarer and "last" in BIDS[str(self.bid)] and len(cards) > 1:
            cards -= {seven}
        return sort_cards(cards)

    def play_tricks(self) -> Asking:
        leader = self.declarer
        while self.tricks < TRICKS and not self.is_decided():
            order = [(leader + step) % SEATS for step in range(SEATS)]
            trick: list[str] = []
            for seat in order:
                if self.tricks == 0 and seat != self.declarer:
                    yield from self.say_kontra(seat)
                card = yield from self.ask(seat, "play.card", [f"card={card}" for card in self.legal_cards(seat, trick)])
                if self.tricks == 0:
                    self.announce(seat)
                self.hands[seat].remove(card)
                self.played[seat] = card
                trick.append(card)
            leader = order[max(range(SEATS), key=lambda place: self.strength(trick[place], suit(trick[0])))]
            self.tricks += 1
            self.tricks_of[leader] += 1
            self.taken[leader] |= set(trick)
            self.played = [None] * SEATS
            self.last_taker = leader
            if self.tricks == TRICKS and self.trump:
                seven = f"seven_of_{self.trump}"
                self.seven_won = leader == self.declarer and trick[order.index(leader)] == seven
            if self.tricks == 1 and not self.is_decided():
                yield from self.say_rekontra()

    def is_decided(self) -> bool:
        """Whether a bid without trumps is lost, so that the deal is over."""
        if self.bid not in WITHOUT_TRUMPS:
            return False
        mine = self.tricks_of[self.declarer]
        return mine > 0 if "betli" in BIDS[str(self.bid)] else mine < self.tricks

    def announce(self, seat: int) -> None:
        """Counts the marriages of a hand that is still complete."""
        if not self.trump:
            return
        pairs = [name for name in SUITS if {f"king_of_{name}", f"over_of_{name}"} <= self.hands[seat]]
        self.forties[seat] = int(self.trump in pairs)
        self.twenties[seat] = len(pairs) - self.forties[seat]

    def defenders(self) -> list[int]:
        return [seat for seat in range(SEATS) if seat != self.declarer]

    def say_kontra(self, seat: int) -> Asking:
        while parts := [part for part in PARTS if part in BIDS[str(self.bid)] and not self.level[seat][part]]:
            part = yield from self.ask(seat, "say_kontra.part", [*(f"part={part}" for part in parts), "decline"])
            if part == "decline":
                return
            for other in self.defenders() if self.trump else [seat]:
                self.level[other][part] = 1

    def say_rekontra(self) -> Asking:
        while parts := [part for part in PARTS if any(self.level[seat][part] == 1 for seat in self.defenders())]:
            part = yield from self.ask(self.declarer, "say_rekontra.part", [*(f"part={part}" for part in parts), "decline"])
            if part == "decline":
                return
            for seat in self.defenders():
                if self.level[seat][part]:
                    self.level[seat][part] = 2

    # ------------------------------------------------------------ the end of a deal

    def is_made(self, part: str) -> bool:
        mine = self.declarer
        last = 10 if self.last_taker == mine else 0
        points = count_points(self.taken[mine]) + last
        if part == "party":
            others = sum(count_points(self.taken[seat]) for seat in self.defenders()) + count_points(self.talon[mine]) + 10 - last
            return points + self.married(mine) > others + sum(map(self.married, self.defenders()))
        if part == "forty":
            return self.forties[mine] > 0 and points + 40 >= 100
        if part == "twenty":
            return self.twenties[mine] > 0 and points + 20 >= 100
        if part == "last":
            return self.seven_won
        if part == "aces":
            return sum(face(card) == "ace" for card in self.taken[mine]) == 4
        return self.tricks_of[mine] == (0 if part == "betli" else self.tricks)

    def married(self, seat: int) -> int:
        """Returns the points for marriages, which count only with a trick."""
        return 40 * self.forties[seat] + 20 * self.twenties[seat] if self.tricks_of[seat] else 0

    def pay(self) -> None:
        for part in BIDS[str(self.bid)]:
            units = UNITS[part] * (2 if is_red(str(self.bid)) else 1)
            if not self.is_made(part):
                units *= -2 if part == "last" else -1
            for seat in self.defenders():
                paid = units * 2 ** self.level[seat][part]
                self.score[seat] -= paid
                self.score[self.declarer] += paid

    def snapshot(self) -> dict[str, Any]:
        return {"hand": [sort_cards(hand) for hand in self.hands], "talon": [sort_cards(cards) for cards in self.talon], "bid": self.bid,
                "declarer": self.declarer, "trump": self.trump, "played": list(self.played),
                "taken": [sort_cards(cards) for cards in self.taken], "tricks": self.tricks, "forties": list(self.forties),
                "twenties": list(self.twenties), "level": [dict(levels) for levels in self.level], "score": list(self.score)}
