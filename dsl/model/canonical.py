"""Raw values of any type as plain data: one form for comparison and hashing, one for JSON, and one sort order.

Raw values show their own structure: numbers (also for members and booleans), None, tuples, frozensets, and the dicts of
states over an open board. They can therefore be written without their type. Saves need this for values that a loop
keeps in the frame of a procedure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def canonical_value(raw: Any) -> Any:
    """Returns an immutable value that is the same for equal raw values on every machine. Positions are compared by it."""
    if isinstance(raw, dict):
        return tuple((key, canonical_value(raw[key])) for key in sorted(raw))
    if isinstance(raw, frozenset):
        return ("set", *(canonical_value(thing) for thing in sort_values(raw)))
    if isinstance(raw, tuple | list):
        return tuple(canonical_value(thing) for thing in raw)
    return int(raw) if isinstance(raw, bool) else raw              # True and 1 are equal and must hash alike


def to_json(raw: Any) -> Any:
    """Returns a raw value as data for JSON."""
    if isinstance(raw, dict):
        return {"map": [[key, to_json(raw[key])] for key in sorted(raw)]}
    if isinstance(raw, frozenset):
        return {"set": [to_json(thing) for thing in sort_values(raw)]}
    if isinstance(raw, tuple | list):
        return [to_json(thing) for thing in raw]
    return raw


def from_json(data: Any) -> Any:
    """Returns the raw value that `to_json` encoded. Raises KeyError, TypeError or ValueError for other data."""
    if isinstance(data, dict):
        return {key: from_json(found) for key, found in data["map"]} if "map" in data else frozenset(map(from_json, data["set"]))
    return tuple(map(from_json, data)) if isinstance(data, list) else data


def sort_values(things: Iterable[Any]) -> list[Any]:
    """Returns the elements of a set in iteration order: numbers ascending, lists and sets by their elements."""
    return sorted(things, key=_sort_key)


def _sort_key(raw: Any) -> Any:
    """Returns the sort key of a raw value."""
    if isinstance(raw, tuple):
        return tuple(() if thing is None else (_sort_key(thing),) for thing in raw)        # `none` sorts first
    return [_sort_key(thing) for thing in sort_values(raw)] if isinstance(raw, frozenset) else raw
