"""A referee for one deal of Limit Texas Hold'em, with chips that run out.

The sources are the usual published rules. The strength of a hand is the best of all sets of five cards, and a pot is counted chip by chip.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

BETS = (2, 2, 4, 4)                      # the size of a bet in each round
MOST_BETS = 4
BOARD = (0, 3, 4, 5)                     # shared cards in each round

Card = tuple[int, str]                   # rank from 2 to 14, and suit


def rate_five(cards: tuple[Card, ...]) -> tuple[int, list[int]]:
    """Returns the strength of five cards: the category, and the ranks that break ties."""
    ranks = sorted((rank for rank, _ in cards), reverse=True)
    if ranks == [14, 5, 4, 3, 2]:
        ranks = [5, 4, 3, 2, 1]
    straight = len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4
    flush = len({suit for _, suit in cards}) == 1
    groups = sorted(Counter(ranks).items(), key=lambda group: (-group[1], -group[0]))
    shape, ties = [size for _, size in groups], [rank for rank, _ in groups]
    if straight and flush:
        return 8, ties
    if shape[0] == 4:
        return 7, ties
    if shape == [3, 2]:
        return 6, ties
    if flush:
        return 5, ties
    if straight:
        return 4, ties
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), ties


def rate(cards: list[Card]) -> tuple[int, list[int]]:
    """Returns the strength of the best five of seven cards."""
    return max(rate_five(five) for five in combinations(cards, 5))


class Deal:
    """One deal. Seats are numbered clockwise from the left of the dealer. With two players, the dealer is the last of them."""

    def __init__(self, stacks: list[int], hands: list[list[Card]], board: list[Card]) -> None:
        self.stacks, self.hands, self.board = list(stacks), hands, board
        self.count = len(stacks)
        self.put = [0] * self.count                                # in the whole deal
        self.here = [0] * self.count                               # in this round of betting
        self.folded = [False] * self.count
        self.acted = [False] * self.count
        self.street, self.bets, self.level = 0, 1, 2
        small, big = (1, 0) if self.count == 2 else (0, 1)
        self.pay(small, 1)
        self.pay(big, 2)
        self.turn = big
        self.over = False
        self.advance()

    def pay(self, seat: int, chips: int) -> None:
        chips = min(chips, self.stacks[seat])
        self.stacks[seat] -= chips
        self.here[seat] += chips
        self.put[seat] += chips

    def has_rival(self, seat: int) -> bool:
        """Whether another player can still bet."""
        return any(self.stacks[other] and not self.folded[other] for other in range(self.count) if other != seat)

    def must_act(self, seat: int) -> bool:
        if self.folded[seat] or not self.stacks[seat]:
            return False
        behind = self.here[seat] < self.level
        return (behind or not self.acted[seat]) and (behind or self.has_rival(seat))

    def advance(self) -> None:
        """Finds the next player who acts, in this round or a later one, or ends the deal."""
        while not self.over:
            if self.folded.count(False) == 1:
                break
            for step in range(1, self.count + 1):
                if self.must_act(seat := (self.turn + step) % self.count):
                    self.turn = seat
                    return
            if self.street == 3:
                break
            self.street, self.bets, self.level, self.turn = self.street + 1, 0, 0, self.count - 1
            self.here, self.acted = [0] * self.count, [False] * self.count
        self.over = True
        self.divide()

    def legal(self) -> list[str]:
        seat = self.turn
        cost = self.level - self.here[seat]
        found = ["fold", "call"] if cost else ["check"]
        if self.bets < MOST_BETS and self.stacks[seat] >= cost + BETS[self.street] and self.has_rival(seat):
            found.append("raise" if self.level else "bet")
        return found

    def act(self, name: str) -> None:
        seat = self.turn
        self.acted[seat] = True
        if name == "fold":
            self.folded[seat] = True
        elif name != "check":
            if name in ("bet", "raise"):
                self.level += BETS[self.street]
                self.bets += 1
            self.pay(seat, self.level - self.here[seat])
        self.advance()

    def divide(self) -> None:
        """Gives every player what they win. The n-th chips of all players make one pot."""
        alive = [seat for seat in range(self.count) if not self.folded[seat]]
        strength = {seat: rate(self.hands[seat] + self.board) for seat in alive} if len(alive) > 1 else {alive[0]: (0, [])}
        pots: dict[tuple[int, ...], int] = {}
        for chip in range(max(self.put)):
            payers = [seat for seat in range(self.count) if self.put[seat] > chip]
            entitled = tuple(seat for seat in alive if seat in payers)
            pots[entitled, len(payers)] = pots.get((entitled, len(payers)), 0) + len(payers)
        for (entitled, _), chips in pots.items():
            best = max(strength[seat] for seat in entitled)
            winners = [seat for seat in entitled if strength[seat] == best]
            for n, seat in enumerate(winners):
                self.stacks[seat] += chips // len(winners) + (n < chips % len(winners))
