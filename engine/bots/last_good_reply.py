"""What was replied to a decision in a playout, and won: it is replied again in those that follow, until it loses ("last good reply with
forgetting": Baier and Drake, 2010). Such replies know what a playout by chance does not: that a threat is answered, or that an option lets
another come about.

`c/replies.h` does the same, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence

TABLE_BITS = 15                            # of the number of a place where a reply is kept; what falls on the same place is mixed up
NO_PREVIOUS, ANY_PREVIOUS = -1, -2                   # there was no decision before; whatever it was
HASH_MULTIPLIERS = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD_MASK = (1 << 64) - 1

Turn = tuple[int, int]               # a seat, and the code of the option that it took


class LastGoodReplies:
    """The replies that won lately."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def find_reply(self, seat: int, made: Sequence[Turn], codes: Sequence[int]) -> int | None:
        """A reply of a seat to the last two decisions, or else to the last, if it is offered."""
        for at in table_slots(seat, made, len(made)):
            code = self.known.get(at)
            if code is not None and code in codes:
                return code
        return None

    def learn(self, made: Sequence[Turn], worth: Sequence[float]) -> None:
        """A playout is over: what won is kept, what did not is forgotten."""
        for n, (seat, code) in enumerate(made):
            for at in table_slots(seat, made, n):
                if worth[seat] == 1:
                    self.known[at] = code
                elif worth[seat] == 0 and self.known.get(at) == code:
                    del self.known[at]


def table_slots(seat: int, made: Sequence[Turn], n: int) -> list[int]:
    """Where replies are kept to the two decisions before the one with this number, and to the last alone."""
    last = made[n - 1][1] if n else NO_PREVIOUS
    before = made[n - 2][1] if n > 1 else NO_PREVIOUS
    return [
        sum(number * factor for number, factor in zip((seat, last, one), HASH_MULTIPLIERS)) % (WORD_MASK + 1) >> 64 - TABLE_BITS
        for one in (before, ANY_PREVIOUS)
    ]
