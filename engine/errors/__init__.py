"""Errors that a person can act on: the key of a message and its parameters.

Any room raises them, and whoever shows them looks up the text in the reader's language. At the command line that is
one handler in `engine/commands/main.py`."""

from __future__ import annotations

from typing import Any


class MessageError(Exception):
    """An error with a message: the key of a text in the engine's catalogue, and the values of its fields."""

    def __init__(self, key: str, /, **params: Any) -> None:
        super().__init__(key)
        self.key, self.params = key, params


class UsageError(MessageError):
    """A request that names something unknown or contradicts itself. The command line exits with code 2, not 1."""


__all__ = ["MessageError", "UsageError"]
