"""Values that can fill a field of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Noun:
    """A thing of the game by its key, such as `Guest.baron`, `Room.tower` or `Player.left`. The lexicon contains its
    forms.

    `number` distinguishes identical pieces."""

    key: str
    number: int | None = None


@dataclass(frozen=True)
class ProperName:
    """A person's name, or the label of a place such as `d3`. It has no article and changes only by a case ending, as
    in Hungarian.

    `seat`: a seat named by its number, which takes an article in some languages: az 1. játékos."""

    text: str
    seat: bool = False


@dataclass(frozen=True)
class CountedNoun:
    """A number of things whose kind is known only at run time: `3 barons`.

    If the sentence fixes the noun, write `{n}~n.token` instead."""

    n: int
    noun: Noun


@dataclass(frozen=True)
class DeferredMessage:
    """A sentence that is not worded yet: its key, and the values that it depends on, by name. Two statements
    are equal if their sentences say the same."""

    key: str
    args: tuple[tuple[str, TextValue], ...] = ()


# A str is used as it is. A sequence is joined to "a, b and c". True, False and None become words.
TextValue: TypeAlias = "int | str | bool | None | Noun | ProperName | CountedNoun | DeferredMessage | Sequence[TextValue]"
