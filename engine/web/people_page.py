"""The parts of the page of a table about people: somebody who keeps the others waiting, the next match, and the chat."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..i18n import ProperName
from .early_answers import find_awaited_person
from .live_match import LiveMatch
from .people_store import PeopleStore
from .storage import TableRecord
from .table_page import TablePage

ABSENT_SECONDS = 600.0                      # before other people may let a bot decide
STAND_IN = "bot:medium"
MAX_MESSAGE_CHARS = 300


@dataclass(frozen=True)
class AbsenceView:
    """A person who keeps the others waiting. `agreed` of `needed` people want a bot to decide."""

    who: ProperName
    agreed: int
    needed: int
    own: bool                                                      # whether the viewer has agreed


@dataclass(frozen=True)
class Message:
    """A message of the chat."""

    who: str
    text: str
    own: bool


@dataclass(frozen=True)
class RematchView:
    """The next match. `path` leads to it, "" if the viewer must first take a seat. `who` has proposed it, None if unknown."""

    path: str
    who: ProperName | None


@dataclass(frozen=True)
class PeopleView:
    """The parts of a page about people. `chat` is None if there is none for the viewer."""

    absence: AbsenceView | None = None
    rematch: RematchView | None = None
    chat: list[Message] | None = None
    max_chars: int = MAX_MESSAGE_CHARS


def view_people(people: PeopleStore, live: LiveMatch, page: TablePage, chat_revision: int) -> PeopleView:
    """Returns the parts of a page about people. The chat may have changed last at `chat_revision`."""
    return PeopleView(view_absence(people, live, page), view_rematch(people, live, page) if page.over else None,
                      view_chat(people, live, page, chat_revision))


def view_chat(people: PeopleStore, live: LiveMatch, page: TablePage, chat_revision: int) -> list[Message] | None:
    """Returns the latest messages for a person at the table. Spectators have no chat."""
    found = None if page.seat is None else people.read_messages(live.record, chat_revision)
    if found is None:
        return None
    narrator = live.narrator(page.words.lang)
    return [Message(narrator.player_name(seat), text, seat == page.seat) for seat, text in found]


def view_rematch(people: PeopleStore, live: LiveMatch, page: TablePage) -> RematchView | None:
    """Returns the next match of the same people for a viewer, or None if there is none."""
    found = people.find_rematch(live.record.id)
    record = people.storage.read_table(found.next_id) if found is not None else None
    if found is None or record is None or page.seat is None and not record.spectators:
        return None
    who = ProperName(live.narrator(page.words.lang).player_name(found.seat)) if found.seat >= 0 else None
    if page.seat is None:
        return RematchView(f"/table/{record.id}/watch", who)
    place = record.seats[found.next_seat(page.seat, len(record.seats))]
    return RematchView(f"/table/{record.id}/{place.seat + 1}" if place.taken else "", who)


def is_long_wait(record: TableRecord) -> bool:
    """Whether the last decision was a long time ago."""
    return record.decided > 0 and time.time() - record.decided >= ABSENT_SECONDS


def view_absence(people: PeopleStore, live: LiveMatch, page: TablePage) -> AbsenceView | None:
    """Returns the person who keeps the viewer waiting for a long time, or None."""
    record = live.record
    awaited = find_awaited_person(live, page.seat) if page.seat is not None and is_long_wait(record) else None
    if awaited is None:
        return None
    agreed, needed = people.read_consents(record.id, awaited, live.sequence), record.find_other_people(awaited)
    who = ProperName(live.narrator(page.words.lang).player_name(awaited))
    return AbsenceView(who, len(agreed & needed), len(needed), page.seat in agreed)
