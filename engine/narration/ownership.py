"""Whose things are, and whom they concern, by the states that everybody sees."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...dsl.types.types import Int, MemberOf, OptionalOf, Type
from ..position.position import Game, Position
from .narrator import FieldValues

PLAYER_DOMAIN = "a player"                  # whatever a game calls them


class OwnershipIndex:
    """Finds the player that something is, or whose it is."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def owner_of(self, kind: Type, raw: Any, position: Position | None) -> int | None:
        """The player that something is, or whose it is by a state that everybody sees."""
        kind = kind.of if isinstance(kind, OptionalOf) and self.game.codec(kind).size(raw) else kind
        if not isinstance(kind, MemberOf) or self.canonical_domain(kind.name) == PLAYER_DOMAIN:
            return int(raw) if isinstance(kind, MemberOf) else None
        for name, axes, held in self.public_states:
            of = held.of if isinstance(held, OptionalOf) else held
            if (
                axes == [self.canonical_domain(kind.name)]
                and isinstance(of, MemberOf)
                and self.canonical_domain(of.name) == PLAYER_DOMAIN
                and position is not None
            ):
                found = position.raw_value(name, raw)
                return int(found) if self.game.codec(held).size(found) or not isinstance(held, OptionalOf) else None
        return None

    def relevance_to(self, slots: FieldValues, seat: int, position: Position | None) -> int:
        """How near these things are to a player: 2 for themselves and what is theirs, 1 for a place where they have something."""
        if any(self.owner_of(kind, raw, position) == seat for kind, raw in slots.values()):
            return 2
        return int(any(self.has_things_at(kind, raw, seat, position) for kind, raw in slots.values()))

    def has_things_at(self, kind: Type, raw: Any, seat: int, position: Position | None) -> bool:
        """Whether a state that everybody sees counts something of a player's there."""
        if not isinstance(kind, MemberOf) or position is None:
            return False
        return any(position.raw_value(name, mine, raw) > 0 for name, axes, held in self.public_states
                   if len(axes) == 2 and axes[1] == self.canonical_domain(kind.name) and isinstance(held, Int)
                   for mine in self.members_of_player(axes[0], seat, position))

    def members_of_player(self, domain: str, seat: int, position: Position) -> list[int]:
        """The members of a type that are a player, or theirs."""
        if domain == PLAYER_DOMAIN:
            return [seat]
        enum = self.game.model.enum_of(domain)
        if enum is None or enum.kind not in ("enum", "pieces"):
            return []
        return [n for n in range(len(enum)) if self.owner_of(MemberOf(domain), n, position) == seat]

    @cached_property
    def public_states(self) -> list[tuple[str, list[str], Type]]:
        """The lasting states that everybody sees: their axes, and what they hold."""
        return [(name, [self.canonical_domain(axis) for _, axis in cell.state.axes], cell.state.type)
                for name, cell in self.game.cells.items() if cell.state.seen == "open" and cell.state.per is None]

    def canonical_domain(self, name: str) -> str:
        """What a type is about: players, by whatever name, or the type itself."""
        enum = self.game.model.enum_of(name)
        return name if enum is None else PLAYER_DOMAIN if enum.kind == "player" else enum.name
