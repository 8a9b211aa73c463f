"""How far previews may look ahead: one budget of steps for all options of a decision, and the limits of a single search."""

from __future__ import annotations

from dataclasses import dataclass

OPTIONS_PER_BUDGET = 12                         # more options than this increase a budget in proportion
ON_DEMAND_FACTOR = 24                           # on request, a budget is so many times larger


@dataclass
class PreviewBudget:
    """The steps that lookahead has taken, and may take before its current phase is given up.

    Steps are counted instead of time, so that previews are the same on every machine."""

    spent: int = 0
    limit: float = float("inf")

    MAX_OPTIONS = 80                            # with more options, previews are made one at a time on request
    # for all options together: their own effects, guaranteed effects of continuations, the best continuations
    EFFECTS, GUARANTEED, CONTINUATIONS = 480, 400, 250
    # for one option on request
    ONE_GUARANTEED, ONE_CONTINUATIONS = 2400, 8000
    # one search: decisions taken automatically, own choices in a row, answers of others, continuations whose tables are compared
    MAX_FORCED, MAX_CHAIN, MAX_ANSWERS, MAX_TABLES = 60, 12, 40, 12

    @property
    def is_exceeded(self) -> bool:
        """Whether the current phase has taken too many steps."""
        return self.spent > self.limit

    def allow(self, steps: int, options: int = OPTIONS_PER_BUDGET) -> None:
        """Begins a phase that may take so many steps, more in proportion for more options."""
        self.limit = self.spent + steps * options // OPTIONS_PER_BUDGET

    def extend(self, steps: int, options: int) -> None:
        """Begins a phase that may also take what the phase before it has left."""
        self.limit += steps * options // OPTIONS_PER_BUDGET
