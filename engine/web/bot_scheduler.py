"""Asks the bots of a table until a person must decide."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from ..position.position import RuleError
from .bot_worker import decide
from .changes import ChangeBroker
from .fair_slots import FairSlots
from .match_store import MatchStore
from .postgres import BotLocks
from .storage import StaleSequenceError

WORKERS = 2                                 # processes, so that a slow bot delays only the tables of its owner
MAX_CRASHES = 3                             # of the workers, in one run of a table's bots
RETRY_SECONDS = 0.25                        # while another server runs the bots
PRESENT_SECONDS = 300.0                     # bots pause if nobody has looked at their table for so long
MAX_NOTES = 10_000                          # remembered owners and failures
LOGGER = logging.getLogger("ludoglot.web")


def prepare_worker() -> None:
    """Leaves Ctrl-C to the server, and ends the worker process with the server, even if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=exit_with_server, daemon=True).start()


def exit_with_server() -> None:
    """Waits for the end of the server, then ends this process."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)


Note = TypeVar("Note")


def remember(notes: OrderedDict[str, Note], table_id: str, value: Note) -> None:
    """Notes a value for a table, and forgets the oldest notes."""
    notes[table_id] = value
    notes.move_to_end(table_id)
    while len(notes) > MAX_NOTES:
        notes.popitem(last=False)


class BotScheduler:
    """The bots of all tables. One run for each table at a time, also with several servers on one database.

    Owners of tables share the worker processes fairly, and each of them has at most one. An owner is the address that set up the
    table, or that came first. The database keeps it as a signature.

    Bots pause at a table where nobody is present, and go on at the next visit."""

    def __init__(self, store: MatchStore, broker: ChangeBroker, locks: BotLocks | None = None) -> None:
        self.store, self.broker, self.locks = store, broker, locks
        self.pool: Executor | None = None
        self.runs: dict[str, asyncio.Task[None]] = {}
        self.wanted: set[str] = set()
        self.slots = FairSlots(WORKERS)
        self.seen: dict[str, float] = {}                           # when somebody visited a table whose bots run
        self.visitors: dict[str, str] = {}                         # the first address at a table whose bots run
        self.owners: OrderedDict[str, str] = OrderedDict()         # of tables
        self.failed: OrderedDict[str, int] = OrderedDict()         # the sequence number at which the bots of a table failed

    def wake(self, table_id: str, address: str = "") -> None:
        """Lets the bots of a table decide if it is their turn, because somebody at this address is there. Returns at once."""
        known = self.store.storage.known_table(table_id)
        if known is not None and not known.has_bots:
            return
        if address:
            self.visitors.setdefault(table_id, address)
        self.seen[table_id] = time.monotonic()
        self.wanted.add(table_id)
        if table_id not in self.runs:
            self.runs[table_id] = asyncio.get_running_loop().create_task(self.run(table_id))

    def is_present(self, table_id: str) -> bool:
        """Whether somebody looks at a table, or did so lately."""
        return table_id in self.broker.waiting or time.monotonic() - self.seen.get(table_id, 0.0) < PRESENT_SECONDS

    async def run(self, table_id: str) -> None:
        """Asks the bots until a person must decide. If another server runs them, waits until they have decided."""
        crashes, sequence, owned = 0, 0, self.locks is None
        try:
            while table_id in self.wanted:
                self.wanted.discard(table_id)
                while (task := await run_in_threadpool(self.store.make_bot_task, table_id)) is not None:
                    if self.failed.get(table_id) == task.sequence or not self.is_present(table_id):
                        break
                    if self.locks is not None and not owned:
                        owned = await run_in_threadpool(self.locks.acquire, table_id)
                        if not owned:
                            await asyncio.sleep(RETRY_SECONDS)
                            continue
                    sequence = task.sequence
                    if table_id not in self.owners and table_id in self.visitors:
                        remember(self.owners, table_id, await run_in_threadpool(self.store.claim_table, table_id, self.visitors[table_id]))
                    try:
                        async with self.slots.use(self.owners.get(table_id, table_id)):
                            entries = await asyncio.get_running_loop().run_in_executor(self.get_pool(), decide, task)
                        await run_in_threadpool(self.store.append_bot_decisions, task, entries)
                    except BrokenProcessPool:
                        self.pool, crashes = None, crashes + 1
                        if crashes == MAX_CRASHES:
                            raise
                    except StaleSequenceError:
                        pass
                    self.broker.publish(table_id)
        except (RuleError, BrokenProcessPool) as error:
            LOGGER.error("the bots of a table have stopped: %s", type(error).__name__)
            remember(self.failed, table_id, sequence)
            await run_in_threadpool(self.store.storage.touch, table_id)
            self.broker.publish(table_id)
        except Exception as error:
            LOGGER.error("the bots of a table have stopped: %s", type(error).__name__)
        finally:
            del self.runs[table_id]
            self.wanted.discard(table_id)
            self.seen.pop(table_id, None)
            self.visitors.pop(table_id, None)
            if self.locks is not None and owned:
                self.locks.release(table_id)

    def get_pool(self) -> Executor:
        """Returns the worker processes. Each starts when a task finds no free one."""
        if self.pool is None:
            self.pool = ProcessPoolExecutor(WORKERS, multiprocessing.get_context("spawn"), initializer=prepare_worker)
        return self.pool

    def close(self) -> None:
        """Stops the worker processes."""
        for run in list(self.runs.values()):
            run.cancel()
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
