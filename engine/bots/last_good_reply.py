"""Last good replies: a reply that won a playout is used again until it loses.

This is "last good reply with forgetting" (Baier and Drake, 2010). Such replies know what random playouts do
not: which threat must be answered, or which option makes another one possible.

Where no reply is known, the best of a few random options is taken, by the mean value of the playouts in which the
seat took it ("move-average sampling": Finnsson and Björnsson, 2008).

`c/replies.h` does the same, step by step."""

from __future__ import annotations

from collections.abc import Sequence

TABLE_BITS = 15                            # of the slot number; colliding entries overwrite each other
NO_PREVIOUS, ANY_PREVIOUS = -1, -2                   # there was no earlier decision; any earlier decision
AVERAGES_SIZE = 1024                       # slots of the mean values of a seat, by option code
AVERAGED_SAMPLE = 3                        # a random decision takes the best of so many options
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


class OptionAverages:
    """The mean value of the playouts in which a seat took an option, anywhere in the playout."""

    def __init__(self) -> None:
        self.sums: dict[tuple[int, int], tuple[float, int]] = {}         # by seat and slot: total value, number of times

    def find_mean(self, seat: int, code: int) -> float:
        """Returns the mean value of an option for a seat, or 0 if it was never taken."""
        total, count = self.sums.get((seat, code % AVERAGES_SIZE), (0.0, 0))
        return total / count if count else 0.0

    def find_best(self, seat: int, codes: Sequence[int]) -> int:
        """Returns the option with the highest mean value for a seat, the first one if several have it."""
        return max(codes, key=lambda code: self.find_mean(seat, code))

    def update_averages(self, turns: Sequence[Turn], rewards: Sequence[float]) -> None:
        """Adds the decisions of a finished playout."""
        for seat, code in turns:
            total, count = self.sums.get((seat, code % AVERAGES_SIZE), (0.0, 0))
            self.sums[seat, code % AVERAGES_SIZE] = total + rewards[seat], count + 1


def compute_reply_slots(seat: int, turns: Sequence[Turn], n: int) -> list[int]:
    """Returns the slots for the reply in decision `n`: by the two decisions before it, and by the last one alone."""
    last = turns[n - 1][1] if n else NO_PREVIOUS
    before = turns[n - 2][1] if n > 1 else NO_PREVIOUS
    return [
        sum(number * factor for number, factor in zip((seat, last, one), HASH_MULTIPLIERS)) % (WORD_MASK + 1) >> 64 - TABLE_BITS
        for one in (before, ANY_PREVIOUS)
    ]
