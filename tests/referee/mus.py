"""Mus for four players in plain Python, from the rules that players use. `decisions` follows the protocol of the other referees.

Two pairs sit across and play to forty stones, with eight kings and eight aces. `seen()` returns the hands, and the stock with its top card
last. It is called at the start of each deal, and after an exchange for which the stock was too small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from typing import Any

SEATS = 4
TARGET = 40
SUITS = ("coins", "cups", "swords", "clubs")
RANKS = ("ace", "two", "three", "four", "five", "six", "seven", "jack", "knight", "king")
CARDS = [f"{rank}_of_{suit}" for suit in SUITS for rank in RANKS]
PLAYED_AS = {"two": "ace", "three": "king"}
ORDER = ("ace", "four", "five", "six", "seven", "jack", "knight", "king")
COUNTS = {"ace": 1, "four": 4, "five": 5, "six": 6, "seven": 7, "jack": 10, "knight": 10, "king": 10}
JUEGO = (33, 34, 35, 36, 37, 40, 32, 31)                          # from the worst to the best
BY_PAIRS = {(2, 1, 1): 1, (3, 1): 2, (2, 2): 3, (4,): 3}          # stones for pareja, medias, and duples

Asking = Generator[tuple[int, str, list[str]], str, Any]
Hand = Iterable[str]


def heights(hand: Hand) -> list[int]:
    """Returns the ranks of a hand as numbers, the highest first."""
    ranks = (card.partition("_of_")[0] for card in hand)
    return sorted((ORDER.index(PLAYED_AS.get(rank, rank)) for rank in ranks), reverse=True)


def count_points(hand: Hand) -> int:
    return sum(COUNTS[ORDER[height]] for height in heights(hand))


def pairs_worth(hand: Hand) -> int:
    """Returns the stones for the pairs of a hand, or zero without pairs."""
    return BY_PAIRS.get(tuple(sorted(Counter(heights(hand)).values(), reverse=True)), 0)


def juego_worth(hand: Hand) -> int:
    points = count_points(hand)
    return 0 if points < 31 else 3 if points == 31 else 2


def rate_grande(hand: Hand) -> list[int]:
    return heights(hand)


def rate_chica(hand: Hand) -> list[int]:
    return [-height for height in reversed(heights(hand))]


def rate_pairs(hand: Hand) -> tuple[int, list[int]]:
    paired = [height for height, number in Counter(heights(hand)).items() for _ in range(number // 2)]
    return pairs_worth(hand), sorted(paired, reverse=True)


def rate_juego(hand: Hand) -> int:
    return JUEGO.index(count_points(hand))


class Mus:
    """A game to forty stones."""

    def __init__(self, seen: Callable[[], tuple[list[list[str]], list[str]]]) -> None:
        self.seen = seen
        self.stones, self.mano = [0, 0], 0
        self.hands: list[set[str]] = []
        self.stock: list[str] = []
        self.thrown: set[str] = set()
        self.redealt = 0                                           # exchanges for which the stock was too small

    # ---------------------------------------------------------------- the course of a deal

    def decisions(self) -> Asking:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        while max(self.stones) < TARGET:
            hands, self.stock = self.seen()
            self.hands, self.thrown = [set(hand) for hand in hands], set()
            assert sorted(CARDS) == sorted([*self.stock, *(card for hand in hands for card in hand)])
            while (yield from self.all_want_mus()):
                yield from self.exchange()
            yield from self.play_lances()
            self.mano = (self.mano + 1) % SEATS

    def from_seat(self, seat: int) -> list[int]:
        return [(seat + n) % SEATS for n in range(SEATS)]

    def ask(self, seat: int, key: str, options: list[str]) -> Asking:
        return options[0] if len(options) == 1 else (yield seat, key, options)

    def all_want_mus(self) -> Asking:
        for seat in self.from_seat(self.mano):
            if (yield from self.ask(seat, "talk.call", ["mus", "cut"])) == "cut":
                return False
        return True

    def exchange(self) -> Asking:
        """Lets each player discard, then deals as many cards as each of them discarded."""
        wanted: dict[int, int] = {}
        for seat in self.from_seat(self.mano):
            answer = yield from self.ask(seat, "discard.card", [f"card={card}" for card in in_order(self.hands[seat])])
            first = answer.partition("=")[2]
            self.hands[seat].remove(first)
            gone = {first}
            while rest := in_order(self.hands[seat] - gone):
                answer = yield from self.ask(seat, "discard.more", [*(f"more={card}" for card in rest), "decline"])
                if answer == "decline":
                    break
                gone.add(answer.partition("=")[2])
            self.hands[seat] -= gone
            self.thrown |= gone
            wanted[seat] = len(gone)
        if sum(wanted.values()) <= len(self.stock):
            for seat, number in wanted.items():
                self.hands[seat] |= {self.stock.pop() for _ in range(number)}
        else:
            self.check_new_stock()

    def check_new_stock(self) -> None:
        """Takes the hands from the table, and checks that they are the kept cards, the whole stock, and discards."""
        self.redealt += 1
        hands, stock = self.seen()
        came = {card for hand, kept in zip(hands, self.hands) for card in hand if card not in kept}
        assert all(len(hand) == 4 and kept <= set(hand) for hand, kept in zip(hands, self.hands))
        assert set(self.stock) <= came <= {*self.stock, *self.thrown} and set(stock) == self.thrown - came
        self.hands, self.stock, self.thrown = [set(hand) for hand in hands], stock, set()

    def play_lances(self) -> Asking:
        """Plays the bets of all lances, then counts them. Ends as soon as a pair has forty stones."""
        counted: list[tuple[int, int]] = []                        # a pair, and the stones that it gets after the last lance
        lances: list[tuple[Callable, Callable | None]] = [(rate_grande, None), (rate_chica, None), (rate_pairs, pairs_worth)]
        lances.append((rate_juego, juego_worth) if any(map(juego_worth, self.hands)) else (count_points, None))
        for rate, worth in lances:
            taking = [seat for seat in self.from_seat(self.mano) if worth is None or worth(self.hands[seat])]
            if not taking:
                continue
            pair = max(taking, key=lambda seat: (rate(self.hands[seat]), -taking.index(seat))) % 2
            bet, last = 0, None
            if len({seat % 2 for seat in taking}) == 2:
                outcome, bet, last = yield from self.bet(taking)
                if outcome == "all":
                    self.stones[pair] = TARGET
                elif outcome == "refused":
                    assert last is not None
                    self.score(last, bet)
                    pair, bet = last, 0
                if max(self.stones) >= TARGET:
                    return
            passed = worth is None and not bet and last is None
            bonus = sum(worth(self.hands[seat]) for seat in taking if seat % 2 == pair) if worth else int(rate is count_points or passed)
            counted.append((pair, bet + bonus))
        for pair, stones in counted:
            self.score(pair, stones)
            if max(self.stones) >= TARGET:
                return

    def score(self, pair: int, stones: int) -> None:
        self.stones[pair] = min(TARGET, self.stones[pair] + stones)

    # ---------------------------------------------------------------- bets

    def bet(self, taking: list[int]) -> Asking:
        """Returns the outcome ("passed", "accepted", "refused", "all"), the stones, and the pair of the last bettor if it was refused."""
        for seat in taking:
            call = yield from self.ask(seat, "speak.call", ["pass", "bet", "bet_more", "ordago"])
            if call != "pass":
                stones = 0 if call == "ordago" else (yield from self.raise_by(seat, call, 0))
                return (yield from self.answer(taking, seat, 0, stones, call == "ordago"))
        return "passed", 0, None

    def raise_by(self, seat: int, call: str, before: int) -> Asking:
        """Returns the whole bet after a bet or a raise of this seat."""
        if call in ("bet", "raise"):
            return before + 2
        answer = yield from self.ask(seat, "add_more.n", [f"n={n}" for n in range(3, TARGET - before)])
        return before + int(answer.partition("=")[2])

    def answer(self, taking: list[int], bettor: int, sure: int, stones: int, everything: bool) -> Asking:
        """Asks the opponents of the bettor in turn. A raise makes them the bettors, and the bet before it is sure."""
        for seat in self.from_seat(bettor):
            if seat not in taking or seat % 2 == bettor % 2:
                continue
            options = ["accept", "refuse"]
            if not everything:
                options += ["raise"] * (stones + 2 < TARGET) + ["raise_more"] * (stones + 3 < TARGET) + ["ordago"]
            call = yield from self.ask(seat, "speak.answer", options)
            if call == "accept":
                return ("all" if everything else "accepted"), stones, None
            if call == "ordago":
                return (yield from self.answer(taking, seat, stones, stones, True))
            if call != "refuse":
                higher = yield from self.raise_by(seat, call, stones)
                return (yield from self.answer(taking, seat, stones, higher, False))
        return "refused", sure or 1, bettor % 2

    def snapshot(self) -> dict[str, Any]:
        return {"stones": list(self.stones), "hands": [in_order(hand) for hand in self.hands], "mano": self.mano}


def in_order(cards: Iterable[str]) -> list[str]:
    return [card for card in CARDS if card in set(cards)]
