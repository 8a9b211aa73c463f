"""Builds the page of a table as HTML, from a request that any process can answer.

    PageRequest     who asks, and for what
    PageBuilder     answers it from the database; it never writes"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .match_store import MatchStore
from .page_cache import PageCache
from .people_page import view_people
from .people_store import PeopleStore
from .rendering import render_template
from .replay_page import build_replay_page
from .storage import Storage, TableRecord
from .table_page import TablePage, build_table_page

# Messages on a page after a form. The address contains the part after the last dot.
NOTICES = {
    "stale": ("web.stale", ""), "slow": ("web.chat.slow", ""),
    "fault": ("web.fault", ""), "undone": ("web.undone", ""), "nothing": ("undo.nothing", ""),
    "chance": ("undo.revealed", "undo.why.chance"), "revealed": ("undo.revealed", "undo.why.revealed"),
    "other": ("undo.revealed", "undo.why.other"),
    "over": ("undo.revealed", "undo.why.over"),
}


@dataclass(frozen=True, kw_only=True)
class PageRequest:
    """The page that a seat, or a spectator (None), wants to see.

    `query` and `look` are questions, as in `build_table_page`. `base`, `device` and `form` are the address of the seat, the link for
    another device, and the token of forms. With `replay`, the page shows a step of the match instead.
    `chat_revision` is the revision at which the chat may have changed last, `bots_failed` the sequence number at which no bot could
    decide."""

    record: TableRecord
    seat: int | None
    lang: str
    base: str
    device: str
    form: str
    chat_revision: int
    query: str | None = None
    look: str | None = None
    whole_log: bool = False
    notice: str = ""
    replay: bool = False
    step: int | None = None
    bots_failed: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the page has no answer, so that others can share it."""
        return self.query is None and self.look is None and not self.whole_log


class PageBuilder:
    """Builds pages from the matches of a database."""

    def __init__(self, storage: Storage, store: MatchStore, people: PeopleStore) -> None:
        self.storage, self.store, self.people, self.pages = storage, store, people, PageCache()

    def build(self, asked: PageRequest) -> str:
        """Returns a page. Raises MessageError."""
        with self.store.use(asked.record.id, asked.record) as live:
            if asked.replay:
                shown = build_replay_page(live, asked.seat, asked.lang, asked.step, asked.look)
                return render_template("replay.html", shown.words, page=shown, base=asked.base)
            page = (self.pages.get_page(live, asked.seat, asked.lang) if asked.is_plain
                    else build_table_page(live, asked.seat, asked.lang, asked.query, asked.whole_log, asked.look))
            if asked.bots_failed == live.sequence and live.needs_bot and page.waiting:
                page = replace(page, waiting=page.words.text("web.bots_stopped"))
            can_save, people = live.is_save_public, view_people(self.people, live, page, asked.chat_revision)
        return render_template("table.html", page.words, form=asked.form, page=page, base=asked.base, can_save=can_save,
                               device=asked.device, people=people, notice=notice_text(page, asked.notice))


def notice_text(page: TablePage, name: str) -> str:
    """Returns the message after a form, or ""."""
    key, reason = NOTICES.get(name, ("", ""))
    return page.words.text(key, **({"reason": page.words.text(reason)} if reason else {})) if key else ""
