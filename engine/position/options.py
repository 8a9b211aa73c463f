"""The moves of a decision: as codes for programs, as spellings for saves and tests, and as values for texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...dsl.ir.metadata import DecisionBranch, DecisionKind
from ...dsl.model.codec_table import CodecTable
from ...dsl.types.types import MemberOf, SetOf, Type, domain_of

DECLINE = -1


@dataclass(frozen=True)
class Option:
    """A legal move of a decision.

    `code` is a number that has a meaning in this decision only. `entry` is the menu entry of the move, None
    outside menus. `values` are the chosen values with their names and types. A decline has no values and the code
    -1."""

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
    """Decodes a move code into the chosen values: name, type and raw value of each field."""
    rest = code - choice.offset
    values: list[tuple[str, Type, int]] = []
    for slot in reversed(choice.slots):
        rest, digit = divmod(rest, slot.radix)
        values.insert(0, (slot.name, slot.type, digit + slot.low))
    return tuple(values)


def spell_value(codecs: CodecTable, kind: Type, raw: int) -> str:
    """Spells a chosen value as one word. A set is spelled as its members joined by `+`, or `{}` if it is empty."""
    codec = codecs.codec_for(kind)
    return "+".join(map(codecs.codec_for(kind.of).spell, codec.parts(raw))) or "{}" if isinstance(kind, SetOf) else codec.spell(raw)


def parse_set_spelling(word: str) -> list[str]:
    """Splits the spelling of a set, as `spell_value` writes it, into its members."""
    return [] if word == "{}" else word.split("+")


def iter_things(codecs: CodecTable, values: Iterable[tuple[str, Type, int]]) -> Iterator[tuple[str, int]]:
    """Yields type and member number of every thing in these values, including the members of sets. Numbers are
    skipped."""
    for _, kind, raw in values:
        domain = domain_of(kind)
        if domain is not None:
            yield from ((domain, n) for n in ([raw] if isinstance(kind, MemberOf) else codecs.codec_for(kind).parts(raw)))


def find_choice(kind: DecisionKind, code: int) -> DecisionBranch:
    """Returns the branch of the decision to which a move code belongs."""
    return [choice for choice in kind.choices if choice.offset <= code][-1]
