"""Closes connections on which no complete request arrives.

Somebody who opens many of them, and sends nothing or half a request, would otherwise take all connections that the
server may have."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

try:
    import resource
except ImportError:                                                # Windows has no such limit
    resource = None                                                # type: ignore[assignment]

REQUEST_SECONDS = 20.0                      # a request must be complete after at most twice this time


class TimedProtocol(H11Protocol):
    """A connection that checks from time to time whether it still waits for the same request."""

    is_late = False
    awaited: RequestResponseCycle | None = None                    # the request at the last check, None before the first one
    check: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the checks."""
        super().connection_made(transport)
        self.check = self.loop.call_later(REQUEST_SECONDS, self.check_request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the checks."""
        if self.check is not None:
            self.check.cancel()
        super().connection_lost(exc)

    def check_request(self) -> None:
        """Closes the connection if it waited for the same request at the last check."""
        is_waiting = self.cycle is None or self.cycle.more_body or self.cycle.response_complete
        if is_waiting and self.is_late and self.cycle is self.awaited:
            self.transport.abort()
            return
        self.is_late, self.awaited = is_waiting, self.cycle
        self.check = self.loop.call_later(REQUEST_SECONDS, self.check_request)


def raise_connection_limit() -> None:
    """Lets this process have as many connections as the system allows it. The usual limit is 1,024."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(OSError, ValueError):                        # macOS reports a limit that it does not accept
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
