"""Sentences with fields: `Move {n}~n.token to {tile}~the.`

A field is a bare name in braces. `{{` and `}}` are literal braces. Markers follow the closing brace: `~` and
lower-case words with dots between them. They are outside the braces so that msgfmt and other placeholder
checkers accept every message.

Sentences come from translators and house rules, so they never access an attribute or an index of a value.
Anything but a bare name is kept as literal text and listed in `faults`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

CONDITION_SUFFIX = ".when."                      # key suffix of a text for a condition
_PIECE_PATTERN = re.compile(
    r"(?P<open>\{\{)|(?P<close>\}\})"
    r"|\{(?P<name>[a-z_][a-z0-9_]*)\}(?:~(?P<markers>[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*))?"
    r"|(?P<fault>\{[^{}]*\}?|\})")
_STRAY_MARKER_PATTERN = re.compile(r"\}~(?![a-z])")


@dataclass(frozen=True)
class TemplateField:
    """A field `{name}~marker.marker`. The counted noun of `~n.token` is not a marker but in `noun`."""

    name: str
    markers: tuple[str, ...] = ()
    noun: str | None = None
    written: str = ""


@dataclass(frozen=True)
class Template:
    """A parsed sentence: literal text and fields in order, and its syntax errors."""

    parts: tuple[str | TemplateField, ...]
    faults: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[TemplateField, ...]:
        return tuple(part for part in self.parts if isinstance(part, TemplateField))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(field.name for field in self.fields)


@lru_cache(maxsize=4096)
def parse_template(text: str) -> Template:
    """Parses a sentence. Never fails: a syntax error is kept as literal text."""
    parts: list[str | TemplateField] = []
    faults = [found.group() for found in _STRAY_MARKER_PATTERN.finditer(text)]
    at = 0
    for found in _PIECE_PATTERN.finditer(text):
        _append_literal(parts, text[at:found.start()])
        at = found.end()
        if found["open"] or found["close"]:
            _append_literal(parts, found.group()[0])
        elif found["name"]:
            parts.append(_parse_field(found["name"], found["markers"] or "", found.group(), faults))
        else:
            faults.append(found["fault"])
            _append_literal(parts, found["fault"])
    _append_literal(parts, text[at:])
    return Template(tuple(parts), tuple(faults))


def _parse_field(name: str, markers: str, written: str, faults: list[str]) -> TemplateField:
    """Builds a field from its name and markers, and separates the counted noun from the markers."""
    words = markers.split(".") if markers else []
    noun = None
    if "n" in words:
        n = words.index("n")
        if n + 1 == len(words):
            faults.append(written)                                  # `~n` without its noun
        else:
            noun = f"n.{words[n + 1]}"
        words[n:n + 2] = []
    return TemplateField(name, tuple(words), noun, written)


def _append_literal(parts: list[str | TemplateField], text: str) -> None:
    if not text:
        return
    if parts and isinstance(parts[-1], str):
        parts[-1] += text
    else:
        parts.append(text)


_OPENING_MARKS = " \t([{«„“”\"'‘¿¡–—-"


def starts_sentence(before: str, ordinals: bool = False) -> bool:
    """Whether the text after `before` begins a sentence, so that its first letter is a capital.

    `ordinals`: a full stop after a digit marks an ordinal number, as in Hungarian `az 1. emlős`, and does not end
    a sentence."""
    rest = before.rstrip(_OPENING_MARKS)
    if not rest or rest.endswith("\n"):
        return True
    if rest[-1] not in ".!?…" or rest == before:                    # `d3.{corner}`: without a space the full stop belongs to a name
        return False
    return not (ordinals and rest[-1] == "." and rest[-2:-1].isdigit())


def is_field_of_slot(name: str, slot: str) -> bool:
    """Whether a field of a sentence is the slot itself, or a part of it (`animal_number`)."""
    return name == slot or name.startswith(f"{slot}_")


def capitalize_first(text: str) -> str:
    """Returns `text` with its first letter as a capital. Leading quotes and brackets are skipped."""
    for n, letter in enumerate(text):
        if letter.isalpha():
            return text[:n] + letter.upper() + text[n + 1:]
        if letter.isdigit():
            return text
    return text


def lowercase_first(text: str) -> str:
    """Returns `text` with a small first letter, unless its first word contains other capitals or is a number such as
    `IV.`."""
    first = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if len(first) == 1 or first[1:].islower() else text
