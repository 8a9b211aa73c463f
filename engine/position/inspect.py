"""What can be seen of one thing in a position: what is printed on it, what lies on it now, and what the rules compute of it.

Texts and tables ask for it by name: `{tower_height}` in the text of an option is the state `height` of the tower that may be chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.types.types import BOOL, INT, MemberOf, Type
from .position import Game, Position
from .visibility import can_see

TypedValue = tuple[Type, Any]


def look_up_value(position: Position, name: str, domain: str, member: int, seat: int | None) -> TypedValue | None:
    """The state or the computed value `name` of a member (of an enumeration, a board, the pieces) as `seat` may see it: its type and
    raw value; else what `printed` gives."""
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
    """What a def of these members gives; None where it has no value for them now, so that there is nothing to say."""
    try:
        return function(position.s, *members)
    except RuleFault:
        return None


def find_printed_value(game: Game, name: str, domain: str, member: int) -> TypedValue | None:
    """What never changes: an attribute or a number of the member's own; `number`, which of several alike pieces it is, from 1."""
    enum = game.model.enum_of(domain)
    if enum is None:
        return None
    if name in enum.attributes:
        return enum.attributes[name], enum.values[name][member]
    if name == "number" and enum.kind != "open":
        return INT, enum.copy_number(member)
    own = enum.own.get((enum.members[member], name)) if enum.kind != "open" else None
    return None if own is None else (INT, own)
