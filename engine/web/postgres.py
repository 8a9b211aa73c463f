"""The parts that several servers on one PostgreSQL share.

    NOTIFY ludoglot, 'ID'        part of every change of a table: each server wakes the browsers of this table
    pg_try_advisory_lock(...)    the server that has this lock runs the bots of a table

PostgreSQL releases the locks of a server that is killed, so another server continues its bots."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.exc import SQLAlchemyError

CHANNEL = "ludoglot"
LOCK_CLASS = 0x4C55                         # of our advisory locks, so that they differ from those of other programs
SCHEMA_LOCK = 0
POLL_SECONDS = 1.0
RECONNECT_SECONDS = 1.0
LOGGER = logging.getLogger("ludoglot.web")


def lock_schema(db: Connection) -> None:
    """Waits until no other server creates the tables of the database. The lock lasts until the end of the transaction."""
    db.execute(select(func.pg_advisory_xact_lock(LOCK_CLASS, SCHEMA_LOCK)))


def notify_change(db: Connection, table_id: str) -> None:
    """Notifies all servers of a change of a table, when the transaction is committed."""
    db.execute(select(func.pg_notify(CHANNEL, table_id)))


class ChangeListener:
    """Calls `publish` with the id of each table that any server changes. Calls it with None if changes may have been missed."""

    def __init__(self, engine: Engine, publish: Callable[[str | None], None]) -> None:
        self.engine, self.publish = engine, publish
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Listens until it is closed. Connects again after an error."""
        while not self.closed.is_set():
            try:
                with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
                    db.execute(text(f"LISTEN {CHANNEL}"))
                    self.publish(None)
                    self.forward(db)
            except Exception as error:
                LOGGER.warning("the server cannot hear of changes by other servers: %s", type(error).__name__)
                self.closed.wait(RECONNECT_SECONDS)

    def forward(self, db: Connection) -> None:
        """Publishes notifications until the listener is closed."""
        driver: Any = db.connection.driver_connection
        while not self.closed.is_set():
            for notification in driver.notifies(timeout=POLL_SECONDS):
                self.publish(notification.payload)

    def close(self) -> None:
        """Stops listening."""
        self.closed.set()
        self.thread.join(2 * POLL_SECONDS)


class BotLocks:
    """Locks on the bots of tables, held by one connection of this server."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.connection: Connection | None = None
        self.lock = threading.Lock()

    def acquire(self, table_id: str) -> bool:
        """Whether this server may run the bots of a table now. Does not wait."""
        return self.call(func.pg_try_advisory_lock(LOCK_CLASS, func.hashtext(table_id)))

    def release(self, table_id: str) -> None:
        """Lets other servers run the bots of a table."""
        self.call(func.pg_advisory_unlock(LOCK_CLASS, func.hashtext(table_id)))

    def call(self, function: Any) -> bool:
        """Returns the result of a function of the database, or False if the connection is lost."""
        with self.lock:
            try:
                if self.connection is None:
                    self.connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                return bool(self.connection.execute(select(function)).scalar())
            except SQLAlchemyError:
                if self.connection is not None:
                    self.connection.invalidate()
                    self.connection.close()
                self.connection = None
                return False

    def close(self) -> None:
        """Releases all locks."""
        with self.lock:
            if self.connection is not None:
                self.connection.invalidate()
                self.connection.close()
                self.connection = None
