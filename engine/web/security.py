"""Tokens, cookies, forms, headers and limits: what keeps strangers out.

- A seat is opened by a token of 128 random bits. It is in the invite link, then in a cookie that scripts cannot read.
- Each form has a token that belongs to the browser, so that other sites cannot send it.
- A content security policy allows scripts, styles and requests of this server only.
- Bodies, requests and connections have limits. The answers are 413 and 429."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Network, ip_address
from urllib.parse import parse_qsl, urlsplit

from anyio import move_on_after
from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders, QueryParams, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 64 * 1024
MAX_DISCARDED_BYTES, DISCARD_SECONDS = 16 * 1024 * 1024, 5.0     # of a body that is too large
MAX_SAVE_BYTES = 2 * 1024 * 1024                      # of a save that somebody uploads
UPLOAD_PATH = "/upload"
MAX_FORM_FIELDS = 200
REQUESTS_PER_SECOND, REQUEST_BURST = 20.0, 200.0      # of one address
QUESTIONS, QUESTION_COST = {"why", "look"}, 5         # requests that such a question of a page counts for
TABLES_PER_HOUR = 60                                  # of one address
PASSWORDS_PER_MINUTE = 10                             # of one address
MESSAGES_PER_MINUTE, MESSAGE_BURST = 20, 5.0          # of one seat, in the chat
MAX_STREAMS = 2000                                    # open event streams of all tables
IPV6_PREFIX = 64                                      # a home has at least so many addresses: they count as one
MAX_ADDRESSES = 10_000                                # remembered for limits
VISITOR_COOKIE, SEAT_COOKIE, LANG_COOKIE, PASS_COOKIE, OWN_COOKIE = "visitor", "seat", "lang", "pass", "own"
MAX_SEAT_COOKIES = 80                                 # of one browser with https, which sends all of them in one header
COOKIE_SECONDS = 365 * 24 * 3600
PAGE_POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
               "base-uri 'none'; frame-ancestors 'none'")
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",                 # invite links never leave in a Referer header
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def sign(secret: str, *parts: str) -> str:
    """Returns a signature of these texts that only the holder of the secret can compute."""
    found = hmac.new(secret.encode(), "\0".join(parts).encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(found[:24]).decode()


def is_same_token(one: str, other: str) -> bool:
    """Whether two tokens are equal. The time does not depend on where they differ."""
    return bool(one) and hmac.compare_digest(one.encode(), other.encode())


def cookie_name(request: Request, name: str) -> str:
    """Returns the name of a cookie for all pages. With https, no other server of the same domain can set it."""
    return f"__Host-{name}" if request.app.state.site.is_secure else name


def seat_cookie(request: Request, base: str) -> tuple[str, str]:
    """Returns the name and the path of the cookie of a seat with this address.

    With https, no other server of the same domain can set it. Browsers then require the path `/`, so the name contains the seat."""
    if request.app.state.site.is_secure:
        return SEAT_COOKIE + base.removeprefix("/table").replace("/", "-"), "/"
    return SEAT_COOKIE, base


def list_old_seat_cookies(request: Request, name: str) -> list[str]:
    """Returns the names of the oldest cookies for all pages that must go, so that there is room for that of one more seat."""
    begin = cookie_name(request, f"{SEAT_COOKIE}-")
    known = [one for one in request.cookies if one.startswith(begin) and one != cookie_name(request, name)]      # the oldest one first
    return known[: max(0, len(known) - MAX_SEAT_COOKIES + 1)]


def read_cookie(request: Request, name: str) -> str:
    """Returns the value of a cookie for all pages, or ""."""
    return request.cookies.get(cookie_name(request, name), "")


async def read_form(request: Request, secret: str) -> dict[str, str]:
    """Returns the fields of a form that this server gave to this browser. Raises HTTPException."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        raise HTTPException(415)
    try:
        fields = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=MAX_FORM_FIELDS))
    except ValueError:
        raise HTTPException(400) from None
    if not is_same_token(fields.get("form", ""), form_token(secret, read_cookie(request, VISITOR_COOKIE))):
        raise HTTPException(403)
    return fields


async def read_upload(request: Request, secret: str) -> tuple[str, bytes]:
    """Returns the name and the content of a file in a form of this server. Raises HTTPException.

    Browsers send UTF-8 and name no codec. Other codecs could take minutes for a field, or read it as invalid text."""
    kind, params = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or b"charset" in params:
        raise HTTPException(415)
    async with request.form(max_files=1, max_fields=4) as form:
        token, file = form.get("form"), form.get("file")
        if not isinstance(token, str) or not is_same_token(token, form_token(secret, read_cookie(request, VISITOR_COOKIE))):
            raise HTTPException(403)
        if not isinstance(file, UploadFile):
            raise HTTPException(400)
        return file.filename or "", await file.read()


def form_token(secret: str, visitor: str) -> str:
    """Returns the token that forms of this browser contain."""
    return sign(secret, "form", visitor)


@dataclass
class RateLimit:
    """A limit for each address: a bucket that holds `burst` requests and refills with `rate` a second."""

    rate: float
    burst: float
    buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def allows(self, address: str, cost: int = 1) -> bool:
        """Whether one more request of this address is allowed. Counts it if so, for `cost` requests."""
        now = time.monotonic()
        left, since = self.buckets.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        self.buckets[address] = (left - cost * (left >= cost), now)
        while len(self.buckets) > MAX_ADDRESSES:
            self.buckets.popitem(last=False)
        return left >= cost


def client_address(request: Request) -> str:
    """Returns the address of the browser, or the network of its home if it has an IPv6 address."""
    return address_network(request.client.host if request.client is not None else "")


def address_network(host: str) -> str:
    """Returns an address, or the network of its home if it is an IPv6 address."""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if isinstance(found, IPv4Address) or found.ipv4_mapped is not None:
        return host
    return str(IPv6Network((found, IPV6_PREFIX), strict=False))


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach a host name or an IP address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class GuardMiddleware:
    """Checks limits before a request, and adds security headers to its answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.requests = RateLimit(REQUESTS_PER_SECOND, REQUEST_BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", PAGE_POLICY)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if not self.requests.allows(client_address(Request(scope)), request_cost(scope["query_string"])):
            await self.refuse(scope, 429, {"retry-after": "10"})(scope, receive, send_guarded)
        elif "content-length" in headers and "transfer-encoding" in headers:        # servers disagree about the end of its body
            await self.refuse(scope, 400, {"connection": "close"})(scope, receive, send_guarded)
        elif scope["method"] not in ("GET", "HEAD") and is_foreign(headers, scope["app"].state.site.base_url):
            await self.refuse(scope, 403)(scope, receive, send_guarded)
        elif not length.isascii() or not length.isdigit() or int(length) > max_body(scope["path"]):
            if length.isdigit() and int(length) <= MAX_DISCARDED_BYTES:
                await discard_body(receive)
            await self.refuse(scope, 413)(scope, receive, send_guarded)
        else:
            await self.app(scope, limit_body(receive, max_body(scope["path"])), send_guarded)

    def refuse(self, scope: Scope, status: int, headers: Mapping[str, str] | None = None) -> Response:
        """Returns the answer to a request beyond a limit, in the language of the browser."""
        site = scope["app"].state.site
        return PlainTextResponse(site.error_text(Request(scope), status), status, headers)


def request_cost(query: bytes) -> int:
    """Returns how many requests this one counts for. The server must think about a question of a page."""
    return QUESTION_COST if query and QUESTIONS & QueryParams(query).keys() else 1


def is_foreign(headers: Headers, base_url: str) -> bool:
    """Whether a page of another site sends this request. A browser that does not say so may send it.

    "null" is the origin of our own forms, because they send no Referer header."""
    origin = headers.get("origin", "null").lower()
    if headers.get("sec-fetch-site", "") == "cross-site":
        return True
    try:
        parts, host = urlsplit(origin), headers.get("host", "").lower()
    except ValueError:                                             # of an address such as `http://[`
        return True
    own = (host, urlsplit(base_url).netloc.lower())
    return origin != "null" and parts.netloc not in own and parts.hostname != host      # nginx leaves the port out of `$host`


def max_body(path: str) -> int:
    """Returns the largest size of a body that a path accepts."""
    return MAX_SAVE_BYTES if path == UPLOAD_PATH else MAX_BODY_BYTES


async def discard_body(receive: Receive) -> None:
    """Reads the rest of a body, within limits.

    A browser shows an answer only after it has sent its request. It reports a lost connection if the server stops earlier."""
    size = 0
    with move_on_after(DISCARD_SECONDS):
        while size < MAX_DISCARDED_BYTES and (message := await receive()).get("more_body"):
            size += len(message.get("body", b""))


def limit_body(receive: Receive, limit: int) -> Receive:
    """Returns a receiver that raises HTTPException if the body is longer than allowed, whatever its header says."""
    size = 0

    async def receive_limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            await discard_body(receive)
            raise HTTPException(413)
        return message
    return receive_limited
