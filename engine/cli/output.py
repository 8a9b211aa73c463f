"""Output files of commands: checked before the work begins, and written completely or not at all."""

from __future__ import annotations

import os
from errno import EACCES, EISDIR, ENOENT, ENOTDIR
from pathlib import Path

from ...dsl.yaml.atomic_write import write_atomically
from ..errors import unwritable_error
from .console import CommandError, UsageError


def check_output(path: Path, *kept: Path) -> None:
    """Checks that `path` can be written and is none of the files to be `kept`.

    Raises UsageError and CommandError."""
    if any(is_same_file(path, other) for other in kept):
        raise UsageError("usage.same_file", file=str(path))
    folder = path.resolve().parent
    if path.is_dir():
        raise_unwritable(path, EISDIR)
    if not folder.is_dir():
        raise_unwritable(path, ENOTDIR if folder.exists() else ENOENT)
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise_unwritable(path, EACCES)


def is_same_file(one: Path, two: Path) -> bool:
    """Whether two paths lead to the same file."""
    try:
        return one.resolve() == two.resolve() or one.samefile(two)
    except OSError:
        return False


def raise_unwritable(path: Path, number: int) -> None:
    raise unwritable_error(CommandError, path, OSError(number, os.strerror(number)))


def write_output_file(path: Path, text: str) -> None:
    """Writes a file. An existing file is replaced only after the new text is complete. Raises CommandError."""
    real = path.resolve()
    try:
        if real.exists() and not real.is_file():                   # a pipe or a device cannot be replaced
            real.write_text(text, encoding="utf-8", newline="\n")
            return
        write_atomically(real, text.encode())
    except OSError as error:
        raise unwritable_error(CommandError, path, error) from error
