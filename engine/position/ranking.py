"""The ranks of seats in a standing, and their shares of the victory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...dsl.core.program import Team


@dataclass(frozen=True)
class Rank:
    """One line of the final standing.

    `rank` 1 is best, and tied seats share a rank. A team that plays alone against the game has rank 1 if it won, else
    rank 2. `values` are the values of the game's standing, in the order of comparison. `team` is the name of the seat's
    team, or "" if the standing compares players."""

    seat: int
    rank: int
    values: tuple[int, ...]
    team: str = field(default="", repr=False)


def rank_seats(values: Sequence[tuple[int, ...]], teams: Sequence[Team], has_points: bool) -> list[Rank]:
    """Returns the ranks of all seats, best first. Seats of one team are next to each other and share a rank.

    `values` has the values of each seat. `has_points` says whether the first value is a number of points."""
    if len(teams) == 1 and not has_points:
        (team,) = teams
        return [Rank(seat, 1 if values[seat][0] > 0 else 2, values[seat], team.name) for seat in team.seats]
    ranks: list[Rank] = []
    for n, team in enumerate(sorted(teams, key=lambda team: (tuple(-value for value in values[team.seats[0]]), team.seats[0]))):
        found = values[team.seats[0]]
        rank = ranks[-1].rank if ranks and ranks[-1].values == found else n + 1
        ranks += [Rank(seat, rank, found, team.name) for seat in team.seats]
    return ranks


def team_ranks(ranks: Sequence[Rank]) -> list[Rank]:
    """Returns the rank of the first seat of each team, best first."""
    return [rank for before, rank in zip((None, *ranks), ranks) if before is None or not rank.team or rank.team != before.team]


def victory_shares(ranks: Sequence[Rank]) -> list[float]:
    """Returns the share of each seat's team in the victory, by seat."""
    winners = {rank.team or rank.seat for rank in ranks if rank.rank == 1}
    shares = {rank.seat: 1 / len(winners) if rank.rank == 1 else 0.0 for rank in ranks}
    return [shares[seat] for seat in range(len(ranks))]
