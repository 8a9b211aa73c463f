"""The application: addresses, and what happens at the start and at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import MessageError
from ..position.position import RuleError
from . import lobby, seat_routes, table_routes
from .rendering import STATIC_FOLDER
from .security import UPLOAD_PATH, GuardMiddleware
from .site import Site

SEAT = "/table/{table}/{place}"
ROUTES = [
    Route("/", lobby.show_lobby),
    Route("/password", lobby.show_password),
    Route("/password", lobby.enter_password, methods=["POST"]),
    Route("/new/{game}", lobby.show_new),
    Route("/new/{game}", lobby.create_table, methods=["POST"]),
    Route(UPLOAD_PATH, lobby.upload_save, methods=["POST"]),
    Route("/table/{table}/host/{token}", lobby.show_host),
    Route("/table/{table}/host/{token}/free", lobby.free_seat, methods=["POST"]),
    Route("/table/{table}/host/{token}/chat", seat_routes.set_chat, methods=["POST"]),
    Route("/table/{table}/host/{token}/bot", seat_routes.set_bot, methods=["POST"]),
    Route(f"{SEAT}/join/{{token}}", table_routes.show_join),
    Route(f"{SEAT}/join/{{token}}", table_routes.join, methods=["POST"]),
    Route(SEAT, table_routes.show_table),
    Route(f"{SEAT}/play", table_routes.play, methods=["POST"]),
    Route(f"{SEAT}/undo", table_routes.undo, methods=["POST"]),
    Route(f"{SEAT}/bot", seat_routes.agree_to_bot, methods=["POST"]),
    Route(f"{SEAT}/again", seat_routes.play_again, methods=["POST"]),
    Route(f"{SEAT}/next", seat_routes.go_to_rematch, methods=["POST"]),
    Route(f"{SEAT}/say", seat_routes.say, methods=["POST"]),
    Route(f"{SEAT}/back", seat_routes.take_back_seat, methods=["POST"]),
    Route(f"{SEAT}/language", table_routes.change_language, methods=["POST"]),
    Route(f"{SEAT}/events", table_routes.stream_events),
    Route(f"{SEAT}/look.css", table_routes.show_look),
    Route(f"{SEAT}/replay", table_routes.show_replay),
    Route(f"{SEAT}/rules", table_routes.show_rules),
    Route(f"{SEAT}/save", table_routes.download_save),
    Mount("/static", StaticFiles(directory=STATIC_FOLDER)),
]


def create_app(site: Site, hosts: Sequence[str] = ("*",)) -> Starlette:
    """Returns the application. It answers requests for these host names only."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        site.start()
        yield
        await run_in_threadpool(site.close)

    handlers = dict.fromkeys((HTTPException, ClientDisconnect, MessageError, RuleError, Exception), table_routes.show_error)
    app = Starlette(routes=ROUTES, lifespan=lifespan, exception_handlers=handlers,
                    middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(GuardMiddleware)])
    app.state.site = site
    return app
