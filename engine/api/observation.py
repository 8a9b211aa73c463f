"""What a seat may know, as plain data with names: states by name, what is hidden as {"hidden": how many}, what is asked and in sight."""

from __future__ import annotations

from typing import Any

from ...dsl.storage.layout import Cell
from ..position.position import Position
from ..position.visibility import knows, outside, sees

Data = dict[str, Any]


def view(position: Position, seat: int | None) -> Data:
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
                shown = knows(position, variable, seat)
                sight[variable.name] = position.spelt(variable.type, position.s[variable.slot]) if shown else {"hidden": None}
    states = {name: position[name] if cell.state.seen == "open" else nested(position, cell, [], seat)
              for name, cell in position.game.cells.items()}
    return {"round": position.rounds, **asked, "sight": sight, "states": states}


def nested(position: Position, cell: Cell, index: list[int], seat: int | None) -> Any:
    """A state from here on in, by the names of members."""
    if len(index) == len(cell.enums):
        raw = position.at(cell, index)
        return cell.codec.write(raw) if sees(position, cell, index, seat) else {"hidden": counted(outside(position, cell, raw))}
    name = position.game.codecs.member(cell.enums[len(index)].name).write
    inner = {name(n): nested(position, cell, [*index, n], seat) for n in cell.keys(position.s, index)}
    if cell.open_axis == len(index):                               # where something hidden lies on an open board would be told by its place
        return {key: value for key, value in inner.items() if value != {"hidden": None}}
    return inner


def counted(outer: Any) -> Any:
    """What everybody knows of a hidden place, as data: a number, backs, or nothing."""
    return list(outer) if isinstance(outer, tuple) else outer
