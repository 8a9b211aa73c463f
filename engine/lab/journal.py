"""The games of a plan in a folder: one line of JSON for each, written as soon as it is known, and once a second onto the disk.

Whatever happens to who writes it, a whole line is a game that has been played: half a line at the end is cut off by the next one who goes
on, and a game that stands there twice counts once. When all are there they are put in order, so that the file is the same however many
processes have played them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from time import monotonic
from typing import IO, Any

from ...dsl.yaml.atomic_write import write_atomically
from ..match.file_lock import try_lock
from .plan import GameKey, LabPlan
from .playout import GameFault, GameResult

GAMES_FILE, PLAN_FILE = "games.jsonl", "plan.json"
FSYNC_SECONDS = 1.0                      # seconds after which what was written is waited for until it lies on the disk
RESULT_FIELDS = [field.name for field in fields(GameResult)]


class JournalMismatchError(Exception):
    """The folder holds the games of another plan."""


class JournalCorruptError(Exception):
    """What was planned in the folder cannot be read."""


class JournalLockedError(Exception):
    """Another program writes into the folder."""


class GameJournal:
    """The folder of a run, with the games that were there already."""

    def __init__(self, folder: Path, plan: LabPlan) -> None:
        self.path, self.plan = folder / GAMES_FILE, plan
        folder.mkdir(parents=True, exist_ok=True)
        self.handle: IO[bytes] = open(self.path, "ab")             # noqa: SIM115  it is held until `close`
        if not try_lock(self.handle):
            self.handle.close()
            raise JournalLockedError(str(self.path))
        self.laid_down = 0.0
        self.check_plan(folder / PLAN_FILE)
        self.games = self.read_games()

    def check_plan(self, path: Path) -> None:
        """Note the plan; what was planned here before must be the same. Of games that are not compared there may be more than before: looks
        at a comparison depend on how many were planned."""
        said = json.loads(json.dumps(self.plan.data()))
        if path.exists():
            free = set() if self.plan.is_comparison else {"games"}
            try:
                before = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                before = None
            if not isinstance(before, dict):
                self.handle.close()
                raise JournalCorruptError(str(path))
            if any(before.get(name) != value for name, value in said.items() if name not in free):
                self.handle.close()
                raise JournalMismatchError(str(path))
        write_atomically(path, (json.dumps(said, indent=2, ensure_ascii=False) + "\n").encode())

    def read_games(self) -> dict[GameKey, GameResult]:
        """The games that stand there; what was written by half is cut off."""
        games: dict[GameKey, GameResult] = {}
        whole = 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            try:
                key, played = parse_line(line)
            except (ValueError, TypeError, KeyError):              # a machine whose power went; what follows cannot be trusted
                break
            games[key] = played
            whole += len(line)
        self.handle.truncate(whole)
        return games

    def append_games(self, side: int, games: Iterable[GameResult]) -> None:
        """Games that have just been played."""
        for played in games:
            self.games[side, played.seed] = played
            self.handle.write(format_line((side, played.seed), played))
        self.handle.flush()
        if monotonic() - self.laid_down >= FSYNC_SECONDS:
            os.fsync(self.handle.fileno())
            self.laid_down = monotonic()

    def close(self) -> None:
        """Put what there is in order, and let others at the folder."""
        self.handle.close()
        ordered = sorted(self.games, key=lambda key: (key[1], key[0]))
        write_atomically(self.path, b"".join(format_line(key, self.games[key]) for key in ordered))


def format_line(key: GameKey, played: GameResult) -> bytes:
    said = json.dumps({"rules": key[0], **asdict(played)}, ensure_ascii=False, separators=(",", ":"))
    return said.encode() + b"\n"


def parse_line(line: bytes) -> tuple[GameKey, GameResult]:
    """What a line says. Raises ValueError, TypeError, KeyError."""
    said: dict[str, Any] = json.loads(line)
    fault = said["fault"]
    played = GameResult(**{name: said[name] for name in RESULT_FIELDS} | {"fault": GameFault(**fault) if fault is not None else None})
    return (said["rules"], played.seed), played
