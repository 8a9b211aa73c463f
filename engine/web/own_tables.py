"""The tables whose seats a browser holds, and the cookie that lists them.

A browser sends the cookie of a seat to the address of this seat only. So another cookie lists the seats for the pages before a game:

    ID.SEAT.SIGNATURE~ID.SEAT.SIGNATURE~...

The signature depends on the token of the seat. So nobody can list a seat that they never had, and a seat with a new token disappears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ..i18n import ProperName, engine_localizer
from .game_list import describe, words_of
from .security import OWN_COOKIE, is_same_token, read_cookie, sign
from .site import Site
from .storage import SeatRecord, TableRecord

MAX_OWN_TABLES = 24                         # in a cookie. The latest ones stay
SIGNATURE_CHARS = 12
BETWEEN, INSIDE = "~", "."


@dataclass(frozen=True)
class OwnTable:
    """A table in the list of the browser's own tables. `state` says whose turn it is."""

    title: str
    path: str
    players: str
    state: str
    own_turn: bool
    over: bool


def seat_entry(site: Site, record: TableRecord, seat: SeatRecord) -> str:
    """Returns the entry of a seat in the cookie."""
    signature = sign(site.secret, "own", record.id, str(seat.seat), seat.token)[:SIGNATURE_CHARS]
    return INSIDE.join([record.id, str(seat.seat + 1), signature])


def add_own_table(site: Site, request: Request, record: TableRecord, seat: SeatRecord) -> str:
    """Returns the cookie of a browser with one more seat, or "" if it has the seat already."""
    entry, known = seat_entry(site, record, seat), read_cookie(request, OWN_COOKIE).split(BETWEEN)
    if entry in known:
        return ""
    place = entry.rpartition(INSIDE)[0]
    return BETWEEN.join([entry, *(one for one in known if one and one.rpartition(INSIDE)[0] != place)][:MAX_OWN_TABLES])


def list_own_tables(site: Site, request: Request, lang: str) -> list[OwnTable]:
    """Returns the tables of a browser: first those that wait for its person, then the latest ones, then those that are over."""
    found: list[tuple[TableRecord, SeatRecord]] = []
    for entry in filter(None, read_cookie(request, OWN_COOKIE).split(BETWEEN)[:MAX_OWN_TABLES]):
        table, _, rest = entry.partition(INSIDE)
        place = rest.partition(INSIDE)[0]
        record = site.storage.read_table(table)
        seat = next((seat for seat in record.seats if str(seat.seat + 1) == place), None) if record is not None else None
        if record is not None and seat is not None and seat.taken and is_same_token(entry, seat_entry(site, record, seat)):
            found.append((record, seat))
    found.sort(key=lambda one: (one[0].over, one[1].seat not in one[0].awaited, -one[0].decided))
    return [shown for record, seat in found if (shown := view_own_table(record, seat, lang)) is not None]


def view_own_table(record: TableRecord, seat: SeatRecord, lang: str) -> OwnTable | None:
    """Returns a table as the list shows it, or None if this server no longer has its game."""
    try:
        words = words_of(describe(record.setup.game), lang)
    except HTTPException:
        return None
    names = [one.name or words.text("seat.name", seat=one.seat + 1) for one in record.seats]
    own_turn = not record.over and seat.seat in record.awaited and not record.is_bot(seat.seat)
    return OwnTable(words.text("game.name"), f"/table/{record.id}/{seat.seat + 1}", words.list([ProperName(name) for name in names]),
                    state_text(record, names, lang, own_turn), own_turn, record.over)


def state_text(record: TableRecord, names: Sequence[str], lang: str, own_turn: bool) -> str:
    """Returns whose turn it is, or "" if that is unknown."""
    words = engine_localizer(lang)
    if record.over:
        return words.text("play.over")
    if own_turn:
        return words.text("web.your_turn")
    awaited = [names[seat] for seat in record.awaited]
    if len(awaited) == 1:
        return words.text("play.turn", who=ProperName(awaited[0]))
    return words.text("web.awaited", names=", ".join(awaited)) if awaited else ""
