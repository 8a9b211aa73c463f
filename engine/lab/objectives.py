"""What numbers of a game may be searched for: seats that win equally often, games of a length, a thing that is worth as much as others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean

from ..i18n.user_input import parse_int
from .game_statistics import GameStatistics

NOT_MEASURABLE = math.inf                     # what cannot be judged, since no game came to its end


@dataclass(frozen=True)
class Objective:
    """`seats`: all seats win equally often. `length`, `rounds`: a game takes `goal` decisions or rounds on the average. `worth`: who
    chooses `thing` more often than others fares neither better nor worse (see merits.py)."""

    kind: str
    goal: float = 0.0
    thing: str = ""

    def measure(self, figures: GameStatistics) -> float:
        """What is seen of it: decisions, rounds; for `seats` the largest share of the victories less the smallest (a victory of several is
        shared among them), for `worth` the difference of shares. NEVER where nothing can be seen."""
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
        """How far games are from the aim; 0 is best. Games without an end count as if each missed it wholly."""
        measure = self.measure(figures)
        if measure == NOT_MEASURABLE:
            return NOT_MEASURABLE
        away = abs(measure - self.goal) / (self.goal or 1.0)
        return away + len(figures.games_at_limit) / len(figures.games)


def parse_objective(text: str) -> Objective | None:
    """An aim as it is typed: `seats`, `length=80`, `rounds=12`, `worth=Card.joker`. None when it is none."""
    kind, equals, rest = text.partition("=")
    if kind == "seats" and not equals:
        return Objective(kind)
    if kind in ("length", "rounds") and (goal := parse_int(rest)):
        return Objective(kind, float(goal))
    return Objective(kind, 0.0, rest) if kind == "worth" and rest else None
