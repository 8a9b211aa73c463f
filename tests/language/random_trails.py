"""A small game of tracks between towns. Random moves build tracks, close towns and open them again. Three states hold the longest trail,
the most expensive trail from one town, and the longest path."""

from __future__ import annotations

from collections.abc import Iterable

from ludoglot.engine.position.position import Game

from .toys import make

TOWNS = "abcdefg"
TRACKS = [("ab", 2), ("ac", 1), ("ad", 3), ("ae", 1), ("bc", 2), ("bd", 1), ("bd", 4), ("be", 1), ("cd", 1), ("ce", 0), ("cf", 2),
          ("de", 6), ("df", 1), ("dg", 2), ("ef", 1), ("eg", 3), ("fg", 1)]
DATA = "\n".join([
    "game: tracks", "name: Tracks", "players: 2", "rules: [toy.rules]", "enums:",
    "  Player: {members: {anna: {}, bela: {}}}", f"  Town: [{', '.join(TOWNS)}]",
    "  Track:", "    attributes: {ends: set of Town, length: int}", "    members:",
    *(f"      t{n}: {{ends: [{', '.join(ends)}], length: {length}}}" for n, (ends, length) in enumerate(TRACKS)),
])
RULES = """
state built: set of Track
state shut: set of Town
state start: Town = a
state trail: 0..99
state paid: 0..99
state path: 0..99

phase game:
    repeat 20:
        choose track in Track by anna
        built = built - {track} if track in built else built + {track} if size(built) < 9 else built
        choose town in Town by bela
        shut = shut - {town} if town in shut else shut + {town} if size(shut) < 3 else shut
        start = town
        trail = longest(here in Town through Town - shut, rail in built, there in rail.ends where here in rail.ends)
        paid = longest(here in {start} through Town - shut, rail in built, there in rail.ends where here in rail.ends: rail.length)
        path = longest(here in Town through Town - shut, there in Town where any(rail in built where rail.ends == {here, there}))

standing player: trail
"""
Steps = list[tuple[int, int, int, int]]


def make_trail_game() -> Game:
    """Returns the game."""
    return make(DATA, RULES, 2)


def find_longest(steps: Steps, starts: Iterable[int], through: set[int], visits_once: bool) -> int:
    """Returns the highest cost of a trail by trying all trails."""
    def extend(here: int, used: frozenset[int]) -> int:
        return max((cost + (extend(there, used | {thing}) if there in through else 0)
                    for start, thing, there, cost in steps if start == here and thing not in used), default=0)

    return max(extend(start, frozenset({start} if visits_once else ())) for start in starts)
