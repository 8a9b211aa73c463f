"""Inline sizes of defs, and defs that are expensive to evaluate.

Each routine is measured once, callees first. A chain of forty defs that each call the previous one twice
costs forty additions, not 2 ** 40 visits."""

from __future__ import annotations

from collections.abc import Container

from ..core.nodes import AfterCall, CallDef, Fold, Node, PrimOp
from ..core.program import Program, Routine
from ..core.walk import inline_size, walk
from .effects import resolve_callees
from .results import EffectTable

FLOOD_OPS = ("region", "regions", "rim", "coast", "within", "subsets", "amounts")
INLINE_LIMIT = 1_000                      # largest inlined body: core nodes as `inline_size` counts them


def inline_sizes(program: Program, effects: EffectTable) -> dict[Routine, int]:
    """Returns the size of each routine's value after inlining. Callees above INLINE_LIMIT count as plain calls."""
    found: dict[Routine, int] = {}
    for routine in effects.order:
        asked = [found[callee] for node in walk(routine.parts) if isinstance(node, CallDef) for callee in resolve_callees(program, node)]
        found[routine] = inline_size(routine.value) + sum(size for size in asked if size <= INLINE_LIMIT)
    return found


def find_costly_routines(program: Program, effects: EffectTable) -> frozenset[Routine]:
    """Returns the routines whose value needs a loop over many things or a tried procedure."""
    found: set[Routine] = set()
    for routine in effects.order:
        if is_costly(program, routine.value, found):
            found.add(routine)
    return frozenset(found)


def is_costly(program: Program, part: Node | None, known: Container[Routine]) -> bool:
    """Whether evaluating this value means a loop over many things. `known` are the routines that do."""
    for node in walk(part):
        match node:
            case Fold() | AfterCall():
                return True
            case PrimOp(op=op) if op in FLOOD_OPS:
                return True
            case CallDef() if any(callee in known for callee in resolve_callees(program, node)):
                return True
    return False
