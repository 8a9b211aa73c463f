"""Checks a built site: each link must lead to a file and an anchor, and no page may load anything from another host."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
STYLE_URL = re.compile(r"url\(\s*[\"']?(?:https?:)?//|@import\s+[\"'](?:https?:)?//")


class LinkParser(HTMLParser):
    """Collects the links, the loaded files and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := values.get(key))}
        if tag == "a" and (link := values.get("href")):
            self.links.append(link)
        if (found := LOADED.get(tag)) and (file := values.get(found)) and values.get("rel") not in ("canonical", "alternate"):
            self.loaded.append(file)


@cache
def read_links(path: Path) -> LinkParser:
    """Returns the parsed links of a page."""
    parser = LinkParser()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def find_problems(site: Path) -> list[str]:
    """Returns one line for each broken link, missing anchor, and file from another host."""
    read_links.cache_clear()
    problems: list[str] = []
    for page in sorted(site.rglob("*.html")):
        if page.name == "404.html":                                # its links are relative to the root of the server
            continue
        found = read_links(page)
        name = page.relative_to(site).as_posix()
        problems += [f"{name}: loads {file}" for file in found.loaded if re.match(r"(https?:)?//", file)]
        targets = dict.fromkeys([*found.links, *found.loaded])
        problems += [f"{name}: {problem}" for link in targets if (problem := _link_problem(page, link))]
    problems += [f"{style.relative_to(site).as_posix()}: loads from another host" for style in sorted(site.rglob("*.css"))
                 if STYLE_URL.search(style.read_text(encoding="utf-8"))]
    return problems


def _link_problem(page: Path, link: str) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return f"no file for {link}"
    anchor = unquote(parts.fragment)
    known = not anchor or target.suffix != ".html" or anchor in read_links(target).anchors
    return "" if known else f"no anchor for {link}"
