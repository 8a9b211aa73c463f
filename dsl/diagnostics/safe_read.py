"""Safe reading of files from strangers: only ordinary files of limited size are read.

Names in games, packs and catalogues can lead to a pipe, a device or a huge file. These would block, never end, or fill
the memory. A file is checked after it is opened, so it cannot be exchanged between the check and the reading."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from .source_lines import normalize_newlines

MAX_SOURCE_BYTES = 2_000_000                  # for a file of a game, a pack or a catalogue
MAX_OTHER_BYTES = 20_000_000                   # for other files in its directory
SOURCE_SUFFIXES = (".yaml", ".rules", ".po")                               # files of games, packs and catalogues


class FileTooLargeError(OSError):
    """A file has more bytes than allowed."""

    def __init__(self, path: Path, limit: int) -> None:
        super().__init__(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        self.limit = limit


class NotARegularFileError(OSError):
    """A path leads to a pipe, a device or a directory."""


def read_bytes(path: Path | str, max_bytes: int = MAX_SOURCE_BYTES) -> bytes:
    """Returns the contents of an ordinary file.

    Raises OSError if it cannot be read, FileTooLargeError if it has more than `max_bytes` bytes, and ValueError for an invalid
    file name."""
    raw = read_beginning(path, max_bytes)
    if len(raw) > max_bytes:
        raise FileTooLargeError(Path(path), max_bytes)
    return raw


def read_beginning(path: Path | str, max_bytes: int) -> bytes:
    """Returns up to `max_bytes` + 1 bytes of an ordinary file. Raises OSError and ValueError, like `read_bytes`."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            number = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
            raise NotARegularFileError(number, os.strerror(number), str(path))
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(max_bytes + 1)
    finally:
        os.close(handle)


def read_text(path: Path | str, max_bytes: int = MAX_SOURCE_BYTES, errors: str = "strict") -> str:
    """Returns the text of a UTF-8 file with normalized line ends. Raises the errors of `read_bytes`,
    and ValueError if it is not UTF-8."""
    return normalize_newlines(read_bytes(path, max_bytes).decode("utf-8", errors))


def find_undecodable(error: Exception) -> tuple[int, int] | None:
    """Returns the line and column of the first character that is not UTF-8, or None if the file is missing or no text."""
    if not isinstance(error, UnicodeDecodeError) or b"\0" in error.object:
        return None
    before = error.object[: error.start].decode("utf-8", "replace")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def find_unreadable_files(folder: Path) -> Iterator[tuple[Path, int | None]]:
    """Yields the files of a directory that have a suffix of game files but cannot be read.

    The second value is the size limit if the file is too large, otherwise None."""
    for base, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted([*files, *(name for name in folders if name.endswith(SOURCE_SUFFIXES))]):
            path = Path(base, name)
            try:
                found = path.stat() if name.endswith(SOURCE_SUFFIXES) else None
            except OSError:                                        # a broken link
                yield path, None
                continue
            if found is not None and not stat.S_ISREG(found.st_mode):
                yield path, None
            elif found is not None and found.st_size > MAX_SOURCE_BYTES:
                yield path, MAX_SOURCE_BYTES


def find_uncopyable(base: str, names: list[str]) -> set[str]:
    """Returns the names in a directory that should not be copied, for the `ignore` argument of `shutil.copytree`.

    These are special files, files above MAX_OTHER_BYTES, broken links, and links to directories."""
    def is_uncopyable(path: Path) -> bool:
        try:
            found = path.stat()
        except OSError:
            return True
        return path.is_symlink() if stat.S_ISDIR(found.st_mode) else not stat.S_ISREG(found.st_mode) or found.st_size > MAX_OTHER_BYTES
    return {name for name in names if is_uncopyable(Path(base, name))}
