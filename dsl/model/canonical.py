"""Raw values of any type as plain data: one form for comparing and hashing, one for JSON, one order.

What a position holds tells by itself what it is: numbers (members and truths are numbers too), None, tuples, frozensets, and the dicts of
states over an open board. So a value can be written down without its type, as those must be that a loop keeps in the frame of a procedure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def canonical_value(raw: Any) -> Any:
    """One immutable value for equal raw values, the same on every machine: what positions are compared and hashed by."""
    if isinstance(raw, dict):
        return tuple((key, canonical_value(raw[key])) for key in sorted(raw))
    if isinstance(raw, frozenset):
        return ("set", *(canonical_value(thing) for thing in sort_values(raw)))
    if isinstance(raw, tuple | list):
        return tuple(canonical_value(thing) for thing in raw)
    return int(raw) if isinstance(raw, bool) else raw              # True and 1 are one value, and must be one text in a digest


def to_json(raw: Any) -> Any:
    """As data that JSON can hold."""
    if isinstance(raw, dict):
        return {"map": [[key, to_json(raw[key])] for key in sorted(raw)]}
    if isinstance(raw, frozenset):
        return {"set": [to_json(thing) for thing in sort_values(raw)]}
    if isinstance(raw, tuple | list):
        return [to_json(thing) for thing in raw]
    return raw


def from_json(data: Any) -> Any:
    """What to_json was given. Raises KeyError, TypeError or ValueError where it was given nothing of the kind."""
    if isinstance(data, dict):
        return {key: from_json(found) for key, found in data["map"]} if "map" in data else frozenset(map(from_json, data["set"]))
    return tuple(map(from_json, data)) if isinstance(data, list) else data


def sort_values(things: Iterable[Any]) -> list[Any]:
    """The things of a set in the order in which sets are walked: numbers upwards, lists and sets by what they hold, first things first."""
    return sorted(things, key=_sort_key)


def _sort_key(raw: Any) -> Any:
    if isinstance(raw, tuple):
        return tuple(() if thing is None else (_sort_key(thing),) for thing in raw)        # `none` stands before everything
    return [_sort_key(thing) for thing in sort_values(raw)] if isinstance(raw, frozenset) else raw
