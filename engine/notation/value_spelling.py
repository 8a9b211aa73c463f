"""Writes values as a game's notation spells them, and fills in the fields of its templates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ...dsl.game.notation_config import FIELD_PATTERN, ExpressionIndex, Notation, SpelledValue, SpellingCase
from ...dsl.types.types import MemberOf, OptionalOf, Type
from ..errors import MessageError
from ..position.position import Game, Position

NamedValues = Mapping[str, tuple[Type, Any]]                             # types and raw values by name
MAX_SHOWN_CHARS = 150                          # characters of the input in a message
CELL_PARTS = re.compile(r"([^\W\d]+)(\d+)")                             # column and row of a cell name


class NotationError(MessageError):
    """A text that cannot be read, or a move or position that cannot be written. Long parameters are shortened."""

    def __init__(self, key: str, /, **params: Any) -> None:
        super().__init__(key, **{
            name: value[:MAX_SHOWN_CHARS] + "…" if isinstance(value, str) and len(value) > MAX_SHOWN_CHARS else value
            for name, value in params.items()
        })


class ValueSpeller:
    """Spells the values of a game, and evaluates the expressions of its notation."""

    def __init__(self, game: Game, notation: Notation) -> None:
        self.game, self.notation = game, notation

    def evaluate(self, ask: ExpressionIndex, position: Position, names: NamedValues) -> Any:
        """Returns the raw value of an expression."""
        question = self.notation.questions[ask]
        return question.value(position.s, *(names[name][1] for name in question.names))

    def is_case_true(self, case: SpellingCase, position: Position, names: NamedValues) -> bool:
        """Whether the condition of a case is true."""
        return bool(self.evaluate(case.when, position, names))

    def spell_value(self, kind: Type, raw: Any) -> str:
        """Returns a value as text."""
        inner = kind.of if isinstance(kind, OptionalOf) else kind
        given = self.notation.spelling.get(inner.name) if isinstance(inner, MemberOf) else None
        plain = self.game.spell(kind, raw)
        if given is None or plain == "none":
            return plain
        if isinstance(given, Mapping):
            return given.get(plain, plain)
        question = self.notation.questions[given]
        return self.game.spell(question.type, question.value(self.game.module.initial, *[raw] * len(question.names)))

    @cached_property
    def _members_by_spelling(self) -> dict[str, dict[str, int]]:
        """Cache for `members_by_spelling`."""
        return {}

    def members_by_spelling(self, domain: str) -> dict[str, int]:
        """Returns the members of a type by their spelling, without spellings that several members share."""
        if domain not in self._members_by_spelling:
            spelt = [self.spell_value(MemberOf(domain), n) for n in range(len(self.game.model.enums[domain].members))]
            self._members_by_spelling[domain] = {text: n for n, text in enumerate(spelt) if spelt.count(text) == 1}
        return self._members_by_spelling[domain]

    def field_text(self, field: SpelledValue | SpellingCase, position: Position, names: NamedValues) -> str:
        """Returns the text of a template field."""
        if isinstance(field, SpellingCase):
            return self.fill_template(field.text, names) if self.is_case_true(field, position, names) else ""
        kind, raw = self.notation.questions[field.ask].type, self.evaluate(field.ask, position, names)
        plain = self.game.spell(kind, raw)
        return field.texts.get(plain, plain) if field.texts is not None else self.spell_value(kind, raw)

    def fill_template(self, text: str, names: NamedValues, fields: Mapping[str, str] | None = None) -> str:
        """Returns a template with its fields filled in. `fields` holds texts for some of them."""
        def field_value(match: re.Match[str]) -> str:
            name, part = match[1], match[2]
            if fields is not None and name in fields:
                return fields[name]
            kind, raw = names[name]
            if part is None:
                return self.spell_value(kind, raw)
            pieces = CELL_PARTS.fullmatch(self.game.spell(kind, raw))
            return "" if pieces is None else pieces[1 if part == "column" else 2]
        return FIELD_PATTERN.sub(field_value, text)
