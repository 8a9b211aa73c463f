"""Stores stand-in bots, rematches, and chat messages."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from ..errors import MessageError
from ..match.setup import HUMAN
from .storage import MAX_RECORDS, SEATS, StaleSequenceError, Storage, TableRecord, count_log
from .table_extras import (
    PROPOSALS,
    REMATCHES,
    add_consent,
    add_message,
    has_chat,
    read_consents,
    read_messages,
    read_stand_ins,
    set_chat,
    set_stand_in,
)

SHOWN_MESSAGES = 50


@dataclass(frozen=True)
class Rematch:
    """The next table of the same people. `seat` proposed it, -1 if unknown. Everybody moves by `shift` seats."""

    next_id: str
    seat: int
    shift: int

    def next_seat(self, seat: int, players: int) -> int:
        """Returns the seat of a person in the next match."""
        return (seat - self.shift) % players


class LastPersonError(MessageError):
    """Raised if only bots would decide at a table."""


def check_other_person(db: Connection, table_id: str, seat: int) -> None:
    """Checks that a person still decides at a table without the person at this seat. Raises LastPersonError."""
    people = db.execute(select(SEATS.c.seat).where(SEATS.c.table_id == table_id, SEATS.c.kind == HUMAN)).scalars()
    if not set(people) - {seat, *read_stand_ins(db, table_id)}:
        raise LastPersonError("web.host.last_person")


class PeopleStore:
    """The people of the tables of a database. Every change increases the revision of the table."""

    def __init__(self, storage: Storage) -> None:
        self.storage, self.lock = storage, threading.Lock()
        self.chats: OrderedDict[str, tuple[int, list[tuple[int, str]] | None]] = OrderedDict()     # by table, with its revision
        self.changed: dict[str, int] = {}                          # the revision of the last change of a chat that this process made

    def set_stand_in(self, table_id: str, seat: int, kind: str) -> None:
        """Lets a bot decide for the person at a seat. With "", the person decides again. Raises LastPersonError."""
        with self.storage.change(table_id) as db:
            if kind:
                check_other_person(db, table_id, seat)
            set_stand_in(db, table_id, seat, kind)

    def add_consent(self, record: TableRecord, seat: int, voter: int, sequence: int, kind: str) -> None:
        """Records that a person wants a bot to decide for another one. If all people who are here want it, it does so.

        Raises StaleSequenceError and LastPersonError."""
        with self.storage.change(record.id) as db:
            if count_log(db, record.id) != sequence:
                raise StaleSequenceError
            add_consent(db, record.id, seat, voter, sequence)
            if read_consents(db, record.id, seat, sequence) >= record.find_other_people(seat):
                check_other_person(db, record.id, seat)
                set_stand_in(db, record.id, seat, kind)

    def read_consents(self, table_id: str, seat: int, sequence: int) -> set[int]:
        """Returns the people who want a bot to decide for a seat now."""
        with self.storage.engine.connect() as db:
            return read_consents(db, table_id, seat, sequence)

    # ------------------------------------------------------------ rematches

    def add_rematch(self, table_id: str, found: Rematch) -> None:
        """Records the next table of the same people, unless there is one already."""
        try:
            with self.storage.change(table_id) as db:
                db.execute(insert(REMATCHES).values(table_id=table_id, next_id=found.next_id))
                db.execute(insert(PROPOSALS).values(table_id=table_id, seat=found.seat, shift=found.shift))
        except IntegrityError:
            pass

    def find_rematch(self, table_id: str) -> Rematch | None:
        """Returns the next table of the same people, or None."""
        wanted = select(REMATCHES.c.next_id, PROPOSALS.c.seat, PROPOSALS.c.shift).outerjoin(
            PROPOSALS, PROPOSALS.c.table_id == REMATCHES.c.table_id).where(REMATCHES.c.table_id == table_id)
        with self.storage.engine.connect() as db:
            row = db.execute(wanted).first()
        if row is None:
            return None
        return Rematch(row.next_id, *((-1, 1) if row.seat is None else (row.seat, row.shift)))     # earlier versions moved everybody

    # ------------------------------------------------------------ chat

    def add_message(self, table_id: str, seat: int, text: str) -> bool:
        """Stores a message. Whether the chat of the table is on."""
        with self.storage.change(table_id) as db:
            if on := has_chat(db, table_id):
                add_message(db, table_id, seat, text)
            self.note_chat(table_id)
        return on

    def chat_revision(self, record: TableRecord) -> int:
        """Returns the revision of a table at which its chat may have changed last: any revision if there are other writers."""
        return self.changed.get(record.id, -1) if self.storage.is_only_writer else record.revision

    def read_messages(self, record: TableRecord, chat_revision: int) -> list[tuple[int, str]] | None:
        """Returns the latest messages as seat and text, the oldest first, or None if the chat is off.

        It reads them again only if the chat may have changed at `chat_revision`."""
        known = self.chats.get(record.id)
        if known is not None and known[0] >= chat_revision:
            return known[1]
        with self.storage.engine.connect() as db:
            found = read_messages(db, record.id, SHOWN_MESSAGES) if has_chat(db, record.id) else None
        with self.lock:
            self.chats[record.id] = record.revision, found
            while len(self.chats) > MAX_RECORDS:
                self.chats.popitem(last=False)
        return found

    def set_chat(self, table_id: str, on: bool) -> None:
        """Turns the chat of a table on or off."""
        with self.storage.change(table_id) as db:
            set_chat(db, table_id, on)
            self.note_chat(table_id)

    def note_chat(self, table_id: str) -> None:
        """Records that the chat of a table changes in the transaction that runs, which others cannot see yet."""
        self.changed[table_id] = self.storage.read_revision(table_id) + 1
