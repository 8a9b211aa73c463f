"""Selects the panels that a question needs, in this order:

  1. panels that declare it (`questions:` in table.yaml) and show the things that the options name
  2. boards
  3. other panels that declare it
  4. other panels about the things that the options name
  5. the hand of the seat that decides, unless it has no cards with faces and the options
     name everything in it"""

from __future__ import annotations

from ...dsl.game.table_config import lookup_table_values
from ...dsl.types.types import MemberOf, domain_of, element_domain
from ..position.position import Decision
from .theme import matches_question
from .view_model import BoardPanel, ListPanel, Panel


def select_panels(panels: list[Panel], decision: Decision) -> tuple[list[Panel], list[Panel]]:
    """Returns the panels that a question needs, and the others."""
    model = decision.position.game.model
    kinds = {domain_of(kind) for option in decision.options for _, kind, _ in option.values}
    chosen = {enum.name for kind in kinds if kind is not None and (enum := model.enum_of(kind)) is not None}
    declared = [panel for panel in panels if matches_question(decision.key, panel.questions)]
    aimed = [panel for panel in declared if panel_domains(panel, decision) & chosen]
    panels = [panel for panel in panels if not matches_question(decision.key, panel.questions)]
    boards = [panel for panel in panels if isinstance(panel, BoardPanel)]
    about = {id(panel): panel_domains(panel, decision) & chosen for panel in panels}
    hands = [panel for panel in panels if parse_panel_key(panel)[0] == "hand"]
    named = [panel for panel in hands if not has_faces(panel) and is_hand_offered(panel, decision)]
    rest = [panel for panel in panels if panel not in boards and panel not in hands]
    touched = [panel for panel in rest if about[id(panel)]]
    unnamed = [panel for panel in hands if panel not in named]
    further = [panel for panel in declared if panel not in aimed]
    return aimed + boards + further + touched + unnamed, [*(panel for panel in rest if not about[id(panel)]), *named]


def has_faces(panel: Panel) -> bool:
    """Whether a panel shows cards by the signs on them, which take little room."""
    return isinstance(panel, ListPanel) and any(span.face for entry in panel.entries for span in entry.head)


def is_hand_offered(panel: Panel, decision: Decision) -> bool:
    """Whether the options include each thing in a hand."""
    game, position = decision.position.game, decision.position
    found = [value.cell for value in lookup_table_values(game.ruleset, parse_panel_key(panel)[1]) if value.cell is not None][:1]
    for cell in found:
        if len(cell.enums) == 1 and cell.enums[0].kind == "player" and (kind := element_domain(cell.state.type)) is not None:
            offered = {raw for option in decision.options for _, of, raw in option.values if of == MemberOf(kind)}
            return offered.issuperset(cell.codec.parts(position.raw_at(cell, [decision.seat])))
    return False


def parse_panel_key(panel: Panel) -> tuple[str, str]:
    """Returns the kind of a panel and the name of its value or type, from its key."""
    kind, _, rest = panel.key.partition(" ")
    return kind, rest.rpartition(" ")[0]


def panel_domains(panel: Panel, decision: Decision) -> set[str]:
    """Returns the types of the things that a panel shows one by one."""
    kind, name = parse_panel_key(panel)
    game = decision.position.game
    if kind in ("table", "groups", "stacks"):
        enum = game.model.enum_of(name)
        return {enum.name} if enum is not None else set()
    if kind in ("hand", "track"):
        held = [domain_of(value.type) for value in lookup_table_values(game.ruleset, name)[:1]]
        return {enum.name for one in held if one is not None and (enum := game.model.enum_of(one)) is not None}
    return set()
