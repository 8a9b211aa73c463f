"""Saved games: JSON lines, one header and one line for each decision, each on the disk before the game goes on.

    {"ludoglot": 1, "game": "...", "rules": "...", "players": 2, "options": {}, "house": [], "seed": 1, "names": [], "seats": [], ...}
    {"seat": 0, "key": "turn.spot", "option": "spot=e4", "hash": "...", "auto": true, "over": true}
    {"seat": 0, "lang": "hu"}
    {"undo": 2}

`rules` is the hash of the rules' meaning, `hash` that of the position after the decision; `auto` stands where the engine took the
only option there was, `over` where the game ended with it. A line with `lang` says what a seat reads from now on (without `seat`: what the
program speaks). Decisions that are taken back are cut off the file; only where such other lines stand behind them, a line with `undo` says
how many. So every change is one step of the system: a line more, or an end that is cut off, and a program that is killed at any moment has
done it or not. A last line without its end (the machine stopped while writing) is dropped.

One program at a time has a save open for writing, see locks.py.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

from ..words.languages import known_language
from .house import packs_of
from .locks import lock

FORMAT = 1
SUFFIX = ".ludoglot"
MISFITS = (KeyError, TypeError, ValueError, IndexError, AttributeError)     # what a line raises that holds something else than it should
HUMAN = "human"                      # what stands in `seats` for a person


class SaveFault(Exception):
    """A save that cannot be used; `key` is the message that says why, `args_` what it speaks of."""

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


@dataclass
class Setup:
    """All that makes a game what it is before the first decision, and what its people read."""

    game: str                                                      # id, or the full path of a folder
    players: int
    seed: int
    options: dict[str, Any] = field(default_factory=dict)
    house: list[dict[str, Any]] = field(default_factory=list)      # path, name, hash, files (house.py)
    names: list[str] = field(default_factory=list)                 # by seat; "" where none was given
    seats: list[str] = field(default_factory=list)                 # human, bot:random, ...
    langs: list[str] = field(default_factory=list)                 # by seat; "" for the language of the program
    rules: str = ""
    auto: bool = True
    lang: str = ""                                                 # what the program spoke

    def header(self) -> dict[str, Any]:
        return {"ludoglot": FORMAT, **asdict(self)}

    def speak(self, seat: int | None, lang: str) -> None:
        """From now on a seat reads this language; None: the program speaks it, and so to all people who read what it spoke before."""
        if seat is not None:
            self.langs[seat] = lang
            return
        people = [kind == HUMAN for kind in self.seats]
        self.langs = [lang if human and now in ("", self.lang) else now for human, now in zip(people, self.langs)]
        self.lang = lang


@dataclass(frozen=True)
class SavedDecision:
    """A decision as saved."""

    seat: int
    key: str
    option: str
    hash: str
    auto: bool = False
    over: bool = False

    def data(self) -> dict[str, Any]:
        """What is written: marks that are not set are left out."""
        return {name: value for name, value in asdict(self).items() if value is not False}


@dataclass
class Record:
    """What a save holds: `lines` are the decisions that stand, `starts` where in the file each begins, `notes` where the other lines
    begin, `ends` where each line ends."""

    setup: Setup
    lines: list[SavedDecision]
    starts: list[int]
    notes: list[int]
    ends: list[int]


class SaveFile:
    """A save open for writing, by one program at a time. Every line is forced to the disk before the call returns; a call that raises
    SaveFault (the disk is full) has left the file as it was."""

    def __init__(self, path: Path, handle: FileIO, record: Record | None = None) -> None:
        self.path, self.handle = path, handle
        self.starts = list(record.starts) if record else []
        self.notes = list(record.notes) if record else []
        self.end = record.ends[-1] if record else 0

    @classmethod
    def create(cls, path: Path, setup: Setup) -> SaveFile:
        """A new save with its header; what stood at `path` is kept beside it, with ~ behind its name. Raises SaveFault."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            set_aside(path)
            handle = path.open("a+b", buffering=0)
        except OSError as error:
            raise unwritable(path, error) from error
        save = cls(path, taken(path, handle))
        try:
            save._write(setup.header())
            sync_folder(path.parent)
        except SaveFault:
            save.close()
            raise
        return save

    @classmethod
    def reopen(cls, path: Path) -> tuple[SaveFile, Record]:
        """A save to go on with, and what it holds. Nothing is changed before something is written. Raises SaveFault."""
        read_save(path)                                            # what cannot be read says so, whether it can be written or not
        try:
            handle = path.open("r+b", buffering=0)
        except OSError as error:
            raise unwritable(path, error) from error
        taken(path, handle)
        try:
            record = record_of(path, handle.read())
        except SaveFault:
            handle.close()
            raise
        return cls(path, handle, record), record

    def add(self, line: SavedDecision) -> None:
        """A decision."""
        at = self.end
        self._write(line.data())
        self.starts.append(at)

    def speak(self, seat: int | None, lang: str) -> None:
        """What a seat, or the program, speaks from now on."""
        self._note({"lang": lang} if seat is None else {"seat": seat, "lang": lang})

    def drop(self, count: int) -> None:
        """Take back the last `count` decisions."""
        if count <= 0:
            return
        start = self.starts[-count]
        if self.notes and self.notes[-1] > start:
            self._note({"undo": count})
        else:
            self._cut(start)
        del self.starts[-count:]

    def copy_to(self, path: Path) -> None:
        """Leave a copy of all that was saved; what stood there is kept, as by `create`. Raises OSError."""
        if path.exists() and path.samefile(self.path):
            return
        raw = self.path.read_bytes()[: self.end]
        path.parent.mkdir(parents=True, exist_ok=True)
        set_aside(path)
        path.write_bytes(raw)

    def close(self) -> None:
        self.handle.close()

    def _note(self, data: dict[str, Any]) -> None:
        at = self.end
        self._write(data)
        self.notes.append(at)

    def _write(self, data: dict[str, Any]) -> None:
        raw = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            if self.handle.seek(0, os.SEEK_END) != self.end:       # half a line, of a program that was stopped while writing
                self.handle.truncate(self.end)
                self.handle.seek(self.end)
            left = raw
            while left:
                left = left[self.handle.write(left) or 0 :]
            os.fsync(self.handle.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):                     # half a line is dropped when the save is read
                self.handle.truncate(self.end)
            raise unwritable(self.path, error) from error
        self.end += len(raw)

    def _cut(self, end: int) -> None:
        try:
            self.handle.truncate(end)
        except OSError as error:
            raise unwritable(self.path, error) from error
        self.end = end
        with contextlib.suppress(OSError):
            os.fsync(self.handle.fileno())


def unwritable(path: Path, error: OSError) -> SaveFault:
    return SaveFault("file.unwritable", file=str(path), reason=error.strerror or "")


def taken(path: Path, handle: FileIO) -> FileIO:
    """An open file, locked. Raises SaveFault when another program has it, and closes it."""
    if not lock(handle):
        handle.close()
        raise SaveFault("save.busy", file=str(path))
    return handle


def set_aside(path: Path) -> None:
    """Make room for a new file: what stands there is renamed, with ~ behind its name. Raises SaveFault when another program saves its game
    there, and OSError."""
    if not path.exists():
        return
    if not path.is_file():                                         # a folder, a device: no place for a save
        number = errno.EISDIR if path.is_dir() else errno.EINVAL
        raise OSError(number, os.strerror(number))
    with path.open("rb") as handle:
        if not lock(handle):
            raise SaveFault("save.busy", file=str(path))
    if path.stat().st_size:
        path.replace(path.with_name(path.name + "~"))


def sync_folder(folder: Path) -> None:
    """Force the name of a new file to the disk, where the system has a way to do it."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        with contextlib.suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


# ------------------------------------------------------------ reading


def read_save(path: Path) -> tuple[Setup, list[SavedDecision], list[int]]:
    """The header, the decisions that stand, and where each line of the file ends. Raises SaveFault."""
    record = read_record(path)
    return record.setup, record.lines, record.ends


def read_record(path: Path) -> Record:
    """All that a save holds. Raises SaveFault."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        key = "file.missing" if isinstance(error, FileNotFoundError) else "file.unreadable"
        raise SaveFault(key, file=str(path), reason=error.strerror or "") from error
    return record_of(path, raw)


def record_of(path: Path, raw: bytes, strict: bool = True) -> Record:
    """What the bytes of a save hold; `path` is for messages. Without `strict` it ends where the first damage behind the header is. Raises
    SaveFault."""
    parts = whole_lines(raw)
    if not parts and b'{"ludoglot":'.startswith(raw[:12]):
        raise SaveFault("save.unborn", file=str(path))
    head = parsed(parts[0]) if parts else None
    if not isinstance(head, dict) or "ludoglot" not in head:
        raise SaveFault("file.damaged", file=str(path))
    if head["ludoglot"] != FORMAT:
        raise SaveFault("save.newer", file=str(path))
    try:
        record = Record(setup_of(head), [], [], [], [len(parts[0])])
    except MISFITS as error:
        raise SaveFault("save.damaged", file=str(path), line=1) from error
    for number, part in enumerate(parts[1:], start=2):
        try:
            read_line(record, json.loads(part))
        except MISFITS as error:
            if not strict:
                break
            raise SaveFault("save.damaged", file=str(path), line=number) from error
        record.ends.append(record.ends[-1] + len(part))
    return record


def parsed(part: bytes) -> Any:
    """JSON, or None."""
    try:
        return json.loads(part)
    except ValueError:
        return None


def whole_lines(raw: bytes) -> list[bytes]:
    """The lines of a save, with their ends; a last one without its end is left out."""
    parts = raw.splitlines(keepends=True)
    return parts[:-1] if parts and not parts[-1].endswith(b"\n") else parts


def setup_of(head: dict[str, Any]) -> Setup:
    """The header as written. Raises TypeError, KeyError and ValueError when it cannot be one."""
    setup = Setup(**{key: value for key, value in head.items() if key in Setup.__dataclass_fields__})
    for name, kind in (("game", str), ("players", int), ("seed", int), ("options", dict), ("house", list), ("rules", str), ("lang", str)):
        if not isinstance(getattr(setup, name), kind):
            raise TypeError(name)
    if not all(isinstance(texts, list) for texts in (setup.names, setup.langs, setup.seats)):
        raise TypeError("seats")
    if not all(isinstance(entry["path"], str) and isinstance(entry["name"], str) for entry in setup.house):
        raise TypeError("house")
    packs_of(setup.house)
    setup.names, setup.langs = ([str(text) for text in texts] or [""] * setup.players for texts in (setup.names, setup.langs))
    setup.langs = [known_language(lang) or "" for lang in setup.langs]
    if not {len(setup.names), len(setup.langs), len(setup.seats)} == {setup.players} or not all(isinstance(s, str) for s in setup.seats):
        raise ValueError(setup.players)
    return setup


def read_line(record: Record, data: dict[str, Any]) -> None:
    """One line behind the header. Raises KeyError, TypeError, ValueError, IndexError when it is none."""
    at = record.ends[-1]
    if "undo" in data:
        count = int(data["undo"])
        if not 0 < count <= len(record.lines):
            raise ValueError(count)
        del record.lines[-count:], record.starts[-count:]
        record.notes.append(at)
    elif "lang" in data:
        lang = known_language(data["lang"])
        if lang is not None:                                       # one that a later version speaks is left alone
            record.setup.speak(int(data["seat"]) if "seat" in data else None, lang)
        record.notes.append(at)
    else:
        marks = bool(data.get("auto")), bool(data.get("over"))
        record.lines.append(SavedDecision(int(data["seat"]), str(data["key"]), str(data["option"]), str(data["hash"]), *marks))
        record.starts.append(at)


# ------------------------------------------------------------ the saves there are


@dataclass(frozen=True)
class SavedGame:
    """A saved game, as a list shows it. `decisions` are those that somebody really had to make, `time` is when the last one was saved (in
    seconds, as time.time() counts)."""

    path: Path
    game: str
    names: list[str]
    seats: list[str]
    players: int
    decisions: int
    time: float
    finished: bool


def saves_folder() -> Path:
    """Where games with a person in them save themselves."""
    import platformdirs
    return Path(platformdirs.user_data_dir("ludoglot", appauthor=False)) / "saves"


def saved_games() -> list[SavedGame]:
    """The games in the user's folder, the one that was saved last first. What is no whole save is left out."""
    return list(games_of(saves_folder()))


def games_of(folder: Path) -> Iterator[SavedGame]:
    """The saved games of a folder, newest first, each read when it is asked for."""
    aged = []
    for path in folder.glob(f"*{SUFFIX}") if folder.is_dir() else ():
        try:
            aged.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue                                               # it has just gone
    for time, path in sorted(aged, reverse=True):
        found = glance(path, time / 1e9)
        if found is not None:
            yield found


def glance(path: Path, time: float) -> SavedGame | None:
    """What a list says of a save; None where there is no whole header. Damage further down is told to who goes on with it."""
    try:
        record = record_of(path, path.read_bytes(), strict=False)
    except (OSError, SaveFault):
        return None
    setup, lines = record.setup, record.lines
    return SavedGame(path, setup.game, setup.names, setup.seats, setup.players, sum(not line.auto for line in lines), time,
                     bool(lines) and lines[-1].over)


def last_save(game: str | None = None) -> Path | None:
    """The save of an unfinished game (of this game, by id or full path) that was written last, or None."""
    return next((found.path for found in games_of(saves_folder()) if not found.finished and game in (None, found.game)), None)


def new_save_path(game: str) -> Path:
    """A new, empty file for a game to save itself in. Raises OSError."""
    import time
    stem = f"{Path(game).name}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = saves_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path, n = folder / f"{stem}{SUFFIX}", 1
    while True:
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            n += 1
            path = folder / f"{stem}-{n}{SUFFIX}"
        else:
            return path
