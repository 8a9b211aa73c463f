"""Numbers that are computed from other data: `{count: Card}` and `{sum: Card.copies}`.

An author or a pack that adds a card need not count the cards again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..diagnostics.diagnostic import did_you_mean

COMPUTATIONS = ("count", "sum")
TYPE_SECTIONS = (("enums", "members"), ("pieces", "copies"))
ValuePath = tuple[Any, ...]


def find_computation(value: dict[Any, Any]) -> str | None:
    """Returns the computation of a value, `count` or `sum`, or None for other values."""
    word = next(iter(value), None) if len(value) == 1 else None
    return word if word in COMPUTATIONS and isinstance(value[word], str) else None


class ComputedValues:
    """Computes the numbers of one variant.

    `settle` resolves a value for that variant. `complain` receives errors: path, computation, name, suggestion."""

    def __init__(self, data: dict[str, Any], players: int, settle: Callable[[Any, ValuePath], Any],
                 complain: Callable[[ValuePath, str, str, str | None], None]) -> None:
        self.data, self.players, self.settle, self.complain = data, players, settle, complain
        self.open: set[tuple[str, str]] = set()                    # computations in progress, to detect cycles

    def compute(self, word: str, name: str, path: ValuePath) -> int:
        """Returns the number for `{word: name}`."""
        if (word, name) == ("count", "Player"):
            return self.players
        domain, _, attribute = name.partition(".")
        section, inner = next((pair for pair in TYPE_SECTIONS if domain in self.data[pair[0]]), TYPE_SECTIONS[0])
        found = self.data[section].get(domain)
        given = {"members": dict.fromkeys(found)} if isinstance(found, list) else found if isinstance(found, dict) else {}
        known = [*self.iter_countable()] if word == "count" else [*self.iter_summable()]
        if name not in known or (word, name) in self.open:
            self.complain(path, word, name, did_you_mean(name, known))
            return 0
        self.open.add((word, name))
        total = sum(self.compute_share(word, attribute, given, (section, domain, inner, member)) for member in given[inner])
        self.open.discard((word, name))
        return total

    def compute_share(self, word: str, attribute: str, found: dict[str, Any], where: ValuePath) -> int:
        """Returns the amount that one member contributes."""
        given = found[where[2]][where[3]] or {}
        many = self.settle(given["n"], (*where, "n")) if where[0] == "pieces" else 1
        one = 1
        if word == "sum" and attribute in given:
            one = self.settle(given[attribute], (*where, attribute))
        elif word == "sum":
            one = self.settle(found.get("defaults", {}).get(attribute, 0), (*where[:2], "defaults", attribute))
        return many * one if isinstance(many, int) and isinstance(one, int) else 0        # other values are reported elsewhere

    def iter_countable(self) -> Iterator[str]:
        """Yields the types that can be counted."""
        yield from (name for section, _ in TYPE_SECTIONS for name, found in self.data[section].items() if isinstance(found, dict | list))

    def iter_summable(self) -> Iterator[str]:
        """Yields the attributes that can be summed, which are whole numbers."""
        yield from (f"{name}.{key}" for section, _ in TYPE_SECTIONS for name, found in self.data[section].items() if isinstance(found, dict)
                    for key, kind in found.get("attributes", {}).items() if kind == "int")
