"""Builds pages in threads of the server, or in worker processes, so that all processors of the machine are in use.

The pages of one viewer always come from the same worker, which keeps the match and what the viewer has seen. Two workers share the viewers
of a table, because all of them want a page after each move. Workers only read the database. The server alone changes matches, so a worker
that fails loses nothing."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from zlib import crc32

from anyio import CapacityLimiter, to_thread

from ..errors import MessageError
from ..position.position import RuleError
from .bot_scheduler import prepare_worker
from .garbage_collection import avoid_full_collections
from .match_store import MatchStore
from .page_builder import PageBuilder, PageRequest
from .people_store import PeopleStore
from .storage import Storage

MAX_BUILDERS = 4                            # threads that build pages. More of them would only slow each other down
MAX_TRIES = 2                               # for a page, if its worker dies
WORKERS_PER_TABLE = 2                       # each of them keeps the match, and repeats its moves
BUILDERS: list[PageBuilder] = []            # the one of a worker process


def start_worker(url: str) -> None:
    """Prepares a worker process to build pages from a database."""
    prepare_worker()
    avoid_full_collections()
    storage = Storage(url, is_only_writer=False)
    BUILDERS.append(PageBuilder(storage, MatchStore(storage), PeopleStore(storage)))


def build_in_worker(asked: PageRequest) -> str:
    """Returns a page. Runs in a worker process. Raises MessageError, RuleError and RuntimeError.

    Some other exceptions cannot be sent to the server, and would end the worker."""
    try:
        return BUILDERS[0].build(asked)
    except (MessageError, RuleError):
        raise
    except Exception as error:
        raise RuntimeError(f"a page could not be built: {type(error).__name__}: {error}") from None


class PagePool:
    """The threads or worker processes that build pages. Without workers, `builder` builds them in threads of this process."""

    def __init__(self, builder: PageBuilder, workers: int = 0) -> None:
        self.builder, self.limiter = builder, CapacityLimiter(MAX_BUILDERS)
        self.workers: list[ProcessPoolExecutor | None] = [None] * workers

    def start(self) -> None:
        """Starts the worker processes before the first page."""
        for n in range(len(self.workers)):
            self.get_worker(n)

    async def build(self, asked: PageRequest) -> str:
        """Returns a page. Raises MessageError."""
        if not self.workers:
            return await to_thread.run_sync(self.builder.build, asked, limiter=self.limiter)
        number = self.choose_worker(asked)
        for tries_left in reversed(range(MAX_TRIES)):
            worker = self.get_worker(number)
            try:
                return await asyncio.get_running_loop().run_in_executor(worker, build_in_worker, asked)
            except BrokenProcessPool:
                if self.workers[number] is worker:
                    self.workers[number] = None
                if not tries_left:
                    raise
        raise AssertionError

    def choose_worker(self, asked: PageRequest) -> int:
        """Returns the number of the worker for the pages of a viewer."""
        viewer = asked.seat if asked.seat is not None else len(asked.record.seats)
        return (crc32(asked.record.id.encode()) + viewer % WORKERS_PER_TABLE) % len(self.workers)

    def get_worker(self, number: int) -> ProcessPoolExecutor:
        """Returns a worker process, and starts it if there is none."""
        found = self.workers[number]
        if found is None:
            url = self.builder.storage.engine.url.render_as_string(hide_password=False)
            found = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=start_worker, initargs=(url,))
            found.submit(os.getpid)                                # starts the process
            # Only the process writes to its pipe. If it dies in the middle of a page, the server reads the end of the
            # pipe. As long as the server could write to it too, it would wait for the rest of the page for ever.
            found._result_queue._writer.close()                    # type: ignore[attr-defined]
            self.workers[number] = found
        return found

    def close(self) -> None:
        """Stops the worker processes, and waits for their last pages."""
        for number, worker in enumerate(self.workers):
            if worker is not None:
                worker.shutdown(cancel_futures=True)
                self.workers[number] = None
