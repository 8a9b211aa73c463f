"""Last good replies: a reply that won a playout is used again until it loses.

This is "last good reply with forgetting" (Baier and Drake, 2010). Such replies know what random playouts do
not: which threat must be answered, or which option makes another one possible.

`c/replies.h` does the same, step by step."""

from __future__ import annotations

from collections.abc import Sequence

TABLE_BITS = 15                            # of the slot number; colliding entries overwrite each other
NO_PREVIOUS, ANY_PREVIOUS = -1, -2                   # there was no earlier decision; any earlier decision
HASH_MULTIPLIERS = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD_MASK = (1 << 64) - 1

Turn = tuple[int, int]               # a seat, and the code of the option that it took


class LastGoodReplies:
    """The replies that won most recently."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def find_reply(self, seat: int, turns: Sequence[Turn], codes: Sequence[int]) -> int | None:
        """Returns a stored reply to the last two decisions, else to the last one, if it is among `codes`."""
        for at in compute_reply_slots(seat, turns, len(turns)):
            code = self.known.get(at)
            if code is not None and code in codes:
                return code
        return None

    def update_replies(self, turns: Sequence[Turn], rewards: Sequence[float]) -> None:
        """Stores the decisions of winners of a finished playout, and removes those of losers."""
        for n, (seat, code) in enumerate(turns):
            for at in compute_reply_slots(seat, turns, n):
                if rewards[seat] == 1:
                    self.known[at] = code
                elif rewards[seat] == 0 and self.known.get(at) == code:
                    del self.known[at]


def compute_reply_slots(seat: int, turns: Sequence[Turn], n: int) -> list[int]:
    """Returns the slots for the reply in decision `n`: by the two decisions before it, and by the last one alone."""
    last = turns[n - 1][1] if n else NO_PREVIOUS
    before = turns[n - 2][1] if n > 1 else NO_PREVIOUS
    return [
        sum(number * factor for number, factor in zip((seat, last, one), HASH_MULTIPLIERS)) % (WORD_MASK + 1) >> 64 - TABLE_BITS
        for one in (before, ANY_PREVIOUS)
    ]
