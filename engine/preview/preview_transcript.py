"""The story of an option before it is chosen: what will certainly be told of it, in the same sentences as afterwards.

Of the events that come of it, and of what becomes of the values worth telling, those are left out of which the short words beside the
option speak (see `saying`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...dsl.game.table_config import OTHERWISE
from ..i18n.template import capital
from ..narration.transcript import Item, slots_of
from ..position.position import Told
from ..table_view.theme import look_of
from .lookahead import Ahead
from .option_preview import Said
from .preview_parts import worded
from .preview_texts import Hints
from .tracked_values import Change, Worth


def beforehand(hints: Hints, ahead: Ahead, said: Iterable[Said]) -> list[Item]:
    """The lines of the story that will come of an option, as far as this is known, without those that are `said` of it already."""
    short = {text for _, text in said}
    out = [item for told in ahead.told if (item := of_event(hints, told)) is not None and item.text not in short]
    out += (item for change in became(hints, ahead) if (item := of_change(hints, ahead, change, short)) is not None)
    return out


def of_event(hints: Hints, told: Told) -> Item | None:
    """An event; None where it has short words, or no sentence."""
    teller, seat, position = hints.teller, hints.decision.seat, hints.decision.position
    if teller.find([f"short.{told.key}"]) is not None or (line := teller.told(told)) is None:
        return None
    slots = slots_of(told)
    nobody = not any(hints.owners.owner(kind, raw, position) is not None for kind, raw in slots.values())
    return Item(line, (), capital(hints.under(told.midst.calls)), True, hints.owners.nearness(slots, seat, position), nobody)


def became(hints: Hints, ahead: Ahead) -> Iterator[Change]:
    """What will be otherwise of the values whose changes the story tells."""
    words = hints.teller.words
    names = [one.name for one in look_of(hints.teller.game).worth or []
             if any(words.has(f"became.{one.name}{kind}") for kind in OTHERWISE)]
    if names:
        for found in Worth(names, hints.foresight.start, hints.decision.seat).changes(ahead):
            yield from found


def of_change(hints: Hints, ahead: Ahead, change: Change, short: set[str]) -> Item | None:
    """A value that will be otherwise; None where it is said already, or has no sentence."""
    kind, slots, more = worded(hints.teller.game, change, hints.teller.words.has(f"became.{change.name}.more"))
    key = f"became.{change.name}.{kind}" if kind else f"became.{change.name}"
    if not hints.teller.words.has(key) or hints.change(change) in short:
        return None
    seat, position = hints.decision.seat, hints.decision.position
    part = capital(hints.under(ahead.told[-1].midst.calls)) if ahead.told else ""
    mine = hints.owners.nearness(slots, seat, position)
    said = hints.teller.at(position, change.then).sentence(key, slots, None, None, **more)
    return Item(said, (), part, True, mine, not mine)
