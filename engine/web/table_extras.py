"""Further tables of the database. Servers add them to a database of an earlier version when they open it.

    stand_ins    the bots that decide for people who are away
    consents     the people who want a bot to decide for another person, at a sequence number of the log
    clocks       the time of the last decision
    awaited      the seats that must decide next
    rematches    the next table of the same people
    proposals    the seat that proposed it, and how many seats everybody moves
    chat         what people have written at a table. It is never part of a save
    chat_off     the tables whose host has turned the chat off
    continued    the tables that continue a save
    owners       the address that set up a table with bots, or that came first, as a signature"""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

METADATA = MetaData()


def table_column() -> Column[str]:
    """Returns the column with the id of a table."""
    return Column("table_id", String(32), nullable=False)


STAND_INS = Table("stand_ins", METADATA, table_column(), Column("seat", Integer, nullable=False), Column("kind", Text, nullable=False),
                  PrimaryKeyConstraint("table_id", "seat"))
CONSENTS = Table("consents", METADATA, table_column(), Column("seat", Integer, nullable=False), Column("voter", Integer, nullable=False),
                 Column("sequence", Integer, nullable=False), PrimaryKeyConstraint("table_id", "seat", "voter"))
CLOCKS = Table("clocks", METADATA, table_column(), Column("decided", Float, nullable=False), PrimaryKeyConstraint("table_id"))
AWAITED = Table("awaited", METADATA, table_column(), Column("seats", Text, nullable=False), PrimaryKeyConstraint("table_id"))
REMATCHES = Table("rematches", METADATA, table_column(), Column("next_id", String(32), nullable=False), PrimaryKeyConstraint("table_id"))
PROPOSALS = Table("proposals", METADATA, table_column(), Column("seat", Integer, nullable=False), Column("shift", Integer, nullable=False),
                  PrimaryKeyConstraint("table_id"))
CHAT = Table("chat", METADATA, table_column(), Column("number", Integer, nullable=False), Column("seat", Integer, nullable=False),
             Column("text", Text, nullable=False), PrimaryKeyConstraint("table_id", "number"))
CHAT_OFF = Table("chat_off", METADATA, table_column(), PrimaryKeyConstraint("table_id"))
CONTINUED = Table("continued", METADATA, table_column(), PrimaryKeyConstraint("table_id"))
OWNERS = Table("owners", METADATA, table_column(), Column("owner", String(64), nullable=False), PrimaryKeyConstraint("table_id"))
MAX_KEPT_MESSAGES = 500                     # of a table
# the statements of each move, which SQLAlchemy would otherwise analyse again
UPDATE_CLOCK = update(CLOCKS).where(CLOCKS.c.table_id == bindparam("of_table")).values(decided=bindparam("now"))
UPDATE_AWAITED = update(AWAITED).where(AWAITED.c.table_id == bindparam("of_table")).values(seats=bindparam("joined"))


def read_stand_ins(db: Connection, table_id: str) -> dict[int, str]:
    """Returns the bots that decide for people, by seat."""
    rows = db.execute(select(STAND_INS.c.seat, STAND_INS.c.kind).where(STAND_INS.c.table_id == table_id))
    return {row.seat: row.kind for row in rows}


def set_stand_in(db: Connection, table_id: str, seat: int, kind: str) -> None:
    """Lets a bot decide for a seat. With "", the person decides again."""
    db.execute(delete(STAND_INS).where(STAND_INS.c.table_id == table_id, STAND_INS.c.seat == seat))
    db.execute(delete(CONSENTS).where(CONSENTS.c.table_id == table_id, CONSENTS.c.seat == seat))
    if kind:
        db.execute(insert(STAND_INS).values(table_id=table_id, seat=seat, kind=kind))


def add_consent(db: Connection, table_id: str, seat: int, voter: int, sequence: int) -> None:
    """Records that a person wants a bot to decide for another seat."""
    db.execute(delete(CONSENTS).where(CONSENTS.c.table_id == table_id, CONSENTS.c.seat == seat, CONSENTS.c.voter == voter))
    db.execute(insert(CONSENTS).values(table_id=table_id, seat=seat, voter=voter, sequence=sequence))


def read_consents(db: Connection, table_id: str, seat: int, sequence: int) -> set[int]:
    """Returns the people who want a bot to decide for a seat at this sequence number."""
    return set(db.execute(select(CONSENTS.c.voter).where(
        CONSENTS.c.table_id == table_id, CONSENTS.c.seat == seat, CONSENTS.c.sequence == sequence)).scalars())


def set_clock(db: Connection, table_id: str) -> float:
    """Records the present time as that of the last decision, and returns it."""
    now = time.time()
    if db.execute(UPDATE_CLOCK, {"of_table": table_id, "now": now}).rowcount == 0:
        db.execute(insert(CLOCKS).values(table_id=table_id, decided=now))
    return now


def read_clock(db: Connection, table_id: str) -> float:
    """Returns the time of the last decision, or 0 if it is unknown."""
    return float(db.execute(select(CLOCKS.c.decided).where(CLOCKS.c.table_id == table_id)).scalar() or 0)


def set_awaited_seats(db: Connection, table_id: str, seats: Sequence[int]) -> None:
    """Records the seats that must decide next."""
    joined = " ".join(map(str, seats))
    if db.execute(UPDATE_AWAITED, {"of_table": table_id, "joined": joined}).rowcount == 0:
        db.execute(insert(AWAITED).values(table_id=table_id, seats=joined))


def read_awaited_seats(db: Connection, table_id: str) -> tuple[int, ...]:
    """Returns the seats that must decide next. None if the match is over, or if they are unknown."""
    found = db.execute(select(AWAITED.c.seats).where(AWAITED.c.table_id == table_id)).scalar()
    return tuple(map(int, (found or "").split()))


def mark_continued(db: Connection, table_id: str) -> None:
    """Records that a table continues a save."""
    db.execute(insert(CONTINUED).values(table_id=table_id))


def is_continued(db: Connection, table_id: str) -> bool:
    """Whether a table continues a save."""
    return db.execute(select(CONTINUED.c.table_id).where(CONTINUED.c.table_id == table_id)).first() is not None


def claim_table(db: Connection, table_id: str, owner: str) -> str:
    """Returns the owner of a table. If there is none, stores `owner`."""
    found = db.execute(select(OWNERS.c.owner).where(OWNERS.c.table_id == table_id)).scalar()
    if found is None:
        db.execute(insert(OWNERS).values(table_id=table_id, owner=owner))
    return found or owner


# ---------------------------------------------------------------- chat


def add_message(db: Connection, table_id: str, seat: int, text: str) -> None:
    """Stores a message, and forgets the oldest ones."""
    last = db.execute(select(func.max(CHAT.c.number)).where(CHAT.c.table_id == table_id)).scalar() or 0
    db.execute(insert(CHAT).values(table_id=table_id, number=last + 1, seat=seat, text=text))
    db.execute(delete(CHAT).where(CHAT.c.table_id == table_id, CHAT.c.number <= last + 1 - MAX_KEPT_MESSAGES))


def read_messages(db: Connection, table_id: str, limit: int) -> list[tuple[int, str]]:
    """Returns the latest messages as seat and text, the oldest first."""
    rows = db.execute(select(CHAT.c.seat, CHAT.c.text).where(CHAT.c.table_id == table_id).order_by(CHAT.c.number.desc()).limit(limit))
    return [(row.seat, row.text) for row in rows][::-1]


def has_chat(db: Connection, table_id: str) -> bool:
    """Whether people may write at a table."""
    return db.execute(select(CHAT_OFF.c.table_id).where(CHAT_OFF.c.table_id == table_id)).first() is None


def set_chat(db: Connection, table_id: str, on: bool) -> None:
    """Turns the chat of a table on or off."""
    db.execute(delete(CHAT_OFF).where(CHAT_OFF.c.table_id == table_id))
    if not on:
        db.execute(insert(CHAT_OFF).values(table_id=table_id))
