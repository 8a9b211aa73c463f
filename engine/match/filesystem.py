"""The calls to the system that a save is written with, in one place, so that tests can let any of them fail or be the last one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from ...dsl.diagnostics.safe_read import read_bytes
from .file_lock import try_lock

MAX_SAVE_BYTES = 20_000_000                 # bytes of a save; a game of twenty thousand decisions has four million


class LockableFile:
    """A file open for reading and writing."""

    def __init__(self, path: Path, new: bool) -> None:
        self.handle = path.open("a+b" if new else "r+b", buffering=0)

    def try_lock(self) -> bool:
        return try_lock(self.handle)

    def read(self) -> bytes:
        self.handle.seek(0)
        return self.handle.read(MAX_SAVE_BYTES + 1)

    def size(self) -> int:
        return self.handle.seek(0, os.SEEK_END)

    def write(self, raw: bytes) -> int:
        """Write at the end as much as goes; says how much."""
        self.handle.seek(0, os.SEEK_END)
        return self.handle.write(raw) or 0

    def truncate(self, end: int) -> None:
        self.handle.truncate(end)

    def sync(self) -> None:
        os.fsync(self.handle.fileno())

    def is_at(self, path: Path) -> bool:
        """Whether this very file is found at a place."""
        try:
            return os.path.samestat(os.fstat(self.handle.fileno()), path.stat())
        except OSError:
            return False

    def close(self) -> None:
        self.handle.close()


class FileSystem:
    """The file system."""

    def open(self, path: Path, new: bool = False) -> LockableFile:
        """A file to write; with `new` it may not be there yet."""
        if not new or path.exists():
            self.require_regular_file(path)
        return LockableFile(path, new)

    def require_regular_file(self, path: Path) -> None:
        """Raises OSError where something else than a file stands."""
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(number, os.strerror(number))

    def exists(self, path: Path) -> bool:
        return path.exists() or path.is_symlink()

    def read(self, path: Path) -> bytes:
        """All of a regular file of a sane size. Raises OSError."""
        return read_bytes(path, MAX_SAVE_BYTES)

    def make_folder(self, path: Path) -> None:
        if not path.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            self.sync_folder(path.parent)

    def rename(self, old: Path, new: Path) -> None:
        old.replace(new)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Force the names of new files to the disk, where the system has a way to do it."""
        try:
            handle = os.open(folder, os.O_RDONLY)
        except OSError:
            return
        try:
            with contextlib.suppress(OSError):
                os.fsync(handle)
        finally:
            os.close(handle)


FILE_SYSTEM = FileSystem()
