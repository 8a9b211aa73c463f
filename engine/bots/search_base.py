"""The base of bots that search: determinizations, estimates, and the counting of work."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from time import monotonic

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.storage.control_slots import PC, RANDOM, SEAT
from ..position.determinize import determinize_position
from ..position.options import DECLINE
from ..position.position import Position, RuleError
from .rng import pick_one, sample_without_replacement

# Errors of rules in a determinization. The search ignores them, since real play reports them.
RULE_ERRORS = (RuleFault, RuleError, ArithmeticError, LookupError, TypeError, ValueError)
WIN_HALF_POINTS = 2                          # certain values count half wins: 0 a loss, 1 a draw, 2 a win
# a playout passes in a menu only if passing is drawn so many times in a row
MAX_PASS_DRAWS = 3
DETERMINIZE_COST_STEPS = 15                           # a determinization costs as much as so many steps


class SearchBase:
    """The search for one decision.

    `left` is the work that may still be done, in steps of the game, `used` the work done. With a limit of `seconds`,
    no work is left when the time is up."""

    def __init__(self, position: Position, seat: int, rng: random.Random, steps: int, seconds: float | None = None) -> None:
        self.position, self.seat, self.rng = position, seat, rng
        self.left, self.used = steps, 0
        self.deadline = None if seconds is None else monotonic() + seconds

    def spend_steps(self, steps: int) -> None:
        """Counts work."""
        self.left -= steps
        self.used += steps
        if self.deadline is not None and monotonic() >= self.deadline:
            self.left = min(self.left, 0)

    def determinize(self) -> Position:
        """Returns a determinization: a position that looks the same to the seat as the real one."""
        self.spend_steps(DETERMINIZE_COST_STEPS)
        return determinize_position(self.position, self.seat, self.rng)

    def seat_estimates(self, position: Position) -> list[int]:
        """Returns the estimate of each seat."""
        self.spend_steps(position.game.players)
        return [position.estimate(seat) for seat in range(position.game.players)]

    def seat_margin(self, values: list[int], seat: int) -> int:
        """Returns the estimate of a seat minus that of its best opponent. Seats of the same team are no opponents."""
        partners = self.position.game.partners[seat]
        return values[seat] - max((value for other, value in enumerate(values) if other not in partners), default=0)

    def random_option(self, world: Position, codes: Sequence[int], rng: random.Random) -> int:
        """Returns a random option, but passes less often in a menu of actions.

        Nobody would often pass there. With uniform choice, seats would idle through much of a playout, and passing
        now would look harmless. When things are picked, to stop picking is as likely as any other option."""
        chosen = pick_one(rng, codes)
        if chosen == DECLINE and len(codes) > 1:
            decision = world.game.module.waits[world.s[PC]].decision
            if decision is not None and decision.menu:
                for _ in range(MAX_PASS_DRAWS - 1):
                    if chosen == DECLINE:
                        chosen = pick_one(rng, codes)
        return chosen

    def best_of_sample(self, world: Position, codes: Sequence[int], count: int, rng: random.Random) -> int:
        """Returns the best of `count` random options, one step ahead, by the estimate of the seat that decides."""
        seat, tried = world.s[SEAT], sample_without_replacement(rng, list(codes), count)
        best, highest = tried[0], None
        for code in tried:
            after = world.copy()
            self.spend_steps(2)
            try:
                after.step(code)
                value = after.estimate(seat)
            except RULE_ERRORS:
                continue
            if highest is None or value > highest:
                best, highest = code, value
        return best


def is_caused_by_choice(before: Position, world: Position) -> bool:
    """Whether the position follows from an opponent's choice before it, without any chance."""
    return bool(before.s[SEAT] != world.s[SEAT] and before.s[RANDOM] == world.s[RANDOM])


def squash(number: float) -> float:
    """Maps any number to a value between -1 and 1."""
    return number / (1 + abs(number))


def sum_left_to_right(numbers: Iterable[float]) -> float:
    """Returns the sum, added from left to right. Python's own `sum` gives different results in different versions."""
    total = 0.0
    for number in numbers:
        total += number
    return total
