"""Kinds of the results of runtime functions, and of the items of lists and sets."""

from __future__ import annotations

from . import nodes as m
from .value_types import (
    EMPTY_LIST,
    MASK,
    MEMBERS,
    NONE,
    RANGE,
    WORD,
    Kind,
    ListKind,
    MapKind,
    MembersKind,
    RangeKind,
    SetKind,
    TupleKind,
    UnsupportedConstructError,
    WordKind,
    describe_kind,
    join_all_kinds,
    join_kinds,
    storage_kind,
    tuple_kind,
)


def infer_runtime_call(name: str, node: m.CallExpr, kinds: list[Kind | None]) -> Kind | None:
    """Returns the kind of the result of a runtime function, from the kinds of its arguments."""
    first = kinds[0] if kinds else None
    if node.named and name != "fault" and not is_sort_by_first_key(node):
        raise UnsupportedConstructError(f"{name} with {node.named[0][0]}")
    match name:
        case "fault":
            return None
        case "bits":
            return MEMBERS
        case "range" | "span":
            return RANGE
        case "charge_items" | "iter":
            return first
        case "tuple" | "list":
            return ListKind(WORD) if isinstance(first, RangeKind) else first if kinds else EMPTY_LIST
        case "enumerate":
            inside = element_kind(first)
            return None if inside is None else ListKind(tuple_kind([WORD, inside]))
        case "sort_values" | "in_order" if first is None:
            return None
        case "sorted" | "sort_values" | "in_order" if isinstance(first, SetKind):
            return list_kind(first.of) if first.of is not None else EMPTY_LIST
        case "sorted" | "shuffled" | "without":
            return storage_kind(first)
        case "frozenset" | "set":
            return SetKind(WORD if isinstance(first, MapKind) else element_kind(first) if kinds else None)
        case "held" | "near_open" | "region_open" | "rim_open" | "within_open" | "coast_open" | "disc_open":
            return SetKind(WORD)
        case "put":
            return None if first is None else join_kinds(first, MapKind(kinds[2]))
        case "next":
            return element_kind(first)
        case "packed" | "rank_bag":
            return WORD
        case "unrank_bag" | "recall_ways":
            return ListKind(WORD)
        case "amounts":
            return ListKind(ListKind(WORD))
        case "unpacked" | "spread" | "flooded" | "rim" | "within" | "coast":
            return MASK
        case "tiers" | "regions" | "subsets" | "subsets_of":
            return ListKind(MASK)
        case "tiers_open" | "regions_open":
            return ListKind(SetKind(WORD))
        case "min" | "max" if len(kinds) == 1 and isinstance(first, ListKind) and isinstance(first.of, ListKind | TupleKind):
            return first.of
        case "charge" | "note_way" | "check_length" | "check_total_size":
            return NONE
        case "len" | "sum" | "min" | "max" | "only" | "chance" | "draw_bag" | "distance_open" | "span_open" | "longest_trail":
            if any(kind is not None and not is_numeric_kind(kind) for kind in kinds) and name in ("sum", "min", "max"):
                raise UnsupportedConstructError(f"{name} of {describe_kind(first)}")
            return WORD
    raise UnsupportedConstructError(f"the runtime's {name}")


def list_kind(kind: Kind | None) -> Kind | None:
    """Returns the kind of a list with these items."""
    return None if kind is None else ListKind(storage_kind(kind))


def element_kind(kind: Kind | None) -> Kind | None:
    """Returns the kind of the items that a loop over this kind yields."""
    match kind:
        case MembersKind() | RangeKind():
            return WORD
        case ListKind(of=inside) | SetKind(of=inside):
            return inside
        case None:
            return None
        case TupleKind(parts=parts):
            return join_all_kinds(parts)
    raise UnsupportedConstructError(f"a loop over {describe_kind(kind)}")


def is_numeric_kind(kind: Kind) -> bool:
    """Whether this is a number, or a list of numbers."""
    return isinstance(kind, WordKind | MembersKind | RangeKind) or kind in (EMPTY_LIST, ListKind(WORD))


def is_sort_by_first_key(node: m.CallExpr) -> bool:
    """Whether this sorts by the first component of each entry."""
    return node.function == "sorted" and node.named == (("key", m.FunctionRef("first_key")),)
