"""Which panels of a table a question needs: those that say so (`questions:` in table.yaml), the boards, then what its options are about,
then the hand of the one who is asked, if the options do not name all that is in it."""

from __future__ import annotations

from ...dsl.game.table_config import values_named
from ...dsl.types.types import Of, domain_of
from ..position.position import Decision
from ..position.visibility import holds
from .theme import asked_at
from .view_model import Chart, Panel


def needed(panels: list[Panel], decision: Decision) -> tuple[list[Panel], list[Panel]]:
    """The panels that a question needs, and the others that may stand beside them."""
    model = decision.position.game.model
    kinds = {domain_of(kind) for option in decision.options for _, kind, _ in option.values}
    chosen = {enum.name for kind in kinds if kind is not None and (enum := model.enum_of(kind)) is not None}
    declared = [panel for panel in panels if asked_at(decision.key, panel.questions)]
    panels = [panel for panel in panels if not asked_at(decision.key, panel.questions)]
    boards = [panel for panel in panels if isinstance(panel, Chart)]
    about = {id(panel): subject(panel, decision) & chosen for panel in panels}
    hands = [panel for panel in panels if kind_and_name(panel)[0] == "hand"]
    named = [panel for panel in hands if is_named(panel, decision)]
    rest = [panel for panel in panels if panel not in boards and panel not in hands]
    touched = [panel for panel in rest if about[id(panel)]]
    unnamed = [panel for panel in hands if panel not in named]
    return declared + boards + touched + unnamed, [*(panel for panel in rest if not about[id(panel)]), *named]


def is_named(panel: Panel, decision: Decision) -> bool:
    """Whether the options name each thing in a hand."""
    game, position = decision.position.game, decision.position
    found = [value.cell for value in values_named(game.ruleset, kind_and_name(panel)[1]) if value.cell is not None][:1]
    for cell in found:
        if len(cell.enums) == 1 and cell.enums[0].kind == "player" and (kind := holds(cell.state.type)) is not None:
            offered = {raw for option in decision.options for _, of, raw in option.values if of == Of(kind)}
            return offered.issuperset(cell.codec.parts(position.at(cell, [decision.seat])))
    return False


def kind_and_name(panel: Panel) -> tuple[str, str]:
    """What a panel is, and of what."""
    kind, _, rest = panel.key.partition(" ")
    return kind, rest.rpartition(" ")[0]


def subject(panel: Panel, decision: Decision) -> set[str]:
    """The types of the things that a panel shows one by one."""
    kind, name = kind_and_name(panel)
    game = decision.position.game
    if kind in ("table", "groups"):
        enum = game.model.enum_of(name)
        return {enum.name} if enum is not None else set()
    if kind in ("hand", "track"):
        held = [domain_of(value.type) for value in values_named(game.ruleset, name)[:1]]
        return {enum.name for one in held if one is not None and (enum := game.model.enum_of(one)) is not None}
    return set()
