"""Finds what a typed text means among values that have names.

    cells = AnswerIndex([IndexEntry("c1", ("Córdoba", "c1"), token="7")], normalize)
    cells.find("cordoba")            ["c1"]: a whole name, or else the beginning of one
    cells.look_up("7").kind          MatchKind.TOKEN
    cells.suggest("cordova")         "Córdoba"

Every reader of answers is a view of this class: it says which names its values have, how texts are normalized,
and which kinds of match it accepts. The prompt, `why`, `look`, `show`, menus, notations, scenarios and the
debugger are such readers. `Decision.find` is not: it looks up the exact spelling that programs pass on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean

T = TypeVar("T")
WORD_SEPARATOR = re.compile(r"[^\w-]+")


def collapse_spaces(text: str) -> str:
    """Returns a text with single spaces: the normal form of texts that programs and tests write."""
    return " ".join(text.split())


class MatchKind(IntEnum):
    """How a typed text fits a value, the best fit first."""

    TOKEN = 0        # the number displayed next to the value
    NAME = 1         # a whole name
    FORM = 2         # another whole text for it that is not displayed, such as a spelling
    BEGINNING = 3    # the beginning of a name or form
    INSIDE = 4       # the beginning of any word of the title and what follows it
    WORDS = 5        # beginnings of words of the title, in any order


ALL_KINDS = tuple(MatchKind)
WHOLE = (MatchKind.TOKEN, MatchKind.NAME, MatchKind.FORM)
WHOLE_OR_BEGINNING = (MatchKind.NAME, MatchKind.FORM, MatchKind.BEGINNING)


class IndexEntry(NamedTuple, Generic[T]):
    """A value with its names. The first name is its title. Empty names and tokens are ignored."""

    value: T
    names: Sequence[str]
    forms: Sequence[str] = ()
    token: str = ""


class AnswerMatch(NamedTuple, Generic[T]):
    """The values that a typed text may mean, in their order, and how the text fits them.

    `wanted` is the normalized text. `kind` is None if there are no values."""

    wanted: str
    kind: MatchKind | None
    values: list[T]


class AnswerIndex(Generic[T]):
    """An index of values by normalized names. Several values may share a name."""

    def __init__(self, entries: Iterable[IndexEntry[T]], normalize: Callable[[str], str]) -> None:
        self.normalize = normalize
        self.values: list[T] = []
        self.titles: list[str] = []                                # normalized, of each value
        self.shown: dict[str, str] = {}                            # titles as displayed, by normalized title
        self.tokens: dict[str, list[int]] = {}                     # token → indexes of values
        self.names: dict[str, list[int]] = {}
        self.forms: dict[str, list[int]] = {}
        for n, (value, names, forms, token) in enumerate(entries):
            title = normalize(names[0]) if names else ""
            self.values.append(value)
            self.titles.append(title)
            self.shown.setdefault(title, names[0] if names else "")
            self.tokens.setdefault(token, []).append(n)
            self.names.setdefault(title, []).append(n)
            for table, texts in ((self.names, names[1:]), (self.forms, forms)):
                for text in texts:
                    found = table.setdefault(normalize(text), [])
                    if not found or found[-1] != n:
                        found.append(n)
        for texts_by_key in (self.tokens, self.names, self.forms, self.shown):
            texts_by_key.pop("", None)

    def look_up(self, typed: str, kinds: Iterable[MatchKind] = ALL_KINDS) -> AnswerMatch[T]:
        """Returns the values that fit by the first of these kinds that fits any value."""
        wanted = self.normalize(typed)
        for kind in kinds if wanted else ():
            if found := self._find_indexes(wanted, kind):
                return AnswerMatch(wanted, kind, [self.values[n] for n in found])
        return AnswerMatch(wanted, None, [])

    def find_exact(self, typed: str) -> list[T]:
        """Returns the values with this name."""
        return self.look_up(typed, (MatchKind.NAME,)).values

    def find_beginning(self, typed: str) -> list[T]:
        """Returns the values with a name that begins with this text."""
        return self.look_up(typed, (MatchKind.BEGINNING,)).values

    def find(self, typed: str) -> list[T]:
        """Returns the values with this name, or else those with a name that begins with it."""
        return self.look_up(typed, WHOLE_OR_BEGINNING).values

    def suggest(self, typed: str, similarity: float = LENIENT_CUTOFF) -> str:
        """Returns the displayed title that is most similar to a mistyped text, or ""."""
        return self.shown.get(did_you_mean(self.normalize(typed), self.shown, similarity), "")

    def iter_names(self) -> Iterator[tuple[str, list[T]]]:
        """Yields each normalized name with its values."""
        return ((name, [self.values[n] for n in found]) for name, found in self.names.items())

    def _find_indexes(self, wanted: str, kind: MatchKind) -> Sequence[int]:
        match kind:
            case MatchKind.TOKEN:
                return self.tokens.get(wanted, ())
            case MatchKind.NAME:
                return self.names.get(wanted, ())
            case MatchKind.FORM:
                return self.forms.get(wanted, ())
            case MatchKind.BEGINNING:
                begun = (found for text, found in chain(self.names.items(), self.forms.items()) if text.startswith(wanted))
                return sorted(set(chain.from_iterable(begun)))
            case MatchKind.INSIDE:
                return [n for n, title in enumerate(self.titles) if f" {wanted}" in title]
            case MatchKind.WORDS:
                words = wanted.split()
                return [n for n, title in enumerate(self.titles)
                        if all(any(part.startswith(word) for part in WORD_SEPARATOR.split(title)) for word in words)]


def index_names(names: Iterable[str], normalize: Callable[[str], str]) -> AnswerIndex[str]:
    """Returns an index of names without values, for suggestions."""
    return AnswerIndex((IndexEntry(name, (name,)) for name in names), normalize)
