"""Finds values whose evaluation may end in a fault: divisions, `the`, `subsets`, tried procedures, long ranges
of numbers.

Simulated games skip an event that nobody listens to, for speed. They still evaluate values that may fault,
so a game that faults with human players also faults in a simulation."""

from __future__ import annotations

from collections.abc import Container
from typing import assert_never

from ..core.nodes import AfterCall, CallDef, Const, Expr, Fold, Node, PrimOp
from ..core.program import Program, Routine
from ..core.walk import walk
from ..types.operations import FoldKind, Operation
from .effects import resolve_callees
from .results import EffectTable


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
            case AfterCall():
                return True
            case Fold(kind=kind) if can_fold_fault(kind):
                return True
            case PrimOp(op=op, args=args) if can_operation_fault(op, args):
                return True
            case CallDef() if any(callee in known for callee in resolve_callees(program, node)):
                return True
    return False


def can_fold_fault(kind: FoldKind) -> bool:
    """Whether a fold itself may end in a fault, apart from its parts."""
    match kind:
        case "the":
            return True
        case "any" | "all" | "count" | "sum" | "highest" | "lowest" | "best" | "ranked" | "tiers" | "first" | "set" | "list":
            return False
        case "shortest" | "longest":
            return False
        case _:
            assert_never(kind)


def can_operation_fault(op: Operation, args: tuple[Expr, ...]) -> bool:
    """Whether an operator or a built-in function may end in a fault with these operands."""
    match op:
        case "subsets" | "amounts":
            return True
        case "..":
            return not all(isinstance(arg, Const) for arg in args)
        case "//" | "%" | "ceil":
            return not is_never_zero(args[-1])
        case "and" | "or" | "not" | "neg" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "&" | "in" | "not in":
            return False
        case "size" | "min" | "max" | "only" | "position" | "clockwise" | "next" | "before" | "after" | "top" | "last" | "reversed":
            return False
        case "near" | "corners" | "touching" | "edges" | "ends" | "sides" | "distance" | "span" | "within" | "region" | "regions" | "rim":
            return False
        case "coast" | "step" | "ray" | "between" | "lines" | "row" | "column":
            return False
        case _:
            assert_never(op)


def is_never_zero(divisor: Expr) -> bool:
    """Whether a divisor is a constant other than zero."""
    return isinstance(divisor, Const) and divisor.value != 0
