"""Saved games: JSON lines, the header twice and one line for each decision, each on the disk before the game goes on.

    {"ludoglot": 2, "game": "...", "rules": "...", "players": 2, "options": {}, "house": [], "seed": 1, "names": [], "seats": [], ...}
    {"seat": 0, "key": "turn.spot", "option": "spot=e4", "hash": "...", "auto": true, "over": true}
    {"seat": 0, "lang": "hu"}
    {"undo": 2}

and behind each of them a checksum (sealing.py). `rules` is the hash of the rules' meaning, `hash` that of the position after the decision;
`auto` stands where the engine took the only option there was, `over` where the game ended with it. A line with `lang` says what a seat
reads from now on (without `seat`: what the program speaks). Decisions that are taken back are cut off the file; only where such other lines
stand behind them, a line with `undo` says how many. So every change is one step of the system: a line more, or an end that is cut off, and
a program that is killed at any moment has done it or not. A last line without its end (the machine stopped while writing) is dropped.

One program at a time has a save open for writing, see locks.py; what is read from one, see records.py; which there are, see savelist.py.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from .filesystem import DISK, Disk, OpenFile
from .line_checksums import dumped, seal, sealed
from .save_reader import Record, damaged, read_record, read_save, record_of
from .setup import HUMAN, SavedDecision, SaveFault, Setup

SUFFIX = ".ludoglot"


class SaveFile:
    """A save open for writing, by one program at a time. Every line is forced to the disk before the call returns; a call that raises
    SaveFault (the disk is full) has left the file as it was. `kept` is where the damaged file lies that this one was mended from."""

    def __init__(self, path: Path, handle: OpenFile, record: Record | None = None, disk: Disk = DISK) -> None:
        self.path, self.handle, self.disk = path, handle, disk
        self.kept: Path | None = None
        self.starts = list(record.starts) if record else []
        self.notes = list(record.notes) if record else []
        self.ends = list(record.ends) if record else []
        self.seals = list(record.seals) if record else []
        self.chained = record.chained if record else True

    @property
    def end(self) -> int:
        return self.ends[-1] if self.ends else 0

    @classmethod
    def create(cls, path: Path, setup: Setup, disk: Disk = DISK) -> SaveFile:
        """A new save with its header; what stood at `path` is kept beside it, with ~ behind its name. Raises SaveFault."""
        try:
            disk.make_folder(path.parent)
            set_aside(path, disk)
            handle = disk.open(path, new=True)
        except (OSError, ValueError) as error:
            raise unwritable(path, error) from error
        save = cls(path, taken(path, handle), disk=disk)
        try:
            head = sealed(b"", setup.header())
            save._append(head + head)
            save.ends, save.seals = [len(head), 2 * len(head)], [seal(head)] * 2
            disk.sync_folder(path.parent)
        except SaveFault:
            save.close()
            raise
        return save

    @classmethod
    def reopen(cls, path: Path, mend: bool = False, upto: int | None = None, disk: Disk = DISK) -> tuple[SaveFile, Record]:
        """A save to go on with, and what it holds. Where it is sound nothing is changed before something is written. One with damage goes
        on with `mend` alone, up to its last good decision (or with `upto` so many decisions); one that could be put right goes on in any
        case. The damaged file is kept beside it. Raises SaveFault."""
        record = read_record(path, strict=not mend, disk=disk)         # what cannot be read says so, whether it can be written or not
        handle = opened(path, disk)
        kept = anew = None
        try:
            raw = handle.read()
            record = record_of(path, raw, strict=not mend)
            if record.mended or upto is not None:
                whole = record.whole if upto is None else record.first(upto)
                kept = replaced(path, raw, whole, disk)
                record = record_of(path, whole)
            elif record.lone and not record.lines:                 # the power went before its copy was written
                anew = 2 * record.whole
                written(path, anew, disk)
                record = record_of(path, anew)
        except OSError as error:
            handle.close()
            raise unwritable(path, error) from error
        except SaveFault:
            handle.close()
            raise
        if kept is not None or anew is not None:
            handle.close()
            handle = opened(path, disk)
        save = cls(path, handle, record, disk)
        save.kept = kept
        return save, record

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
        """Leave a copy of all that was saved; what stood there is kept, as by `create`. Raises OSError, ValueError and SaveFault."""
        if self.handle.stands_at(path):
            return
        raw = self.handle.read()[: self.end]
        self.disk.make_folder(path.parent)
        set_aside(path, self.disk)
        written(path, raw, self.disk)

    def renew(self, setup: Setup, lines: list[SavedDecision]) -> None:
        """Write all of it anew in the format of today; what the file held is kept beside it. Raises SaveFault."""
        head = sealed(b"", setup.header())
        parts = [head, head]
        for line in lines:
            parts.append(sealed(seal(parts[-1]), line.data()))
        try:
            if self.kept is None:
                self.kept = replaced(self.path, self.handle.read(), b"".join(parts), self.disk)
            else:                                                  # it was damaged too, and is kept already
                written(self.path, b"".join(parts), self.disk)
        except OSError as error:
            raise unwritable(self.path, error) from error
        self.handle.close()
        self.handle = opened(self.path, self.disk)
        record = record_of(self.path, self.handle.read())
        self.starts, self.notes, self.ends, self.seals, self.chained = record.starts, record.notes, record.ends, record.seals, True

    def close(self) -> None:
        self.handle.close()

    # ------------------------------------------------------------ writing

    def _note(self, data: dict[str, Any]) -> None:
        at = self.end
        self._write(data)
        self.notes.append(at)

    def _write(self, data: dict[str, Any]) -> None:
        raw = sealed(self.seals[-1], data) if self.chained else dumped(data) + b"\n"
        self._append(raw)
        self.ends.append(self.end + len(raw))
        self.seals.append(seal(raw) if self.chained else b"")

    def _append(self, raw: bytes) -> None:
        try:
            if self.handle.size() != self.end:                     # half a line, of a program that was stopped while writing
                self.handle.cut(self.end)
            whole(self.handle, raw)
            self.handle.sync()
            if not self.handle.stands_at(self.path):
                self._save_elsewhere()
        except OSError as error:
            with contextlib.suppress(OSError):                     # half a line is dropped when the save is read
                self.handle.cut(self.end)
            raise unwritable(self.path, error) from error

    def _save_elsewhere(self) -> None:
        """The file was moved away or removed while we had it open: all of it once more, in its place or, where another file stands there
        now, beside it."""
        path = self.path if not self.disk.exists(self.path) else free(self.path, self.disk, "-{}")
        try:
            self.disk.make_folder(path.parent)
        except (FileExistsError, NotADirectoryError):              # where its folder was, a file is now: a folder beside that
            path = free(path.parent, self.disk) / path.name
            self.disk.make_folder(path.parent)
        written(path, self.handle.read(), self.disk)
        former, self.handle = self.handle, taken(path, self.disk.open(path))
        former.close()
        self.path = path

    def _cut(self, end: int) -> None:
        try:
            self.handle.cut(end)
        except OSError as error:
            raise unwritable(self.path, error) from error
        while self.end > end:
            self.ends.pop()
            self.seals.pop()
        with contextlib.suppress(OSError):
            self.handle.sync()


def unwritable(path: Path, error: OSError | ValueError) -> SaveFault:
    return SaveFault("file.unwritable", file=str(path), reason=getattr(error, "strerror", None) or "")


def opened(path: Path, disk: Disk) -> OpenFile:
    """A save that is there, open and locked. Raises SaveFault."""
    try:
        return taken(path, disk.open(path))
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from error


def taken(path: Path, handle: OpenFile) -> OpenFile:
    """An open file, locked. Raises SaveFault when another program has it, and closes it."""
    if not handle.lock():
        handle.close()
        raise SaveFault("save.busy", file=str(path))
    return handle


def whole(handle: OpenFile, raw: bytes) -> None:
    """Write all of it."""
    left = raw
    while left:
        left = left[handle.write(left) :]


def written(path: Path, raw: bytes, disk: Disk) -> None:
    """A whole file in one step: written aside, forced to the disk, renamed. Raises OSError."""
    aside = free(path.with_name(path.name + ".part"), disk)
    try:
        handle = disk.open(aside, new=True)
        try:
            whole(handle, raw)
            handle.sync()
        finally:
            handle.close()
        disk.rename(aside, path)
    except OSError:
        with contextlib.suppress(OSError):
            disk.remove(aside)
        raise
    disk.sync_folder(path.parent)


def replaced(path: Path, raw: bytes, whole: bytes, disk: Disk) -> Path:
    """Put what is whole of a damaged save in its place; returns where the damaged one is kept. Raises OSError."""
    kept = free(path.with_name(path.name + "~"), disk)
    written(kept, raw, disk)
    written(path, whole, disk)
    return kept


def free(path: Path, disk: Disk, more: str = "{}") -> Path:
    """This place, or where something stands there one like it: the name with a number behind it, or before its ending where `more` has a
    hyphen."""
    found, n = path, 1
    while disk.exists(found):
        n += 1
        found = path.with_stem(path.stem + more.format(n)) if "-" in more else path.with_name(path.name + more.format(n))
    return found


def set_aside(path: Path, disk: Disk) -> None:
    """Make room for a new file: what stands there is renamed, with ~ behind its name. Raises SaveFault when another program saves its game
    there, and OSError."""
    if not disk.exists(path):
        return
    handle = disk.open(path)
    try:
        if not handle.lock():
            raise SaveFault("save.busy", file=str(path))
        size = handle.size()
    finally:
        handle.close()
    if size:
        disk.rename(path, path.with_name(path.name + "~"))


__all__ = ["HUMAN", "SUFFIX", "SaveFault", "SaveFile", "SavedDecision", "Setup", "damaged", "read_record", "read_save", "record_of"]
