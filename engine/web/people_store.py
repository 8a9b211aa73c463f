"""Stores stand-in bots, rematches, and chat messages."""

from __future__ import annotations

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from .storage import StaleSequenceError, Storage, TableRecord, change_table, count_log
from .table_extras import (
    REMATCHES,
    add_consent,
    add_message,
    has_chat,
    read_consents,
    read_messages,
    set_chat,
    set_stand_in,
)


class PeopleStore:
    """The people of the tables of a database. Every change increases the revision of the table."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def set_stand_in(self, table_id: str, seat: int, kind: str) -> None:
        """Lets a bot decide for the person at a seat. With "", the person decides again."""
        with self.storage.engine.begin() as db:
            change_table(db, table_id)
            set_stand_in(db, table_id, seat, kind)

    def add_consent(self, record: TableRecord, seat: int, voter: int, sequence: int, kind: str) -> None:
        """Records that a person wants a bot to decide for another one. If all people who are here want it, it does so."""
        with self.storage.engine.begin() as db:
            change_table(db, record.id)
            if count_log(db, record.id) != sequence:
                raise StaleSequenceError
            add_consent(db, record.id, seat, voter, sequence)
            if read_consents(db, record.id, seat, sequence) >= record.find_other_people(seat):
                set_stand_in(db, record.id, seat, kind)

    def read_consents(self, table_id: str, seat: int, sequence: int) -> set[int]:
        """Returns the people who want a bot to decide for a seat now."""
        with self.storage.engine.connect() as db:
            return read_consents(db, table_id, seat, sequence)

    # ------------------------------------------------------------ rematches

    def add_rematch(self, table_id: str, next_id: str) -> str:
        """Records the next table of the same people. Returns its id, or that of the one that exists already."""
        try:
            with self.storage.engine.begin() as db:
                change_table(db, table_id)
                db.execute(insert(REMATCHES).values(table_id=table_id, next_id=next_id))
        except IntegrityError:
            pass
        return self.find_rematch(table_id)

    def find_rematch(self, table_id: str) -> str:
        """Returns the id of the next table of the same people, or ""."""
        with self.storage.engine.connect() as db:
            return str(db.execute(select(REMATCHES.c.next_id).where(REMATCHES.c.table_id == table_id)).scalar() or "")

    # ------------------------------------------------------------ chat

    def add_message(self, table_id: str, seat: int, text: str) -> bool:
        """Stores a message. Whether the chat of the table is on."""
        with self.storage.engine.begin() as db:
            change_table(db, table_id)
            if on := has_chat(db, table_id):
                add_message(db, table_id, seat, text)
        return on

    def read_messages(self, table_id: str, limit: int) -> list[tuple[int, str]] | None:
        """Returns the latest messages as seat and text, the oldest first, or None if the chat is off."""
        with self.storage.engine.connect() as db:
            return read_messages(db, table_id, limit) if has_chat(db, table_id) else None

    def set_chat(self, table_id: str, on: bool) -> None:
        """Turns the chat of a table on or off."""
        with self.storage.engine.begin() as db:
            change_table(db, table_id)
            set_chat(db, table_id, on)
