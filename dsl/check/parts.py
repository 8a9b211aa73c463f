"""What parts of the tree mean for secrets: which entry they name, what they lay open, whether they stop or ask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..syntax import tree
from ..types import BagOf
from .scope import Local, Routine, State
from .stmts import state_of, walk

Key = tuple | None                     # whose entry it is: the local, the member or the state that names it; None when it cannot be told



def key(node: Any) -> Key:
    """What names an entry, so that two expressions can be known to name the same one."""
    ref = getattr(node, "ref", None)
    if not isinstance(node, tree.Name) or ref is None:
        return None
    if ref.kind == "local":
        return None if ref.target.mutable else ("local", ref.target)
    if ref.kind == "member":
        return ("member", *ref.target)
    return ("state", ref.target) if ref.kind == "state" and ref.target.seen == "open" else None


def place_of(node: Any) -> State | None:
    """The state of which `node` is one whole entry, or None."""
    ref = getattr(node, "ref", None)
    if isinstance(node, tree.Name | tree.At) and ref is not None and ref.kind == "state":
        return ref.target if len(indices(node)) == len(ref.target.axes) else None
    return None


def indices(node: Any) -> list:
    return node.parts[1:] if isinstance(node, tree.At) else []


def called(node: Any) -> tuple[Any, list]:
    """The case and the arguments of a use of a def: `x`, `x[case]`, `x(a)`, `x[case](a)`."""
    if isinstance(node, tree.Apply):
        target, *arguments = node.parts
        return (target.parts[1] if isinstance(target, tree.At) else None), arguments
    return (node.parts[1] if isinstance(node, tree.At) else None), []


def owners(routine: Routine, case: Any, arguments: list) -> dict[tuple, list[Key]]:
    """The caller's names → the callee's, and the other way round: each key with those that stand for it on the other side."""
    found: dict[tuple, list[Key]] = {}
    pairs = [*zip(routine.params, arguments), *([(routine.case_local, case)] if routine.case_local is not None else [])]
    for param, argument in pairs:
        outer = key(argument)
        if outer is not None:
            found.setdefault(outer, []).append(("local", param))
            found.setdefault(("local", param), []).append(outer)
    return found


def counted(source: Any) -> bool:
    """Whether how often a loop over this runs is open to all: a place that is not a bag (of which only the kinds are gone through)."""
    return place_of(source) is not None and not isinstance(source.type, BagOf)


def shown(node: Any) -> frozenset[Local]:
    """The locals that a statement puts where everybody looks."""
    values: list[Any] = []
    if isinstance(node, tree.Assign) and open_place(node.target):
        if str(node.op) != "-=":
            values = list(node.value.parts) if isinstance(node.value, tree.SetLiteral | tree.ListLiteral) else [node.value]
        if isinstance(node.target, tree.At) and place_of(node.target) is None:      # one more of a kind in an open bag
            values = node.target.parts[1:] if str(node.op) != "=" else []
    elif isinstance(node, tree.Move) and isinstance(node.amount, tree.ExactAmount) and open_place(node.target):
        values = [node.amount.value]
    elif isinstance(node, tree.Call):
        for routine in node.ref.target.routines:
            after = line(routine.body)
            values += [argument for param, argument in zip(routine.params, node.arguments) if param in after]
        if len(node.ref.target.routines) > 1:
            values = []                                            # which of them runs is not known
    named = [key(value) for value in values]                       # a local that may be assigned has no key
    return frozenset(found[1] for found in named if found is not None and found[0] == "local")


def open_place(node: Any) -> bool:
    state = state_of(node)
    return state is not None and state.seen == "open"


def line(statements: Iterable[Any]) -> frozenset[Local]:
    """What is surely shown by statements before anybody is asked again: nothing counts that stands in an inner block."""
    found: frozenset[Local] = frozenset()
    for node in statements:
        if stops(node) or asks(node):
            break
        found |= shown(node)
    return found


def stops(node: Any) -> bool:
    """Whether the procedure may end in this statement."""
    return any(isinstance(part, tree.Stop) or getattr(part, "or_stop", None) is not None for part in walk(node))


def asks(node: Any) -> bool:
    """Whether somebody may be asked in this statement."""
    for part in walk(node):
        if isinstance(part, tree.Choose | tree.ChooseBlock | tree.Menu) and not isinstance(part.decider, tree.ByChance):
            return True
        if isinstance(part, tree.Call) and any(routine.asks for routine in part.ref.target.routines):
            return True
    return False
