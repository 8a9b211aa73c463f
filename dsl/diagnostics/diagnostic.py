"""Diagnostics about rule files: values that passes collect, instead of stopping at the first exception.

A diagnostic is a code, a span and named arguments. Its text is looked up when it is shown: codes.yaml holds the English,
the catalogues hold the other languages. The same diagnostic can therefore appear in any language, as text or as JSON."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from .safe_read import find_undecodable, read_text

CODES_FILE = Path(__file__).parent.parent / "codes.yaml"
TYPO_CUTOFF = 0.7                          # similarity from 0 to 1, as difflib computes it: for words in files
LENIENT_CUTOFF = 0.6                       # for words typed on a command line, which are often shortened


@dataclass(frozen=True)
class SourceSpan:
    """A span of a file. Lines and columns count code points from 1. `end` is the column after the last one."""

    path: str
    line: int = 1
    column: int = 1
    end: int = 0

    @classmethod
    def of_node(cls, path: str, thing: Any) -> SourceSpan:
        """Returns the span of a token or tree node in `path`. A node of several lines is marked on its first line."""
        meta = getattr(thing, "meta", thing)
        path = getattr(meta, "file", None) or path                 # set for lines of a pack in a rule of the game
        line = getattr(meta, "line", None) or 1
        column = getattr(meta, "column", None) or 1
        same = getattr(meta, "end_line", None) in (line, None)
        end = getattr(meta, "end_column", None) if same else None
        return cls(path, line, column, end or column + 1)


@dataclass(frozen=True)
class Phrase:
    """Translatable words inside a diagnostic: a name in `phrases` of codes.yaml, and the values of its fields."""

    name: str
    details: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return fill_template(_load_catalogue()["phrases"][self.name], dict(self.details))


@dataclass(frozen=True)
class PhraseList:
    """Several phrases and literal words, joined by `joint`."""

    parts: tuple[Phrase | str, ...]
    joint: str = ", "

    def __str__(self) -> str:
        return self.joint.join(map(str, self.parts))


@dataclass(frozen=True)
class Diagnostic:
    """One diagnostic. `hint` is a key in `hints` of codes.yaml, or None. It is filled in with the same arguments."""

    code: str
    place: SourceSpan
    args: dict[str, Any] = field(default_factory=dict)
    hint: str | None = None
    clause: str | None = None
    also: tuple[SourceSpan, ...] = ()
    # for run-time faults: the call stack, innermost first
    calls: tuple[SourceSpan, ...] = ()
    values: tuple[tuple[str, str], ...] = ()                       # and the values of visible names

    @property
    def severity(self) -> str:
        return "warning" if self.code.startswith("W") else "error"

    def message(self) -> str:
        """Returns the English sentence. Other languages come from the localizer."""
        return fill_template(load_codes().get(self.code, {}).get("message", str(self.args)), self.args)

    def hint_text(self) -> str | None:
        return fill_template(load_hints()[self.hint], self.args) if self.hint else None

    def __str__(self) -> str:
        where = f"{self.place.path}:{self.place.line}:{self.place.column}"
        hint = self.hint_text()
        return f"{self.severity}[{self.code}] {where}: {self.message()}" + (f" ({hint})" if hint else "")


class DiagnosticList:
    """The diagnostics that the passes of one run collect."""

    def __init__(self, items: Iterable[Diagnostic] = ()) -> None:
        self.items = list(items)
        # of the first `_counted` items, to find duplicates fast
        self._places: set[tuple[str, SourceSpan]] = set()
        self._counted = 0

    def add(self, code: str, place: SourceSpan, hint: str | None = None, also: tuple[SourceSpan, ...] = (), clause: str | None = None,
            **args: Any) -> None:
        """Adds a diagnostic with this code at this span."""
        self.add_diagnostic(Diagnostic(code, place, args, hint, clause, also))

    def add_with_suggestion(self, code: str, place: SourceSpan, suggestion: str | None, **args: Any) -> None:
        """Adds a diagnostic about an unknown word. `suggestion` is the known word that was probably intended, or None."""
        self.add(code, place, "did_you_mean" if suggestion else None, meant=suggestion or "", **args)

    def add_unreadable(self, display_path: str, limit: int | None = None, error: Exception | None = None, code: str = "Y001") -> None:
        """Adds a diagnostic about a file that cannot be read because of an error, or that has more than `limit` bytes."""
        if limit is not None:
            self.add("Y002", SourceSpan(display_path), limit=limit)
            return
        place = find_undecodable(error) if error is not None else None
        self.add(code, SourceSpan(display_path, *(place or ())), hint="not_utf8" if place else None, path=display_path)

    def without_duplicates(self) -> DiagnosticList:
        """Returns the diagnostics without duplicates. Two readers of one file may report the same."""
        found = DiagnosticList()
        for item in self.items:
            found.add_diagnostic(item)
        return found

    def add_diagnostic(self, diagnostic: Diagnostic) -> None:
        """Adds a diagnostic, unless an equal one exists."""
        if self._counted != len(self.items):                       # `items` was changed directly
            self._places = {(item.code, item.place) for item in self.items}
        if (diagnostic.code, diagnostic.place) not in self._places or diagnostic not in self.items:
            self._places.add((diagnostic.code, diagnostic.place))
            self.items.append(diagnostic)
        self._counted = len(self.items)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.items if d.severity == "error"]

    def in_source_order(self) -> list[Diagnostic]:
        """Returns the diagnostics sorted by file, line, column and code."""
        return sorted(self.items, key=lambda d: (d.place.path, d.place.line, d.place.column, d.code))


class RulesRejectedError(Exception):
    """Raised if a pass found errors. Holds all diagnostics."""

    def __init__(self, findings: DiagnosticList) -> None:
        super().__init__("\n".join(map(str, findings.in_source_order())))
        self.findings = findings


@cache
def _load_catalogue() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(read_text(CODES_FILE))
    return found


def load_codes() -> dict[str, dict[str, str]]:
    """Returns every code with its `message`, `note` (shown under the caret) and `explain` (a paragraph with the solution)."""
    found: dict[str, dict[str, str]] = _load_catalogue()["codes"]
    return found


def load_hints() -> dict[str, str]:
    found: dict[str, str] = _load_catalogue()["hints"]
    return found


def fill_template(template: str, args: dict[str, Any]) -> str:
    """Replaces the `{names}` in a sentence. Only bare names are allowed, so data can never reach an attribute."""
    return re.sub(r"\{(\w+)\}", lambda field: str(args[field[1]]) if field[1] in args else field[0], template)


def did_you_mean(word: str, known: Iterable[str], cutoff: float = TYPO_CUTOFF) -> str:
    """Returns the known word that was probably intended, or "". See `find_suggestions`."""
    return next(iter(find_suggestions(word, known, cutoff)), "")


def find_suggestions(word: str, known: Iterable[str], cutoff: float = TYPO_CUTOFF) -> list[str]:
    """Returns the known words that were possibly intended, the likeliest first.

    The order is: the same word in other capitals, words one typo away, other similar words. `cutoff` is the minimum
    similarity, and words one typo away count as at least TYPO_CUTOFF."""
    word = str(word)                                               # YAML keys can be numbers
    return list(_rank_similar_words(word, tuple(sorted(set(map(str, known)) - {word})), cutoff))


@lru_cache(maxsize=1000)                                           # a finding about a text is often the same in each language
def _rank_similar_words(word: str, words: tuple[str, ...], cutoff: float) -> tuple[str, ...]:
    """Returns the words of `find_suggestions`."""
    alike = difflib.get_close_matches(word, words, 3, cutoff)
    same = [other for other in words if other.casefold() == word.casefold()]
    if cutoff > TYPO_CUTOFF:
        return tuple(dict.fromkeys([*same, *alike]))
    swapped = [other for other in words if len(word) > 1 and sorted(other) == sorted(word)]       # `rde` for `red`
    slips = [other for other in words if is_one_typo_apart(word, other)]
    slips.sort(key=lambda other: (-difflib.SequenceMatcher(a=word, b=other).ratio(), other not in swapped, other[:1] != word[:1]))
    return tuple(dict.fromkeys([*same, *slips, *alike, *swapped]))


def is_one_typo_apart(word: str, other: str) -> bool:
    """Whether two words differ by one typo: one letter added, removed or replaced, or two neighbours swapped.

    A change of an ASCII digit is not a typo. At least one of the words must have three letters."""
    if abs(len(word) - len(other)) > 1 or max(len(word), len(other)) < 3:
        return False
    at = next((n for n, (one, two) in enumerate(zip(word, other)) if one != two), min(len(word), len(other)))
    one, two = word[at:], other[at:]
    if (word + other).isascii() and (one[:1].isdigit() or two[:1].isdigit()):
        return False
    return one[1:] == two or one == two[1:] or one[1:] == two[1:] or one[1::-1] + one[2:] == two
