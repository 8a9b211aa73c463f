"""Decisions and options: what may be chosen now, as codes for machines, as spellings for saves and tests, as values for words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...dsl.compile.info import Choice
from ...dsl.compile.info import Decision as Kind
from ...dsl.types import Type

if TYPE_CHECKING:
    from .position import Position

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


class Decision:
    """What a seat must decide now. Options are worked out when looked at; their order is fixed by the language."""

    def __init__(self, position: Position, kind: Kind) -> None:
        self.position, self.kind = position, kind
        self.seat: int = position.s[1]

    @property
    def key(self) -> str:
        """The stable name of the decision, as `placing.cell`."""
        return self.kind.key

    @property
    def codes(self) -> Any:
        return self.position.s[2]

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def options(self) -> list[Option]:
        return [self.option(code) for code in self.codes]

    def option(self, code: int) -> Option:
        """The option with this code."""
        if code == DECLINE:
            return Option(code, None, (), "decline")
        choice = self.choice(code)
        values = decode(choice, code)
        words = [choice.name] if choice.name else []
        speller = self.position.game.spell
        words += [f"{name}={speller(kind, value)}" for name, kind, value in values]
        return Option(code, choice.name, values, " ".join(words))

    def choice(self, code: int) -> Choice:
        found = self.kind.choices[0]
        for choice in self.kind.choices:
            if choice.offset <= code:
                found = choice
        return found

    def find(self, spelling: str) -> Option | None:
        """The option spelt so, or None when it is not offered."""
        wanted = " ".join(spelling.split())
        return next((option for option in self.options if option.spelling == wanted), None)

    def context(self) -> dict[str, tuple[Type, Any]]:
        """The names in sight at this decision, with type and value: what its message may speak of to the one who decides."""
        from .view import knows
        s = self.position.s
        return {v.name: (v.type, s[v.slot]) for v in self.kind.scope
                if not v.name.startswith(".") and knows(self.position, v, self.seat)}

    def closed(self, option: Option) -> frozenset[str]:
        """The names, in sight or chosen with this option, that others may not hear of when it has been taken."""
        chosen = [] if option.declines else self.choice(option.code).slots
        names = {slot.name for slot in chosen if slot.secret} | {v.name for v in self.kind.scope if v.secret}
        return frozenset(names - self.kind.told)


def decode(choice: Choice, code: int) -> tuple[tuple[str, Type, int], ...]:
    """The values that a code stands for."""
    rest = code - choice.offset
    values: list[tuple[str, Type, int]] = []
    for slot in reversed(choice.slots):
        rest, digit = divmod(rest, slot.radix)
        values.insert(0, (slot.name, slot.type, digit + slot.low))
    return tuple(values)
