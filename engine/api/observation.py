"""The observation of a seat as plain data: states by name, hidden values as {"hidden": count}, the decision and
the names in scope."""

from __future__ import annotations

from typing import Any

from ...dsl.storage.layout import StateStorage
from ..position.observation import public_size
from ..position.position import Position
from ..position.visibility import can_see, can_see_local

Data = dict[str, Any]


def observe_position(position: Position, seat: int | None) -> Data:
    """Returns everything that `seat` may know.

    * `round`: the number of the round.
    * `seat`: the seat that decides.
    * `decision`: the key of the decision.
    * `options`: the spellings, or None if this seat may not see them.
    * `sight`: the names in scope at the decision.
    * `states`: the states by name."""
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
    """Returns a state as nested data by member names, from this index on."""
    if len(index) == len(cell.enums):
        raw = position.raw_at(cell, index)
        return (
            cell.codec.write(raw)
            if can_see(position, cell, index, seat)
            else {"hidden": public_size_data(public_size(position, cell, raw))}
        )
    name = position.game.codecs.member_codec(cell.enums[len(index)].name).write
    inner = {name(n): build_nested_state(position, cell, [*index, n], seat) for n in cell.list_axis_members(position.s, index)}
    if cell.open_axis == len(index):                               # here even the place of a hidden value reveals something
        return {key: value for key, value in inner.items() if value != {"hidden": None}}
    return inner


def public_size_data(outer: Any) -> Any:
    """Returns what is public about a hidden value, as data: a number, the backs of cards, or None."""
    return list(outer) if isinstance(outer, tuple) else outer


def describe_decision(view: dict[str, Any]) -> str:
    """Returns who decides what, for `repr`."""
    if view["seat"] is None:
        return "over"
    options = view["options"]
    number = "hidden options" if options is None else f"{len(options)} option{'s' * (len(options) != 1)}"
    return f"seat {view['seat']} decides {view['decision']}, {number}"
