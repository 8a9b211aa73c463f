"""A plan is carried out: which games are missing, who plays them, when it is enough.

Games come from their seeds alone, and whether it is enough is asked after counts that the plan gives; so the result is the same whoever
plays, in whatever order. Each game is handed on within a moment of its end, so that whatever stops a run costs the games that are being
played at that time and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from time import monotonic

from .journal import GameJournal
from .plan import GameKey, LabPlan, PlanChunk, play_chunk
from .playout import GameResult

CHUNK_SECONDS = 1.0                           # seconds of work that a worker is given at a time: others may wait so long for it at the end
MAX_CHUNK_GAMES = 1000                          # games at a time, however short they are
FinishedGames = tuple[int, list[GameResult]]                       # games by one of the rules of a plan that have just been played
Workers = Callable[[LabPlan, list[GameKey]], Iterator[FinishedGames]]         # plays games and gives each back soon after its end
StopCondition = Callable[[dict[GameKey, GameResult], int], bool]     # whether so many games by each of the rules give a clear answer


class WorkersLostError(Exception):
    """Whoever played is gone and nobody else can be had: what is missing cannot be played now."""


@dataclass
class PlanRun:
    """A plan on its way; `games` are those that have been played."""

    plan: LabPlan
    workers: Workers
    journal: GameJournal | None = None
    tell: Callable[[int], None] = lambda count: None               # hears how many games have just come in
    games: dict[GameKey, GameResult] = field(default_factory=dict)

    def run_until(self, stops: Iterable[int], enough: StopCondition = lambda games, count: True) -> int:
        """Play up to each of these counts in turn, until it is enough; how many games by each of the rules there are then."""
        if self.journal is not None:
            self.games = dict(self.journal.games)
        count = 0
        for count in stops:
            self.play_missing([key for key in self.plan.game_keys(count) if key not in self.games])
            if enough(self.games, count):
                break
        self.games = {key: self.games[key] for key in self.plan.game_keys(count)}
        return count

    def play_missing(self, missing: list[GameKey]) -> None:
        if not missing:
            return
        playing = self.workers(self.plan, missing)
        try:
            for side, games in playing:
                if self.journal is not None:
                    self.journal.append_games(side, games)
                self.games |= {(side, played.seed): played for played in games}
                self.tell(len(games))
        finally:
            if hasattr(playing, "close"):                          # a generator: its workers leave now, not when it is forgotten
                playing.close()


class WorkQueue:
    """Games that are missing, handed out in portions of about SOON seconds: how long games take shows itself on the way."""

    def __init__(self, plan: LabPlan, keys: Iterable[GameKey], hands: int) -> None:
        """`hands`: how many play at a time."""
        self.plan, self.hands = plan, hands
        self.left: dict[int, list[int]] = {}                       # seeds by side, the next one last
        for side, seed in keys:
            self.left.setdefault(side, []).append(seed)
        for seeds in self.left.values():
            seeds.reverse()
        self.pace: float | None = None                             # games that one worker plays in a second

    def __bool__(self) -> bool:
        return any(self.left.values())

    def next_chunk(self) -> PlanChunk:
        """The next portion, of the side that has most left; one game at first, and never so many that others would wait for it."""
        side = max(self.left, key=lambda side: (len(self.left[side]), -side))
        seeds = self.left[side]
        most = len(seeds) // (2 * self.hands) if self.hands > 1 else len(seeds)
        size = max(1, min(MAX_CHUNK_GAMES, int(CHUNK_SECONDS * (self.pace or 0)), most))
        taken = seeds[: -size - 1 : -1]
        del seeds[-size:]
        return PlanChunk(self.plan, side, tuple(taken))

    def return_seeds(self, side: int, seeds: Iterable[int]) -> None:
        """These were not played: they are the next ones again."""
        self.left[side] += reversed(list(seeds))

    def record_pace(self, games: int, seconds: float) -> None:
        """So many games took one worker so long. The first ones, for which it makes itself ready, say least."""
        now = games / max(seconds, 1e-6)
        self.pace = now if self.pace is None else (self.pace + now) / 2


def run_inline(plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
    """In this process."""
    for side, seed in keys:
        for played in play_chunk(PlanChunk(plan, side, (seed,))):
            yield side, [played]


def play_for_seconds(chunk: PlanChunk, seconds: float) -> tuple[list[GameResult], float]:
    """The first games of a portion, one at least, until the time is over; and how long they took."""
    begun, out = monotonic(), []
    for played in play_chunk(chunk):
        out.append(played)
        if monotonic() - begun >= seconds:
            break
    return out, monotonic() - begun
