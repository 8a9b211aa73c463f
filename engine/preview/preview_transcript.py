"""The part of the transcript that an option would certainly add, in the same sentences as after the move.

Events and changes that the short preview next to the option already reports are left out (see
preview_texts.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...dsl.game.table_config import CHANGE_SUFFIXES
from ..i18n import Statement
from ..i18n.template import capitalize_first
from ..narration.transcript import TranscriptLine, event_fields
from ..position.position import GameEvent
from ..table_view.theme import theme_of
from .lookahead import LookaheadResult
from .preview_change import PreviewChange
from .preview_parts import describe_change
from .preview_texts import OptionPreviews
from .tracked_values import TrackedValues, ValueChange


def preview_items(hints: OptionPreviews, ahead: LookaheadResult, said: Iterable[PreviewChange]) -> list[TranscriptLine]:
    """Returns the transcript lines that an option will add, as far as they are known, without what `said` says."""
    short = {change.says for change in said}
    out = [item for told in ahead.told if (item := event_item(hints, told, short)) is not None]
    out += (item for change in iter_changes(hints, ahead) if (item := change_item(hints, ahead, change, short)) is not None)
    return out


def event_item(hints: OptionPreviews, told: GameEvent, short: set[Statement]) -> TranscriptLine | None:
    """Returns the transcript line for an event, or None if it has a short text or no sentence, or is already reported."""
    teller, seat, position = hints.teller, hints.decision.seat, hints.decision.position
    if teller.find_key([f"short.{told.key}"]) is not None or (said := teller.event_statement(told)) is None or said in short:
        return None
    slots = event_fields(told)
    nobody = not any(hints.owners.owner_of(kind, raw, position) is not None for kind, raw in slots.values())
    part = capitalize_first(hints.part_name(told.midst.calls))
    return TranscriptLine(teller.words.value(said), (), part, True, hints.owners.relevance_to(slots, seat, position), nobody)


def iter_changes(hints: OptionPreviews, ahead: LookaheadResult) -> Iterator[ValueChange]:
    """Yields the changes of those tracked values that the transcript reports."""
    words = hints.teller.words
    names = [one.name for one in theme_of(hints.teller.game).watch or []
             if any(words.has(f"became.{one.name}{kind}") for kind in CHANGE_SUFFIXES)]
    if names:
        for found in TrackedValues(names, hints.foresight.start, hints.decision.seat).list_changes(ahead):
            yield from found


def change_item(hints: OptionPreviews, ahead: LookaheadResult, change: ValueChange, short: set[Statement]) -> TranscriptLine | None:
    """Returns the transcript line for a changed value, or None if it is already reported or has no sentence."""
    kind, slots, more = describe_change(hints.teller.game, change, hints.teller.words.has(f"became.{change.name}.more"))
    key = f"became.{change.name}.{kind}" if kind else f"became.{change.name}"
    found = hints.value_change(change)
    if not hints.teller.words.has(key) or found is not None and found.says in short:
        return None
    seat, position = hints.decision.seat, hints.decision.position
    part = capitalize_first(hints.part_name(ahead.told[-1].midst.calls)) if ahead.told else ""
    mine = hints.owners.relevance_to(slots, seat, position)
    said = hints.teller.with_numbers_at(position, change.then).sentence(key, slots, None, None, **more)
    return TranscriptLine(said, (), part, True, mine, not mine)
