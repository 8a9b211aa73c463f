"""The moves of a decision: as codes for programs, as spellings for saves and tests, and as values for texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...dsl.backend_python.runtime import unrank_bag
from ...dsl.ir.metadata import DecisionBranch, DecisionKind
from ...dsl.model.codec_table import CodecTable
from ...dsl.types.types import BagOf, MemberOf, SetOf, Type, domain_of

DECLINE = -1


@dataclass(frozen=True)
class Option:
    """A legal move of a decision.

    `code` is a number that has a meaning in this decision only. `entry` is the menu entry of the move, None
    outside menus. `values` are the chosen values with their names and types. A decline has no values and the code
    -1."""

    code: int
    entry: str | None
    values: tuple[tuple[str, Type, Any], ...]
    spelling: str

    @property
    def declines(self) -> bool:
        return self.code == DECLINE

    def __str__(self) -> str:
        return self.spelling


def decode_values(choice: DecisionBranch, code: int) -> tuple[tuple[str, Type, Any], ...]:
    """Decodes a move code into the chosen values: name, type and raw value of each field."""
    rest = code - choice.offset
    values: list[tuple[str, Type, Any]] = []
    for slot in reversed(choice.slots):
        rest, digit = divmod(rest, slot.radix)
        raw = unrank_bag(digit, slot.kinds) if isinstance(slot.type, BagOf) else digit + slot.low
        values.insert(0, (slot.name, slot.type, raw))
    return tuple(values)


def spell_value(codecs: CodecTable, kind: Type, raw: Any) -> str:
    """Spells a chosen value as one word. The members of a set and the counts of a bag (`ore=2`) are joined by `+`.

    An empty set or bag is `{}`."""
    codec = codecs.codec_for(kind)
    match kind:
        case SetOf(of=of):
            return "+".join(map(codecs.codec_for(of).spell, codec.parts(raw))) or "{}"
        case BagOf():
            return "+".join(f"{member}={many}" for member, many in codec.write(raw).items()) or "{}"
    return codec.spell(raw)


def parse_spelling(kind: Type, word: str) -> Any:
    """Returns the spelling of a set or a bag, as `spell_value` writes it, as data. Other words are data already."""
    parts = [] if word == "{}" else word.split("+")
    match kind:
        case SetOf():
            return parts
        case BagOf():
            counts = [part.partition("=")[::2] for part in parts]
            return {member: int(many) if many.isdecimal() else many for member, many in counts}
    return word


def iter_things(codecs: CodecTable, values: Iterable[tuple[str, Type, Any]]) -> Iterator[tuple[str, int]]:
    """Yields type and member number of every thing in these values, including the members of sets. Numbers are
    skipped."""
    for _, kind, raw in values:
        domain = domain_of(kind)
        if domain is not None:
            yield from ((domain, n) for n in ([raw] if isinstance(kind, MemberOf) else codecs.codec_for(kind).parts(raw)))


def find_choice(kind: DecisionKind, code: int) -> DecisionBranch:
    """Returns the branch of the decision to which a move code belongs."""
    return [choice for choice in kind.choices if choice.offset <= code][-1]
