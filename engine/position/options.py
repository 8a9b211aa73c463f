"""Options: what may be chosen now, as codes for machines, as spellings for saves and tests, as values for words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...dsl.ir.metadata import DecisionBranch, DecisionKind
from ...dsl.model.codec import CodecTable
from ...dsl.types.types import MemberOf, SetOf, Type, domain_of

DECLINE = -1


@dataclass(frozen=True)
class Option:
    """One thing that may be done: `code` (a number that only means something at this decision), the menu entry it belongs to
    (None outside menus), and the chosen values by name. A decline has no values and the code -1."""

    code: int
    entry: str | None
    values: tuple[tuple[str, Type, int], ...]
    spelling: str

    @property
    def declines(self) -> bool:
        return self.code == DECLINE

    def __str__(self) -> str:
        return self.spelling


def decode_values(choice: DecisionBranch, code: int) -> tuple[tuple[str, Type, int], ...]:
    """The values that a code stands for."""
    rest = code - choice.offset
    values: list[tuple[str, Type, int]] = []
    for slot in reversed(choice.slots):
        rest, digit = divmod(rest, slot.radix)
        values.insert(0, (slot.name, slot.type, digit + slot.low))
    return tuple(values)


def spell_value(codecs: CodecTable, kind: Type, raw: int) -> str:
    """A chosen value as one word: a set is its members with a plus between them, `{}` when it is empty."""
    codec = codecs.codec_for(kind)
    return "+".join(map(codecs.codec_for(kind.of).spell, codec.parts(raw))) or "{}" if isinstance(kind, SetOf) else codec.spell(raw)


def parse_set_spelling(word: str) -> list[str]:
    """The members of a set that is written as `spelt` writes it."""
    return [] if word == "{}" else word.split("+")


def iter_things(codecs: CodecTable, values: Iterable[tuple[str, Type, int]]) -> Iterator[tuple[str, int]]:
    """The things that chosen values name, those of sets too, each with its type. Numbers are no things."""
    for _, kind, raw in values:
        domain = domain_of(kind)
        if domain is not None:
            yield from ((domain, n) for n in ([raw] if isinstance(kind, MemberOf) else codecs.codec_for(kind).parts(raw)))


def find_choice(kind: DecisionKind, code: int) -> DecisionBranch:
    """The way to answer that a code belongs to."""
    return [choice for choice in kind.choices if choice.offset <= code][-1]
