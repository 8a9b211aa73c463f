"""Counted games played by bots: do the laws hold, do the rules fail, how long does a game last, who is first, does it end at all?

A game is named by its seed: `ludoglot play` with the same bots and the same seed plays the same one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...dsl.diagnostics import Diagnostic
from ...dsl.storage.control import OPTIONS
from ..bots.bots import BOTS, generator
from ..position.position import Decision, Game

LIMIT = 20_000                       # decisions after which a game counts as one that does not end
SURE = 1.959964                      # of a normal distribution, so much lies within 95 of 100


@dataclass(frozen=True)
class Moment:
    """Where in which game something was seen; `number` counts decisions from 1, and is 0 in the set-up."""

    seed: int
    number: int
    key: str = ""
    option: str = ""


@dataclass(frozen=True)
class Played:
    """One game: how many decisions it took, who was first, and what went wrong; `stalled`: it was cut off."""

    seed: int
    decisions: int
    first: tuple[int, ...] = ()
    stalled: bool = False
    fault: Diagnostic | None = None
    moment: Moment | None = None


@dataclass
class Report:
    """What was seen in all games."""

    players: int
    games: list[Played] = field(default_factory=list)

    @property
    def ended(self) -> list[Played]:
        return [game for game in self.games if game.fault is None and not game.stalled]

    @property
    def stalled(self) -> list[Played]:
        return [game for game in self.games if game.stalled]

    @property
    def faults(self) -> list[tuple[Diagnostic, Moment, int]]:
        """Each thing that went wrong, with the first moment when it was seen, and in how many games it was."""
        found: dict[Any, tuple[Diagnostic, Moment, int]] = {}
        for game in self.games:
            if game.fault is not None and game.moment is not None:
                key = game.fault.code, game.fault.place
                first = found.get(key, (game.fault, game.moment, 0))
                found[key] = (first[0], first[1], first[2] + 1)
        return list(found.values())

    @property
    def lengths(self) -> list[int]:
        return sorted(game.decisions for game in self.ended)

    @property
    def shared(self) -> int:
        """How many games had several first ones."""
        return sum(len(game.first) > 1 for game in self.ended)

    def won(self, seat: int) -> int:
        """How many games a seat won alone."""
        return sum(game.first == (seat,) for game in self.ended)


def simulate(game: Game, games: int, seed: int = 1, bot: str = "random", limit: int = LIMIT) -> Iterator[Played]:
    """So many games, by seeds from `seed` on, each when it has been played."""
    for n in range(games):
        yield play(game, seed + n, bot, limit)


def play(game: Game, seed: int, bot: str = "random", limit: int = LIMIT) -> Played:
    """One game. Every law of the rules is looked at after each decision, and the first thing that goes wrong ends it."""
    position = game.new(seed)
    number, code = 0, 0
    decision: Decision | None = None
    try:
        position.step(0)
        while True:
            broken = position.broken_law()
            if broken is not None:
                return Played(seed, number, fault=broken, moment=moment(seed, number, decision, code))
            decision = position.decision
            if decision is None:
                first = tuple(sorted(rank.seat for rank in position.standing() if rank.rank == 1))
                return Played(seed, number, first)
            if number >= limit:
                return Played(seed, number, stalled=True)
            codes = position.s[OPTIONS]
            alone = len(codes) == 1
            code = codes[0] if alone else BOTS[bot](position, decision.seat, generator(seed, decision.seat, number))
            number += 1
            position.step(code)
    except Exception as error:                                     # whatever it is, the rules did it
        return Played(seed, number, fault=game.fault(error, error.__traceback__, position.s), moment=moment(seed, number, decision, code))


def moment(seed: int, number: int, decision: Decision | None, code: int) -> Moment:
    if decision is None:
        return Moment(seed, number)
    return Moment(seed, number, decision.key, decision.option(code).spelling)


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Between which shares the true one lies, in 95 of 100 cases (Wilson)."""
    if not tries:
        return 0.0, 1.0
    share, square = hits / tries, SURE * SURE
    middle = (share + square / (2 * tries)) / (1 + square / tries)
    half = SURE * math.sqrt(share * (1 - share) / tries + square / (4 * tries * tries)) / (1 + square / tries)
    return max(0.0, middle - half), min(1.0, middle + half)
