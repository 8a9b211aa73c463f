"""Whose things are, and whom they concern, by the states that everybody sees."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...dsl.types.types import Int, Maybe, Of, Type
from ..position.position import Game, Position
from .narrator import Slots

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

    def nearness(self, slots: Slots, seat: int, position: Position | None) -> int:
        """How near these things are to a player: 2 for themselves and what is theirs, 1 for a place where they have something."""
        if any(self.owner(kind, raw, position) == seat for kind, raw in slots.values()):
            return 2
        return int(any(self.counted(kind, raw, seat, position) for kind, raw in slots.values()))

    def counted(self, kind: Type, raw: Any, seat: int, position: Position | None) -> bool:
        """Whether a state that everybody sees counts something of a player's there."""
        if not isinstance(kind, Of) or position is None:
            return False
        return any(position.value(name, mine, raw) > 0 for name, axes, held in self.states
                   if len(axes) == 2 and axes[1] == self.kind(kind.name) and isinstance(held, Int)
                   for mine in self.theirs(axes[0], seat, position))

    def theirs(self, domain: str, seat: int, position: Position) -> list[int]:
        """The members of a type that are a player, or theirs."""
        if domain == PLAYER:
            return [seat]
        enum = self.game.model.enum_of(domain)
        if enum is None or enum.kind not in ("enum", "pieces"):
            return []
        return [n for n in range(len(enum)) if self.owner(Of(domain), n, position) == seat]

    @cached_property
    def states(self) -> list[tuple[str, list[str], Type]]:
        """The lasting states that everybody sees: their axes, and what they hold."""
        return [(name, [self.kind(axis) for _, axis in cell.state.axes], cell.state.type)
                for name, cell in self.game.cells.items() if cell.state.seen == "open" and cell.state.per is None]

    def kind(self, name: str) -> str:
        """What a type is about: players, by whatever name, or the type itself."""
        enum = self.game.model.enum_of(name)
        return name if enum is None else PLAYER if enum.kind == "player" else enum.name
