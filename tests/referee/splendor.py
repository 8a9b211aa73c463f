"""Splendor in plain Python, from the printed rules of the base game. `decisions` follows the protocol of the other referees.

`start` has what is drawn at random before the first turn: `decks` (the last card of each is on top), `market`, `patrons`, and `first`, the
seat that begins. There is no chance after that. A card is called by its gem and by its number among the cards of this gem.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

GEMS = ("diamond", "sapphire", "emerald", "ruby", "onyx")
# Level, gem, and for each card its points and its cost in these gems.
PRINTED = """
1 diamond 0:03000 0:00021 0:02200 0:01111 0:31001 0:02201 0:01211 1:00400
1 sapphire 0:10002 0:00003 0:10111 0:00202 0:10220 0:10121 0:01310 1:00040
1 emerald 0:21000 0:00030 0:11011 0:02020 0:13100 0:11012 0:01022 1:00004
1 ruby 0:30000 0:02100 0:20020 0:11101 0:21101 0:20102 0:10013 1:40000
1 onyx 0:00300 0:00210 0:20200 0:11110 0:22010 0:12110 0:00131 1:04000
2 diamond 1:00322 1:23030 2:00050 2:00142 2:00053 3:60000
2 sapphire 1:02230 1:02303 2:05000 2:20014 2:53000 3:06000
2 emerald 1:23002 1:30230 2:00500 2:42001 2:05300 3:00600
2 ruby 1:20023 1:03023 2:00005 2:14200 2:30005 3:00060
2 onyx 1:32200 1:30302 2:50000 2:01420 2:00530 3:00006
3 diamond 3:03353 4:00007 4:30036 5:30007
3 sapphire 3:30335 4:70000 4:63003 5:73000
3 emerald 3:53033 4:07000 4:36300 5:07300
3 ruby 3:35303 4:00700 4:03630 5:00730
3 onyx 3:33530 4:00070 4:00363 5:00073
"""
PATRONS = {f"patron_{n}": [int(digit) for digit in wants]
           for n, wants in enumerate(("44000", "40004", "33300", "33003", "30033", "04400", "03330", "00440", "00333", "00044"), 1)}


class Card:
    def __init__(self, name: str, level: int, gem: int, printed: str) -> None:
        points, cost = printed.split(":")
        self.name, self.level, self.gem = name, level, gem
        self.points, self.cost = int(points), [int(digit) for digit in cost]


def read_cards() -> dict[str, Card]:
    """Returns all cards by name, first those of level 1."""
    cards: dict[str, Card] = {}
    counts = dict.fromkeys(GEMS, 0)
    for line in PRINTED.split("\n"):
        level, gem, *rest = line.split() or (0, "")
        for printed in rest:
            counts[gem] += 1
            name = f"{gem}_{counts[gem]}"
            cards[name] = Card(name, int(level), GEMS.index(gem), printed)
    return cards


CARDS = read_cards()
ORDER = {name: n for n, name in enumerate(CARDS)}


class Seat:
    """The cards and tokens of a player. Tokens are counts of the five gems and of gold."""

    def __init__(self) -> None:
        self.tokens = [0] * 6
        self.cards: list[str] = []
        self.open: list[str] = []
        self.closed: list[str] = []
        self.patrons: list[str] = []

    def bonus(self, gem: int) -> int:
        return sum(CARDS[name].gem == gem for name in self.cards)

    @property
    def points(self) -> int:
        return sum(CARDS[name].points for name in self.cards) + 3 * len(self.patrons)

    def payments(self, name: str) -> list[list[int]]:
        """Returns all ways to pay for a card. Gold may replace any token."""
        due = [max(0, cost - self.bonus(gem)) for gem, cost in enumerate(CARDS[name].cost)]
        ranges = [range(min(have, wanted), -1, -1) for have, wanted in zip(self.tokens, due)]
        return [[*gems, sum(due) - sum(gems)] for gems in product(*ranges) if sum(due) - sum(gems) <= self.tokens[5]]


class Splendor:
    """A game of two to four players."""

    def __init__(self, players: int, start: dict[str, Any]) -> None:
        self.decks = {level: list(cards) for level, cards in enumerate(start["decks"], 1)}
        self.market = {level: list(cards) for level, cards in enumerate(start["market"], 1)}
        self.patrons, self.first = list(start["patrons"]), start["first"]
        self.bank = [{2: 4, 3: 5, 4: 7}[players]] * 5 + [5]
        self.seats = [Seat() for _ in range(players)]

    def decisions(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yields (seat, key, options), and receives the option taken. Decisions with one option are taken silently."""
        count = len(self.seats)
        moved = True
        while moved and max(seat.points for seat in self.seats) < 15:
            moved = False
            for n in range(count):
                number = (self.first + n) % count
                moved |= bool(self.list_moves(self.seats[number]))
                yield from self.take_turn(number)

    def ask(self, seat: int, key: str, options: list[str]) -> Iterator[tuple[int, str, list[str]]]:
        if len(options) > 1:
            return (yield seat, key, options)
        return options[0] if options else ""

    def list_moves(self, me: Seat) -> list[str]:
        shown = sorted((name for cards in self.market.values() for name in cards), key=ORDER.__getitem__)
        gems = [gem for gem in range(5) if self.bank[gem]]
        moves = ["take gems=" + "+".join(GEMS[gem] for gem in part) for part in combinations(gems, min(3, len(gems))) if part]
        moves += [f"take_two gem={GEMS[gem]}" for gem in range(5) if self.bank[gem] >= 4]
        moves += [f"buy card={name}" for name in sorted([*shown, *me.open], key=ORDER.__getitem__) if me.payments(name)]
        moves += [f"buy_secret card={name}" for name in sorted(me.closed, key=ORDER.__getitem__) if me.payments(name)]
        if len(me.open) + len(me.closed) < 3:
            moves += [f"reserve card={name}" for name in shown]
            moves += [f"reserve_top level={word}" for level, word in enumerate(("one", "two", "three"), 1) if self.decks[level]]
        return moves

    def take_turn(self, number: int) -> Iterator[tuple[int, str, list[str]]]:
        me = self.seats[number]
        move = yield from self.ask(number, "turn.act", self.list_moves(me))
        action, _, value = move.partition(" ")
        value = value.partition("=")[2]
        if action == "take":
            self.give(me, [int(gem in value.split("+")) for gem in GEMS] + [0])
        elif action == "take_two":
            self.give(me, [2 * (gem == value) for gem in GEMS] + [0])
        elif action in ("buy", "buy_secret"):
            ways = {spell("paid", paid): paid for paid in me.payments(value)}
            paid = yield from self.ask(number, "pay.paid", list(ways))
            self.give(me, [-n for n in ways[paid]])
            self.remove(me, value)
            me.cards.append(value)
        elif action == "reserve":
            self.remove(me, value)
            me.open.append(value)
            self.give_gold(me)
        elif action == "reserve_top":
            me.closed.append(self.decks[("one", "two", "three").index(value) + 1].pop())
            self.give_gold(me)
        over = sum(me.tokens) - 10
        if over > 0:
            parts = product(*(range(min(have, over), -1, -1) for have in me.tokens))
            ways = {spell("back", part): list(part) for part in parts if sum(part) == over}
            back = yield from self.ask(number, "give_back.back", list(ways))
            self.give(me, [-n for n in ways[back]])
        come = [name for name in PATRONS if name in self.patrons
                and all(me.bonus(gem) >= wanted for gem, wanted in enumerate(PATRONS[name]))]
        answer = yield from self.ask(number, "welcome.patron", [f"patron={name}" for name in come])
        if answer:
            name = answer.partition("=")[2]
            self.patrons.remove(name)
            me.patrons.append(name)

    def give(self, me: Seat, counts: list[int]) -> None:
        """Moves tokens from the bank to a player, or back if they are negative."""
        for token, n in enumerate(counts):
            self.bank[token] -= n
            me.tokens[token] += n

    def give_gold(self, me: Seat) -> None:
        self.give(me, [0] * 5 + [min(1, self.bank[5])])

    def remove(self, me: Seat, name: str) -> None:
        """Takes a card away from where it is, and replaces it on the table."""
        for place in (me.open, me.closed):
            if name in place:
                place.remove(name)
                return
        level = CARDS[name].level
        self.market[level].remove(name)
        if self.decks[level]:
            self.market[level].append(self.decks[level].pop())

    def snapshot(self) -> dict[str, Any]:
        return {"bank": self.bank, "decks": [*self.decks.values()], "market": [set(cards) for cards in self.market.values()],
                "patrons": set(self.patrons), "points": [seat.points for seat in self.seats],
                "seats": [(seat.tokens, set(seat.cards), set(seat.open), set(seat.closed), set(seat.patrons)) for seat in self.seats]}

    def standing(self) -> list[tuple[int, int]]:
        """Returns for each seat its points, and minus its number of cards, which decides a tie."""
        return [(seat.points, -len(seat.cards)) for seat in self.seats]


def spell(name: str, counts: Any) -> str:
    """Returns the spelling of a bag of tokens."""
    return f"{name}=" + ("+".join(f"{token}={n}" for token, n in zip((*GEMS, "gold"), counts) if n) or "{}")
