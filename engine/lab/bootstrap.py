"""How sure a measure of an aim is, and whether two sets of numbers can be told apart.

Games are drawn anew from those that were played, with replacement, and measured each time (B. Efron, "Bootstrap methods: another look at
the jackknife", 1979). Two sets that were played by the same seeds are drawn by the same seeds, so that less of what differs is chance.
"""

from __future__ import annotations

from typing import Any

import numpy

from .choice_value import has_meaningful_points, seat_shares, share_difference, subtract_seat_means
from .game_statistics import CONFIDENCE_LEVEL, GameStatistics
from .objectives import NOT_MEASURABLE, Objective

Numbers = numpy.ndarray[Any, Any]
BOOTSTRAP_RESAMPLES = 1000                         # times that games are drawn anew


def contributions_by_game(aim: Objective, figures: GameStatistics) -> Numbers:
    """What each game adds to the measure, a row each, in their order; not a number where it adds nothing. The last column: whether it
    had no end."""
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
    """Of each draw, by the places of its games: the measure, and how far it is from the aim."""
    with numpy.errstate(invalid="ignore", divide="ignore"):
        chosen = rows[picks]
        known = ~numpy.isnan(chosen)
        means = numpy.where(known, chosen, 0).sum(axis=1) / known.sum(axis=1)
    measure = means[:, :-1].max(axis=1) - means[:, :-1].min(axis=1) if aim.kind == "seats" else means[:, 0]
    return measure, abs(measure - aim.goal) / (aim.goal or 1.0) + means[:, -1]


def draw_resamples(games: int, seed: int) -> Numbers:
    return numpy.random.default_rng(seed).integers(0, games, (BOOTSTRAP_RESAMPLES, games))


def bootstrap_interval(aim: Objective, figures: GameStatistics, seed: int) -> tuple[float, float]:
    """Between what the measure most likely lies; NEVER where nothing can be seen."""
    if not figures.complete_games:
        return NOT_MEASURABLE, NOT_MEASURABLE
    measure, _ = measure_resamples(aim, contributions_by_game(aim, figures), draw_resamples(len(figures.games), seed))
    measure = measure[~numpy.isnan(measure)]
    if not len(measure):
        return NOT_MEASURABLE, NOT_MEASURABLE
    low, high = numpy.quantile(measure, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    return float(low), float(high)


def is_closer(aim: Objective, one: GameStatistics, other: GameStatistics, seed: int) -> bool:
    """Whether the one is nearer to the aim than the other, more than chance makes it: in 975 of 1000 draws at least. Both have the same
    seeds."""
    if not one.complete_games or not other.complete_games:
        return bool(one.complete_games)
    picks = draw_resamples(len(one.games), seed)
    offs = [measure_resamples(aim, contributions_by_game(aim, figures), picks)[1] for figures in (one, other)]
    return bool(numpy.mean(offs[0] < offs[1]) >= (1 + CONFIDENCE_LEVEL) / 2)
