"""The table of a game that says nothing about it: boards as maps, states over an enumeration as small tables, the rest as a list.

States that are reset by scope (`per`) are bookkeeping and not drawn, nor is what was never used.
"""

from __future__ import annotations

from typing import Any

from ...dsl.storage.layout import Cell
from ...dsl.types.types import Bool, Int, Maybe, Of
from ..position.visibility import sees, spots_of
from .view_model import Entries, Line, Listed, Span
from .visible_values import Hidden, Seen, Sight

SMALL = 12                                                         # members of an enumeration that has a table of its own


def default_panels(sight: Sight) -> list[dict[str, Any]]:
    """What a table.yaml for this game might say."""
    out: list[dict[str, Any]] = []
    cells = drawn(sight)
    for name, board in sight.model.boards.items():
        mine = [cell for cell in cells if over(cell, board.cell_type)]
        if mine or not board.open:
            out.append({"board": name, "here": [cell.state.name for cell in mine]})
    by_axis: dict[str, list[str]] = {}
    for cell in rows(sight, cells):
        by_axis.setdefault(cell.state.axes[0][1], []).append(cell.state.name)
    for domain, names in by_axis.items():
        out.append({"table": domain, "columns": names})
    return out


def rest(sight: Sight) -> Entries | None:
    """What no other panel of the default table shows, line by line."""
    cells = drawn(sight)
    boards = [board.cell_type for board in sight.model.boards.values()]
    told = rows(sight, cells)
    entries = [Listed([Span(sight.caption(cell.state.name))], [listed(sight, cell)]) for cell in cells
               if cell not in told and not any(over(cell, board) for board in boards)]
    return Entries("", entries, "states") if entries else None


def drawn(sight: Sight) -> list[Cell]:
    """The states that are shown at all."""
    return [cell for cell in sight.game.cells.values() if cell.state.per is None and not blank(sight, cell)]


def over(cell: Cell, domain: str) -> bool:
    """Whether a state is drawn on the board with these cells."""
    axes = cell.state.axes
    return cell.state.seen == "open" and bool(axes) and len(axes) <= 2 and axes[-1][1] == domain


def rows(sight: Sight, cells: list[Cell]) -> list[Cell]:
    """The states that become columns of small tables."""
    out = []
    for cell in cells:
        enum = sight.model.enums[cell.state.axes[0][1]] if len(cell.state.axes) == 1 else None
        if enum is not None and enum.kind in ("enum", "player", "option", "direction") and len(enum) <= SMALL:
            out.append(cell)
    return out


def blank(sight: Sight, cell: Cell) -> bool:
    """Whether nothing that the seat knows of was ever put into a state."""
    if cell.state.seen != "open":
        return not any(raw != cell.default if sees(sight.position, cell, index, sight.seat) else cell.codec.size(raw)
                       for _, index, raw in spots_of(sight.position, cell))
    if not cell.state.axes and isinstance(cell.state.type, Int):
        return False
    return cell.is_clear(sight.position.s)


def listed(sight: Sight, cell: Cell) -> Line:
    """A state as parts of a line: each entry that holds something; members with the same value together."""
    axes = [domain for _, domain in cell.state.axes]
    if not axes:
        return sight.line(shown(sight, cell, []))
    of_value = isinstance(cell.state.type, Maybe | Of | Bool)
    groups: dict[str, list[str]] = {}
    for index, _ in cell.spots(sight.position.s):
        found = shown(sight, cell, index)
        if sight.empty(found):
            continue
        text = ", ".join(span.words for span in sight.line(found))
        name = " ".join(sight.member(domain, n).text for domain, n in zip(axes, index))
        groups.setdefault(text, []).append(name)
    return [Span(f"{text}: {', '.join(names)}" if of_value else f"{', '.join(names)}: {text}") for text, names in groups.items()]


def shown(sight: Sight, cell: Cell, index: list[int]) -> Seen | Hidden:
    """What the seat sees of an entry."""
    raw = sight.position.at(cell, index)
    return Seen(cell.state.type, raw) if sees(sight.position, cell, index, sight.seat) else Hidden(cell.codec.size(raw))
