"""A browser without JavaScript: it keeps cookies, follows redirects, and sends the forms of its pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener


@dataclass
class Page:
    """An answer of the server."""

    url: str
    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def text(self) -> str:
        return self.raw.decode()

    def find(self, pattern: str) -> str:
        """Returns the first group of a pattern in the page."""
        found = re.search(pattern, self.text, re.DOTALL)
        assert found is not None, f"{pattern} is not in {self.text}"
        return unescape(found[1])

    def find_all(self, pattern: str) -> list[str]:
        return [unescape(text) for text in re.findall(pattern, self.text, re.DOTALL)]

    @property
    def base(self) -> str:
        """The address of the seat."""
        return self.find(r'data-base="([^"]+)"')

    @property
    def sequence(self) -> str:
        return self.find(r'name="sequence" value="(\d+)"')

    @property
    def options(self) -> list[str]:
        return self.find_all(r'<button name="option" value="([^"]+)"')

    @property
    def is_asked(self) -> bool:
        return 'class="asked"' in self.text


@dataclass
class Browser:
    """One browser with its cookies. `page` is the last page. `address` is its own address if it uses a proxy."""

    root: str
    lang: str = "en"
    address: str = ""
    page: Page = field(default_factory=lambda: Page("", 0, {}, b""))

    def __post_init__(self) -> None:
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))

    def open(self, path: str, data: bytes | None = None, **headers: str) -> Page:
        """Opens a page and returns it with any status."""
        self.page = self.fetch(path, data, **headers)
        return self.page

    def fetch(self, path: str, data: bytes | None = None, **headers: str) -> Page:
        """Fetches a page without leaving the current page."""
        proxied = {"x-forwarded-for": self.address} if self.address else {}
        sent = {"accept-language": self.lang, **proxied, **{name.replace("_", "-"): value for name, value in headers.items()}}
        try:
            answer = self.opener.open(Request(urljoin(self.root, path), data, sent), timeout=60)
        except HTTPError as error:
            answer = error
        with answer:
            return Page(answer.url, answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read())

    def send(self, path: str, **fields: str) -> Page:
        """Sends a form with the token of the last page."""
        if "form" not in fields:
            fields["form"] = self.page.find(r'name="form" value="([^"]+)"')
        return self.open(path, urlencode(fields).encode())

    def create(self, game: str, **fields: str) -> tuple[str, list[str]]:
        """Sets up a table. Returns the address of its host, and the invite links."""
        self.open(f"/new/{game}?players={fields.get('players', 2)}")
        host = self.send(f"/new/{game}", **fields)
        assert "/host/" in host.url, host.text
        return host.url, host.find_all(r'href="([^"]+/join/[^"]+)"')

    def join(self, link: str, name: str = "", lang: str = "") -> Page:
        """Takes the seat of an invite link."""
        page = self.open(link)
        return self.send(link, name=name or page.find(r'name="name" value="([^"]*)"'), lang=lang or self.lang)

    def play(self, option: str, sequence: str = "") -> Page:
        """Chooses an option of the last page."""
        page = self.page
        return self.send(f"{page.base}/play", sequence=sequence or page.sequence, option=option)
