"""Finds values whose evaluation may end in a fault: divisions, `the`, `subsets`, tried procedures, long ranges
of numbers.

Simulated games skip an event that nobody listens to, for speed. They still evaluate values that may fault,
so a game that faults with human players also faults in a simulation."""

from __future__ import annotations

from collections.abc import Container

from ..core.nodes import AfterCall, CallDef, Const, Expr, Fold, Node, PrimOp
from ..core.program import Program, Routine
from ..core.walk import walk
from .effects import resolve_callees
from .results import EffectTable

DIVISION_OPS = ("//", "%", "ceil")


def find_faulty_routines(program: Program, effects: EffectTable) -> frozenset[Routine]:
    """Returns the routines whose value may end in a fault."""
    found: set[Routine] = set()
    for routine in effects.order:
        if may_fault(program, found, routine.value):
            found.add(routine)
    return frozenset(found)


def may_fault(program: Program, known: Container[Routine], *parts: Node | None) -> bool:
    """Whether evaluating these expressions may end in a fault. `known` are the routines that may fault."""
    for node in walk(*parts):
        match node:
            case AfterCall() | Fold(kind="the") | PrimOp(op="subsets"):
                return True
            case PrimOp(op="..", args=(low, high)) if not (isinstance(low, Const) and isinstance(high, Const)):
                return True
            case PrimOp(op=op, args=(*_, divisor)) if op in DIVISION_OPS and not is_never_zero(divisor):
                return True
            case CallDef() if any(callee in known for callee in resolve_callees(program, node)):
                return True
    return False


def is_never_zero(divisor: Expr) -> bool:
    """Whether a divisor is a constant other than zero."""
    return isinstance(divisor, Const) and divisor.value != 0
