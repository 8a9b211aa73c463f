"""Numbers of the data that follow from others: how many members a type has, what is printed on all of them together. Who adds a card, in
the game or in a pack of house rules, need not count the cards anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..diagnostics.diagnostic import did_you_mean

COMPUTATIONS = ("count", "sum")
TYPE_SECTIONS = (("enums", "members"), ("pieces", "copies"))
ValuePath = tuple[Any, ...]


def find_computation(value: dict[Any, Any]) -> str | None:
    """The word by which a value is worked out: of `{count: Card}` and `{sum: Card.copies}`; None where it is another one."""
    word = next(iter(value), None) if len(value) == 1 else None
    return word if word in COMPUTATIONS and isinstance(value[word], str) else None


class ComputedValues:
    """Works them out for one variant. `settle` gives a value as it is in that variant; `complain` is told what cannot be worked out, with
    what was most likely meant."""

    def __init__(self, data: dict[str, Any], players: int, settle: Callable[[Any, ValuePath], Any],
                 complain: Callable[[ValuePath, str, str, str | None], None]) -> None:
        self.data, self.players, self.settle, self.complain = data, players, settle, complain
        self.open: set[tuple[str, str]] = set()                    # what is being worked out: nothing may need itself

    def compute(self, word: str, name: str, path: ValuePath) -> int:
        """The number that stands for `{word: name}`."""
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
        """What one member adds."""
        given = found[where[2]][where[3]] or {}
        many = self.settle(given["n"], (*where, "n")) if where[0] == "pieces" else 1
        one = 1
        if word == "sum" and attribute in given:
            one = self.settle(given[attribute], (*where, attribute))
        elif word == "sum":
            one = self.settle(found.get("defaults", {}).get(attribute, 0), (*where[:2], "defaults", attribute))
        return many * one if isinstance(many, int) and isinstance(one, int) else 0        # what is no number is told at its place

    def iter_countable(self) -> Iterator[str]:
        yield from (name for section, _ in TYPE_SECTIONS for name, found in self.data[section].items() if isinstance(found, dict | list))

    def iter_summable(self) -> Iterator[str]:
        """Those that are whole numbers."""
        yield from (f"{name}.{key}" for section, _ in TYPE_SECTIONS for name, found in self.data[section].items() if isinstance(found, dict)
                    for key, kind in found.get("attributes", {}).items() if kind == "int")
