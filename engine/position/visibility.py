"""Visibility: which seats may see an entry of a state, or a local of a suspended procedure."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from ...dsl.ir.metadata import LiveVariable
from ...dsl.storage.layout import StateStorage
from .position import Position

ALL_SEATS_VIEWER = -1                             # pseudo-seat that sees whatever any seat sees


def can_see(position: Position, cell: StateStorage, index: list[int], seat: int | None) -> bool:
    """Whether `seat` may see this entry of a state. `seat` is None for a spectator and ALL_SEATS for all players
    together."""
    state = cell.state
    if state.seen == "open":
        return True
    if not isinstance(state.seen, int) or seat is None:
        return False
    if seat == ALL_SEATS_VIEWER:
        return True
    at = index[state.seen]
    return (seat == (at if state.keeper is None else position.raw_value(state.keeper, at))) != state.inverted


def visible_members(position: Position, cell: StateStorage, seat: int) -> Container[int]:
    """Returns the members by which `seat` may see a state, of the axis that decides about visibility."""
    by, keeper, inverted = cell.state.seen, cell.state.keeper, cell.state.inverted
    if keeper is None and not inverted:
        return (seat,)
    assert isinstance(by, int)
    return [n for n in range(len(cell.enums[by])) if ((n if keeper is None else position.raw_value(keeper, n)) == seat) != inverted]


def can_see_local(position: Position, variable: LiveVariable, seat: int | None) -> bool:
    """Whether `seat` may see a local of a suspended procedure."""
    if not variable.secret:
        return True
    return seat is not None and all((seat == named_seat(position, slot, keeper)) != inverted
                                    for slot, keeper, _, inverted in variable.seers)


def named_seat(position: Position, slot: int, keeper: str | None) -> int:
    """Returns the seat that one entry of `LiveVariable.seers` names."""
    if slot < 0:
        return ~slot
    seat: int = position.s[slot]
    return seat if keeper is None else int(position.raw_value(keeper, seat))


def iter_hidden_entries(position: Position, seat: int | None) -> Iterator[tuple[StateStorage, list[int], Any]]:
    """Yields every entry that `seat` may not see."""
    for cell in position.game.cells.values():
        by = cell.state.seen
        if by == "open" or isinstance(by, int) and seat == ALL_SEATS_VIEWER:
            continue
        if not isinstance(by, int) or seat is None:
            yield from ((cell, index, value) for index, value in cell.iter_values(position.s))
            continue
        mine = visible_members(position, cell, seat)
        for index, value in cell.iter_values(position.s):
            if index[by] not in mine:
                yield cell, index, value
