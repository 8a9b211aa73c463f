"""What a value may give away: whether it depends on something that not everybody may see."""

from __future__ import annotations

from typing import Any

from .scope import State

OWN = ("meta", "type", "ref", "local", "number_local", "result", "decider")


def secret_state(node: Any, seen: frozenset = frozenset()) -> State | None:
    """A state hidden from somebody that the value of `node` depends on, through locals and defs too; None when it tells nothing.

    How many things lie somewhere is open to all, so `size(...)` gives nothing away.
    """
    if isinstance(node, list | tuple):
        return next((found for found in (secret_state(part, seen) for part in node) if found is not None), None)
    if not hasattr(node, "meta"):
        return None
    ref = getattr(node, "ref", None)
    if ref is not None:
        if ref.kind == "builtin" and ref.target == "size":
            return None
        if ref.kind == "state" and ref.target.seen != "open":
            return ref.target
        if ref.kind == "local" and ref.target.secret is not None:
            return ref.target.secret
        if ref.kind == "family":
            for routine in ref.target.routines:
                if routine.kind == "def" and routine not in seen:
                    found = secret_state([routine.value, routine.conditions], seen | {routine})
                    if found is not None:
                        return found
    return secret_state([value for key, value in vars(node).items() if key not in OWN], seen)
