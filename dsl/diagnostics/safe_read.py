"""The one door for files that are read: an ordinary file of a sane size, or a refusal.

Games, packs and catalogues come from strangers. A pipe would be waited for, a device read without end, a giant would fill the memory; a
name can lead to any of them. What is read is looked at once it is open, so nothing else can be put in its place meanwhile.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from .source_lines import normalize_newlines

MAX_SOURCE_BYTES = 2_000_000                  # bytes of a file of a game, a pack, a catalogue
MAX_OTHER_BYTES = 20_000_000                   # bytes of whatever else may lie in its folder
SOURCE_SUFFIXES = (".yaml", ".rules", ".po")                               # what games, packs and words are made of


class FileTooLargeError(OSError):
    """A file that has more bytes than it may."""

    def __init__(self, path: Path, limit: int) -> None:
        super().__init__(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        self.limit = limit


class NotARegularFileError(OSError):
    """Something else than a file: a pipe, a device, a folder."""


def read_bytes(path: Path | str, most: int = MAX_SOURCE_BYTES) -> bytes:
    """All of an ordinary file. Raises OSError where there is none, TooLarge where it has more than `most` bytes, and ValueError where no
    file can be called so."""
    raw = read_beginning(path, most)
    if len(raw) > most:
        raise FileTooLargeError(Path(path), most)
    return raw


def read_beginning(path: Path | str, most: int) -> bytes:
    """An ordinary file up to one byte more than `most`. Raises OSError and ValueError as read_bytes."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            number = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
            raise NotARegularFileError(number, os.strerror(number), str(path))
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(most + 1)
    finally:
        os.close(handle)


def read_text(path: Path | str, most: int = MAX_SOURCE_BYTES, errors: str = "strict") -> str:
    """As read_bytes, a text in UTF-8 with one kind of line ends. Raises ValueError where it is none."""
    return normalize_newlines(read_bytes(path, most).decode("utf-8", errors))


def find_unreadable_files(folder: Path) -> Iterator[tuple[Path, int | None]]:
    """What in a folder is called as if it belonged to a game and cannot be read through this door, with the limit where it is too large."""
    for base, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted([*files, *(name for name in folders if name.endswith(SOURCE_SUFFIXES))]):
            path = Path(base, name)
            try:
                found = path.stat() if name.endswith(SOURCE_SUFFIXES) else None
            except OSError:                                        # a name that leads nowhere
                yield path, None
                continue
            if found is not None and not stat.S_ISREG(found.st_mode):
                yield path, None
            elif found is not None and found.st_size > MAX_SOURCE_BYTES:
                yield path, MAX_SOURCE_BYTES


def find_uncopyable(base: str, names: list[str]) -> set[str]:
    """Of what lies in a folder, that which is no ordinary file of a sane size and no folder of its own: what `shutil.copytree` had better
    leave."""
    def is_uncopyable(path: Path) -> bool:
        try:
            found = path.stat()
        except OSError:
            return True
        return path.is_symlink() if stat.S_ISDIR(found.st_mode) else not stat.S_ISREG(found.st_mode) or found.st_size > MAX_OTHER_BYTES
    return {name for name in names if is_uncopyable(Path(base, name))}
