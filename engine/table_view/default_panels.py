"""The default table of a game without table.yaml: boards, small tables for states over an enumeration, and a
list for the rest.

Leaves out states that are reset by a scope (`per`), because they are bookkeeping, and states that were never
used."""

from __future__ import annotations

from typing import Any

from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import Bool, Int, MemberOf, OptionalOf
from ..position.visibility import can_see
from .view_model import Line, ListItem, ListPanel, StyledText
from .visible_values import HiddenValue, SeatView, VisibleValue

MAX_TABLE_MEMBERS = 12                                                         # larger enumerations are shown as a list


def default_panels(sight: SeatView) -> list[dict[str, Any]]:
    """Returns the panels of the default table, as a table.yaml would declare them."""
    out: list[dict[str, Any]] = []
    cells = visible_states(sight)
    for name, board in sight.model.boards.items():
        mine = [cell for cell in cells if is_on_board(cell, board.cell_type)]
        if mine or not board.open:
            parts = {kind: [cell.state.name for cell in cells if is_on_part(cell, part_type)]
                     for kind, part_type in board.part_types.items()}
            out.append({"board": name, "pieces": [cell.state.name for cell in mine], **parts})
    by_axis: dict[str, list[str]] = {}
    for cell in column_states(sight, cells):
        by_axis.setdefault(cell.state.axes[0][1], []).append(cell.state.name)
    for domain, names in by_axis.items():
        out.append({"table": domain, "columns": names})
    return out


def build_rest_panel(sight: SeatView) -> ListPanel | None:
    """Returns a list of the states that no other panel of the default table shows, or None."""
    cells = visible_states(sight)
    boards = [board.cell_type for board in sight.model.boards.values()]
    parts = [part_type for board in sight.model.boards.values() for part_type in board.part_types.values()]
    told = column_states(sight, cells)
    entries = [ListItem([StyledText(sight.caption(cell.state.name))], [state_line(sight, cell)]) for cell in cells
               if cell not in told and not any(is_on_board(cell, board) for board in boards)
               and not any(is_on_part(cell, part_type) for part_type in parts)]
    return ListPanel("", entries, "states") if entries else None


def visible_states(sight: SeatView) -> list[StateStorage]:
    """Returns the states that the default table shows."""
    return [cell for cell in sight.game.cells.values() if cell.state.per is None and not is_blank(sight, cell)]


def is_on_board(cell: StateStorage, domain: str) -> bool:
    """Whether a state is shown on the board with these cells."""
    axes = cell.state.axes
    return cell.state.seen == "open" and bool(axes) and len(axes) <= 2 and axes[-1][1] == domain


def is_on_part(cell: StateStorage, domain: str) -> bool:
    """Whether a state is shown on the corners or the edges of this type."""
    return cell.state.seen == "open" and [axis for _, axis in cell.state.axes] == [domain]


def column_states(sight: SeatView, cells: list[StateStorage]) -> list[StateStorage]:
    """Returns the states that become columns of small tables."""
    out = []
    for cell in cells:
        enum = sight.model.enums[cell.state.axes[0][1]] if len(cell.state.axes) == 1 else None
        if enum is not None and enum.kind in ("enum", "player", "option", "direction") and len(enum) <= MAX_TABLE_MEMBERS:
            out.append(cell)
    return out


def is_blank(sight: SeatView, cell: StateStorage) -> bool:
    """Whether a state holds nothing that the seat may know of."""
    if cell.state.seen != "open":
        return not any(raw != cell.default if can_see(sight.position, cell, index, sight.seat) else cell.codec.size(raw)
                       for index, raw in cell.iter_values(sight.position.s))
    if not cell.state.axes and isinstance(cell.state.type, Int):
        return False
    return cell.is_clear(sight.position.s)


def state_line(sight: SeatView, cell: StateStorage) -> Line:
    """Returns a state as parts of a line, one for each non-empty entry. Members with equal values share a part."""
    axes = [domain for _, domain in cell.state.axes]
    if not axes:
        return sight.line(read_entry(sight, cell, []))
    of_value = isinstance(cell.state.type, OptionalOf | MemberOf | Bool)
    groups: dict[str, list[str]] = {}
    for index, _ in cell.iter_values(sight.position.s):
        found = read_entry(sight, cell, index)
        if sight.is_empty(found):
            continue
        text = ", ".join(span.words for span in sight.line(found))
        name = " ".join(sight.member(domain, n).text for domain, n in zip(axes, index))
        groups.setdefault(text, []).append(name)
    return [StyledText(f"{text}: {', '.join(names)}" if of_value else f"{', '.join(names)}: {text}") for text, names in groups.items()]


def read_entry(sight: SeatView, cell: StateStorage, index: list[int]) -> VisibleValue | HiddenValue:
    """Returns what the seat may see of an entry."""
    raw = sight.position.raw_at(cell, index)
    return VisibleValue(cell.state.type, raw) if can_see(sight.position, cell, index, sight.seat) else HiddenValue(cell.codec.size(raw))
