"""Splendor in plain Python, from the published rulebook and the printed cards. `decisions` follows the protocol of the other referees.

There is no chance after the set-up. `start` has `decks` and `market` by level, `patrons`, and `first`, the seat that begins.
The last card of each deck is on top. Letters name the colours of a cost: white, blue (u), green, red, and black (k).

The rulebook is silent on three points. With fewer than three colours in the bank, a player takes one token of each.
A player without any action passes. The game ends if all players pass and nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

GEMS = ("diamond", "sapphire", "emerald", "ruby", "onyx")
TOKENS = (*GEMS, "gold")
LETTERS = "wugrk"
PRINTED = {                                                 # level: gem: points and cost of each card
    "one": {"diamond": "0uuu 0rrk 0uukk 0ugrk 0wwwuk 0uuggk 0uggrk 1gggg",
            "sapphire": "0wkk 0kkk 0wgrk 0ggkk 0wggrr 0wgrrk 0ugggr 1rrrr",
            "emerald": "0wwu 0rrr 0wurk 0uurr 0wuuug 0wurkk 0urrkk 1kkkk",
            "ruby": "0www 0uug 0wwrr 0wugk 0wwugk 0wwgkk 0wrkkk 1wwww",
            "onyx": "0ggg 0ggr 0wwgg 0wugr 0wwuur 0wuugr 0grrrk 1uuuu"},
    "two": {"diamond": "1gggrrkk 1wwuuurrr 2rrrrr 2grrrrkk 2rrrrrkkk 3wwwwww",
            "sapphire": "1uuggrrr 1uugggkkk 2uuuuu 2wwrkkkk 2wwwwwuuu 3uuuuuu",
            "emerald": "1wwuuukk 1wwwggrrr 2ggggg 2wwwwuuk 2uuuuuggg 3gggggg",
            "ruby": "1wwrrkkk 1uuurrkkk 2kkkkk 2wuuuugg 2wwwkkkkk 3rrrrrr",
            "onyx": "1wwwuugg 1wwwgggkk 2wwwww 2uggggrr 2gggggrrr 3kkkkkk"},
    "three": {"diamond": "3uuugggrrrrrkkk 4kkkkkkk 4wwwrrrkkkkkk 5wwwkkkkkkk",
              "sapphire": "3wwwgggrrrkkkkk 4wwwwwww 4wwwwwwuuukkk 5wwwwwwwuuu",
              "emerald": "3wwwwwuuurrrkkk 4uuuuuuu 4wwwuuuuuuggg 5uuuuuuuggg",
              "ruby": "3wwwuuuuugggkkk 4ggggggg 4uuuggggggrrr 5gggggggrrr",
              "onyx": "3wwwuuugggggrrr 4rrrrrrr 4gggrrrrrrkkk 5rrrrrrrkkk"},
}
NOBLES = "wwwwuuuu wwwwkkkk wwwuuuggg wwwuuukkk wwwrrrkkk uuuugggg uuugggrrr ggggrrrr gggrrrkkk rrrrkkkk"
TOKENS_OF_A_COLOUR = {2: 4, 3: 5, 4: 7}
GOLD_TOKENS = 5
TOKEN_LIMIT = 10
RESERVE_LIMIT = 3
PILE_FOR_TWO = 4
NOBLE_POINTS = 3
GOAL = 15


class Card(NamedTuple):
    level: str
    gem: str
    points: int
    cost: tuple[int, ...]


def count_letters(letters: str) -> tuple[int, ...]:
    return tuple(letters.count(letter) for letter in LETTERS)


def list_cards() -> dict[str, Card]:
    """Returns the 90 cards by name. A name has the colour and a number that runs over the levels."""
    cards: dict[str, Card] = {}
    made = dict.fromkeys(GEMS, 0)
    for level, gems in PRINTED.items():
        for gem, printed in gems.items():
            for text in printed.split():
                made[gem] += 1
                cards[f"{gem}_{made[gem]}"] = Card(level, gem, int(text[0]), count_letters(text[1:]))
    return cards


CARDS = list_cards()
WANTED = {f"patron_{number}": count_letters(letters) for number, letters in enumerate(NOBLES.split(), 1)}


def spell(counts: tuple[int, ...]) -> str:
    return "+".join(f"{token}={count}" for token, count in zip(TOKENS, counts, strict=True) if count)


def list_parts(counts: list[int], size: int) -> list[tuple[int, ...]]:
    """Returns all ways to take `size` tokens out of these counts, with the most of the first token first."""
    return [part for part in product(*(range(count, -1, -1) for count in counts)) if sum(part) == size]


class Seat:
    """A player's tokens in the order of `TOKENS`, bought cards, reserved cards, and nobles."""

    def __init__(self) -> None:
        self.tokens = [0] * len(TOKENS)
        self.bought: set[str] = set()
        self.open_reserve: set[str] = set()                 # reserved from the table, so that all know them
        self.secret_reserve: set[str] = set()               # reserved from a deck
        self.nobles: set[str] = set()

    def bonus(self) -> tuple[int, ...]:
        return tuple(sum(CARDS[card].gem == gem for card in self.bought) for gem in GEMS)

    def points(self) -> int:
        return sum(CARDS[card].points for card in self.bought) + NOBLE_POINTS * len(self.nobles)

    def price(self, card: str) -> list[int]:
        """Returns the tokens of each colour that the card costs after the bonuses."""
        return [max(0, cost - bonus) for cost, bonus in zip(CARDS[card].cost, self.bonus(), strict=True)]

    def list_payments(self, card: str) -> list[tuple[int, ...]]:
        """Returns all exact payments. A gold token may replace any other, even one that the player has."""
        price, *purse, gold = self.price(card), *self.tokens
        paid = product(*(range(min(due, coins), -1, -1) for due, coins in zip(price, purse, strict=True)))
        return [(*gems, sum(price) - sum(gems)) for gems in paid if sum(price) - sum(gems) <= gold]

    def can_pay(self, card: str) -> bool:
        lacking = sum(max(0, due - coins) for due, coins in zip(self.price(card), self.tokens[:5], strict=True))
        return lacking <= self.tokens[5]

    def attracts(self, noble: str) -> bool:
        return all(bonus >= wanted for bonus, wanted in zip(self.bonus(), WANTED[noble], strict=True))


class Splendor:
    """A game for two to four players."""

    def __init__(self, players: int, start: dict[str, Any]) -> None:
        self.seats = [Seat() for _ in range(players)]
        self.bank = [TOKENS_OF_A_COLOUR[players]] * len(GEMS) + [GOLD_TOKENS]
        self.decks = {level: list(start["decks"][level]) for level in PRINTED}
        self.market = {level: set(start["market"][level]) for level in PRINTED}
        self.nobles = set(start["patrons"])
        self.first = start["first"]

    def decisions(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        order = [(self.first + step) % len(self.seats) for step in range(len(self.seats))]
        while True:
            changed = False
            for number in order:
                acted = yield from self.act(number)
                yield from self.return_tokens(number)
                visited = yield from self.receive_noble(number)
                changed |= acted or visited
            if not changed or any(seat.points() >= GOAL for seat in self.seats):
                return

    def ask(self, number: int, key: str, options: list[str]) -> Iterator[tuple[int, str, list[str]]]:
        return options[0] if len(options) == 1 else (yield number, key, options)

    def list_actions(self, seat: Seat) -> list[str]:
        colours = [gem for gem, count in zip(GEMS, self.bank, strict=False) if count]
        on_table = set.union(*self.market.values())
        can_reserve = len(seat.open_reserve) + len(seat.secret_reserve) < RESERVE_LIMIT
        return [
            *(f"take gems={'+'.join(gems)}" for gems in combinations(colours, min(3, len(colours))) if gems),
            *(f"take_two gem={gem}" for gem, count in zip(GEMS, self.bank, strict=False) if count >= PILE_FOR_TWO),
            *(f"buy card={card}" for card in CARDS if card in on_table | seat.open_reserve and seat.can_pay(card)),
            *(f"buy_secret card={card}" for card in CARDS if card in seat.secret_reserve and seat.can_pay(card)),
            *(f"reserve card={card}" for card in CARDS if card in on_table and can_reserve),
            *(f"reserve_top level={level}" for level, deck in self.decks.items() if deck and can_reserve),
        ]

    def act(self, number: int) -> Iterator[tuple[int, str, list[str]]]:
        """Plays the one action of a turn. Returns whether there was one."""
        seat = self.seats[number]
        actions = self.list_actions(seat)
        if not actions:
            return False
        action, _, value = (yield from self.ask(number, "turn.act", actions)).partition(" ")
        chosen = value.partition("=")[2]
        if action == "take":
            self.move_tokens(seat, [int(token in chosen.split("+")) for token in TOKENS])
        elif action == "take_two":
            self.move_tokens(seat, [2 * (token == chosen) for token in TOKENS])
        elif action == "reserve_top":
            seat.secret_reserve.add(self.decks[chosen].pop())
            self.take_gold(seat)
        elif action == "reserve":
            self.leave_market(chosen)
            seat.open_reserve.add(chosen)
            self.take_gold(seat)
        else:
            yield from self.buy(number, chosen)
        return True

    def buy(self, number: int, card: str) -> Iterator[tuple[int, str, list[str]]]:
        seat = self.seats[number]
        payments = {f"paid={spell(paid)}": paid for paid in seat.list_payments(card)}
        paid = payments[(yield from self.ask(number, "pay.paid", list(payments)))]
        self.move_tokens(seat, [-count for count in paid])
        self.leave_market(card)
        seat.open_reserve.discard(card)
        seat.secret_reserve.discard(card)
        seat.bought.add(card)

    def leave_market(self, card: str) -> None:
        """Takes a card from the table, and turns the next one of its level up. A reserved card is not on the table."""
        level = CARDS[card].level
        if card in self.market[level]:
            self.market[level].remove(card)
            if self.decks[level]:
                self.market[level].add(self.decks[level].pop())

    def take_gold(self, seat: Seat) -> None:
        if self.bank[-1]:
            self.move_tokens(seat, [0, 0, 0, 0, 0, 1])

    def move_tokens(self, seat: Seat, counts: list[int]) -> None:
        """Moves tokens from the bank to the player. Negative counts go back to the bank."""
        for index, count in enumerate(counts):
            self.bank[index] -= count
            seat.tokens[index] += count

    def return_tokens(self, number: int) -> Iterator[tuple[int, str, list[str]]]:
        seat = self.seats[number]
        excess = sum(seat.tokens) - TOKEN_LIMIT
        if excess > 0:
            parts = {f"back={spell(part)}": part for part in list_parts(seat.tokens, excess)}
            back = parts[(yield from self.ask(number, "give_back.back", list(parts)))]
            self.move_tokens(seat, [-count for count in back])

    def receive_noble(self, number: int) -> Iterator[tuple[int, str, list[str]]]:
        """Moves one noble to the player, who chooses among several but cannot refuse. Returns whether one came."""
        seat = self.seats[number]
        visitors = [noble for noble in WANTED if noble in self.nobles and seat.attracts(noble)]
        if not visitors:
            return False
        options = [f"patron={noble}" for noble in visitors]
        noble = (yield from self.ask(number, "welcome.patron", options)).removeprefix("patron=")
        self.nobles.remove(noble)
        seat.nobles.add(noble)
        return True

    def resume(self, position: dict[str, Any]) -> None:
        """Replaces the set-up by a position in the form of `snapshot`. It must be the beginning of a round."""
        self.bank, self.nobles = list(position["bank"]), set(position["patrons"])
        for seat, saved in zip(self.seats, position["seats"], strict=True):
            seat.tokens, seat.bought, seat.nobles = list(saved["tokens"]), set(saved["mines"]), set(saved["guests"])
            seat.open_reserve, seat.secret_reserve = set(saved["held"]), set(saved["secret"])

    def snapshot(self) -> dict[str, Any]:
        return {"bank": list(self.bank), "decks": self.decks, "market": self.market, "patrons": self.nobles,
                "seats": [{"tokens": list(seat.tokens), "bonus": list(seat.bonus()), "points": seat.points(), "bought": len(seat.bought),
                           "mines": seat.bought, "held": seat.open_reserve, "secret": seat.secret_reserve, "guests": seat.nobles}
                          for seat in self.seats]}

    def standing(self) -> list[tuple[int, int]]:
        """Returns the rank and the points of each seat. Equal points go to fewer bought cards, and after that seats share a rank."""
        results = [(seat.points(), -len(seat.bought)) for seat in self.seats]
        return [(1 + sum(other > result for other in results), result[0]) for result in results]
