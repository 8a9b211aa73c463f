"""What may stand in the field of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Noun:
    """A thing of the game by its key (`Guest.baron`, `Room.tower`, `Player.left`): the lexicon knows its forms. `number`: which of
    several alike it is."""

    key: str
    number: int | None = None


@dataclass(frozen=True)
class ProperName:
    """A person's name or the label of a place (`d3`): no article, never changed but for a Hungarian ending. `seat`: the name that a seat
    has by its number, which takes its article in some languages: az 1. játékos."""

    text: str
    seat: bool = False


@dataclass(frozen=True)
class CountedNoun:
    """So many of a thing that is known only at run time: `3 barons`. For a noun fixed by the sentence write `{n}~n.token`."""

    n: int
    noun: Noun


# A plain str is put in as it is; a sequence is joined into "a, b and c"; True, False and None become words.
TextValue: TypeAlias = "int | str | bool | None | Noun | ProperName | CountedNoun | Sequence[TextValue]"
