"""How much a def becomes when the small defs that it asks are opened up in it, and which defs go over many things when asked. Found once
for each routine, callees first, so that a chain of forty defs that each ask the last twice is forty additions and not 2 ** 40 visits."""

from __future__ import annotations

from collections.abc import Container

from ..core.nodes import AfterCall, CallDef, Fold, Node, PrimOp
from ..core.program import Program, Routine
from ..core.walk import inline_size, walk
from .effects import resolve_callees
from .results import EffectTable

FLOOD_OPS = ("region", "regions", "rim", "coast", "within", "subsets")
INLINE_LIMIT = 1_000                      # words and signs of the text that may stand in the place of one call


def inline_sizes(program: Program, effects: EffectTable) -> dict[Routine, int]:
    """The weight of the value of each routine with all that may be opened up in it; for what is too large, a call stands there."""
    found: dict[Routine, int] = {}
    for routine in effects.order:
        asked = [found[callee] for node in walk(routine.parts) if isinstance(node, CallDef) for callee in resolve_callees(program, node)]
        found[routine] = inline_size(routine.value) + sum(size for size in asked if size <= INLINE_LIMIT)
    return found


def find_costly_routines(program: Program, effects: EffectTable) -> frozenset[Routine]:
    """The routines that go over many things, or try a procedure, to find their value."""
    found: set[Routine] = set()
    for routine in effects.order:
        if is_costly(program, routine.value, found):
            found.add(routine)
    return frozenset(found)


def is_costly(program: Program, part: Node | None, known: Container[Routine]) -> bool:
    """Whether finding this value means going over many things; `known` are the routines that do so."""
    for node in walk(part):
        match node:
            case Fold() | AfterCall():
                return True
            case PrimOp(op=op) if op in FLOOD_OPS:
                return True
            case CallDef() if any(callee in known for callee in resolve_callees(program, node)):
                return True
    return False
