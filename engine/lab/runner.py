"""Runs a plan: determines the missing games, has workers play them, and decides when to stop.

Games depend only on their seeds, and the stop condition is checked after fixed numbers of games. So the
result does not depend on which worker plays what, or in which order. Each game is handed on shortly after its
end, so an interruption loses only the games in progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from time import monotonic

from ..errors import MessageError
from .journal import GameJournal
from .plan import GameKey, LabPlan, PlanChunk, play_chunk
from .playout import GameResult

CHUNK_SECONDS = 1.0                           # work for one worker at a time; at the end, the others may wait so long for it
MAX_CHUNK_GAMES = 1000                          # even if games are very short
FinishedGames = tuple[int, list[GameResult]]                       # the side in the plan, and games that were just finished
Workers = Callable[[LabPlan, list[GameKey]], Iterator[FinishedGames]]         # plays games, and yields each shortly after its end
StopCondition = Callable[[dict[GameKey, GameResult], int], bool]     # whether this number of games per side is enough


class WorkersLostError(MessageError):
    """Raised if all workers are lost and cannot be replaced."""


@dataclass
class PlanRun:
    """A plan in progress. `games` has the games that have been played."""

    plan: LabPlan
    workers: Workers
    journal: GameJournal | None = None
    tell: Callable[[int], None] = lambda count: None               # called with the number of new games
    games: dict[GameKey, GameResult] = field(default_factory=dict)

    def run_until(self, stops: Iterable[int], enough: StopCondition = lambda games, count: True) -> int:
        """Plays up to each number of games in `stops` in turn, until `enough` says to stop.

        Returns the number of games per side."""
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
        """Plays the missing games, and records each in the journal."""
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
            if hasattr(playing, "close"):                          # close a generator now, so that its workers stop at once
                playing.close()


class WorkQueue:
    """A queue of missing games, handed out in chunks of about CHUNK_SECONDS.

    The pace of the workers is measured on the way."""

    def __init__(self, plan: LabPlan, keys: Iterable[GameKey], hands: int) -> None:
        """`hands` is the number of games played at the same time."""
        self.plan, self.hands = plan, hands
        self.left: dict[int, list[int]] = {}                       # seeds by side, in reverse order
        for side, seed in keys:
            self.left.setdefault(side, []).append(seed)
        for seeds in self.left.values():
            seeds.reverse()
        self.pace: float | None = None                             # games per second of one worker

    def __bool__(self) -> bool:
        return any(self.left.values())

    def take_next_chunk(self) -> PlanChunk:
        """Returns the next chunk, from the side with most games left.

        The first chunk has one game. Later chunks are small enough that no worker has to wait for another at the end."""
        side = max(self.left, key=lambda side: (len(self.left[side]), -side))
        seeds = self.left[side]
        most = len(seeds) // (2 * self.hands) if self.hands > 1 else len(seeds)
        size = max(1, min(MAX_CHUNK_GAMES, int(CHUNK_SECONDS * (self.pace or 0)), most))
        taken = seeds[: -size - 1 : -1]
        del seeds[-size:]
        return PlanChunk(self.plan, side, tuple(taken))

    def return_seeds(self, side: int, seeds: Iterable[int]) -> None:
        """Puts the seeds of games that were not played at the front of the queue again."""
        self.left[side] += reversed(list(seeds))

    def record_pace(self, games: int, seconds: float) -> None:
        """Updates the pace: one worker played so many games in so many seconds.

        The newest measurement has the highest weight, since the first chunk includes the start of the worker."""
        now = games / max(seconds, 1e-6)
        self.pace = now if self.pace is None else (self.pace + now) / 2


def run_inline(plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
    """Plays the games in this process."""
    for side, seed in keys:
        for played in play_chunk(PlanChunk(plan, side, (seed,))):
            yield side, [played]


def play_for_seconds(chunk: PlanChunk, seconds: float) -> tuple[list[GameResult], float]:
    """Plays the first games of a chunk, at least one, until the time is up. Returns them and the seconds used."""
    begun, out = monotonic(), []
    for played in play_chunk(chunk):
        out.append(played)
        if monotonic() - begun >= seconds:
            break
    return out, monotonic() - begun
