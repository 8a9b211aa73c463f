"""Options that differ only in the number of a piece: feeding animal 3 and feeding animal 4, if nothing else tells them
apart. A list shows the preview of the first of them, and names the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ...dsl.types.types import MemberOf
from ..i18n import DeferredMessage, Noun, TextValue
from ..narration.narrator import Narrator
from ..position.observation import visible_names
from ..position.options import Option
from ..position.position import Decision
from .option_preview import OptionPreview

MIN_FOLDED = 2                                  # options that are listed with the first one; a single one keeps its line


class EqualOptions:
    """The options of one decision that differ only in the number of a piece."""

    def __init__(self, decision: Decision, narrator: Narrator, previews: Mapping[int, OptionPreview]) -> None:
        self.decision, self.previews = decision, previews
        self.narrator, self.context = narrator.with_numbers_at(decision.position), visible_names(decision)
        self.first: dict[int, int] = {}                            # the first equal option of each other one, by code
        known: list[tuple[Option, Noun]] = []
        for option in decision.options:
            piece = self.find_piece(option) if previews.get(option.code, OptionPreview()).changes else None
            if piece is None:
                continue
            equal = next((other for other, same in known if self.are_equal(other, same, option, piece)), None)
            if equal is not None:
                self.first[option.code] = equal.code
            else:
                known.append((option, piece))
        many = Counter(self.first.values())
        self.first = {code: first for code, first in self.first.items() if many[first] >= MIN_FOLDED}

    def find_piece(self, option: Option) -> Noun | None:
        """Returns the numbered piece that an option chooses, or None if it does not choose exactly one thing."""
        found = [self.narrator.value(kind, raw) for _, kind, raw in option.values if isinstance(kind, MemberOf)]
        return found[0] if len(option.values) == 1 and found and isinstance(found[0], Noun) and found[0].number is not None else None

    def are_equal(self, some: Option, piece: Noun, other: Option, same: Noun) -> bool:
        """Whether two options say the same if their pieces are exchanged."""
        if some.entry != other.entry or piece.key != same.key:
            return False
        asked = self.decision
        texts = [self.narrator.choice_statement(asked.key, asked.seat, option, self.context, position=asked.position)
                 for option in (some, other)]
        if None in texts or exchange(texts[0], piece, same) != texts[1]:
            return False
        one, two = ({(exchange(change.says, *pair), change.certainty, change.cause, change.cut) for change in self.previews[code].changes}
                    for code, pair in ((some.code, (piece, same)), (other.code, (same, same))))
        return one == two

    def list_equal(self, code: int) -> list[int]:
        """Returns the codes of the options that equal this one and come after it."""
        return [other for other, first in self.first.items() if first == code]


def exchange(value: TextValue, one: Noun, other: Noun) -> TextValue:
    """Returns a text value in which two pieces are exchanged."""
    if isinstance(value, Noun):
        return other if value == one else one if value == other else value
    if isinstance(value, DeferredMessage):
        return DeferredMessage(value.key, tuple(
            (name, exchange_numbers(part, one, other) if name.endswith("_number") else exchange(part, one, other))
            for name, part in value.args))
    return tuple(exchange(part, one, other) for part in value) if isinstance(value, list | tuple) else value


def exchange_numbers(value: TextValue, one: Noun, other: Noun) -> TextValue:
    """Returns a field that may be the number of a piece, with the numbers of two pieces exchanged."""
    return other.number if value == one.number else one.number if value == other.number else value
