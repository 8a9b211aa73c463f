"""Numbers of the data that follow from others: how many members a type has, what is printed on all of them together. Who adds a card, in
the game or in a pack of house rules, need not count the cards anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..diagnostics.diagnostic import did_you_mean

WORDS = ("count", "sum")
SECTIONS = (("enums", "members"), ("pieces", "copies"))
Where = tuple[Any, ...]


def word_of(value: dict[Any, Any]) -> str | None:
    """The word by which a value is worked out: of `{count: Card}` and `{sum: Card.copies}`; None where it is another one."""
    word = next(iter(value), None) if len(value) == 1 else None
    return word if word in WORDS and isinstance(value[word], str) else None


class Derived:
    """Works them out for one variant. `settle` gives a value as it is in that variant; `complain` is told what cannot be worked out, with
    what was most likely meant."""

    def __init__(self, data: dict[str, Any], players: int, settle: Callable[[Any, Where], Any],
                 complain: Callable[[Where, str, str, str | None], None]) -> None:
        self.data, self.players, self.settle, self.complain = data, players, settle, complain
        self.open: set[tuple[str, str]] = set()                    # what is being worked out: nothing may need itself

    def number(self, word: str, name: str, path: Where) -> int:
        """The number that stands for `{word: name}`."""
        if (word, name) == ("count", "Player"):
            return self.players
        domain, _, attribute = name.partition(".")
        section, inner = next((pair for pair in SECTIONS if domain in self.data[pair[0]]), SECTIONS[0])
        found = self.data[section].get(domain)
        given = {"members": dict.fromkeys(found)} if isinstance(found, list) else found if isinstance(found, dict) else {}
        known = [*self.types()] if word == "count" else [*self.attributes()]
        if name not in known or (word, name) in self.open:
            self.complain(path, word, name, did_you_mean(name, known))
            return 0
        self.open.add((word, name))
        total = sum(self.each(word, attribute, given, (section, domain, inner, member)) for member in given[inner])
        self.open.discard((word, name))
        return total

    def each(self, word: str, attribute: str, found: dict[str, Any], where: Where) -> int:
        """What one member adds."""
        given = found[where[2]][where[3]] or {}
        many = self.settle(given["n"], (*where, "n")) if where[0] == "pieces" else 1
        one = 1
        if word == "sum" and attribute in given:
            one = self.settle(given[attribute], (*where, attribute))
        elif word == "sum":
            one = self.settle(found.get("defaults", {}).get(attribute, 0), (*where[:2], "defaults", attribute))
        return many * one if isinstance(many, int) and isinstance(one, int) else 0        # what is no number is told at its place

    def types(self) -> Iterator[str]:
        yield from (name for section, _ in SECTIONS for name, found in self.data[section].items() if isinstance(found, dict | list))

    def attributes(self) -> Iterator[str]:
        """Those that are whole numbers."""
        yield from (f"{name}.{key}" for section, _ in SECTIONS for name, found in self.data[section].items() if isinstance(found, dict)
                    for key, kind in found.get("attributes", {}).items() if kind == "int")
