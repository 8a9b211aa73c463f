"""Statistics over many games: who wins, how long games last, how points are distributed, how often a lead is
lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median, pstdev, quantiles
from typing import Any

from .playout import LEAD_FRACTIONS, GameResult
from .statistics import CONFIDENCE_LEVEL, binomial_p_value, holm_test, wilson_interval

SHARE_MEASURES = ("seat", "team", "role", "began", "shared", "stalled")     # measures that are shares of games, shown in percent


@dataclass(frozen=True)
class SampleProportion:
    """A proportion of a sample, `hits` of `tries`, with its confidence interval."""

    hits: int
    tries: int

    @property
    def value(self) -> float:
        return self.hits / self.tries if self.tries else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the proportion."""
        return wilson_interval(self.hits, self.tries)

    def data(self) -> dict[str, Any]:
        low, high = self.interval
        return {"hits": self.hits, "tries": self.tries, "low": round(low, 4), "high": round(high, 4)}


@dataclass(frozen=True)
class DistributionSummary:
    """The distribution of some numbers: mean, standard deviation, minimum, quartiles and maximum."""

    mean: float
    deviation: float
    low: float
    quarter: float
    middle: float
    three_quarters: float
    high: float

    @classmethod
    def from_values(cls, values: Sequence[float]) -> DistributionSummary:
        """Returns the summary of at least one number."""
        cut = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        return cls(fmean(values), pstdev(values), min(values), cut[0], cut[1], cut[2], max(values))

    def data(self) -> dict[str, float]:
        return {"mean": round(self.mean, 4), "deviation": round(self.deviation, 4), "low": self.low, "quarter": self.quarter,
                "median": self.middle, "three_quarters": self.three_quarters, "high": self.high}


def summarize_range(values: Sequence[int]) -> dict[str, float] | None:
    """Returns the minimum, median and maximum of sorted numbers, or None if there are none."""
    return {"low": values[0], "median": median(values), "high": values[-1]} if values else None


def find_changing_roles(games: Iterable[Mapping[str, Mapping[str, int]]]) -> list[tuple[str, str]]:
    """Returns the roles of games as pairs of state and member.

    A state is left out if it assigns its members to the same seats in every game."""
    roles = list(games)
    found = []
    for name in dict.fromkeys(name for game in roles for name in game):
        held = [game[name] for game in roles if name in game]
        if any(one != held[0] for one in held):
            found += [(name, member) for member in dict.fromkeys(member for one in held for member in one)]
    return found


class GameStatistics:
    """Statistics over games played by the same rules.

    If several teams share first place, none of them counts as the winner. Without teams, each seat is its own team."""

    def __init__(self, players: int, games: Iterable[GameResult]) -> None:
        self.players, self.games = players, list(games)

    @cached_property
    def complete_games(self) -> list[GameResult]:
        """The games that reached their end."""
        return [game for game in self.games if game.has_ended]

    @cached_property
    def teams(self) -> list[list[int]]:
        """The seats of each team."""
        return next((game.teams for game in self.complete_games if game.teams), [[seat] for seat in range(self.players)])

    @property
    def games_at_limit(self) -> list[GameResult]:
        """The games that reached the decision limit."""
        return [game for game in self.games if game.stalled]

    @property
    def fault_counts(self) -> list[tuple[GameResult, int]]:
        """The distinct faults of the rules: the first game with each, and the number of games with it."""
        found: dict[tuple[str, str, int], tuple[GameResult, int]] = {}
        for game in self.games:
            if game.fault is not None:
                key = game.fault.code, game.fault.file, game.fault.line
                first, count = found.get(key, (game, 0))
                found[key] = first, count + 1
        return list(found.values())

    @property
    def lengths(self) -> list[int]:
        """The sorted numbers of decisions per finished game."""
        return sorted(game.decisions for game in self.complete_games)

    @cached_property
    def rounds(self) -> list[int]:
        """The sorted numbers of rounds per game. Empty if the game has no rounds, or if each round is one decision."""
        counted = any(game.rounds for game in self.complete_games) and any(game.rounds != game.decisions for game in self.complete_games)
        return sorted(game.rounds for game in self.complete_games) if counted else []

    @property
    def tie_count(self) -> int:
        """The number of games in which several teams share first place."""
        return sum(len(game.winning_teams) > 1 for game in self.complete_games)

    def win_share(self, seat: int) -> SampleProportion:
        """Returns the share of games that a seat's team won alone."""
        return SampleProportion(sum(game.victory_share(seat) == 1 for game in self.complete_games), len(self.complete_games))

    @property
    def even_share(self) -> float:
        """The share of games that each team would win alone if all teams were equally strong."""
        return (1 - self.tie_count / len(self.complete_games)) / len(self.teams) if self.complete_games else 0.0

    @cached_property
    def uneven_flags(self) -> list[bool]:
        """Whether each share of victories differs significantly from an even one.

        There is one flag for each team, then one for each role (`role_win_shares`), then one for the seat that
        decided first. All of them share a false alarm rate of 5 in 100 (Holm's method)."""
        shares = [
            *(self.win_share(team[0]) for team in self.teams),
            *(share for members in self.role_win_shares.values() for share in members.values()),
            *([self.first_decider_win_share] if self.first_decider_win_share is not None else []),
        ]
        return holm_test([binomial_p_value(share.hits, share.tries, self.even_share) for share in shares], 1 - CONFIDENCE_LEVEL)

    @cached_property
    def has_scores(self) -> bool:
        return any(game.scores for game in self.complete_games)

    def score_summary(self, seat: int) -> DistributionSummary:
        """Returns the distribution of a seat's scores."""
        return DistributionSummary.from_values([game.scores[seat] for game in self.complete_games])

    @cached_property
    def mean_terms(self) -> dict[str, list[float]]:
        """The mean of each term of the score, by seat."""
        names = dict.fromkeys(name for game in self.complete_games for name in game.terms)
        return {
            name: [fmean(game.terms.get(name, [0] * self.players)[seat] for game in self.complete_games) for seat in range(self.players)]
            for name in names
        }

    # ------------------------------------------------------------ roles

    @cached_property
    def role_win_shares(self) -> dict[str, dict[str, SampleProportion]]:
        """How often the owner of each role won, by state and member.

        A role is a member that belongs to a player for the whole game, such as a colour. A state is left out if it
        assigns its members to the same seats in every game."""
        found: dict[str, dict[str, SampleProportion]] = {}
        for name, member in find_changing_roles(game.roles for game in self.complete_games):
            with_it = [game for game in self.complete_games if member in game.roles.get(name, ())]
            found.setdefault(name, {})[member] = SampleProportion(
                sum(game.victory_share(game.roles[name][member]) == 1 for game in with_it), len(with_it)
            )
        return found

    @cached_property
    def first_decider_win_share(self) -> SampleProportion | None:
        """How often the seat that decided first won, or None if it is the same seat in every game."""
        if len({game.began for game in self.complete_games}) < 2:
            return None
        return SampleProportion(sum(game.victory_share(game.began) == 1 for game in self.complete_games), len(self.complete_games))

    # ------------------------------------------------------------ leads

    def leader_win_share(self, mark: int) -> SampleProportion:
        """Returns how often the seat that led alone at a point of the game also won alone.

        `mark` is an index into LEAD_FRACTIONS. The leader is determined by the game's own estimate at the end of each
        round."""
        ahead = [game for game in self.complete_games if game.leads[mark] >= 0]
        return SampleProportion(sum(game.victory_share(game.leads[mark]) == 1 for game in ahead), len(ahead))

    @cached_property
    def runaway_share(self) -> SampleProportion:
        """The share of games whose leader after a quarter of the decisions never lost the lead and won alone."""
        kept = [
            game for game in self.complete_games if game.leads[0] >= 0 and not game.swaps and game.victory_share(game.leads[0]) == 1
        ]
        return SampleProportion(len(kept), len(self.complete_games))

    # ------------------------------------------------------------ as data

    def data(self, names: Sequence[str]) -> dict[str, Any]:
        """Returns the statistics as JSON data. `names` are the names of the seats in the rules."""
        lengths = self.lengths
        seats = []
        for seat, name in enumerate(names):
            share = self.win_share(seat)
            low, high = share.interval
            seats.append({"seat": seat, "name": name, "won": share.hits, "low": round(low, 4), "high": round(high, 4)})
            if self.has_scores:
                seats[-1]["scores"] = self.score_summary(seat).data()
        out: dict[str, Any] = {
            "games": len(self.games), "ended": len(self.complete_games), "stalled": [game.seed for game in self.games_at_limit],
            "decisions": summarize_range(lengths), "rounds": summarize_range(self.rounds), "seats": seats, "shared": self.tie_count,
            "terms": {name: [round(value, 4) for value in values] for name, values in self.mean_terms.items()},
            "roles": {name: {member: share.data() for member, share in members.items()} for name, members in self.role_win_shares.items()},
            "first_to_decide": self.first_decider_win_share.data() if self.first_decider_win_share is not None else None}
        if any(len(team) > 1 for team in self.teams):
            out["teams"] = self.teams
        if self.complete_games:
            out["led"] = {str(mark): self.leader_win_share(n).data() for n, mark in enumerate(LEAD_FRACTIONS)}
            out["runaways"] = self.runaway_share.data()
        return out
