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
class PeopleView:
    """The parts of a page about people. `next_path` leads to the next match. `chat` is None if there is none for the viewer."""

    absence: AbsenceView | None = None
    next_path: str = ""
    chat: list[Message] | None = None
    max_chars: int = MAX_MESSAGE_CHARS


def view_people(people: PeopleStore, live: LiveMatch, page: TablePage) -> PeopleView:
    """Returns the parts of a page about people."""
    return PeopleView(view_absence(people, live, page), find_next_path(people, live.record, page.seat) if page.over else "",
                      view_chat(people, live, page))


def view_chat(people: PeopleStore, live: LiveMatch, page: TablePage) -> list[Message] | None:
    """Returns the latest messages for a person at the table. Spectators have no chat."""
    found = None if page.seat is None else people.read_messages(live.record)
    if found is None:
        return None
    narrator = live.narrator(page.words.lang)
    return [Message(narrator.player_name(seat), text, seat == page.seat) for seat, text in found]


def find_next_path(people: PeopleStore, record: TableRecord, seat: int | None) -> str:
    """Returns the way to the viewer's place in the next match, or "" if there is none."""
    found = people.storage.read_table(people.find_rematch(record.id))
    if found is None:
        return ""
    if seat is None:
        return f"/table/{found.id}/watch" if found.spectators else ""
    place = found.seats[next_seat(seat, len(found.seats))]
    return f"/table/{found.id}/{place.seat + 1}" + ("" if place.taken else f"/join/{place.token}")


def next_seat(seat: int, players: int) -> int:
    """Returns the seat of a person in the next match, so that somebody else begins."""
    return (seat - 1) % players


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
