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

from ...dsl.yaml.atomic_write import write_whole
from ..match.file_lock import lock
from .plan import Key, Plan
from .playout import Fault, Played

GAMES, PLAN = "games.jsonl", "plan.json"
LAID_DOWN = 1.0                      # seconds after which what was written is waited for until it lies on the disk
NAMES = [field.name for field in fields(Played)]


class OtherRun(Exception):
    """The folder holds the games of another plan."""


class Spoilt(Exception):
    """What was planned in the folder cannot be read."""


class InUse(Exception):
    """Another program writes into the folder."""


class Journal:
    """The folder of a run, with the games that were there already."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.path, self.plan = folder / GAMES, plan
        folder.mkdir(parents=True, exist_ok=True)
        self.handle: IO[bytes] = open(self.path, "ab")             # noqa: SIM115  it is held until `close`
        if not lock(self.handle):
            self.handle.close()
            raise InUse(str(self.path))
        self.laid_down = 0.0
        self.settle(folder / PLAN)
        self.games = self.read()

    def settle(self, path: Path) -> None:
        """Note the plan; what was planned here before must be the same. Of games that are not compared there may be more than before: looks
        at a comparison depend on how many were planned."""
        said = json.loads(json.dumps(self.plan.data()))
        if path.exists():
            free = set() if self.plan.compares else {"games"}
            try:
                before = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                before = None
            if not isinstance(before, dict):
                self.handle.close()
                raise Spoilt(str(path))
            if any(before.get(name) != value for name, value in said.items() if name not in free):
                self.handle.close()
                raise OtherRun(str(path))
        write_whole(path, (json.dumps(said, indent=2, ensure_ascii=False) + "\n").encode())

    def read(self) -> dict[Key, Played]:
        """The games that stand there; what was written by half is cut off."""
        games: dict[Key, Played] = {}
        whole = 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            try:
                key, played = of_line(line)
            except (ValueError, TypeError, KeyError):              # a machine whose power went; what follows cannot be trusted
                break
            games[key] = played
            whole += len(line)
        self.handle.truncate(whole)
        return games

    def add(self, side: int, games: Iterable[Played]) -> None:
        """Games that have just been played."""
        for played in games:
            self.games[side, played.seed] = played
            self.handle.write(line_of((side, played.seed), played))
        self.handle.flush()
        if monotonic() - self.laid_down >= LAID_DOWN:
            os.fsync(self.handle.fileno())
            self.laid_down = monotonic()

    def close(self) -> None:
        """Put what there is in order, and let others at the folder."""
        self.handle.close()
        ordered = sorted(self.games, key=lambda key: (key[1], key[0]))
        write_whole(self.path, b"".join(line_of(key, self.games[key]) for key in ordered))


def line_of(key: Key, played: Played) -> bytes:
    said = json.dumps({"rules": key[0], **asdict(played)}, ensure_ascii=False, separators=(",", ":"))
    return said.encode() + b"\n"


def of_line(line: bytes) -> tuple[Key, Played]:
    """What a line says. Raises ValueError, TypeError, KeyError."""
    said: dict[str, Any] = json.loads(line)
    fault = said["fault"]
    played = Played(**{name: said[name] for name in NAMES} | {"fault": Fault(**fault) if fault is not None else None})
    return (said["rules"], played.seed), played
