"""How much a def becomes when the small defs that it asks are opened up in it, and which defs go over many things when asked. Found once
for each routine, callees first, so that a chain of forty defs that each ask the last twice is forty additions and not 2 ** 40 visits."""

from __future__ import annotations

from collections.abc import Container

from ..core.nodes import After, Ask, Fold, Node, Prim
from ..core.program import Program, Routine
from ..core.walk import walk, weight
from .effects import called
from .results import Effects

FLOODS = ("region", "regions", "rim", "coast", "within", "subsets")
INLINED = 1_000                      # words and signs of the text that may stand in the place of one call


def sizes(program: Program, effects: Effects) -> dict[Routine, int]:
    """The weight of the value of each routine with all that may be opened up in it; for what is too large, a call stands there."""
    found: dict[Routine, int] = {}
    for routine in effects.order:
        asked = [found[callee] for node in walk(routine.parts) if isinstance(node, Ask) for callee in called(program, node)]
        found[routine] = weight(routine.value) + sum(size for size in asked if size <= INLINED)
    return found


def dear(program: Program, effects: Effects) -> frozenset[Routine]:
    """The routines that go over many things, or try a procedure, to find their value."""
    found: set[Routine] = set()
    for routine in effects.order:
        if goes_over(program, routine.value, found):
            found.add(routine)
    return frozenset(found)


def goes_over(program: Program, part: Node | None, known: Container[Routine]) -> bool:
    """Whether finding this value means going over many things; `known` are the routines that do so."""
    for node in walk(part):
        match node:
            case Fold() | After():
                return True
            case Prim(op=op) if op in FLOODS:
                return True
            case Ask() if any(callee in known for callee in called(program, node)):
                return True
    return False
