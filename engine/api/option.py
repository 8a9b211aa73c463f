"""Options of a decision, as a program sees them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from ...dsl.storage.control_slots import FIRST_STATE_SLOT, PC
from ..position import options as inner
from ..position.position import OPTION_CACHE_SIZE, Decision, Game, Position


@dataclass(frozen=True, repr=False, slots=True)
class Option:
    """A legal move.

    Attributes:
        spelling: The text that `Match.play` accepts. It is the same at every decision, in every process and in every
            language: `cell=b2`.
        entry: The menu entry if the decision has a menu, else None."""

    spelling: str
    entry: str | None
    _values: dict[str, Any] = field(hash=False)                    # all matches share it

    @property
    def values(self) -> dict[str, Any]:
        """The chosen values by name, as plain data: `{"cell": "b2"}`."""
        return copy.deepcopy(self._values)

    def __str__(self) -> str:
        return self.spelling

    def __repr__(self) -> str:
        return f"<Option {self.spelling}>"


class DecisionOptions(dict[int, Option]):
    """The options of the decision at a block, by code. Each is made when it is first asked for, and is the same in every match."""

    def __init__(self, game: Game, block: int) -> None:
        super().__init__()
        kind = game.module.waits[block].decision
        assert kind is not None
        s = [0] * FIRST_STATE_SLOT
        s[PC] = block
        self.kind, self.decision = kind, Decision(Position(game, s), kind)
        self.codes: dict[str, int] = {}                            # by spelling

    def __missing__(self, code: int) -> Option:
        if len(self) >= OPTION_CACHE_SIZE:
            self.clear()
            self.codes.clear()
        found = self[code] = to_public_option(self.decision.position, self.decision.option(code))
        self.codes[found.spelling] = code
        return found


class GameOptions(dict[int, DecisionOptions]):
    """The options of a game by block and code."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def __missing__(self, block: int) -> DecisionOptions:
        found = self[block] = DecisionOptions(self.game, block)
        return found


def to_public_option(position: Position, option: inner.Option) -> Option:
    """Returns an option of the engine as an option of the API."""
    return Option(option.spelling, option.entry, {name: position.to_names(kind, value) for name, kind, value in option.values})
