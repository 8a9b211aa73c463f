"""Tables in a database: the setup of each match, its seats, and an append-only log.

A log entry is a decision, or an undo of the last decisions. Its sequence number is unique within a table. So two
requests that answer the same question cannot both succeed, not even in two processes.

    server    name, value              the schema version, and the secret of forms
    tables    id, setup, rules, ...    one row for each table
    seats     table, seat, token, ...  the person or bot of each seat
    log       table, sequence, ...     {"seat": 0, "key": "turn.spot", ...} or {"undo": 2}

table_extras.py has further tables, which an earlier database gets when a server opens it.

Every change increases the `revision` of its table."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    bindparam,
    create_engine,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ..errors import MessageError
from ..match.save_schema import parse_setup
from ..match.setup import HUMAN, MatchSetup
from .answer_table import EarlyAnswers, read_early_answers, write_early_answers
from .postgres import lock_schema, notify_change
from .seat_names import number_name
from .table_extras import (
    METADATA,
    is_continued,
    mark_continued,
    read_awaited_seats,
    read_clock,
    read_stand_ins,
    set_awaited_seats,
    set_clock,
    set_stand_in,
)

SCHEMA_VERSION = "1"
TOKEN_BYTES = 16                            # 128 random bits
TABLE_ID_BYTES = 9
BUSY_TIMEOUT_MS = 5000                      # SQLite waits so long for another writer
MAX_CONNECTIONS = 20                        # to PostgreSQL
MAX_RECORDS = 1000                          # tables in memory, without their logs

SERVER = Table("server", METADATA, Column("name", String(40), primary_key=True), Column("value", Text, nullable=False))
TABLES = Table(
    "tables", METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("rules", String(64), nullable=False),
    Column("setup", Text, nullable=False),
    Column("host_token", String(64), nullable=False),
    Column("spectators", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("created", Float, nullable=False),
)
SEATS = Table(
    "seats", METADATA,
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("lang", String(8), nullable=False),
    Column("token", String(64), nullable=False),
    Column("taken", Boolean, nullable=False),
    PrimaryKeyConstraint("table_id", "seat"),
)
LOG = Table(
    "log", METADATA,
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "sequence"),
)
# The statements of each move and page. SQLAlchemy computes much for a statement once, so they are not built again.
ADVANCE = update(TABLES).where(TABLES.c.id == bindparam("of_table")).values(revision=TABLES.c.revision + 1)
ADVANCE_MATCH = ADVANCE.values(over=bindparam("is_over"))
READ_REVISION = select(TABLES.c.revision).where(TABLES.c.id == bindparam("of_table"))
COUNT_LOG = select(func.count()).where(LOG.c.table_id == bindparam("of_table"))
READ_LOG = select(LOG.c.data).where(LOG.c.table_id == bindparam("of_table"), LOG.c.sequence >= bindparam("start")).order_by(LOG.c.sequence)
INSERT_LOG = insert(LOG)


class StorageError(MessageError):
    """A database that cannot be used."""


class StaleSequenceError(Exception):
    """Raised if the log has grown since the caller read it. Nothing was written."""


@dataclass
class SeatRecord:
    """A seat of a table. `token` opens it. `taken` is true after somebody has opened the invite link."""

    seat: int
    kind: str
    name: str = ""
    lang: str = ""
    token: str = field(default="", repr=False)
    taken: bool = False

    @property
    def is_human(self) -> bool:
        """Whether a person plays this seat."""
        return self.kind == HUMAN


@dataclass
class TableRecord:
    """A table without its log. `rules` is the fingerprint of the rules, `revision` the number of changes.

    `stand_ins` are the bots that decide for people, by seat. `decided` is the time of the last decision, 0 if unknown.
    `awaited` are the seats that must decide next, if they are known. `continued` tables began with a save of somebody."""

    id: str
    setup: MatchSetup
    rules: str
    host_token: str = field(repr=False)
    spectators: bool
    revision: int
    over: bool
    seats: list[SeatRecord]
    stand_ins: dict[int, str] = field(default_factory=dict)
    decided: float = 0.0
    early: EarlyAnswers = field(default_factory=dict)              # answers that wait for those of other people
    awaited: tuple[int, ...] = ()
    continued: bool = False

    @property
    def host_path(self) -> str:
        """The path of the host's page. It contains the secret token of the host."""
        return f"/table/{self.id}/host/{self.host_token}"

    def is_bot(self, seat: int) -> bool:
        """Whether a bot decides for a seat now."""
        return not self.seats[seat].is_human or seat in self.stand_ins

    @property
    def has_bots(self) -> bool:
        """Whether a bot decides for some seat now."""
        return any(map(self.is_bot, range(len(self.seats))))

    def find_other_people(self, seat: int) -> set[int]:
        """Returns the other seats whose people are here and decide themselves."""
        return {one.seat for one in self.seats if one.taken and one.seat != seat and not self.is_bot(one.seat)}


def new_token() -> str:
    """Returns a random token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Storage:
    """A database of tables. Raises StorageError if the database cannot be used.

    The only writer of a database knows the present state of its tables, and does not ask for it again."""

    def __init__(self, url: str, is_only_writer: bool = True) -> None:
        self.lock = threading.Lock()
        self.write_lock = threading.RLock()
        self.records: OrderedDict[str, TableRecord] = OrderedDict()
        self.revisions: dict[str, int] = {}                        # of tables, if this is the only writer
        shown = make_url(url).render_as_string(hide_password=True)
        try:
            self.engine: Engine = open_engine(url)
            self.is_only_writer = is_only_writer and not self.is_shared
            with self.engine.begin() as db:
                if self.is_shared:
                    lock_schema(db)
                METADATA.create_all(db)
                self.secret = read_or_create(db, "secret", new_token())
                schema = read_or_create(db, "schema", SCHEMA_VERSION)
        except ImportError as error:
            raise StorageError("serve.missing", command="pip install 'ludoglot[web,postgres]'") from error
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).partition("\n")[0]
            raise StorageError("serve.database", url=shown, reason=reason) from error
        if schema != SCHEMA_VERSION:
            raise StorageError("serve.schema", url=shown)

    @property
    def is_shared(self) -> bool:
        """Whether other servers may use the database at the same time."""
        return self.engine.dialect.name == "postgresql"

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()

    # ------------------------------------------------------------ tables

    def create_table(self, setup: MatchSetup, spectators: bool, log: Sequence[dict[str, Any]] = (),
                     over: bool = False, awaited: Sequence[int] = (), continued: bool = False) -> TableRecord:
        """Stores a new table with the first entries of its log, and returns it. `awaited` are the seats that must decide next."""
        table_id, tokens = secrets.token_urlsafe(TABLE_ID_BYTES), [new_token() for _ in setup.seats]
        with self.begin_write() as db:
            db.execute(insert(TABLES).values(
                id=table_id, game=setup.game, version=setup.version, rules=setup.rules, setup=dump_data(setup.header()),
                host_token=new_token(), spectators=spectators, revision=0, over=over, created=time.time()))
            db.execute(insert(SEATS), [
                {"table_id": table_id, "seat": n, "kind": kind, "name": setup.names[n], "lang": setup.langs[n], "token": tokens[n],
                 "taken": False}
                for n, kind in enumerate(setup.seats)])
            insert_log(db, table_id, 0, log)
            set_clock(db, table_id)
            set_awaited_seats(db, table_id, awaited)
            if continued:
                mark_continued(db, table_id)
        found = self.read_table(table_id)
        assert found is not None
        return found

    def read_table(self, table_id: str) -> TableRecord | None:
        """Returns a table, or None if there is none with this id. Callers share the record, so they do not change it."""
        if not table_id.isprintable():                             # PostgreSQL accepts no NUL
            return None
        known = self.records.get(table_id)
        if known is not None and known.revision == self.read_revision(table_id):
            return known
        with self.engine.connect() as db:
            row = db.execute(select(TABLES).where(TABLES.c.id == table_id)).mappings().first()
            if row is None:
                return None
            seats = [SeatRecord(seat["seat"], seat["kind"], seat["name"], seat["lang"], seat["token"], seat["taken"])
                     for seat in db.execute(select(SEATS).where(SEATS.c.table_id == table_id).order_by(SEATS.c.seat)).mappings()]
            stand_ins, decided, awaited = read_stand_ins(db, table_id), read_clock(db, table_id), read_awaited_seats(db, table_id)
            early, continued = read_early_answers(db, table_id), is_continued(db, table_id)
        setup = parse_setup(json.loads(row["setup"]))
        setup.names, setup.langs = [seat.name for seat in seats], [seat.lang for seat in seats]
        setup.seats = [seat.kind for seat in seats]
        record = TableRecord(table_id, setup, row["rules"], row["host_token"], row["spectators"], row["revision"], row["over"], seats,
                             stand_ins, decided, early, awaited, continued)
        self.keep_record(record)
        return record

    def keep_record(self, record: TableRecord) -> None:
        """Keeps a record in memory. It is in use as long as its revision is the present one."""
        self.note_revision(record.id, record.revision)
        with self.lock:
            self.records[record.id] = record
            while len(self.records) > MAX_RECORDS:
                self.records.popitem(last=False)

    def read_revision(self, table_id: str) -> int:
        """Returns the number of changes of a table, or -1 if there is none with this id."""
        if (known := self.known_revision(table_id)) is not None:
            return known
        with self.engine.connect() as db:
            found = db.execute(READ_REVISION, {"of_table": table_id}).scalar()
        if found is None:
            return -1
        self.note_revision(table_id, int(found))
        return int(found)

    def known_revision(self, table_id: str) -> int | None:
        """Returns the number of changes of a table without the database, or None if only the database knows it."""
        return self.revisions.get(table_id) if self.is_only_writer else None

    def known_table(self, table_id: str) -> TableRecord | None:
        """Returns a table without the database, or None if only the database knows its present state."""
        record = self.records.get(table_id)
        return record if record is not None and record.revision == self.known_revision(table_id) else None

    def note_revision(self, table_id: str, revision: int) -> None:
        """Records that a table has this revision or a later one. Threads may report revisions in any order."""
        if self.is_only_writer:
            with self.lock:
                self.revisions[table_id] = max(revision, self.revisions.get(table_id, -1))

    @contextmanager
    def begin_write(self) -> Iterator[Connection]:
        """Yields a transaction that writes. In SQLite, the next one waits for its end.

        SQLite itself lets a writer sleep and try again, in no order. Some then wait for seconds, or fail."""
        with nullcontext() if self.is_shared else self.write_lock, self.engine.begin() as db:
            yield db

    @contextmanager
    def change(self, table_id: str, over: bool | None = None) -> Iterator[Connection]:
        """Yields a transaction that changes a table: it increases the revision, and notifies other servers.

        `over` says whether the match is over, if that may have changed.
        It locks the row of the table, so changes of one table happen one after the other."""
        with self.begin_write() as db:
            if over is None:
                db.execute(ADVANCE, {"of_table": table_id})
            else:
                db.execute(ADVANCE_MATCH, {"of_table": table_id, "is_over": over})
            revision = db.execute(READ_REVISION, {"of_table": table_id}).scalar()
            yield db
            if self.is_shared:
                notify_change(db, table_id)
        if revision is not None:
            self.note_revision(table_id, revision)

    def touch(self, table_id: str) -> None:
        """Increases the revision of a table, so that browsers fetch its page again."""
        with self.change(table_id):
            pass

    # ------------------------------------------------------------ the log

    def read_log(self, table_id: str, start: int = 0) -> list[dict[str, Any]]:
        """Returns the entries of a log from a sequence number on."""
        with self.engine.connect() as db:
            return [json.loads(data) for data in db.execute(READ_LOG, {"of_table": table_id, "start": start}).scalars()]

    def append_log(self, table_id: str, sequence: int, entries: Sequence[dict[str, Any]], over: bool = False,
                   awaited: Sequence[int] = (), early: tuple[EarlyAnswers, EarlyAnswers] | None = None) -> None:
        """Appends entries to a log that has `sequence` entries. Raises StaleSequenceError if it has more by now.

        `awaited` are the seats that must decide after them. `early` are the early answers as the caller knows them, and those that
        replace them. Raises StaleSequenceError if they have changed."""
        known = self.known_table(table_id)
        try:
            with self.change(table_id, over=over) as db:
                if count_log(db, table_id) != sequence:
                    raise StaleSequenceError
                if early is not None:
                    if read_early_answers(db, table_id) != early[0]:
                        raise StaleSequenceError
                    write_early_answers(db, table_id, early[1])
                insert_log(db, table_id, sequence, entries)
                decided = set_clock(db, table_id)
                set_awaited_seats(db, table_id, awaited)
        except IntegrityError as error:
            raise StaleSequenceError from error
        if known is not None:
            waiting = known.early if early is None else early[1]
            self.keep_record(replace(known, revision=known.revision + 1, over=over, decided=decided, early=waiting, awaited=tuple(awaited)))

    # ------------------------------------------------------------ seats

    def take_seat(self, table_id: str, seat: int, token: str, name: str, lang: str) -> str:
        """Gives a seat to the person who has its invite link, and returns the new token. Another seat keeps its name for itself.

        The link stops working, so that the host cannot open the seat any more. Raises StaleSequenceError if the seat
        has another token by now."""
        fresh = new_token()
        own = (SEATS.c.table_id == table_id) & (SEATS.c.seat == seat)
        with self.change(table_id) as db:
            others = db.execute(select(SEATS.c.name).where(SEATS.c.table_id == table_id, SEATS.c.seat != seat)).scalars()
            name = number_name(name, set(others))
            done = db.execute(update(SEATS).where(own, SEATS.c.token == token, SEATS.c.kind == HUMAN, SEATS.c.taken.is_(False)).values(
                token=fresh, taken=True, name=name, lang=lang))
            if done.rowcount != 1:
                raise StaleSequenceError
            set_stand_in(db, table_id, seat, "")
        return fresh

    def free_seat(self, table_id: str, seat: int) -> None:
        """Gives a seat a new invite link. The person who had it can no longer open it."""
        own = (SEATS.c.table_id == table_id) & (SEATS.c.seat == seat)
        with self.change(table_id) as db:
            db.execute(update(SEATS).where(own, SEATS.c.kind == HUMAN).values(token=new_token(), taken=False))

    def set_language(self, table_id: str, seat: int, lang: str) -> None:
        """Changes the language of a seat."""
        own = (SEATS.c.table_id == table_id) & (SEATS.c.seat == seat)
        with self.change(table_id) as db:
            db.execute(update(SEATS).where(own).values(lang=lang))


def open_engine(url: str) -> Engine:
    """Returns the connections to a database."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url, pool_size=MAX_CONNECTIONS, max_overflow=MAX_CONNECTIONS, pool_pre_ping=True)
    engine = create_engine(url)
    event.listen(engine, "connect", configure_sqlite)
    return engine


def configure_sqlite(connection: Any, _record: object) -> None:
    """Sets up a new connection to SQLite: write-ahead log, every commit on the disk, and foreign keys."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_TIMEOUT_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def read_or_create(db: Connection, name: str, value: str) -> str:
    """Returns a value of the server. If there is none, stores `value`."""
    found = db.execute(select(SERVER.c.value).where(SERVER.c.name == name)).scalar()
    if found is None:
        db.execute(insert(SERVER).values(name=name, value=value))
    return value if found is None else str(found)


def dump_data(data: dict[str, Any]) -> str:
    """Returns data as JSON for one column."""
    return json.dumps(data, separators=(",", ":"))                 # in ASCII: a save may contain half a character


def count_log(db: Connection, table_id: str) -> int:
    """Returns the number of entries of a log."""
    return int(db.execute(COUNT_LOG, {"of_table": table_id}).scalar() or 0)


def insert_log(db: Connection, table_id: str, sequence: int, entries: Sequence[dict[str, Any]]) -> None:
    """Inserts entries with sequence numbers from `sequence` on."""
    rows = [{"table_id": table_id, "sequence": n, "data": dump_data(entry)} for n, entry in enumerate(entries, start=sequence)]
    if rows:
        db.execute(INSERT_LOG, rows)
