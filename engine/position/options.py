"""Options: what may be chosen now, as codes for machines, as spellings for saves and tests, as values for words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...dsl.boards import open_cell
from ...dsl.compile.info import Choice
from ...dsl.model import Model
from ...dsl.types import ListOf, Maybe, Of, SetOf, Type

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


def decode(choice: Choice, code: int) -> tuple[tuple[str, Type, int], ...]:
    """The values that a code stands for."""
    rest = code - choice.offset
    values: list[tuple[str, Type, int]] = []
    for slot in reversed(choice.slots):
        rest, digit = divmod(rest, slot.radix)
        values.insert(0, (slot.name, slot.type, digit + slot.low))
    return tuple(values)


def spell(model: Model, found: Type, value: Any) -> str:
    """A value as saves and tests write it: the name of a member, a number, none, a list in brackets."""
    if isinstance(found, Maybe):
        return "none" if value is None or value == -1 else spell(model, found.of, value)
    if isinstance(found, Of):
        enum = model.enum_of(found.name)
        assert enum is not None
        if enum.kind == "open":
            q, r = open_cell(value)
            return f"{q},{r}"
        member: str = enum.members[value]
        return member
    if isinstance(found, SetOf):
        members = [n for n in range(value.bit_length()) if value >> n & 1] if isinstance(value, int) else sorted(value)
        return "{" + " ".join(spell(model, found.of, m) for m in members) + "}"
    if isinstance(found, ListOf):
        return "[" + " ".join(spell(model, found.of, m) for m in value) + "]"
    return str(value)
