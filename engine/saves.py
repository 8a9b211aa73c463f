"""Saved games: JSON lines, one header and one line for each decision, each on the disk before the game goes on.

    {"ludoglot": 1, "game": "...", "rules": "...", "players": 2, "options": {}, "house": [], "seed": 1, "names": [], "seats": [], ...}
    {"seat": 0, "key": "turn.spot", "option": "spot=e4", "hash": "...", "auto": true}

`rules` is the hash of the rules' meaning, `hash` that of the position after the decision; `auto` stands where the engine took the
only option there was. A last line without its end (the machine stopped while writing) is dropped.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

FORMAT = 1
SUFFIX = ".ludoglot"


class SaveFault(Exception):
    """A save that cannot be used; `key` is the message that says why, `args_` what it speaks of."""

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


@dataclass
class Setup:
    """All that makes a game what it is before the first decision."""

    game: str                                                      # id, or the full path of a folder
    players: int
    seed: int
    options: dict[str, Any] = field(default_factory=dict)
    house: list[dict[str, str]] = field(default_factory=list)      # path, name, hash
    names: list[str] = field(default_factory=list)                 # by seat; "" where none was given
    seats: list[str] = field(default_factory=list)                 # human, bot:random, ...
    langs: list[str] = field(default_factory=list)                 # by seat; "" for the language of the program
    rules: str = ""
    auto: bool = True

    def header(self) -> dict[str, Any]:
        return {"ludoglot": FORMAT, **asdict(self)}


def house_entry(path: Path) -> dict[str, str]:
    """How a save names a house-rule file: where it lies and what it holds."""
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for part in files:
        if path.is_dir():
            digest.update(part.relative_to(path).as_posix().encode() + b"\0")
        digest.update(part.read_bytes() + b"\0")
    return {"path": str(path.resolve()), "name": path.stem, "hash": digest.hexdigest()[:16]}


@dataclass(frozen=True)
class Line:
    """A decision as saved."""

    seat: int
    key: str
    option: str
    hash: str
    auto: bool = False


class SaveFile:
    """A save open for writing. Every line is flushed and forced to the disk before `add` returns."""

    def __init__(self, path: Path, handle: TextIO, ends: list[int]) -> None:
        self.path, self.handle, self.ends = path, handle, ends

    @classmethod
    def create(cls, path: Path, setup: Setup) -> SaveFile:
        """A new save with its header; what stood at `path` is replaced."""
        path.parent.mkdir(parents=True, exist_ok=True)
        save = cls(path, path.open("w", encoding="utf-8", newline="\n"), [])
        save._write(setup.header())
        return save

    @classmethod
    def reopen(cls, path: Path, ends: list[int]) -> SaveFile:
        """Go on writing behind the lines that end at `ends`; anything later (half a line) is cut off."""
        handle = path.open("r+", encoding="utf-8", newline="\n")
        handle.seek(ends[-1])
        handle.truncate()
        return cls(path, handle, list(ends))

    def add(self, line: Line) -> None:
        data = asdict(line)
        if not line.auto:
            del data["auto"]
        self._write(data)

    def drop(self, count: int) -> None:
        """Take back the last `count` decisions."""
        del self.ends[len(self.ends) - count:]
        self.handle.seek(self.ends[-1])
        self.handle.truncate()
        self._sync()

    def copy_to(self, path: Path) -> None:
        """Leave a copy of all that was saved."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.path.read_bytes())

    def close(self) -> None:
        self.handle.close()

    def _write(self, data: dict[str, Any]) -> None:
        self.handle.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._sync()
        self.ends.append(self.handle.tell())

    def _sync(self) -> None:
        self.handle.flush()
        os.fsync(self.handle.fileno())


def read_save(path: Path) -> tuple[Setup, list[Line], list[int]]:
    """The header, the decisions, and where each line ends. Raises SaveFault."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        key = "file.missing" if isinstance(error, FileNotFoundError) else "file.unreadable"
        raise SaveFault(key, file=str(path), reason=error.strerror or "") from error
    ends: list[int] = []
    found: list[dict[str, Any]] = []
    at = 0
    for n, part in enumerate(raw.splitlines(keepends=True)):
        if not part.endswith(b"\n"):
            break
        at += len(part)
        try:
            data = json.loads(part)
        except ValueError as error:
            raise SaveFault("save.damaged", file=str(path), line=n + 1) from error
        if not isinstance(data, dict):
            raise SaveFault("save.damaged", file=str(path), line=n + 1)
        found.append(data)
        ends.append(at)
    if not found or "ludoglot" not in found[0]:
        raise SaveFault("file.damaged", file=str(path))
    if found[0]["ludoglot"] != FORMAT:
        raise SaveFault("save.newer", file=str(path))
    head = {key: value for key, value in found[0].items() if key in Setup.__dataclass_fields__}
    try:
        setup = Setup(**head)
    except TypeError as error:
        raise SaveFault("save.damaged", file=str(path), line=1) from error
    lines = []
    for n, data in enumerate(found[1:]):
        try:
            lines.append(Line(int(data["seat"]), str(data["key"]), str(data["option"]), str(data["hash"]), bool(data.get("auto"))))
        except (KeyError, TypeError, ValueError) as error:
            raise SaveFault("save.damaged", file=str(path), line=n + 2) from error
    return setup, lines, ends


def saves_folder() -> Path:
    """Where games with a person in them save themselves."""
    import platformdirs
    return Path(platformdirs.user_data_dir("ludoglot", appauthor=False)) / "saves"


def last_save() -> Path | None:
    """The save that was written last, or None."""
    folder = saves_folder()
    found = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime) if folder.is_dir() else []
    return found[-1] if found else None


def new_save_path(game: str) -> Path:
    """A free name for a new save of a game."""
    import time
    stem = f"{Path(game).name}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = saves_folder()
    path, n = folder / f"{stem}{SUFFIX}", 1
    while path.exists():
        n += 1
        path = folder / f"{stem}-{n}{SUFFIX}"
    return path
