"""Look up a value of one member in a position: a printed attribute, a state, or a def.

Texts and tables refer to such values by name. In the text of an option, `{tower_height}` is the state
`height` of the chosen tower."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.types.types import BOOL, INT, MemberOf, Type
from .position import Game, Position
from .visibility import can_see

TypedValue = tuple[Type, Any]


def look_up_value(position: Position, name: str, domain: str, member: int, seat: int | None) -> TypedValue | None:
    """Returns the type and raw value of the state or def `name` of a member, as `seat` may see it.

    `domain` is the member's type: an enum, a board or a kind of piece. Falls back to `find_printed_value`.
    Returns None if the seat may not see the state, or if the def has no value."""
    game = position.game
    cell = game.cells.get(name)
    if cell is not None and [kind for _, kind in cell.state.axes] == [domain]:
        index = [member]
        return (cell.state.type, position.raw_at(cell, index)) if can_see(position, cell, index, seat) else None
    routine, function = game.module.shown.get(name, (None, None))
    if routine is not None and function is not None and [param.type for param in routine.params] == [MemberOf(domain)]:
        raw = evaluate_def(function, position, member)
        return None if raw is None else (routine.type or BOOL, raw)
    return find_printed_value(game, name, domain, member)


def evaluate_def(function: Callable[..., Any], position: Position, *members: int) -> Any:
    """Returns the result of a def for these members, or None if the def stops with a fault."""
    try:
        return function(position.s, *members)
    except RuleFault:
        return None


def find_printed_value(game: Game, name: str, domain: str, member: int) -> TypedValue | None:
    """Returns a value that never changes: an attribute, a constant of the member, or `number`.

    `number` counts pieces of the same kind, from 1. Returns None if the member has no such value."""
    enum = game.model.enum_of(domain)
    if enum is None:
        return None
    if name in enum.attributes:
        return enum.attributes[name], enum.values[name][member]
    if name == "number" and enum.kind != "open":
        return INT, enum.copy_number(member)
    own = enum.own.get((enum.members[member], name)) if enum.kind != "open" else None
    return None if own is None else (INT, own)
