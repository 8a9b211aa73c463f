"""The transcript with the changes of the tracked values (`watch:` in table.yaml) after
each decision, if the game has texts for them.

    became.<value>              the value has changed: {it}, {at}, {old}, {new}, as in `worth.<value>`
    became.<value>.less         for a number that has fallen; without this text, a fall is not reported
    became.<value>.none         for something that is now empty, or zero; likewise
    became.<value>.not          for something that is no longer true; likewise

The texts are whole sentences. `log:` in table.yaml says which lines are major and which are minor.

Values are read on a copy with everything masked that the reader may not see, so no line depends on hidden
information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...dsl.game.table_config import CHANGE_SUFFIXES, key_spellings, parse_log_name
from ...dsl.types.types import BagOf, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ..match.table import HistoryEntry, MatchTable
from ..narration.narrator import FieldValues, Narrator
from ..narration.transcript import CHANGE_PREFIX, Transcript, TranscriptLine, decision_context
from ..position.position import Position
from ..table_view.theme import theme_of
from .lookahead import mask_hidden
from .preview_parts import describe_change
from .tracked_values import TrackedValues, ValueChange
from .unknown_values import MaskingState

PUBLIC_SEAT = -1                          # a seat that sees only public information


class TranscriptWithChanges(Transcript):
    """The transcript of a match for one reader, with the changes of the tracked values."""

    def __init__(self, table: MatchTable, narrator: Narrator, viewer: int | None) -> None:
        super().__init__(table, narrator, viewer)
        self.tracked = reported_values(narrator)
        self.known: tuple[int, TrackedValues] | None = None                # the last values read, and the step they precede

    def build_lines(self, start: int = 0) -> list[TranscriptLine]:
        """Returns the lines from step `start` on."""
        try:
            return super().build_lines(start)
        finally:
            self.known = None                                      # a later step may have the same number after an undo

    def changes_after(self, n: int) -> Sequence[TranscriptLine]:
        """Returns the lines for the changes that a step makes."""
        step, out = self.table.steps[n], []
        if (
            not self.tracked
            or step.before is None
            or (before := self.values_before(n)) is None
            or (after := self.values_before(n + 1)) is None
        ):
            return ()
        for change in before.iter_changes(before.before, after.before, self.position_before(n + 1)):
            if (item := self.make_change_line(change, step)) is not None:
                out.append(item)
        return out

    def values_before(self, n: int) -> TrackedValues | None:
        """Returns the values before a step. The number after the last step stands for the current values."""
        if self.known is None or self.known[0] != n:
            position = self.position_before(n)
            if position is None:
                return None
            seat = PUBLIC_SEAT if self.viewer is None else self.viewer
            self.known = n, TrackedValues(self.tracked, mask_hidden(position, seat, MaskingState()), seat)
        return self.known[1]

    def make_change_line(self, change: ValueChange, step: HistoryEntry) -> TranscriptLine | None:
        """Returns the line for a change that a step makes, or None if there is no text."""
        if (found := change_sentence(self.narrator, change, step.before)) is None:
            return None
        said, slots = found
        where = step.events[-1].midst if step.events else decision_context(step)
        mine = self.relevance_to_viewer(slots, step.before)
        item = self.make_line(said, where, True, mine, unchanged=not mine)
        return replace(item, weight=self.weight(CHANGE_PREFIX + change.name, slots))

    def weight(self, key: str, slots: FieldValues) -> int:
        """Returns the importance of a line according to `log:` in table.yaml: 1 for major, -1 for minor, 0 by default."""
        return next((weight for name, weight in theme_of(self.table.game).log.items() if self.matches_log_name(name, key, slots)), 0)

    def matches_log_name(self, name: str, key: str, slots: FieldValues) -> bool:
        """Whether an entry of `log:` applies to such a line, by its key alone or by its key and a thing in it."""
        named, member = parse_log_name(name)
        return named in key_spellings(key) and (not member or any(self.holds_member(kind, raw, member) for kind, raw in slots.values()))

    def holds_member(self, kind: Type, raw: Any, member: str) -> bool:
        """Whether a value is the member with this name, or contains it."""
        codec = self.narrator.game.codec(kind)
        if isinstance(kind, MemberOf):
            enum = self.narrator.game.model.enum_of(kind.name)
            return enum is not None and enum.kind != "open" and enum.kind_or_name(raw) == member
        if isinstance(kind, BagOf):
            return any(many and self.holds_member(kind.of, n, member) for n, many in enumerate(raw))
        if isinstance(kind, OptionalOf):
            return bool(codec.size(raw)) and self.holds_member(kind.of, raw, member)
        return isinstance(kind, SetOf | ListOf | PileOf) and any(self.holds_member(kind.of, part, member) for part in codec.parts(raw))


def reported_values(narrator: Narrator) -> list[str]:
    """Returns the names of the tracked values that the transcript reports."""
    return [one.name for one in theme_of(narrator.game).watch or []
            if any(narrator.words.has(f"became.{one.name}{kind}") for kind in CHANGE_SUFFIXES)]


def change_sentence(narrator: Narrator, change: ValueChange, before: Position | None) -> tuple[str, FieldValues] | None:
    """Returns the sentence about a changed value and the values that it may name, or None if there is no text."""
    kind, slots, more = describe_change(narrator, change, narrator.words.has(f"became.{change.name}.more"))
    key = f"became.{change.name}.{kind}" if kind else f"became.{change.name}"
    return (
        (narrator.with_numbers_at(before, change.then).sentence(key, slots, None, None, **more), slots) if narrator.words.has(key) else None
    )
