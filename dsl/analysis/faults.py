"""Which values can end in a fault: a division, `the`, `subsets`, a procedure that is tried, a long range of numbers.

An event that nobody listens to is not worked out, so that simulated games are fast. A value that can fault is worked out all the same:
a game that faults before people faults in a simulation too.
"""

from __future__ import annotations

from collections.abc import Container

from ..core.nodes import After, Ask, Const, Expr, Fold, Node, Prim
from ..core.program import Program, Routine
from ..core.walk import walk
from .effects import called
from .results import Effects

DIVISIONS = ("//", "%", "ceil")


def faulty(program: Program, effects: Effects) -> frozenset[Routine]:
    """The routines whose value can end in a fault, callees before callers."""
    found: set[Routine] = set()
    for routine in effects.order:
        if may_fault(program, found, routine.value):
            found.add(routine)
    return frozenset(found)


def may_fault(program: Program, known: Container[Routine], *parts: Node | None) -> bool:
    """Whether working out these values can end in a fault. `known` are the routines that can."""
    for node in walk(*parts):
        match node:
            case After() | Fold(kind="the") | Prim(op="subsets"):
                return True
            case Prim(op="..", args=(low, high)) if not (isinstance(low, Const) and isinstance(high, Const)):
                return True
            case Prim(op=op, args=(*_, divisor)) if op in DIVISIONS and not is_never_zero(divisor):
                return True
            case Ask() if any(callee in known for callee in called(program, node)):
                return True
    return False


def is_never_zero(divisor: Expr) -> bool:
    return isinstance(divisor, Const) and divisor.value != 0
