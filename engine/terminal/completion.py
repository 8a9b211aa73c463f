"""What could be meant by a line while it is typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Fit:
    """Something that could be meant by what is typed: it would replace the last `back` characters by `text`, and is shown as `shown`."""

    back: int
    text: str
    shown: str


Fits = Callable[[str], list[Fit]]


def nothing_fits(typed: str) -> list[Fit]:
    return []
