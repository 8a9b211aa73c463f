"""What a seat may know, as plain data with names: states by name, what is hidden as {"hidden": how many}, what is asked and in sight."""

from __future__ import annotations

from typing import Any

from ...dsl.storage.layout import StateStorage
from ..position.position import Position
from ..position.visibility import can_see, can_see_local, public_size

Data = dict[str, Any]


def observe_position(position: Position, seat: int | None) -> Data:
    """All that `seat` may know: `round`, `seat` (who decides), `decision`, `options` (spellings; None where they are not for this seat),
    `sight` (names in sight where the game waits) and `states`."""
    decision = position.decision
    asked: Data = {"seat": None, "decision": None, "options": []}
    sight: Data = {}
    if decision is not None:
        mine = decision.seat == seat or not decision.kind.secret
        asked = {"seat": decision.seat, "decision": decision.key, "options": [one.spelling for one in decision.options] if mine else None}
        for variable in decision.kind.scope:
            if not variable.name.startswith("."):
                shown = can_see_local(position, variable, seat)
                sight[variable.name] = position.to_names(variable.type, position.s[variable.slot]) if shown else {"hidden": None}
    states = {name: position[name] if cell.state.seen == "open" else build_nested_state(position, cell, [], seat)
              for name, cell in position.game.cells.items()}
    return {"round": position.rounds, **asked, "sight": sight, "states": states}


def build_nested_state(position: Position, cell: StateStorage, index: list[int], seat: int | None) -> Any:
    """A state from here on in, by the names of members."""
    if len(index) == len(cell.enums):
        raw = position.raw_at(cell, index)
        return (
            cell.codec.write(raw)
            if can_see(position, cell, index, seat)
            else {"hidden": public_size_data(public_size(position, cell, raw))}
        )
    name = position.game.codecs.member_codec(cell.enums[len(index)].name).write
    inner = {name(n): build_nested_state(position, cell, [*index, n], seat) for n in cell.list_axis_members(position.s, index)}
    if cell.open_axis == len(index):                               # where something hidden lies on an open board would be told by its place
        return {key: value for key, value in inner.items() if value != {"hidden": None}}
    return inner


def public_size_data(outer: Any) -> Any:
    """What everybody knows of a hidden place, as data: a number, backs, or nothing."""
    return list(outer) if isinstance(outer, tuple) else outer
