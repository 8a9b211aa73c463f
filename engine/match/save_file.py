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

from .filesystem import FILE_SYSTEM, FileSystem, LockableFile
from .line_checksums import add_checksum, checksum_of, dump_json
from .save_reader import SaveContents, damage_error, parse_save, read_contents, read_save
from .setup import HUMAN, MatchSetup, SavedDecision, SaveError

SAVE_SUFFIX = ".ludoglot"


class SaveFile:
    """A save open for writing, by one program at a time. Every line is forced to the disk before the call returns; a call that raises
    SaveFault (the disk is full) has left the file as it was. `kept` is where the damaged file lies that this one was mended from."""

    def __init__(self, path: Path, handle: LockableFile, record: SaveContents | None = None, disk: FileSystem = FILE_SYSTEM) -> None:
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
    def create(cls, path: Path, setup: MatchSetup, disk: FileSystem = FILE_SYSTEM) -> SaveFile:
        """A new save with its header; what stood at `path` is kept beside it, with ~ behind its name. Raises SaveFault."""
        try:
            disk.make_folder(path.parent)
            back_up(path, disk)
            handle = disk.open(path, new=True)
        except (OSError, ValueError) as error:
            raise unwritable_error(path, error) from error
        save = cls(path, lock_or_fail(path, handle), disk=disk)
        try:
            head = add_checksum(b"", setup.header())
            save._append(head + head)
            save.ends, save.seals = [len(head), 2 * len(head)], [checksum_of(head)] * 2
            disk.sync_folder(path.parent)
        except SaveError:
            save.close()
            raise
        return save

    @classmethod
    def reopen(
        cls, path: Path, mend: bool = False, upto: int | None = None, disk: FileSystem = FILE_SYSTEM
    ) -> tuple[SaveFile, SaveContents]:
        """A save to go on with, and what it holds. Where it is sound nothing is changed before something is written. One with damage goes
        on with `mend` alone, up to its last good decision (or with `upto` so many decisions); one that could be put right goes on in any
        case. The damaged file is kept beside it. Raises SaveFault."""
        record = read_contents(path, strict=not mend, disk=disk)         # what cannot be read says so, whether it can be written or not
        handle = open_locked(path, disk)
        kept = anew = None
        try:
            raw = handle.read()
            record = parse_save(path, raw, strict=not mend)
            if record.is_altered or upto is not None:
                whole = record.valid_bytes if upto is None else record.bytes_through(upto)
                kept = replace_keeping_backup(path, raw, whole, disk)
                record = parse_save(path, whole)
            elif record.lone and not record.lines:                 # the power went before its copy was written
                anew = 2 * record.valid_bytes
                write_atomically(path, anew, disk)
                record = parse_save(path, anew)
        except OSError as error:
            handle.close()
            raise unwritable_error(path, error) from error
        except SaveError:
            handle.close()
            raise
        if kept is not None or anew is not None:
            handle.close()
            handle = open_locked(path, disk)
        save = cls(path, handle, record, disk)
        save.kept = kept
        return save, record

    def add_decision(self, line: SavedDecision) -> None:
        """A decision."""
        at = self.end
        self._write_line(line.to_data())
        self.starts.append(at)

    def set_language(self, seat: int | None, lang: str) -> None:
        """What a seat, or the program, speaks from now on."""
        self._add_note({"lang": lang} if seat is None else {"seat": seat, "lang": lang})

    def undo_decisions(self, count: int) -> None:
        """Take back the last `count` decisions."""
        if count <= 0:
            return
        start = self.starts[-count]
        if self.notes and self.notes[-1] > start:
            self._add_note({"undo": count})
        else:
            self._truncate(start)
        del self.starts[-count:]

    def copy_to(self, path: Path) -> None:
        """Leave a copy of all that was saved; what stood there is kept, as by `create`. Raises OSError, ValueError and SaveFault."""
        if self.handle.is_at(path):
            return
        raw = self.handle.read()[: self.end]
        self.disk.make_folder(path.parent)
        back_up(path, self.disk)
        write_atomically(path, raw, self.disk)

    def rewrite(self, setup: MatchSetup, lines: list[SavedDecision]) -> None:
        """Write all of it anew in the format of today; what the file held is kept beside it. Raises SaveFault."""
        head = add_checksum(b"", setup.header())
        parts = [head, head]
        for line in lines:
            parts.append(add_checksum(checksum_of(parts[-1]), line.to_data()))
        try:
            if self.kept is None:
                self.kept = replace_keeping_backup(self.path, self.handle.read(), b"".join(parts), self.disk)
            else:                                                  # it was damaged too, and is kept already
                write_atomically(self.path, b"".join(parts), self.disk)
        except OSError as error:
            raise unwritable_error(self.path, error) from error
        self.handle.close()
        self.handle = open_locked(self.path, self.disk)
        record = parse_save(self.path, self.handle.read())
        self.starts, self.notes, self.ends, self.seals, self.chained = record.starts, record.notes, record.ends, record.seals, True

    def close(self) -> None:
        self.handle.close()

    # ------------------------------------------------------------ writing

    def _add_note(self, data: dict[str, Any]) -> None:
        at = self.end
        self._write_line(data)
        self.notes.append(at)

    def _write_line(self, data: dict[str, Any]) -> None:
        raw = add_checksum(self.seals[-1], data) if self.chained else dump_json(data) + b"\n"
        self._append(raw)
        self.ends.append(self.end + len(raw))
        self.seals.append(checksum_of(raw) if self.chained else b"")

    def _append(self, raw: bytes) -> None:
        try:
            if self.handle.size() != self.end:                     # half a line, of a program that was stopped while writing
                self.handle.truncate(self.end)
            write_all(self.handle, raw)
            self.handle.sync()
            if not self.handle.is_at(self.path):
                self._save_elsewhere()
        except OSError as error:
            with contextlib.suppress(OSError):                     # half a line is dropped when the save is read
                self.handle.truncate(self.end)
            raise unwritable_error(self.path, error) from error

    def _save_elsewhere(self) -> None:
        """The file was moved away or removed while we had it open: all of it once more, in its place or, where another file stands there
        now, beside it."""
        path = self.path if not self.disk.exists(self.path) else find_unused_path(self.path, self.disk, "-{}")
        try:
            self.disk.make_folder(path.parent)
        except (FileExistsError, NotADirectoryError):              # where its folder was, a file is now: a folder beside that
            path = find_unused_path(path.parent, self.disk) / path.name
            self.disk.make_folder(path.parent)
        write_atomically(path, self.handle.read(), self.disk)
        former, self.handle = self.handle, lock_or_fail(path, self.disk.open(path))
        former.close()
        self.path = path

    def _truncate(self, end: int) -> None:
        try:
            self.handle.truncate(end)
        except OSError as error:
            raise unwritable_error(self.path, error) from error
        while self.end > end:
            self.ends.pop()
            self.seals.pop()
        with contextlib.suppress(OSError):
            self.handle.sync()


def unwritable_error(path: Path, error: OSError | ValueError) -> SaveError:
    return SaveError("file.unwritable", file=str(path), reason=getattr(error, "strerror", None) or "")


def open_locked(path: Path, disk: FileSystem) -> LockableFile:
    """A save that is there, open and locked. Raises SaveFault."""
    try:
        return lock_or_fail(path, disk.open(path))
    except (OSError, ValueError) as error:
        raise unwritable_error(path, error) from error


def lock_or_fail(path: Path, handle: LockableFile) -> LockableFile:
    """An open file, locked. Raises SaveFault when another program has it, and closes it."""
    if not handle.try_lock():
        handle.close()
        raise SaveError("save.busy", file=str(path))
    return handle


def write_all(handle: LockableFile, raw: bytes) -> None:
    """Write all of it."""
    left = raw
    while left:
        left = left[handle.write(left) :]


def write_atomically(path: Path, raw: bytes, disk: FileSystem) -> None:
    """A whole file in one step: written aside, forced to the disk, renamed. Raises OSError."""
    aside = find_unused_path(path.with_name(path.name + ".part"), disk)
    try:
        handle = disk.open(aside, new=True)
        try:
            write_all(handle, raw)
            handle.sync()
        finally:
            handle.close()
        disk.rename(aside, path)
    except OSError:
        with contextlib.suppress(OSError):
            disk.remove(aside)
        raise
    disk.sync_folder(path.parent)


def replace_keeping_backup(path: Path, raw: bytes, whole: bytes, disk: FileSystem) -> Path:
    """Put what is whole of a damaged save in its place; returns where the damaged one is kept. Raises OSError."""
    kept = find_unused_path(path.with_name(path.name + "~"), disk)
    write_atomically(kept, raw, disk)
    write_atomically(path, whole, disk)
    return kept


def find_unused_path(path: Path, disk: FileSystem, more: str = "{}") -> Path:
    """This place, or where something stands there one like it: the name with a number behind it, or before its ending where `more` has a
    hyphen."""
    found, n = path, 1
    while disk.exists(found):
        n += 1
        found = path.with_stem(path.stem + more.format(n)) if "-" in more else path.with_name(path.name + more.format(n))
    return found


def back_up(path: Path, disk: FileSystem) -> None:
    """Make room for a new file: what stands there is renamed, with ~ behind its name. Raises SaveFault when another program saves its game
    there, and OSError."""
    if not disk.exists(path):
        return
    handle = disk.open(path)
    try:
        if not handle.try_lock():
            raise SaveError("save.busy", file=str(path))
        size = handle.size()
    finally:
        handle.close()
    if size:
        disk.rename(path, path.with_name(path.name + "~"))


__all__ = [
    "HUMAN",
    "SAVE_SUFFIX",
    "SaveError",
    "SaveFile",
    "SavedDecision",
    "MatchSetup",
    "damage_error",
    "read_contents",
    "read_save",
    "parse_save",
]
