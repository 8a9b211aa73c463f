"""How sure a measure of an aim is, and whether two sets of numbers can be told apart.

Games are drawn anew from those that were played, with replacement, and measured each time (B. Efron, "Bootstrap methods: another look at
the jackknife", 1979). Two sets that were played by the same seeds are drawn by the same seeds, so that less of what differs is chance.
"""

from __future__ import annotations

from typing import Any

import numpy

from .choice_value import by_points, difference, seatless, shares_of
from .game_statistics import SURE, Figures
from .objectives import NEVER, Aim

Numbers = numpy.ndarray[Any, Any]
DRAWN = 1000                         # times that games are drawn anew


def values(aim: Aim, figures: Figures) -> Numbers:
    """What each game adds to the measure, a row each, in their order; not a number where it adds nothing. The last column: whether it
    had no end."""
    games, ended = figures.games, figures.ended
    width = figures.players if aim.kind == "seats" else 1
    out = numpy.full((len(games), width + 1), numpy.nan)
    out[:, width] = [game.stalled for game in games]
    at = [n for n, game in enumerate(games) if game.ended]
    match aim.kind:
        case "seats":
            rows: list[list[float]] = [[game.won(seat) for seat in range(width)] for game in ended]
        case "worth":
            shares = seatless([shares_of(game, by_points(ended)) for game in ended])
            found = [difference(game.chosen.get(aim.thing, []), share) for game, share in zip(ended, shares)]
            rows = [[numpy.nan if one is None else one] for one in found]
        case _:
            rows = [[game.rounds if aim.kind == "rounds" else game.decisions] for game in ended]
    if rows:
        out[at, :width] = rows
    return out


def drawn(aim: Aim, rows: Numbers, picks: Numbers) -> tuple[Numbers, Numbers]:
    """Of each draw, by the places of its games: the measure, and how far it is from the aim."""
    with numpy.errstate(invalid="ignore", divide="ignore"):
        chosen = rows[picks]
        known = ~numpy.isnan(chosen)
        means = numpy.where(known, chosen, 0).sum(axis=1) / known.sum(axis=1)
    measure = means[:, :-1].max(axis=1) - means[:, :-1].min(axis=1) if aim.kind == "seats" else means[:, 0]
    return measure, abs(measure - aim.goal) / (aim.goal or 1.0) + means[:, -1]


def picks_of(games: int, seed: int) -> Numbers:
    return numpy.random.default_rng(seed).integers(0, games, (DRAWN, games))


def interval(aim: Aim, figures: Figures, seed: int) -> tuple[float, float]:
    """Between what the measure most likely lies; NEVER where nothing can be seen."""
    if not figures.ended:
        return NEVER, NEVER
    measure, _ = drawn(aim, values(aim, figures), picks_of(len(figures.games), seed))
    measure = measure[~numpy.isnan(measure)]
    if not len(measure):
        return NEVER, NEVER
    low, high = numpy.quantile(measure, [(1 - SURE) / 2, (1 + SURE) / 2])
    return float(low), float(high)


def nearer(aim: Aim, one: Figures, other: Figures, seed: int) -> bool:
    """Whether the one is nearer to the aim than the other, more than chance makes it: in 975 of 1000 draws at least. Both have the same
    seeds."""
    if not one.ended or not other.ended:
        return bool(one.ended)
    picks = picks_of(len(one.games), seed)
    offs = [drawn(aim, values(aim, figures), picks)[1] for figures in (one, other)]
    return bool(numpy.mean(offs[0] < offs[1]) >= (1 + SURE) / 2)
