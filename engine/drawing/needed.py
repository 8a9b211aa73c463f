"""Which panels of a table a question needs: those that say so (`questions:` in table.yaml), the boards, then what its options are about,
then the rest, of which a hand gives way to all else; not a hand whose things the options name one by one."""

from __future__ import annotations

from ...dsl.rulesets.panels import values_named
from ...dsl.values.types import domain_of
from ..position.position import Decision
from .look import asked_at
from .shapes import Chart, Panel


def needed(panels: list[Panel], decision: Decision) -> tuple[list[Panel], list[Panel]]:
    """The panels that a question needs, and the others that may stand beside them."""
    model = decision.position.game.model
    kinds = {domain_of(kind) for option in decision.options for _, kind, _ in option.values}
    chosen = {enum.name for kind in kinds if kind is not None and (enum := model.enum_of(kind)) is not None}
    declared = [panel for panel in panels if asked_at(decision.key, panel.questions)]
    panels = [panel for panel in panels if not asked_at(decision.key, panel.questions)]
    boards = [panel for panel in panels if isinstance(panel, Chart)]
    about = {id(panel): subject(panel, decision) & chosen for panel in panels}
    touched = [panel for panel in panels if panel not in boards and about[id(panel)] and kind_and_name(panel)[0] != "hand"]
    others = [panel for panel in panels if panel not in boards and not about[id(panel)]]
    others.sort(key=lambda panel: kind_and_name(panel)[0] == "hand")                 # nothing of it can be chosen now
    return declared + boards + touched, others


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
