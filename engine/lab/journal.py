"""The journal of a run: a folder with one line of JSON per finished game.

Each game is written as soon as it is finished. Once a second, the file is flushed to disk. After a crash,
every complete line is a game. The next run cuts off an incomplete last line, and a game that appears twice
counts once. At the end, the lines are sorted, so the file does not depend on the number of processes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from time import monotonic
from typing import IO, Any

from ...dsl.yaml.atomic_write import write_atomically
from ..errors import MessageError
from ..match.file_lock import try_lock
from .plan import GameKey, LabPlan
from .playout import GameFault, GameResult

GAMES_FILE, PLAN_FILE = "games.jsonl", "plan.json"
FSYNC_SECONDS = 1.0                      # at most so often, writing waits for the disk
RESULT_FIELDS = [field.name for field in fields(GameResult)]


class JournalError(MessageError):
    """Raised if the folder is locked, holds the games of a different plan, or its plan cannot be read."""


class GameJournal:
    """The folder of a run. `games` has the games that are recorded there."""

    def __init__(self, folder: Path, plan: LabPlan) -> None:
        self.path, self.plan = folder / GAMES_FILE, plan
        folder.mkdir(parents=True, exist_ok=True)
        self.handle: IO[bytes] = open(self.path, "ab")             # noqa: SIM115  it is held until `close`
        if not try_lock(self.handle):
            self.handle.close()
            raise JournalError("simulate.in_use", file=str(self.path))
        self.laid_down = 0.0
        self.check_plan(folder / PLAN_FILE)
        self.games = self.read_games()

    def check_plan(self, path: Path) -> None:
        """Writes the plan, after checking that an existing plan in the folder is the same.

        The number of games may differ unless rulesets are compared: the looks of a comparison depend on the planned
        number."""
        said = json.loads(json.dumps(self.plan.data()))
        if path.exists():
            free = set() if self.plan.is_comparison else {"games"}
            try:
                before = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                before = None
            if not isinstance(before, dict):
                self.handle.close()
                raise JournalError("simulate.spoilt", file=str(path))
            if any(before.get(name) != value for name, value in said.items() if name not in free):
                self.handle.close()
                raise JournalError("simulate.other_run", file=str(path))
        write_atomically(path, (json.dumps(said, indent=2, ensure_ascii=False) + "\n").encode())

    def read_games(self) -> dict[GameKey, GameResult]:
        """Returns the recorded games and cuts off the file after the last complete line."""
        games: dict[GameKey, GameResult] = {}
        whole = 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            try:
                key, played = parse_line(line)
            except (ValueError, TypeError, KeyError):              # after a power failure, the rest of the file cannot be trusted
                break
            games[key] = played
            whole += len(line)
        self.handle.truncate(whole)
        return games

    def append_games(self, side: int, games: Iterable[GameResult]) -> None:
        """Appends games that were just finished."""
        for played in games:
            self.games[side, played.seed] = played
            self.handle.write(format_line((side, played.seed), played))
        self.handle.flush()
        if monotonic() - self.laid_down >= FSYNC_SECONDS:
            os.fsync(self.handle.fileno())
            self.laid_down = monotonic()

    def close(self) -> None:
        """Sorts the games in the file and releases the folder."""
        self.handle.close()
        ordered = sorted(self.games, key=lambda key: (key[1], key[0]))
        write_atomically(self.path, b"".join(format_line(key, self.games[key]) for key in ordered))


def format_line(key: GameKey, played: GameResult) -> bytes:
    said = json.dumps({"rules": key[0], **asdict(played)}, ensure_ascii=False, separators=(",", ":"))
    return said.encode() + b"\n"


def parse_line(line: bytes) -> tuple[GameKey, GameResult]:
    """Returns the game of one line. Raises ValueError, TypeError or KeyError if the line is damaged."""
    said: dict[str, Any] = json.loads(line)
    fault = said["fault"]
    played = GameResult(**{name: said[name] for name in RESULT_FIELDS} | {"fault": GameFault(**fault) if fault is not None else None})
    return (said["rules"], played.seed), played
