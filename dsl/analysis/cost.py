"""How much a def becomes when the small defs that it asks are opened up in it. Found once for each routine, callees first, so that a chain
of forty defs that each ask the last twice is forty additions and not 2 ** 40 visits."""

from __future__ import annotations

from ..core.nodes import Ask
from ..core.program import Program, Routine
from ..core.walk import walk, weight
from .effects import called
from .facts import Effects

INLINED = 1_000                      # words and signs of the text that may stand in the place of one call


def sizes(program: Program, effects: Effects) -> dict[Routine, int]:
    """The weight of the value of each routine with all that may be opened up in it; for what is too large, a call stands there."""
    found: dict[Routine, int] = {}
    for routine in effects.order:
        asked = [found[callee] for node in walk(routine.parts) if isinstance(node, Ask) for callee in called(program, node)]
        found[routine] = weight(routine.value) + sum(size for size in asked if size <= INLINED)
    return found
