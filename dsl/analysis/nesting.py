"""The depth of rules after all defs are inlined. Lowering recurses once or a few times per level."""

from __future__ import annotations

from ..core.nodes import CallDef, Node
from ..core.program import Program, Routine
from ..core.walk import children
from .effects import resolve_callees
from .results import EffectTable


def measure_nesting(program: Program, effects: EffectTable) -> int:
    """Returns the largest number of nested nodes in a routine. A call of a def counts with the depth of the def."""
    found: dict[Routine, int] = {}

    def measure(node: Node) -> int:
        depth = max(map(measure, children(node)), default=0)
        if isinstance(node, CallDef):
            depth = max(depth, *(found[callee] for callee in resolve_callees(program, node)))
        return depth + 1
    for routine in effects.order:
        found[routine] = max(map(measure, routine.parts), default=0)
    return max(found.values(), default=0)
