"""Options of a decision, as a program sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..position import options as inner
from ..position.position import Position


@dataclass(frozen=True, repr=False)
class Option:
    """A legal move.

    Attributes:
        spelling: The text that `Match.play` accepts. It is the same at every decision, in every process and in every
            language: `cell=b2`.
        entry: The menu entry if the decision has a menu, else None.
        values: The chosen values by name, as plain data: `{"cell": "b2"}`."""

    spelling: str
    entry: str | None
    values: dict[str, Any]

    def __str__(self) -> str:
        return self.spelling

    def __repr__(self) -> str:
        return f"<Option {self.spelling}>"


def to_public_option(position: Position, option: inner.Option) -> Option:
    """Returns an option of the engine as an option of the API."""
    return Option(option.spelling, option.entry, {name: position.to_names(kind, value) for name, kind, value in option.values})


def to_public_options(position: Position) -> list[Option]:
    """Returns all options of the current decision. Empty when the game is over."""
    decision = position.decision
    return [] if decision is None else [to_public_option(position, option) for option in decision.options]
