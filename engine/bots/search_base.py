"""What all bots share that think before they choose: worlds as their seat may imagine them, estimates, and the work that it costs."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.storage.control_slots import PC, SEAT
from ..position.options import DECLINE
from ..position.position import Position, RuleError
from ..position.visibility import determinize_position
from .rng import pick_one, sample_without_replacement

# A rule fails in an imagined world. Playing would say so.
RULE_ERRORS = (RuleFault, RuleError, ArithmeticError, LookupError, TypeError, ValueError)
WIN_HALF_POINTS = 2                          # what is certain is counted in halves of a victory: a loss, a draw, all of it
# where deeds are offered, doing nothing comes only if it is drawn so many times one after the other
MAX_PASS_DRAWS = 3
DETERMINIZE_COST_STEPS = 15                           # imagining a world is as much work as so many steps


class SearchBase:
    """The thoughts about one decision: `left` is the work that may still be done, in steps of the game, `used` what was."""

    def __init__(self, position: Position, seat: int, rng: random.Random, steps: int) -> None:
        self.position, self.seat, self.rng = position, seat, rng
        self.left, self.used = steps, 0

    def spend_steps(self, steps: int) -> None:
        self.left -= steps
        self.used += steps

    def determinize(self) -> Position:
        """A world that looks to the seat like the true one."""
        self.spend_steps(DETERMINIZE_COST_STEPS)
        return determinize_position(self.position, self.seat, self.rng)

    def seat_estimates(self, position: Position) -> list[int]:
        """The estimate for every seat."""
        self.spend_steps(position.game.players)
        return [position.estimate(seat) for seat in range(position.game.players)]

    def seat_margin(self, values: list[int], seat: int) -> int:
        """A seat's estimate less that of its best rival."""
        return values[seat] - max((value for other, value in enumerate(values) if other != seat), default=0)

    def random_option(self, world: Position, codes: Sequence[int], rng: random.Random) -> int:
        """Any option; but where a menu offers deeds, to do none of them is seldom what anybody would: it is drawn anew. Else everybody
        would go through much of a playout idly, and who does nothing now would seem to miss nothing. Where things are picked, to pick
        no more is as good as any other number of them."""
        chosen = pick_one(rng, codes)
        if chosen == DECLINE and len(codes) > 1:
            decision = world.game.module.waits[world.s[PC]].decision
            if decision is not None and decision.menu:
                for _ in range(MAX_PASS_DRAWS - 1):
                    if chosen == DECLINE:
                        chosen = pick_one(rng, codes)
        return chosen

    def best_of_sample(self, world: Position, codes: Sequence[int], count: int, rng: random.Random) -> int:
        """Of a few options the one that is best one step ahead for the seat that must decide."""
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
