"""Marks on the boards for the current question: option numbers at cells, corners and edges, and brackets around what
it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...dsl.game.table_config import panel_kind
from ...dsl.model.model import PLACE_KINDS, GameModel
from ...dsl.types.boards import decode_open_cell
from ...dsl.types.types import MemberOf
from ..i18n.localizer import Localizer
from ..i18n.user_input import normalize
from ..position.observation import visible_names
from ..position.options import Option, iter_things
from ..position.position import Decision, Game
from .board_parts import iter_parts
from .theme import theme_of
from .view_model import TARGET_STYLE, BoardCell, BoardPanel, ListPanel, Panel, StyledText

SUBJECT_BRACKETS = StyledText("", "strong", "( )")                                 # the subject of a question
Targets = Mapping[tuple[str, int], str]                            # (type, index) of a place → what to type


def mark_targets(panels: Sequence[Panel], model: GameModel, targets: Targets) -> None:
    """Writes option numbers into the boards, and into panels of stacks.

    A board with its columns and rows at the rim shows them only if each number is a whole option. A target cell of an
    open board is added to its panel even if it is empty."""
    for panel in panels:
        if not isinstance(panel, BoardPanel):
            for entry in panel.entries if isinstance(panel, ListPanel) and panel.flow == "stacks" else ():
                entry.target = next((targets[member] for member in entry.members if member in targets), "")
            continue
        board = model.boards[panel.key.split(" ")[1]]
        if board.open:
            seen = {spot.at for spot in panel.spots}
            panel.spots += [BoardCell(board.open_cell_label(n), at) for domain, n in targets
                            if domain == board.cell_type and (at := decode_open_cell(n)) not in seen]
        by_label = {label: token for (domain, n), token in targets.items() if domain == board.cell_type
                    for label in [decode_open_cell(n) if board.open else board.cells[n]]}
        panel.numbered = not panel.has_rim_labels or all(token.isdigit() for token in by_label.values())
        for spot in panel.spots:
            spot.target = by_label.get(spot.at, "")
            parts = iter_parts(board, board.index[spot.at], panel.flat) if board.part_types else ()
            spot.aimed = {suffix: targets[place] for suffix, place in parts if place in targets}


def mark_members(panels: Sequence[Panel], targets: Targets) -> None:
    """Writes option numbers in place of the labels of the places in lists of places (`groups`)."""
    for panel in panels:
        for entry in panel.entries if isinstance(panel, ListPanel) and panel.flow == "lists" else ():
            for line, member in zip(entry.body, entry.members):
                if member in targets:
                    line[0] = StyledText(f"[{targets[member]}]", TARGET_STYLE)
                    if line[-1].is_free:                           # the number says so
                        line.pop()


def are_all_options_on_boards(panels: Sequence[Panel], targets: Targets) -> bool:
    """Whether the boards and lists of places show every option: each option is a place with a number of its own."""
    aimed = {token for panel in panels if not isinstance(panel, BoardPanel) or panel.numbered for token in iter_numbers(panel)}
    return bool(targets) and all(token in aimed and not token.endswith("+") for token in targets.values())


def panels_with_numbers(panels: Sequence[Panel]) -> list[Panel]:
    """Returns the panels that show option numbers."""
    return [panel for panel in panels if any(iter_numbers(panel))]


def iter_numbers(panel: Panel) -> Iterator[str]:
    """Yields the option numbers that a panel shows."""
    if isinstance(panel, BoardPanel):
        yield from (token for spot in panel.spots for token in (spot.target, *spot.aimed.values()) if token)
    elif isinstance(panel, ListPanel):
        yield from (entry.target for entry in panel.entries if entry.target)
        lines = [line for entry in panel.entries for line in entry.body if line]
        yield from (line[0].text[1:-1] for line in lines if line[0].style == TARGET_STYLE)


def find_adjacent_places(model: GameModel, words: Localizer, typed: str) -> set[tuple[str, int]]:
    """Returns the corners and edges of the cell, or the cells at the corner or the edge, that has this name."""
    found, typed = set(), words.parse_part(normalize(typed))
    for board in model.boards.values():
        for kind, part_type in board.part_types.items():
            parts = board.parts_of_kind(kind)
            if typed in board.labels:
                found |= {(part_type, n) for n in parts.of_cell[board.labels.index(typed)]}
            if typed in parts.names:
                found |= {(board.cell_type, n) for n in parts.cells[parts.names[typed]]}
    return found


def mark_subjects(panels: Sequence[Panel], decision: Decision, caption: str) -> None:
    """Marks the cells that the question is about: those in its variables, such as the cell that something was taken
    from.

    The ground of such a cell is put in brackets. If it has no ground, it gets an empty pair. The legend explains
    them with `caption`."""
    about = {(kind.name, raw) for kind, raw in visible_names(decision).values() if isinstance(kind, MemberOf)}
    for panel in panels:
        if not isinstance(panel, BoardPanel):
            continue
        board = decision.position.game.model.boards[panel.key.split(" ")[1]]
        places = {decode_open_cell(n) if board.open else board.cells[n] for domain, n in about if domain == board.cell_type}
        found = [spot for spot in panel.spots if spot.at in places]
        for spot in found:
            if spot.ground is not None:
                short, shape = (f"({sign})" if sign else "" for sign in (spot.ground.short, spot.ground.shape))
                spot.ground = replace(spot.ground, short=short, shape=shape)
            else:
                spot.marks = [*spot.marks, (caption, [SUBJECT_BRACKETS])]
        if found:
            panel.legend[caption] = {SUBJECT_BRACKETS.short: SUBJECT_BRACKETS}


def places_of_option(option: Option, decision: Decision) -> list[tuple[str, int]]:
    """Returns the places that an option names, each once, the last one first."""
    model, stacked = decision.position.game.model, types_in_panels(decision.position.game, "stacks")
    found = [thing for thing in members_of_option(option, decision) if model.enums[thing[0]].kind in PLACE_KINDS or thing[0] in stacked]
    return list(dict.fromkeys(reversed(found)))


def types_in_panels(game: Game, kind: str) -> set[str]:
    """Returns the types whose members are the places in panels of a kind (`groups`, `stacks`)."""
    return {game.model.aliases.get(panel[kind], panel[kind]) for panel in theme_of(game).panels or () if panel_kind(panel) == kind}


def members_of_option(option: Option, decision: Decision) -> list[tuple[str, int]]:
    """Returns the members that an option names, with their types, including members of sets."""
    game = decision.position.game
    return [(enum.name, n) for domain, n in iter_things(game.codecs, option.values) if (enum := game.model.enum_of(domain)) is not None]
