"""Values as a game's notation spells them, and texts with fields filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ...dsl.game.notation_config import FIELD, Ask, Case, Chosen, Notation
from ...dsl.types.types import Maybe, Of, Type
from ..position.position import Game, Position

Names = Mapping[str, tuple[Type, Any]]                             # values by name, as `in_sight` has them
SHOWN = 150                          # characters of what was read that a message shows
PARTS = re.compile(r"([^\W\d]+)(\d+)")                             # of a cell's name: its column and its row


class NotationFault(Exception):
    """What cannot be read, or written: `key` is the message that says why, `args_` what it speaks of."""

    def __init__(self, key: str, /, **args: Any) -> None:
        super().__init__(key)
        cut = {name: value[:SHOWN] + "…" for name, value in args.items() if isinstance(value, str) and len(value) > SHOWN}
        self.key, self.args_ = key, {**args, **cut}


class Speller:
    """Spells the values of a game, and asks the expressions of its notation."""

    def __init__(self, game: Game, notation: Notation) -> None:
        self.game, self.notation = game, notation

    def ask(self, ask: Ask, position: Position, names: Names) -> Any:
        """What an expression gives, raw."""
        question = self.notation.questions[ask]
        return question.value(position.s, *(names[name][1] for name in question.names))

    def holds(self, case: Case, position: Position, names: Names) -> bool:
        return bool(self.ask(case.when, position, names))

    def spelt(self, kind: Type, raw: Any) -> str:
        """A value as text."""
        inner = kind.of if isinstance(kind, Maybe) else kind
        given = self.notation.spelling.get(inner.name) if isinstance(inner, Of) else None
        plain = self.game.spell(kind, raw)
        if given is None or plain == "none":
            return plain
        if isinstance(given, Mapping):
            return given.get(plain, plain)
        question = self.notation.questions[given]
        return self.game.spell(question.type, question.value(self.game.module.initial, *[raw] * len(question.names)))

    @cached_property
    def _meant(self) -> dict[str, dict[str, int]]:
        return {}

    def meant(self, domain: str) -> dict[str, int]:
        """The members of a type by what they are spelt, where that is but one of them."""
        if domain not in self._meant:
            spelt = [self.spelt(Of(domain), n) for n in range(len(self.game.model.enums[domain].members))]
            self._meant[domain] = {text: n for n, text in enumerate(spelt) if spelt.count(text) == 1}
        return self._meant[domain]

    def field(self, field: Chosen | Case, position: Position, names: Names) -> str:
        """What a field of a text stands for."""
        if isinstance(field, Case):
            return self.filled(field.text, names) if self.holds(field, position, names) else ""
        kind, raw = self.notation.questions[field.ask].type, self.ask(field.ask, position, names)
        plain = self.game.spell(kind, raw)
        return field.texts.get(plain, plain) if field.texts is not None else self.spelt(kind, raw)

    def filled(self, text: str, names: Names, fields: Mapping[str, str] | None = None) -> str:
        """A text with its fields filled in; `fields` are texts already."""
        def value(found: re.Match[str]) -> str:
            name, part = found[1], found[2]
            if fields is not None and name in fields:
                return fields[name]
            kind, raw = names[name]
            if part is None:
                return self.spelt(kind, raw)
            pieces = PARTS.fullmatch(self.game.spell(kind, raw))
            return "" if pieces is None else pieces[1 if part == "column" else 2]
        return FIELD.sub(value, text)
