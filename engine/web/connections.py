"""Limits connections, and closes those on which no complete request arrives.

Somebody who opens many of them, and sends nothing or half a request, would otherwise take all connections that the
server may have."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import Any

from h11 import IDLE, SEND_RESPONSE
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from .security import address_network

try:
    import resource
except ImportError:                                                # Windows has no such limit
    resource = None                                                # type: ignore[assignment]

MAX_CONNECTIONS = 8000                      # in all, if the system allows so many
MAX_RESERVED_FILES = 400                    # for the database, the rules, and worker processes
CONNECTIONS_PER_ADDRESS = 200               # apart from the pages with live updates
LOGGER = logging.getLogger("ludoglot.web")
REQUEST_SECONDS = 20.0                      # a request must be complete after at most twice this time


class TimedProtocol(H11Protocol):
    """A connection that checks from time to time whether it still waits for the same request.

    If the server has more than `max_connections`, one without a request ends. A connection ends at once if its address has more than
    `max_per_address`. An address of a web server in front of this one has no such limit."""

    max_connections = MAX_CONNECTIONS
    max_per_address = CONNECTIONS_PER_ADDRESS
    network = ""                                                   # the address that counts, "" for a web server in front of this one
    is_late = False
    awaited: RequestResponseCycle | None = None                    # the request at the last check, None before the first one
    check: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the checks."""
        super().connection_made(transport)
        host, allowed = self.client[0] if self.client is not None else "", self.config.forwarded_allow_ips or ()
        proxies = allowed.split(",") if isinstance(allowed, str) else allowed
        self.network = "" if any(is_in_network(host, proxy.strip()) for proxy in proxies) else address_network(host)
        if self.count_of_address() > self.max_per_address:
            transport.abort()
        elif len(self.connections) > self.max_connections:
            self.find_unused().transport.abort()
        self.check = self.loop.call_later(REQUEST_SECONDS, self.check_request)

    def find_unused(self) -> TimedProtocol:
        """Returns another connection on which no request has arrived, or this one if there is none."""
        others = (one for one in self.connections if isinstance(one, TimedProtocol) and one is not self)
        return next((one for one in others if one.cycle is None and not one.transport.is_closing()), self)

    def count_of_address(self) -> int:
        """Returns the number of connections from the same address, or 0 if it is that of a web server in front of this one."""
        return sum(getattr(other, "network", "") == self.network for other in self.connections) if self.network else 0

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the checks."""
        if self.check is not None:
            self.check.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Rejects a malformed request, unless its answer has begun. Nothing else answers it later."""
        if self.conn.our_state in (IDLE, SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self.cycle is not None:
            self.cycle.disconnected = True

    def check_request(self) -> None:
        """Closes the connection if it waited for the same request at the last check."""
        is_waiting = self.cycle is None or self.cycle.more_body or self.cycle.response_complete
        if is_waiting and self.is_late and self.cycle is self.awaited:
            self.transport.abort()
            return
        self.is_late, self.awaited = is_waiting, self.cycle
        self.check = self.loop.call_later(REQUEST_SECONDS, self.check_request)


def is_in_network(host: str, network: str) -> bool:
    """Whether an address belongs to a network such as `10.0.0.0/8`, is the same address, or `*` allows all."""
    try:
        return network in ("*", host) or ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


def raise_connection_limit() -> None:
    """Lets this process have as many connections as the system allows it. The usual limit is 1,024."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(OSError, ValueError):                        # macOS reports a limit that it does not accept
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def make_protocol(streams: int) -> type[TimedProtocol]:
    """Returns the connections of a server that allows `streams` pages with live updates for each address.

    Some of the files that the system allows stay free for everything else."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else 0
    most = min(MAX_CONNECTIONS, files - min(MAX_RESERVED_FILES, files // 2)) if files > 0 else MAX_CONNECTIONS
    return type("LimitedProtocol", (TimedProtocol,), {
        "max_connections": most, "max_per_address": min(streams + CONNECTIONS_PER_ADDRESS, max(1, most // 2))})


def log_exhaustion_once(loop: asyncio.AbstractEventLoop) -> None:
    """Logs once if the system has no more files for connections. The loop would report every attempt with a traceback."""
    reported = False

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal reported
        if not str(context.get("message", "")).startswith("socket.accept() out of system resource"):
            loop.default_exception_handler(context)
        elif not reported:
            reported = True
            LOGGER.error("the server has no more files for connections: %s", context.get("exception"))
    loop.set_exception_handler(handle)
