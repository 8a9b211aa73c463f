"""Provides servers for tests: one inside the test process, and one that runs as users start it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from ludoglot.engine.match.setup import MatchSetup
from ludoglot.engine.web import security
from ludoglot.engine.web.app import create_app
from ludoglot.engine.web.connections import TimedProtocol
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.site import Site
from ludoglot.engine.web.storage import Storage

START_SECONDS = 60


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[tuple[str, Site]]:
    """Runs a server in a thread of this process, and yields its address and its site."""
    storage = Storage(f"sqlite:///{folder / 'tables.sqlite'}")
    site = Site(storage, **settings)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(create_app(site), log_level="warning", access_log=False, http=TimedProtocol,
                                               timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        end = time.monotonic() + START_SECONDS
        while not server.started and time.monotonic() < end:
            time.sleep(0.02)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", site
        finally:
            server.should_exit = True
            thread.join(10)
            storage.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that the tests of a module share. Their requests exceed the limit for one browser."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(security, "REQUEST_BURST", 1e6)
        with serving(tmp_path_factory.mktemp("tables")) as (url, _):
            yield url


class ServeProcess:
    """`ludoglot serve` as a process."""

    def __init__(self, database: str, *args: str) -> None:
        command = [sys.executable, "-m", "ludoglot.engine.commands.main", "serve", "--port", "0", "--database", database]
        self.process = subprocess.Popen([*command, "--lang", "en", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        assert "http://" in self.line, self.process.communicate()
        self.url = "http://" + self.line.split("http://")[1].split(". ")[0]

    def interrupt(self) -> tuple[int, str]:
        """Stops the process as Ctrl-C does. Returns the exit code, and the output since then."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out + err

    def kill(self) -> str:
        """Kills the process without warning, and returns its output since then."""
        self.process.send_signal(signal.SIGKILL)
        out, err = self.process.communicate(timeout=30)
        return out + err


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., ServeProcess]]:
    """Starts `ludoglot serve`, on the same SQLite file each time or on another database."""
    started: list[ServeProcess] = []

    def start(*args: str, database: str = str(tmp_path / "t.sqlite")) -> ServeProcess:
        started.append(ServeProcess(database, *args))
        return started[-1]
    yield start
    for one in started:
        if one.process.poll() is None:
            one.kill()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MatchStore]:
    """The matches of a new database, without a server."""
    storage = Storage(f"sqlite:///{tmp_path}/t.sqlite")
    yield MatchStore(storage)
    storage.close()


def create_table(store: MatchStore, game: str, seats: list[str]) -> str:
    """Creates a table whose seed is always the same, and returns its id."""
    count = len(seats)
    return store.create(MatchSetup(game, count, 5, names=list("ABCD")[:count], seats=seats, langs=[""] * count), True).id
