"""All system calls for writing a save, in one place, so that tests can make each of them fail or be the last
one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from ...dsl.diagnostics.safe_read import read_bytes
from .file_lock import try_lock

MAX_SAVE_BYTES = 20_000_000                 # a match of 20,000 decisions needs 4 million


class LockableFile:
    """A file open for reading and writing."""

    def __init__(self, path: Path, new: bool) -> None:
        self.handle = path.open("a+b" if new else "r+b", buffering=0)

    def try_lock(self) -> bool:
        """Locks the file. Returns False if another program has the lock."""
        return try_lock(self.handle)

    def read(self) -> bytes:
        """Returns the contents, at most one byte more than the size limit."""
        self.handle.seek(0)
        return self.handle.read(MAX_SAVE_BYTES + 1)

    def size(self) -> int:
        """Returns the size in bytes."""
        return self.handle.seek(0, os.SEEK_END)

    def write(self, raw: bytes) -> int:
        """Appends as many bytes as the system accepts, and returns their number."""
        self.handle.seek(0, os.SEEK_END)
        return self.handle.write(raw) or 0

    def truncate(self, end: int) -> None:
        """Shortens the file to `end` bytes."""
        self.handle.truncate(end)

    def sync(self) -> None:
        """Forces the contents to the disk."""
        os.fsync(self.handle.fileno())

    def is_at(self, path: Path) -> bool:
        """Whether this open file is the one at `path`."""
        try:
            return os.path.samestat(os.fstat(self.handle.fileno()), path.stat())
        except OSError:
            return False

    def close(self) -> None:
        self.handle.close()


class FileSystem:
    """The file system."""

    def open(self, path: Path, new: bool = False) -> LockableFile:
        """Opens a file for writing. With `new`, it must not exist yet."""
        if not new or path.exists():
            self.require_regular_file(path)
        return LockableFile(path, new)

    def require_regular_file(self, path: Path) -> None:
        """Raises OSError if the path is not a regular file."""
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(number, os.strerror(number))

    def exists(self, path: Path) -> bool:
        """Whether the path is in use, also by a broken symbolic link."""
        return path.exists() or path.is_symlink()

    def read(self, path: Path) -> bytes:
        """Returns the contents of a regular file, up to the size limit. Raises OSError."""
        return read_bytes(path, MAX_SAVE_BYTES)

    def make_folder(self, path: Path) -> None:
        """Creates a folder and its parents, unless it exists."""
        if not path.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            self.sync_folder(path.parent)

    def rename(self, old: Path, new: Path) -> None:
        """Renames a file and replaces an existing one."""
        old.replace(new)

    def remove(self, path: Path) -> None:
        """Removes a file, if it exists."""
        path.unlink(missing_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Forces the names of new files to the disk, if the system supports it."""
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
