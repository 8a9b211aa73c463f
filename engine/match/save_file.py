"""Save files: JSON lines, the header twice and then one line for each decision. Each
line is on the disk before the match goes on.

    {"ludoglot": 2, "game": "...", "rules": "...", "players": 2, "options": {}, "house": [], "seed": 1, "names": [], "seats": [], ...}
    {"seat": 0, "key": "turn.spot", "option": "spot=e4", "hash": "...", "auto": true, "over": true}
    {"seat": 0, "lang": "hu"}
    {"undo": 2}

Each line also ends with a checksum (line_checksums.py).

- `rules` is the fingerprint of the rules, `hash` the hash of the position after the decision
- `auto` marks a decision that the engine took because it had one option, `over` the one that ended the match
- A line with `lang` sets the language of a seat or, without `seat`, of the program
- A line with `undo` takes back so many decisions. It is needed only if a `lang` line
  follows them, otherwise they are cut off the file

So every change is a single system call: a line is appended, or the end is cut off. A
program that is killed at any moment has made the change or has not. An incomplete last
line, written when the machine stopped, is dropped.

Only one program at a time has a save open for writing (file_lock.py).
save_reader.py reads saves, save_index.py lists them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import unwritable_error
from .filesystem import FILE_SYSTEM, FileSystem, LockableFile
from .line_checksums import add_checksum, checksum_of, dump_json
from .save_reader import SaveContents, damage_error, parse_save, read_contents, read_save
from .setup import HUMAN, MatchSetup, SavedDecision, SaveError

SAVE_SUFFIX = ".ludoglot"


class SaveFile:
    """A save open for writing by one program at a time.

    Every line is forced to the disk before the call returns, or within `sync_interval` seconds if that is set. A call
    that raises SaveError, for example because the disk is full, leaves the file unchanged. `kept` is the path of the
    damaged file whose good part this save continues."""

    def __init__(self, path: Path, handle: LockableFile, record: SaveContents | None = None, disk: FileSystem = FILE_SYSTEM) -> None:
        self.path, self.handle, self.disk = path, handle, disk
        self.kept: Path | None = None
        self.sync_interval, self.synced_at = 0.0, 0.0
        self.starts = list(record.starts) if record else []
        self.notes = list(record.notes) if record else []
        self.ends = list(record.ends) if record else []
        self.seals = list(record.seals) if record else []
        self.chained = record.chained if record else True

    @property
    def end(self) -> int:
        """The offset after the last good line."""
        return self.ends[-1] if self.ends else 0

    @classmethod
    def create(cls, path: Path, setup: MatchSetup, disk: FileSystem = FILE_SYSTEM) -> SaveFile:
        """Creates a save with its header. An existing file at `path` is kept, with ~ appended to its name. Raises
        SaveError."""
        try:
            disk.make_folder(path.parent)
            back_up(path, disk)
            handle = disk.open(path, new=True)
        except (OSError, ValueError) as error:
            raise unwritable_error(SaveError, path, error) from error
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
        """Opens a save to continue it, and returns its contents too. Raises SaveError.

        A sound save is not changed before the next write. A damaged one needs `mend`: it continues after
        its last good decision, or after `upto` decisions. One with a damaged copy of its header continues
        without `mend`. The damaged file is kept next to it."""
        record = read_contents(path, strict=not mend, disk=disk)         # report an unreadable file first, whether it is writable or not
        handle = open_locked(path, disk)
        kept, rewritten = None, False
        try:
            raw = handle.read()
            record = parse_save(path, raw, strict=not mend)
            if record.is_altered or upto is not None:
                whole = record.valid_bytes if upto is None else record.bytes_through(upto)
                kept = replace_keeping_backup(path, raw, whole, disk)
                record = parse_save(path, whole)
                rewritten = True
            elif record.lone:                                      # the machine stopped before it wrote the copy
                write_atomically(path, record.valid_bytes, disk)
                record = parse_save(path, record.valid_bytes)
                rewritten = True
        except OSError as error:
            handle.close()
            raise unwritable_error(SaveError, path, error) from error
        except SaveError:
            handle.close()
            raise
        if rewritten:
            handle.close()
            handle = open_locked(path, disk)
        save = cls(path, handle, record, disk)
        save.kept = kept
        return save, record

    def add_decision(self, line: SavedDecision) -> None:
        """Appends a decision."""
        at = self.end
        self._write_line(line.to_data())
        self.starts.append(at)

    def set_language(self, seat: int | None, lang: str) -> None:
        """Records the language of a seat, or of the program, from now on."""
        self._add_note({"lang": lang} if seat is None else {"seat": seat, "lang": lang})

    def undo_decisions(self, count: int) -> None:
        """Takes back the last `count` decisions."""
        if count <= 0:
            return
        start = self.starts[-count]
        if self.notes and self.notes[-1] > start:
            self._add_note({"undo": count})
        else:
            self._truncate(start)
        del self.starts[-count:]

    def copy_to(self, path: Path) -> None:
        """Copies the save to `path`. An existing file there is kept, as by `create`. Raises OSError, ValueError and
        SaveError."""
        if self.handle.is_at(path):
            return
        raw = self.handle.read()[: self.end]
        self.disk.make_folder(path.parent)
        back_up(path, self.disk)
        write_atomically(path, raw, self.disk)

    def rewrite(self, setup: MatchSetup, lines: list[SavedDecision]) -> None:
        """Rewrites the whole save in the current format. The old file is kept next to it. Raises SaveError."""
        raw = format_save(setup, lines)
        try:
            if self.kept is None:
                self.kept = replace_keeping_backup(self.path, self.handle.read(), raw, self.disk)
            else:                                                  # the damaged file is kept already
                write_atomically(self.path, raw, self.disk)
        except OSError as error:
            raise unwritable_error(SaveError, self.path, error) from error
        self.handle.close()
        self.handle = open_locked(self.path, self.disk)
        record = parse_save(self.path, self.handle.read())
        self.starts, self.notes, self.ends, self.seals, self.chained = record.starts, record.notes, record.ends, record.seals, True

    def close(self) -> None:
        """Closes the file, which releases its lock. Raises SaveError if waiting lines cannot be forced to the disk."""
        try:
            if self.sync_interval:
                self.handle.sync()
        except OSError as error:
            raise unwritable_error(SaveError, self.path, error) from error
        finally:
            self.handle.close()

    # ------------------------------------------------------------ writing

    def _add_note(self, data: dict[str, Any]) -> None:
        """Appends a line that is not a decision."""
        at = self.end
        self._write_line(data)
        self.notes.append(at)

    def _write_line(self, data: dict[str, Any]) -> None:
        """Appends a line with its checksum."""
        raw = add_checksum(self.seals[-1], data) if self.chained else dump_json(data) + b"\n"
        self._append(raw)
        self.ends.append(self.end + len(raw))
        self.seals.append(checksum_of(raw) if self.chained else b"")

    def _append(self, raw: bytes) -> None:
        """Appends bytes after the last good line and forces them to the disk. Raises SaveError."""
        try:
            if self.handle.size() != self.end:                     # incomplete line of an interrupted program
                self.handle.truncate(self.end)
            write_all(self.handle, raw)
            if time.monotonic() >= self.synced_at + self.sync_interval:
                self.handle.sync()
                self.synced_at = time.monotonic()
            if not self.handle.is_at(self.path):
                self._save_elsewhere()
        except OSError as error:
            with contextlib.suppress(OSError):                     # the reader drops an incomplete line
                self.handle.truncate(self.end)
            raise unwritable_error(SaveError, self.path, error) from error

    def _save_elsewhere(self) -> None:
        """Writes the whole save again, because the open file was moved or removed: to its
        old path or, if that is taken now, next to it."""
        path = self.path if not self.disk.exists(self.path) else find_unused_path(self.path, self.disk, "-{}")
        try:
            self.disk.make_folder(path.parent)
        except (FileExistsError, NotADirectoryError):              # a file has replaced the folder, so make another folder
            path = find_unused_path(path.parent, self.disk) / path.name
            self.disk.make_folder(path.parent)
        write_atomically(path, self.handle.read(), self.disk)
        former, self.handle = self.handle, lock_or_fail(path, self.disk.open(path))
        former.close()
        self.path = path

    def _truncate(self, end: int) -> None:
        """Shortens the file to `end` bytes. Raises SaveError."""
        try:
            self.handle.truncate(end)
        except OSError as error:
            raise unwritable_error(SaveError, self.path, error) from error
        while self.end > end:
            self.ends.pop()
            self.seals.pop()
        with contextlib.suppress(OSError):
            self.handle.sync()


def format_save(setup: MatchSetup, lines: Iterable[SavedDecision]) -> bytes:
    """Returns the bytes of a whole save in the current format."""
    head = add_checksum(b"", setup.header())
    parts = [head, head]
    for line in lines:
        parts.append(add_checksum(checksum_of(parts[-1]), line.to_data()))
    return b"".join(parts)


def open_locked(path: Path, disk: FileSystem) -> LockableFile:
    """Opens and locks an existing save. Raises SaveError."""
    try:
        return lock_or_fail(path, disk.open(path))
    except (OSError, ValueError) as error:
        raise unwritable_error(SaveError, path, error) from error


def lock_or_fail(path: Path, handle: LockableFile) -> LockableFile:
    """Locks an open file and returns it. If another program has the lock, closes it and raises SaveError."""
    if not handle.try_lock():
        handle.close()
        raise SaveError("save.busy", file=str(path))
    return handle


def write_all(handle: LockableFile, raw: bytes) -> None:
    """Writes all bytes to the end of a file."""
    left = raw
    while left:
        left = left[handle.write(left) :]


def write_atomically(path: Path, raw: bytes, disk: FileSystem) -> None:
    """Writes a whole file in one step: to a temporary file, to the disk, then by renaming. Raises OSError."""
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
    """Replaces a damaged save by its good part. Returns the path where the damaged file is kept. Raises OSError."""
    kept = find_unused_path(path.with_name(path.name + "~"), disk)
    write_atomically(kept, raw, disk)
    write_atomically(path, whole, disk)
    return kept


def find_unused_path(path: Path, disk: FileSystem, more: str = "{}") -> Path:
    """Returns this path or, if it is taken, a similar one.

    A number is appended to the name, or inserted before the suffix if `more` contains a hyphen."""
    found, n = path, 1
    while disk.exists(found):
        n += 1
        found = path.with_stem(path.stem + more.format(n)) if "-" in more else path.with_name(path.name + more.format(n))
    return found


def back_up(path: Path, disk: FileSystem) -> None:
    """Renames an existing file, with ~ appended to its name, to make room for a new one.

    Raises SaveError if another program is writing it, and OSError. An empty file is not kept."""
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
