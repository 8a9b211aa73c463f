"""Keeps the latest pages, so that a page is built once for all who ask for it.

    (table, revision, seat, language) → page

Two spectators share a page, and so do two browsers of one person. The revision changes with everything on the page."""

from __future__ import annotations

import threading
from collections import OrderedDict

from .live_match import LiveMatch
from .table_page import TablePage, build_table_page

MAX_PAGES = 100


class PageCache:
    """The latest pages of all tables."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.pages: OrderedDict[tuple[object, ...], TablePage] = OrderedDict()

    def get_page(self, live: LiveMatch, seat: int | None, lang: str) -> TablePage:
        """Returns the page of a seat or a spectator, without an answer to a question."""
        key = live.record.id, live.record.revision, live.sequence, seat, lang
        page = self.pages.get(key)
        if page is None:
            page = build_table_page(live, seat, lang)
            with self.lock:
                self.pages[key] = page
                while len(self.pages) > MAX_PAGES:
                    self.pages.popitem(last=False)
        return page
