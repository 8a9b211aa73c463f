"""Bootstrap intervals for an objective, and a test whether one set of numbers comes closer to it than another.

Games are resampled with replacement from the games that were played, and each resample is measured (see
statistics.py). Two sets of numbers that were played with the same seeds are resampled with the same picks.
This removes a part of the random variation from their difference."""

from __future__ import annotations

from typing import Any

import numpy

from .choice_value import has_meaningful_points, seat_shares, share_difference, subtract_seat_means
from .game_statistics import GameStatistics
from .objectives import NOT_MEASURABLE, Objective
from .statistics import CONFIDENCE_LEVEL, draw_resamples, quantile_interval

Numbers = numpy.ndarray[Any, Any]


def contributions_by_game(aim: Objective, figures: GameStatistics) -> Numbers:
    """Returns what each game contributes to the measure: one row per game, in their order.

    A game without a contribution has NaN. The last column is 1 for games that reached the decision limit, else 0."""
    games, ended = figures.games, figures.complete_games
    width = figures.players if aim.kind == "seats" else 1
    out = numpy.full((len(games), width + 1), numpy.nan)
    out[:, width] = [game.stalled for game in games]
    at = [n for n, game in enumerate(games) if game.has_ended]
    match aim.kind:
        case "seats":
            rows: list[list[float]] = [[game.victory_share(seat) for seat in range(width)] for game in ended]
        case "worth":
            shares = subtract_seat_means([seat_shares(game, has_meaningful_points(ended)) for game in ended])
            found = [share_difference(game.chosen.get(aim.thing, []), share) for game, share in zip(ended, shares)]
            rows = [[numpy.nan if one is None else one] for one in found]
        case _:
            rows = [[game.rounds if aim.kind == "rounds" else game.decisions] for game in ended]
    if rows:
        out[at, :width] = rows
    return out


def measure_resamples(aim: Objective, rows: Numbers, picks: Numbers) -> tuple[Numbers, Numbers]:
    """Returns two arrays with one entry per resample: the measure, and its distance from the goal.

    Each row of `picks` has the indices of the games in one resample."""
    with numpy.errstate(invalid="ignore", divide="ignore"):
        chosen = rows[picks]
        known = ~numpy.isnan(chosen)
        means = numpy.where(known, chosen, 0).sum(axis=1) / known.sum(axis=1)
    measure = means[:, :-1].max(axis=1) - means[:, :-1].min(axis=1) if aim.kind == "seats" else means[:, 0]
    return measure, abs(measure - aim.goal) / (aim.goal or 1.0) + means[:, -1]


def bootstrap_interval(aim: Objective, figures: GameStatistics, seed: int) -> tuple[float, float]:
    """Returns the bootstrap confidence interval of the measure, or NOT_MEASURABLE twice if no game shows it."""
    if not figures.complete_games:
        return NOT_MEASURABLE, NOT_MEASURABLE
    measure, _ = measure_resamples(aim, contributions_by_game(aim, figures), draw_resamples(len(figures.games), seed))
    measure = measure[~numpy.isnan(measure)]
    if not len(measure):
        return NOT_MEASURABLE, NOT_MEASURABLE
    return quantile_interval(measure)


def is_closer(aim: Objective, one: GameStatistics, other: GameStatistics, seed: int) -> bool:
    """Whether `one` is significantly closer to the objective than `other`: in at least 975 of 1000 resamples.

    Both must have been played with the same seeds."""
    if not one.complete_games or not other.complete_games:
        return bool(one.complete_games)
    picks = draw_resamples(len(one.games), seed)
    offs = [measure_resamples(aim, contributions_by_game(aim, figures), picks)[1] for figures in (one, other)]
    return bool(numpy.mean(offs[0] < offs[1]) >= (1 + CONFIDENCE_LEVEL) / 2)
