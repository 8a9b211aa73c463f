"""The part of the transcript that an option would certainly add, in the same sentences as after the move.

Events and changes that the short preview next to the option already reports are left out (see
preview_texts.py)."""

from __future__ import annotations

from collections.abc import Iterable

from ..i18n import DeferredMessage
from ..i18n.template import capitalize_first
from ..narration.transcript import TranscriptLine, event_fields
from ..position.position import GameEvent
from .lookahead import LookaheadResult
from .preview_change import PreviewChange
from .preview_texts import OptionPreviews
from .tracked_values import TrackedValues, ValueChange
from .transcript_changes import change_sentence, reported_values


def preview_items(hints: OptionPreviews, outcome: LookaheadResult, changes: Iterable[PreviewChange]) -> list[TranscriptLine]:
    """Returns the transcript lines that an option will add, as far as they are known, without what `changes` says."""
    short = {change.says for change in changes}
    out = [item for told in outcome.events if (item := event_item(hints, told, short)) is not None]
    worth = TrackedValues(reported_values(hints.narrator), hints.foresight.start, hints.decision.seat)
    for change in worth.list_changes(outcome)[0]:
        if (item := make_change_line(hints, outcome, change, short)) is not None:
            out.append(item)
    return out


def event_item(hints: OptionPreviews, event: GameEvent, short: set[DeferredMessage]) -> TranscriptLine | None:
    """Returns the transcript line for an event, or None if it has a short text or no sentence, or is already reported."""
    narrator, seat, position = hints.narrator, hints.decision.seat, hints.decision.position
    if narrator.find_key([f"short.{event.key}"]) is not None or (said := narrator.event_statement(event)) is None or said in short:
        return None
    slots = event_fields(event)
    nobody = not any(hints.owners.owner_of(kind, raw, position) is not None for kind, raw in slots.values())
    part = capitalize_first(hints.part_name(event.midst.calls))
    return TranscriptLine(narrator.words.value(said), (), part, True, hints.owners.relevance_to(slots, seat, position), nobody)


def make_change_line(
    hints: OptionPreviews, outcome: LookaheadResult, change: ValueChange, short: set[DeferredMessage]
) -> TranscriptLine | None:
    """Returns the transcript line for a changed value, or None if it is already reported or has no sentence."""
    brief, found = hints.value_change(change), change_sentence(hints.narrator, change, hints.decision.position)
    if found is None or brief is not None and brief.says in short:
        return None
    said, slots = found
    part = capitalize_first(hints.part_name(outcome.events[-1].midst.calls)) if outcome.events else ""
    mine = hints.owners.relevance_to(slots, hints.decision.seat, hints.decision.position)
    return TranscriptLine(said, (), part, True, mine, not mine)
