"""The story with what became of the values worth telling (`worth:` in table.yaml), decision by decision, where a game has words for it.

    became.<value>              it is otherwise than before: of {it}, {at}, {old}, {new}, as in `worth.<value>`
    became.<value>.less         of a number that has fallen; without a text nothing is said of that
    became.<value>.none         it is nothing now, or nought; so too
    became.<value>.not          it is no longer true; so too

They are whole sentences. Which lines are great and which slight, `news:` in table.yaml says.
Values are read on a copy on which all is covered that the listener may not see: nothing is told that rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...dsl.game.table_config import CHANGE_SUFFIXES, key_spellings, parse_news_name
from ...dsl.types.types import BagOf, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ..match.table import HistoryEntry, MatchTable
from ..narration.narrator import FieldValues, Narrator
from ..narration.transcript import CHANGE_PREFIX, Transcript, TranscriptLine, decision_context
from ..table_view.theme import theme_of
from .lookahead import mask_hidden
from .preview_parts import describe_change
from .tracked_values import TrackedValues, ValueChange
from .unknown_values import MaskingState

PUBLIC_SEAT = -1                          # a seat that sees what everybody sees


class TranscriptWithChanges(Transcript):
    """The story of a game for one listener, with what became of what it is worth telling of."""

    def __init__(self, table: MatchTable, teller: Narrator, viewer: int | None) -> None:
        super().__init__(table, teller, viewer)
        self.worth = [one.name for one in theme_of(table.game).worth or []
                      if any(teller.words.has(f"became.{one.name}{kind}") for kind in CHANGE_SUFFIXES)]
        self.known: tuple[int, TrackedValues] | None = None                # the values read last, and before which step

    def changes_after(self, n: int) -> Sequence[TranscriptLine]:
        """What is otherwise after a step than before it."""
        step, out = self.table.steps[n], []
        if (
            not self.worth
            or step.before is None
            or (before := self.values_before(n)) is None
            or (after := self.values_before(n + 1)) is None
        ):
            return ()
        for change in before.iter_changes(before.before, after.before, self.position_before(n + 1)):
            if (item := self.change_item(change, step)) is not None:
                out.append(item)
        return out

    def values_before(self, n: int) -> TrackedValues | None:
        """The values before a step; after the last one those of now."""
        if self.known is None or self.known[0] != n:
            position = self.position_before(n)
            if position is None:
                return None
            seat = PUBLIC_SEAT if self.viewer is None else self.viewer
            self.known = n, TrackedValues(self.worth, mask_hidden(position, seat, MaskingState()), seat)
        return self.known[1]

    def change_item(self, change: ValueChange, step: HistoryEntry) -> TranscriptLine | None:
        """A value that is otherwise than before a step."""
        kind, slots, more = describe_change(self.teller.game, change, self.teller.words.has(f"became.{change.name}.more"))
        key = f"became.{change.name}.{kind}" if kind else f"became.{change.name}"
        if not self.teller.words.has(key):
            return None
        where = step.told[-1].midst if step.told else decision_context(step)
        mine = self.relevance_to_viewer(slots, step.before)
        said = self.teller.with_numbers_at(step.before, change.then).sentence(key, slots, None, None, **more)
        item = self.make_line(said, where, True, mine, idle=not mine)
        return replace(item, weight=self.weight(CHANGE_PREFIX + change.name, slots))

    def weight(self, key: str, slots: FieldValues) -> int:
        """What `news:` in table.yaml says of such a line: 1 for a great one, -1 for a slight one, 0 where it says nothing."""
        return next((weight for name, weight in theme_of(self.table.game).news.items() if self.matches_name(name, key, slots)), 0)

    def matches_name(self, name: str, key: str, slots: FieldValues) -> bool:
        """Whether a name of `news:` means such a line: by its key, or by its key and a thing that it is about."""
        named, member = parse_news_name(name)
        return named in key_spellings(key) and (not member or any(self.holds_member(kind, raw, member) for kind, raw in slots.values()))

    def holds_member(self, kind: Type, raw: Any, member: str) -> bool:
        """Whether a value is a thing of this name, or holds one."""
        codec = self.teller.game.codec(kind)
        if isinstance(kind, MemberOf):
            enum = self.teller.game.model.enum_of(kind.name)
            return enum is not None and enum.kind != "open" and enum.kind_or_name(raw) == member
        if isinstance(kind, BagOf):
            return any(many and self.holds_member(kind.of, n, member) for n, many in enumerate(raw))
        if isinstance(kind, OptionalOf):
            return bool(codec.size(raw)) and self.holds_member(kind.of, raw, member)
        return isinstance(kind, SetOf | ListOf | PileOf) and any(self.holds_member(kind.of, part, member) for part in codec.parts(raw))
