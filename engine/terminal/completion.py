"""Completions of a line while it is typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class InputCompletion:
    """A completion: it replaces the last `back` characters by `text`, and is displayed as `shown`."""

    back: int
    text: str
    shown: str


CompletionSource = Callable[[str], list[InputCompletion]]


def no_completions(typed: str) -> list[InputCompletion]:
    return []
