"""Errors that a person can act on: the key of a message and its parameters.

Any room raises them, and whoever shows them looks up the text in the reader's language. At the command line that is
one handler in `engine/commands/main.py`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar


class MessageError(Exception):
    """An error with a message: the key of a text in the engine's catalogue, and the values of its fields."""

    def __init__(self, key: str, /, **params: Any) -> None:
        super().__init__(key)
        self.key, self.params = key, params


class UsageError(MessageError):
    """A request that names something unknown or contradicts itself. The command line exits with code 2, not 1."""


AnyMessageError = TypeVar("AnyMessageError", bound=MessageError)


def unwritable_error(kind: type[AnyMessageError], path: Path, error: OSError | ValueError) -> AnyMessageError:
    """Returns the error of this kind for a file that cannot be written."""
    return kind("file.unwritable", file=str(path), reason=getattr(error, "strerror", None) or "")


def missing_package(error: ImportError, packages: Iterable[str]) -> str | None:
    """Returns which of these packages is not installed, or None if an import failed for another reason."""
    package = (error.name or "").partition(".")[0]
    return package if package in packages else None


__all__ = ["MessageError", "UsageError", "missing_package"]
