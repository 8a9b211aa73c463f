"""The parts that all pages share: the matches, the secret of forms, and the helpers that answer a request."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ..i18n import LANGUAGES, Localizer, engine_localizer, parse_language_code
from .bot_scheduler import BotScheduler
from .changes import ChangeBroker
from .connections import log_exhaustion_once
from .defaults import STREAMS_PER_ADDRESS, WORKERS
from .match_store import MatchStore
from .page_builder import PageBuilder
from .page_pool import PagePool
from .people_store import PeopleStore
from .postgres import BotLocks, ChangeListener
from .rendering import preload_templates, render_template
from .security import (
    COOKIE_SECONDS,
    LANG_COOKIE,
    MESSAGE_BURST,
    MESSAGES_PER_MINUTE,
    PASS_COOKIE,
    PASSWORDS_PER_MINUTE,
    TABLES_PER_HOUR,
    VISITOR_COOKIE,
    RateLimit,
    client_address,
    cookie_name,
    form_token,
    is_same_token,
    max_body,
    read_cookie,
    sign,
)
from .storage import Storage, new_token

STATUS_MESSAGES = {403: "web.forbidden", 404: "web.no_page", 413: "web.too_large", 429: "web.too_many"}


@dataclass
class Site:
    """The server: its database, its matches, and its settings.

    `base_url` is the address in invite links, "" for the address of the request. `lang` is the language of browsers
    that accept none of ours. `streams` is the number of event streams that one address may keep open.
    `workers` is the number of processes that build pages, 0 for the server itself."""

    storage: Storage
    base_url: str = ""
    lang: str = "en"
    password: str = field(default="", repr=False)
    streams: int = STREAMS_PER_ADDRESS
    workers: int = WORKERS
    store: MatchStore = field(init=False)
    people: PeopleStore = field(init=False)
    broker: ChangeBroker = field(init=False)
    pages: PagePool = field(init=False)
    bots: BotScheduler = field(init=False)
    books: dict[tuple[object, ...], str] = field(default_factory=dict)       # rulebooks as pages
    games: dict[tuple[str, ...], list[Any]] = field(default_factory=dict)    # the list of games, by language and games
    uploading: set[str] = field(default_factory=set)                         # addresses whose save is being loaded
    new_tables: RateLimit = field(default_factory=lambda: RateLimit(TABLES_PER_HOUR / 3600, TABLES_PER_HOUR))
    messages: RateLimit = field(default_factory=lambda: RateLimit(MESSAGES_PER_MINUTE / 60, MESSAGE_BURST))      # of a seat
    passwords: RateLimit = field(default_factory=lambda: RateLimit(PASSWORDS_PER_MINUTE / 60, PASSWORDS_PER_MINUTE))

    def __post_init__(self) -> None:
        self.store, self.people = MatchStore(self.storage), PeopleStore(self.storage)
        self.broker = ChangeBroker(self.storage.read_revision, self.storage.known_revision)
        self.pages = PagePool(PageBuilder(self.storage, self.store, self.people), self.workers)
        self.locks = BotLocks(self.storage.engine) if self.storage.is_shared else None
        self.bots = BotScheduler(self.store, self.broker, self.locks)
        self.listener: ChangeListener | None = None

    def start(self) -> None:
        """Starts the worker processes, and listens to other servers on the same database. Needs the event loop."""
        loop = asyncio.get_running_loop()
        log_exhaustion_once(loop)
        preload_templates()
        engine_localizer(self.lang)
        self.pages.start()

        def publish(table_id: str | None) -> None:
            loop.call_soon_threadsafe(*((self.broker.publish_all,) if table_id is None else (self.broker.publish, table_id)))
        if self.storage.is_shared:
            self.listener = ChangeListener(self.storage.engine, publish)

    def close(self) -> None:
        """Ends all streams, stops the bots, and lets other servers continue them."""
        self.broker.close()
        self.bots.close()
        self.pages.close()
        if self.listener is not None:
            self.listener.close()
        if self.locks is not None:
            self.locks.close()

    @property
    def secret(self) -> str:
        """The secret that signs forms."""
        return self.storage.secret

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach the server by TLS, so that cookies may require it."""
        return self.base_url.startswith("https:")

    def changed(self, table_id: str, request: Request) -> None:
        """Shows a change by a request to everybody at a table, and lets its bots decide."""
        self.broker.publish(table_id)
        self.bots.wake(table_id, client_address(request))

    def link(self, request: Request, path: str) -> str:
        """Returns the full address of a path of this server."""
        return (self.base_url or str(request.base_url)).rstrip("/") + path

    # ------------------------------------------------------------ requests

    def language(self, request: Request) -> str:
        """Returns the language of a browser: chosen by a link, else by its cookie, else by its settings."""
        wanted = [request.query_params.get("lang", ""), read_cookie(request, LANG_COOKIE)]
        wanted += [part.partition(";")[0] for part in request.headers.get("accept-language", "").split(",")]
        found = (parse_language_code(one) for one in wanted if one.strip())
        return next((code for code in found if code in LANGUAGES), self.lang)

    def knows_password(self, request: Request) -> bool:
        """Whether the browser may set up tables."""
        return not self.password or is_same_token(read_cookie(request, PASS_COOKIE), self.password_token)

    @property
    def password_token(self) -> str:
        """The cookie of a browser that knows the password."""
        return sign(self.secret, "password", self.password)

    # ------------------------------------------------------------ answers

    def render(self, request: Request, template: str, words: Localizer, status: int = 200, /, **values: Any) -> Response:
        """Returns a page whose forms belong to this browser."""
        visitor = self.visitor(request)
        return self.answer_page(request, render_template(template, words, form=form_token(self.secret, visitor), **values), visitor, status)

    def visitor(self, request: Request) -> str:
        """Returns the name that the forms of this browser have, or a new one."""
        return read_cookie(request, VISITOR_COOKIE) or new_token()

    def answer_page(self, request: Request, page: str, visitor: str, status: int = 200) -> Response:
        """Returns the answer with a page whose forms belong to `visitor`."""
        answer = HTMLResponse(page, status)
        if visitor != read_cookie(request, VISITOR_COOKIE):
            self.set_cookie(request, answer, VISITOR_COOKIE, visitor)
        if (lang := request.query_params.get("lang", "")) in LANGUAGES:
            self.set_cookie(request, answer, LANG_COOKIE, lang)
        return answer

    def render_message(self, request: Request, key: str, status: int, **params: Any) -> Response:
        """Returns a page with an error message."""
        words = engine_localizer(self.language(request))
        return self.render(request, "message.html", words, status, message=words.text(key, **params))

    def render_error(self, request: Request, error: HTTPException) -> Response:
        """Returns the page for an HTTP error."""
        words = engine_localizer(self.language(request))
        own = words.text(error.detail) if error.detail.startswith("web.") else self.error_text(request, error.status_code)
        answer = self.render(request, "message.html", words, error.status_code, message=own)
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer

    def error_text(self, request: Request, status: int) -> str:
        """Returns the message for an HTTP status in the language of a browser."""
        key, limit = STATUS_MESSAGES.get(status, "web.bad_request"), max_body(request.url.path) // 1024
        return engine_localizer(self.language(request)).text(key, limit=limit)

    def set_cookie(self, request: Request, answer: Response, name: str, value: str, path: str = "/") -> None:
        """Sets a cookie that scripts cannot read and other sites cannot use in a form."""
        answer.set_cookie(cookie_name(request, name), value, COOKIE_SECONDS, path=path, httponly=True, samesite="lax",
                          secure=self.is_secure)


def redirect(path: str) -> RedirectResponse:
    """Returns the answer to a form: the browser fetches the page at `path`."""
    return RedirectResponse(path, 303)
