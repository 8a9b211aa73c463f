"""Objectives of tuning: equal chances for all seats, a certain game length, or a thing that is worth as much as
others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean

from ..i18n.user_input import parse_int
from .game_statistics import GameStatistics

NOT_MEASURABLE = math.inf                     # for example because no game reached its end


@dataclass(frozen=True)
class Objective:
    """The objective of tuning.

    | kind | objective |
    |---|---|
    | `seats` | all seats win equally often |
    | `length`, `rounds` | a game takes `goal` decisions or rounds on average |
    | `worth` | choosing `thing` more often than others is neither good nor bad (see choice_value.py) |"""

    kind: str
    goal: float = 0.0
    thing: str = ""

    def measure(self, figures: GameStatistics) -> float:
        """Returns the measured value, or NOT_MEASURABLE.

        This is the mean number of decisions or rounds. For `seats` it is the largest share of victories minus the
        smallest, where a shared victory is split. For `worth` it is the difference of shares."""
        if not figures.complete_games:
            return NOT_MEASURABLE
        match self.kind:
            case "length":
                return fmean(figures.lengths)
            case "rounds":
                return fmean(game.rounds for game in figures.complete_games)
            case "worth":
                from .choice_value import compute_choice_values
                found = next((merit.by for merit in compute_choice_values(figures.games) if merit.thing == self.thing), None)
                return NOT_MEASURABLE if found is None else found
        shares = [fmean(game.victory_share(seat) for game in figures.complete_games) for seat in range(figures.players)]
        return max(shares) - min(shares)

    def distance(self, figures: GameStatistics) -> float:
        """Returns the distance from the objective; 0 is best. Each game at the decision limit counts as a complete miss."""
        measure = self.measure(figures)
        if measure == NOT_MEASURABLE:
            return NOT_MEASURABLE
        away = abs(measure - self.goal) / (self.goal or 1.0)
        return away + len(figures.games_at_limit) / len(figures.games)


def parse_objective(text: str) -> Objective | None:
    """Returns an objective from user input: `seats`, `length=80`, `rounds=12`, `worth=Card.joker`.

    None if it is invalid."""
    kind, equals, rest = text.partition("=")
    if kind == "seats" and not equals:
        return Objective(kind)
    if kind in ("length", "rounds") and (goal := parse_int(rest)):
        return Objective(kind, float(goal))
    return Objective(kind, 0.0, rest) if kind == "worth" and rest else None
