"""Whose things are, by the states that everybody sees."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...dsl.values.types import Maybe, Of, Type
from ..position.position import Game, Position

PLAYER = "a player"                  # whatever a game calls them


class Owners:
    """Finds the player that something is, or whose it is."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def owner(self, kind: Type, raw: Any, position: Position | None) -> int | None:
        """The player that something is, or whose it is by a state that everybody sees."""
        kind = kind.of if isinstance(kind, Maybe) and self.game.codec(kind).size(raw) else kind
        if not isinstance(kind, Of) or self.kind(kind.name) == PLAYER:
            return int(raw) if isinstance(kind, Of) else None
        for name, axes, held in self.states:
            of = held.of if isinstance(held, Maybe) else held
            if axes == [self.kind(kind.name)] and isinstance(of, Of) and self.kind(of.name) == PLAYER and position is not None:
                found = position.value(name, raw)
                return int(found) if self.game.codec(held).size(found) or not isinstance(held, Maybe) else None
        return None

    @cached_property
    def states(self) -> list[tuple[str, list[str], Type]]:
        """The lasting states that everybody sees: their axes, and what they hold."""
        return [(name, [self.kind(axis) for _, axis in cell.state.axes], cell.state.type)
                for name, cell in self.game.cells.items() if cell.state.seen == "open" and cell.state.per is None]

    def kind(self, name: str) -> str:
        """What a type is about: players, by whatever name, or the type itself."""
        enum = self.game.model.enum_of(name)
        return name if enum is None else PLAYER if enum.kind == "player" else enum.name
