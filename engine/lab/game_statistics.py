"""What many games say of a game: who is first, how long it lasts, how points are spread, whether a lead can be made up for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist, fmean, median, pstdev, quantiles
from typing import Any

from .playout import MARKS, Played
from .significance import binomial, settled

SHARES = ("seat", "shared", "stalled")                 # measures that are shares of games: told in hundredths
SURE = 0.95                          # of 100 intervals so made, so many hold the true value


def interval(hits: float, tries: int, sure: float = SURE) -> tuple[float, float]:
    """Between which shares the true one lies, in 95 of 100 cases: the score interval of E. B. Wilson, "Probable inference, the law of
    succession, and statistical inference" (1927), which holds for few tries and for shares near 0 and 1 too."""
    if not tries:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + sure) / 2)
    share, square = hits / tries, z * z
    middle = (share + square / (2 * tries)) / (1 + square / tries)
    half = z * math.sqrt(share * (1 - share) / tries + square / (4 * tries * tries)) / (1 + square / tries)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Share:
    """How many of how many, and between which shares the true one most likely lies."""

    hits: int
    tries: int

    @property
    def value(self) -> float:
        return self.hits / self.tries if self.tries else 0.0

    @property
    def ends(self) -> tuple[float, float]:
        return interval(self.hits, self.tries)

    def data(self) -> dict[str, Any]:
        low, high = self.ends
        return {"hits": self.hits, "tries": self.tries, "low": round(low, 4), "high": round(high, 4)}


@dataclass(frozen=True)
class Spread:
    """How numbers are spread: their mean, standard deviation, ends and quartiles."""

    mean: float
    deviation: float
    low: float
    quarter: float
    middle: float
    three_quarters: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Of one number at least."""
        cut = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        return cls(fmean(values), pstdev(values), min(values), cut[0], cut[1], cut[2], max(values))

    def data(self) -> dict[str, float]:
        return {"mean": round(self.mean, 4), "deviation": round(self.deviation, 4), "low": self.low, "quarter": self.quarter,
                "median": self.middle, "three_quarters": self.three_quarters, "high": self.high}


def span_of(values: Sequence[int]) -> dict[str, float] | None:
    """The ends and the middle of numbers in their order."""
    return {"low": values[0], "median": median(values), "high": values[-1]} if values else None


class Figures:
    """What was seen in some games by the same rules. Ties count for nobody where winners are counted."""

    def __init__(self, players: int, games: Iterable[Played]) -> None:
        self.players, self.games = players, list(games)

    @cached_property
    def ended(self) -> list[Played]:
        return [game for game in self.games if game.ended]

    @property
    def stalled(self) -> list[Played]:
        return [game for game in self.games if game.stalled]

    @property
    def faults(self) -> list[tuple[Played, int]]:
        """For each thing that went wrong the first game in which it was seen, and in how many it was."""
        found: dict[tuple[str, str, int], tuple[Played, int]] = {}
        for game in self.games:
            if game.fault is not None:
                key = game.fault.code, game.fault.file, game.fault.line
                first, count = found.get(key, (game, 0))
                found[key] = first, count + 1
        return list(found.values())

    @property
    def lengths(self) -> list[int]:
        return sorted(game.decisions for game in self.ended)

    @cached_property
    def rounds(self) -> list[int]:
        """How many rounds each game took; none where the game does not go in rounds, or where each is a single decision."""
        counted = any(game.rounds for game in self.ended) and any(game.rounds != game.decisions for game in self.ended)
        return sorted(game.rounds for game in self.ended) if counted else []

    @property
    def shared(self) -> int:
        """How many games had several first ones."""
        return sum(len(game.first) > 1 for game in self.ended)

    def won(self, seat: int) -> Share:
        """How many games a seat won alone."""
        return Share(sum(game.first == [seat] for game in self.ended), len(self.ended))

    @property
    def even(self) -> float:
        """What share of the games each seat would win alone if all were alike."""
        return (1 - self.shared / len(self.ended)) / self.players if self.ended else 0.0

    @cached_property
    def evens(self) -> list[bool]:
        """Of each seat, of each thing of a player (`roles`), and of who decided first, in this order: whether the share of victories
        differs from an even one more than chance. All share 5 in 100 alarms."""
        shares = [*map(self.won, range(self.players)), *(share for members in self.roles.values() for share in members.values()),
                  *([self.beginners] if self.beginners is not None else [])]
        return settled([binomial(share.hits, share.tries, self.even) for share in shares], 1 - SURE)

    @cached_property
    def scored(self) -> bool:
        return any(game.scores for game in self.ended)

    def scores(self, seat: int) -> Spread:
        return Spread.of([game.scores[seat] for game in self.ended])

    @cached_property
    def terms(self) -> dict[str, list[float]]:
        """The parts of the points and what each gave, on the average, to each seat."""
        names = dict.fromkeys(name for game in self.ended for name in game.terms)
        return {name: [fmean(game.terms.get(name, [0] * self.players)[seat] for game in self.ended) for seat in range(self.players)]
                for name in names}

    # ------------------------------------------------------------ who had what

    @cached_property
    def roles(self) -> dict[str, dict[str, Share]]:
        """Of each thing that belonged to a player all game long how often its owner won. What always belongs to the same seat says no more
        than the seat."""
        found: dict[str, dict[str, Share]] = {}
        for name in dict.fromkeys(name for game in self.ended for name in game.roles):
            held = [game for game in self.ended if name in game.roles]
            if all(game.roles[name] == held[0].roles[name] for game in held):
                continue
            for member in dict.fromkeys(member for game in held for member in game.roles[name]):
                with_it = [game for game in held if member in game.roles[name]]
                found.setdefault(name, {})[member] = Share(sum(game.first == [game.roles[name][member]] for game in with_it), len(with_it))
        return found

    @cached_property
    def beginners(self) -> Share | None:
        """How often who decided first won, where that is not always the same seat."""
        if len({game.began for game in self.ended}) < 2:
            return None
        return Share(sum(game.first == [game.began] for game in self.ended), len(self.ended))

    # ------------------------------------------------------------ leads

    def led(self, mark: int) -> Share:
        """Of the games in which somebody led alone after this part of the decisions (MARKS), in how many the same player won alone. Who
        leads is what the game's own estimate says, asked at the end of each round."""
        ahead = [game for game in self.ended if game.leads[mark] >= 0]
        return Share(sum(game.first == [game.leads[mark]] for game in ahead), len(ahead))

    @cached_property
    def runaways(self) -> Share:
        """Games in which one player led after a quarter, never had another before them, and won."""
        kept = [game for game in self.ended if game.leads[0] >= 0 and not game.swaps and game.first == [game.leads[0]]]
        return Share(len(kept), len(self.ended))

    # ------------------------------------------------------------ as data

    def data(self, names: Sequence[str]) -> dict[str, Any]:
        """With the keys that programs read; `names`: the seats in the rules."""
        lengths = self.lengths
        seats = []
        for seat, name in enumerate(names):
            share = self.won(seat)
            low, high = share.ends
            seats.append({"seat": seat, "name": name, "won": share.hits, "low": round(low, 4), "high": round(high, 4)})
            if self.scored:
                seats[-1]["scores"] = self.scores(seat).data()
        out: dict[str, Any] = {
            "games": len(self.games), "ended": len(self.ended), "stalled": [game.seed for game in self.stalled],
            "decisions": span_of(lengths), "rounds": span_of(self.rounds), "seats": seats, "shared": self.shared,
            "terms": {name: [round(value, 4) for value in values] for name, values in self.terms.items()},
            "roles": {name: {member: share.data() for member, share in members.items()} for name, members in self.roles.items()},
            "first_to_decide": self.beginners.data() if self.beginners is not None else None}
        if self.ended:
            out["led"] = {str(mark): self.led(n).data() for n, mark in enumerate(MARKS)}
            out["runaways"] = self.runaways.data()
        return out
