"""Which player owns a thing, and how relevant things are to a player, derived from public states."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...dsl.types.types import Int, MemberOf, OptionalOf, Type
from ..position.position import Game, Position
from .narrator import FieldValues

PLAYER_DOMAIN = "a player"                  # stands for every type of players


class OwnershipIndex:
    """Finds the owner of things in a game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def owner_of(self, kind: Type, raw: Any, position: Position | None) -> int | None:
        """Returns the player that a value is, or the player that owns it according to a public state. None if there is
        none."""
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
        """Returns how relevant things are to a player: 2 for the player or something owned, 1 for a place with something
        of theirs, otherwise 0."""
        if any(self.owner_of(kind, raw, position) == seat for kind, raw in slots.values()):
            return 2
        return int(any(self.has_things_at(kind, raw, seat, position) for kind, raw in slots.values()))

    def has_things_at(self, kind: Type, raw: Any, seat: int, position: Position | None) -> bool:
        """Whether a public state counts something of this player at a place."""
        if not isinstance(kind, MemberOf) or position is None:
            return False
        return any(position.raw_value(name, mine, raw) > 0 for name, axes, held in self.public_states
                   if len(axes) == 2 and axes[1] == self.canonical_domain(kind.name) and isinstance(held, Int)
                   for mine in self.members_of_player(axes[0], seat, position))

    def members_of_player(self, domain: str, seat: int, position: Position) -> list[int]:
        """Returns the members of a type that are this player or belong to this player."""
        if domain == PLAYER_DOMAIN:
            return [seat]
        enum = self.game.model.enum_of(domain)
        if enum is None or enum.kind not in ("enum", "pieces"):
            return []
        return [n for n in range(len(enum)) if self.owner_of(MemberOf(domain), n, position) == seat]

    @cached_property
    def public_states(self) -> list[tuple[str, list[str], Type]]:
        """The permanent public states: name, types of the axes, and type of the value."""
        return [(name, [self.canonical_domain(axis) for _, axis in cell.state.axes], cell.state.type)
                for name, cell in self.game.cells.items() if cell.state.seen == "open" and cell.state.per is None]

    def canonical_domain(self, name: str) -> str:
        """Returns the type's enum name, or PLAYER_DOMAIN for any type of players."""
        enum = self.game.model.enum_of(name)
        return name if enum is None else PLAYER_DOMAIN if enum.kind == "player" else enum.name
