"""Runs the browser table on an address of this machine."""

from __future__ import annotations

import logging
import os
import socket
import sys
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from errno import EINVAL
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs
import uvicorn
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from ..errors import MessageError, UsageError
from ..match.filesystem import FILE_SYSTEM, LockableFile
from .app import create_app
from .connections import make_protocol, raise_connection_limit
from .defaults import STREAMS_PER_ADDRESS, WORKERS
from .garbage_collection import avoid_full_collections
from .security import is_loopback
from .site import Site
from .storage import Storage

DATABASE_NAME = "tables.sqlite"
SHUTDOWN_SECONDS = 2
SWITCH_SECONDS = 0.001                      # after which a thread that computes a page lets others go on
BACKLOG = 64                                # the event loop accepts so many connections at a time
MAX_PORT = 65_535


class ServerError(MessageError):
    """A server that cannot start."""


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """The settings of a server. `database` is the path or the URL of a database, "" for the user's own."""

    host: str
    port: int
    database: str = ""
    base_url: str = ""
    lang: str = "en"
    password: str = ""
    streams: int = STREAMS_PER_ADDRESS
    workers: int = WORKERS

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can reach the server."""
        return is_loopback(self.host)


class TableServer(uvicorn.Server):
    """A server that ends the event streams before it waits for the last answers."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self.site = site

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends all connections."""
        self.site.broker.close()
        await super().shutdown(sockets)


def is_no_cancellation(record: logging.LogRecord) -> bool:
    """Whether a log record does not report a request that was cancelled because the server stops."""
    return record.exc_info is None or not isinstance(record.exc_info[1], CancelledError)


def run_server(settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Runs until it is interrupted. Calls `announce` with the address of the server. Raises MessageError."""
    check_base_url(settings.base_url)
    url, lock = open_database(settings.database)
    sys.setswitchinterval(SWITCH_SECONDS)
    avoid_full_collections()
    raise_connection_limit()
    try:
        with closing(Storage(url)) as storage, closing(listen(settings.host, settings.port)) as listener:
            address = settings.base_url or format_address(settings.host, listener.getsockname()[1])
            site = Site(storage, settings.base_url, settings.lang, settings.password, settings.streams, settings.workers)
            app = create_app(site, allowed_hosts(settings))
            announce(address)
            # Addresses contain invite links, so requests are not logged.
            config = uvicorn.Config(app, log_level="warning", access_log=False, backlog=BACKLOG, server_header=False, lifespan="on",
                                    http=make_protocol(settings.streams), ws="none", timeout_graceful_shutdown=SHUTDOWN_SECONDS)
            logging.getLogger("uvicorn.error").addFilter(is_no_cancellation)
            TableServer(config, site).run(sockets=[listener])
    except KeyboardInterrupt:
        pass                                                       # the way to stop it
    finally:
        if lock is not None:
            lock.close()


def check_base_url(url: str) -> None:
    """Checks that an address for links is complete. Raises UsageError."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/")):
        raise UsageError("serve.base_url", url=url, example="https://games.example.org")


def open_database(given: str) -> tuple[str, LockableFile | None]:
    """Returns the URL of a database, and the lock of its file if it is SQLite. Raises ServerError and UsageError.

    Only one server at a time uses a SQLite file, because it does not learn about changes by another one."""
    text = given or str(default_database())
    try:
        url = make_url(text if "://" in text else f"sqlite:///{Path(text).expanduser().absolute()}")
    except ArgumentError:
        raise UsageError("serve.database", url=text, reason="") from None
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")             # the driver of the extra `postgres`
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise UsageError("serve.backend", name=url.get_backend_name())
    if url.get_backend_name() != "sqlite" or not url.database:
        return url.render_as_string(hide_password=False), None
    path = Path(url.database)
    try:
        with closing_files_to_others():
            FILE_SYSTEM.make_folder(path.parent)
            lock = FILE_SYSTEM.open(path.with_name(path.name + ".lock"), new=True)
            path.touch()                                           # SQLite gives its further files the same rights
    except (OSError, ValueError) as error:
        raise ServerError("file.unwritable", file=str(path), reason=getattr(error, "strerror", None) or "") from error
    if not lock.try_lock():
        lock.close()
        raise ServerError("serve.busy", url=str(path))
    return url.render_as_string(hide_password=False), lock


@contextmanager
def closing_files_to_others() -> Iterator[None]:
    """Lets only their owner open the files and folders that are created meanwhile."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def find_open_folder(database: str) -> str:
    """Returns the user's own folder of the database if other users can open it, or ""."""
    folder = default_database().parent
    return str(folder) if not database and os.name == "posix" and folder.is_dir() and folder.stat().st_mode & 0o077 else ""


def default_database() -> Path:
    """Returns the path of the user's own database."""
    return Path(platformdirs.user_data_dir("ludoglot", appauthor=False)) / DATABASE_NAME


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that listens on an address. Port 0 is any free port. Raises ServerError."""
    try:
        if port > MAX_PORT:
            raise OSError(EINVAL, os.strerror(EINVAL))
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        raise ServerError("serve.port", host=host, port=str(port), reason=getattr(error, "strerror", None) or str(error)) from error
    return listener


def format_address(host: str, port: int) -> str:
    """Returns the address that people type."""
    shown = find_own_address() if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def find_own_address() -> str:
    """Returns the address of this machine in its network. No packet is sent."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def allowed_hosts(settings: ServerSettings) -> list[str]:
    """Returns the host names that a local server answers to. Other sites cannot reach it under a name of their own."""
    if not settings.is_local:
        return ["*"]
    named = urlsplit(settings.base_url).hostname
    return ["localhost", "127.0.0.1", "[::1]", settings.host, *([named] if named else [])]
