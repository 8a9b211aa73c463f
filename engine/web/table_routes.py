"""The pages of a game: joining a seat, the table, decisions, undo, events, rulebook, save.

The address of a seat is /table/ID/N, and that of spectators is /table/ID/watch. The cookie of a seat belongs to its
address, or has it in its name (see `seat_cookie`). So one browser can hold several seats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from ...dsl.diagnostics.sanitize import sanitize_markup
from ..errors import MessageError
from ..i18n import LANGUAGES, ProperName, engine_localizer
from ..match.table import UndoError
from ..position.position import RuleError
from ..rulebook.builder import BookOptions, make_book
from ..rulebook.html_writer import render_html
from ..table_view.html_page import escape_html
from ..table_view.theme import theme_of
from .game_list import describe, words_of
from .lobby import MAX_NAME_CHARS, read_name, site_of
from .own_tables import add_own_table
from .page_builder import PageRequest
from .page_styles import build_page_stylesheet
from .replay_page import read_step
from .security import (
    MAX_STREAMS,
    OWN_COOKIE,
    client_address,
    form_token,
    is_same_token,
    list_old_seat_cookies,
    read_cookie,
    read_form,
    seat_cookie,
)
from .site import Site, redirect
from .storage import SeatRecord, StaleSequenceError, Storage, TableRecord

WATCH = "watch"
MAX_SEQUENCE_DIGITS = 9
MAX_BOOKS = 100
# The writer of rulebooks escapes all texts, and its pages have no scripts. Their styles are in the page itself.
BOOK_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


# ---------------------------------------------------------------- who asks


async def read_table(request: Request) -> TableRecord:
    """Returns the table of an address. Raises HTTPException."""
    storage, table_id = site_of(request).storage, request.path_params["table"]
    record = await find_table(storage, table_id)
    if record is None:
        raise HTTPException(404)
    return record


async def find_table(storage: Storage, table_id: str) -> TableRecord | None:
    """Returns a table, or None. Uses a thread only if the database must be read."""
    return storage.known_table(table_id) or await run_in_threadpool(storage.read_table, table_id)


def addressed_seat(request: Request, record: TableRecord) -> SeatRecord | None:
    """Returns the seat of a person in an address, or None for that of spectators. Raises HTTPException."""
    place = request.path_params["place"]
    if place == WATCH:
        return None
    seat = next((seat for seat in record.seats if str(seat.seat + 1) == place and seat.is_human), None)
    if seat is None:
        raise HTTPException(404)
    return seat


async def read_viewer(request: Request) -> tuple[TableRecord, SeatRecord | None]:
    """Returns the table and the seat that the browser may see, or None for a spectator. Raises HTTPException."""
    record = await read_table(request)
    seat = addressed_seat(request, record)
    if seat is None and not record.spectators:
        raise HTTPException(403, "web.no_spectators")
    if seat is not None and not has_seat(request, record, seat):
        raise HTTPException(403, "web.no_seat")
    return record, seat


def has_seat(request: Request, record: TableRecord, seat: SeatRecord) -> bool:
    """Whether the browser holds a seat."""
    return seat.taken and is_same_token(read_seat_cookie(request, record, seat), seat.token)


def read_seat_cookie(request: Request, record: TableRecord, seat: SeatRecord) -> str:
    """Returns the token of a seat that the browser has, or ""."""
    return read_cookie(request, seat_cookie(request, base_of(record, seat))[0])


async def read_player(request: Request) -> tuple[TableRecord, SeatRecord, dict[str, str]]:
    """Returns the table, the seat, and the fields of a form that the person at this seat sends. Raises HTTPException."""
    fields = await read_form(request, site_of(request).secret)
    record, seat = await read_viewer(request)
    if seat is None:
        raise HTTPException(403)
    return record, seat, fields


def base_of(record: TableRecord, seat: SeatRecord | None) -> str:
    """Returns the address of a seat."""
    return f"/table/{record.id}/{WATCH if seat is None else seat.seat + 1}"


# ---------------------------------------------------------------- joining


async def show_join(request: Request) -> Response:
    """Shows an invite link, or a link for another device of the same person. Leads a browser that holds the seat to it."""
    site, record = site_of(request), await read_table(request)
    seat = addressed_seat(request, record)
    if seat is not None and has_seat(request, record, seat):
        return redirect(base_of(record, seat))
    if seat is None or not is_same_token(request.path_params["token"], seat.token):
        return site.render_message(request, "web.join.used", 403)
    lang = seat.lang if seat.lang in LANGUAGES and "lang" not in request.query_params else site.language(request)
    words = words_of(describe(record.setup.game), lang)
    who = seat.name or words.text("seat.name", seat=seat.seat + 1)
    return site.render(request, "join.html", words, game=words.text("game.name"), who=ProperName(who), name=seat.name, seat_lang=lang,
                       taken=seat.taken, continued=record.continued, action=request.url.path, max_name=MAX_NAME_CHARS)


async def join(request: Request) -> Response:
    """Gives the seat of a link to this browser."""
    site = site_of(request)
    fields = await read_form(request, site.secret)
    record = await read_table(request)
    seat, token = addressed_seat(request, record), request.path_params["token"]
    if seat is None or not is_same_token(token, seat.token):
        return site.render_message(request, "web.join.used", 403)
    if not seat.taken:
        lang = fields.get("lang") or site.language(request)
        if lang not in LANGUAGES:
            raise HTTPException(400)
        try:
            token = await run_in_threadpool(site.storage.take_seat, record.id, seat.seat, token, read_name(fields.get("name", "")), lang)
        except StaleSequenceError:
            return site.render_message(request, "web.join.used", 403)
        site.changed(record.id, request)
    return lead_to_seat(site, request, record, replace(seat, token=token))


def lead_to_seat(site: Site, request: Request, record: TableRecord, seat: SeatRecord) -> Response:
    """Leads to a seat, which this browser now holds."""
    answer = redirect(base_of(record, seat))
    name, path = seat_cookie(request, base_of(record, seat))
    site.set_cookie(request, answer, name, seat.token, path)
    for old in list_old_seat_cookies(request, name):
        answer.delete_cookie(old, secure=True, httponly=True, samesite="lax")
    list_seat(site, request, answer, record, seat)
    return answer


def list_seat(site: Site, request: Request, answer: Response, record: TableRecord, seat: SeatRecord) -> None:
    """Adds a seat that the browser holds to the list of its own tables."""
    if cookie := add_own_table(site, request, record, seat):
        site.set_cookie(request, answer, OWN_COOKIE, cookie)


# ---------------------------------------------------------------- the table


async def show_table(request: Request) -> Response:
    """Shows the table to a seat or a spectator."""
    params = request.query_params
    return await build_page(request, query=params.get("why"), look=params.get("look"), whole_log=params.get("log") == "all",
                            notice=params.get("notice", ""))


async def show_replay(request: Request) -> Response:
    """Shows a step of the match to a seat or a spectator."""
    params = request.query_params
    return await build_page(request, replay=True, step=read_step(params.get("at", "")), look=params.get("look"))


async def build_page(request: Request, **wanted: Any) -> Response:
    """Returns a page of the table for the viewer. `wanted` are further parts of the PageRequest."""
    site = site_of(request)
    record, seat = await read_viewer(request)
    lang = site.language(request) if seat is None or seat.lang not in LANGUAGES else seat.lang
    if record.has_bots:
        site.bots.wake(record.id, client_address(request))
    visitor = site.visitor(request)
    page = await site.pages.build(PageRequest(
        record=record, seat=None if seat is None else seat.seat, lang=lang, base=base_of(record, seat),
        form=form_token(site.secret, visitor), chat_revision=site.people.chat_revision(record),
        device="" if seat is None else site.link(request, f"{base_of(record, seat)}/join/{seat.token}"),
        bots_failed=site.bots.failed.get(record.id), **wanted))
    answer = site.answer_page(request, page, visitor)
    if seat is not None:
        list_seat(site, request, answer, record, seat)
    return answer


async def play(request: Request) -> Response:
    """Plays the option that a person has chosen."""
    record, seat, fields = await read_player(request)
    return await change_match(request, record, seat, fields, site_of(request).store.play, fields.get("option", ""))


async def undo(request: Request) -> Response:
    """Takes back the last decision of a person."""
    record, seat, fields = await read_player(request)
    return await change_match(request, record, seat, fields, site_of(request).store.undo)


async def change_match(request: Request, record: TableRecord, seat: SeatRecord, fields: dict[str, str], change: Any,
                       *more: str) -> Response:
    """Changes a match, and leads to the table. If the form is older than the match, nothing changes."""
    site, notice = site_of(request), ""
    try:
        await run_in_threadpool(change, record.id, seat.seat, read_sequence(fields), *more)
        site.changed(record.id, request)
        notice = "" if more else "undone"
    except StaleSequenceError:
        notice = "stale"
    except UndoError as error:
        notice = error.key.rpartition(".")[2]
    except RuleError:
        notice = "fault"
    return redirect(base_of(record, seat) + (f"?notice={notice}" if notice else ""))


def read_sequence(fields: dict[str, str]) -> int:
    """Returns the sequence number that a form knew, or -1."""
    typed = fields.get("sequence", "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= MAX_SEQUENCE_DIGITS else -1


async def change_language(request: Request) -> Response:
    """Changes the language of a seat."""
    site = site_of(request)
    record, seat, fields = await read_player(request)
    if fields.get("lang") not in LANGUAGES:
        raise HTTPException(400)
    await run_in_threadpool(site.storage.set_language, record.id, seat.seat, fields["lang"])
    return redirect(base_of(record, seat))


async def stream_events(request: Request) -> Response:
    """Sends an event after each change of the table."""
    site = site_of(request)
    record, seat = await read_viewer(request)
    if request.method == "HEAD":                                   # the answer would never end, and block its connection
        return Response(media_type="text/event-stream")
    address = client_address(request)
    if site.broker.connections >= MAX_STREAMS or site.broker.addresses[address] >= site.streams:
        raise HTTPException(429, "web.too_many_streams", {"retry-after": "30"})
    typed = request.headers.get("last-event-id", "") or request.query_params.get("revision", "")
    known = int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= MAX_SEQUENCE_DIGITS else -1
    if record.has_bots:
        site.bots.wake(record.id, client_address(request))

    async def is_open() -> bool:
        now = None if seat is None else await find_table(site.storage, record.id)
        return now is None or seat is None or now.seats[seat.seat].token == seat.token
    return StreamingResponse(site.broker.stream(record.id, known, address, is_open), media_type="text/event-stream")


# ---------------------------------------------------------------- files of a table


async def show_look(request: Request) -> Response:
    """Returns the style sheet of the game."""
    site = site_of(request)
    record, _ = await read_viewer(request)
    loaded, _lock = await run_in_threadpool(site.store.rules.load_setup, record.setup)
    return Response(build_page_stylesheet(theme_of(loaded.game)), media_type="text/css", headers={"cache-control": "private, max-age=3600"})


async def show_rules(request: Request) -> Response:
    """Shows the rulebook of this table in the language of the viewer."""
    site = site_of(request)
    record, seat = await read_viewer(request)
    lang = site.language(request) if seat is None or seat.lang not in LANGUAGES else seat.lang
    key = (record.rules, record.setup.players, lang, *(pack.get("hash") for pack in record.setup.house))
    if key not in site.books:
        if len(site.books) >= MAX_BOOKS:
            site.books.clear()
        site.books[key] = await run_in_threadpool(write_rulebook, site, record, lang)
    back = f'<p class="back"><a href="{base_of(record, seat)}">{escape_html(engine_localizer(lang).text("web.replay.back"))}</a></p>'
    book = site.books[key].replace("<header>", f"{back}<header>", 1)
    return HTMLResponse(book, headers={"content-security-policy": BOOK_POLICY})


def write_rulebook(site: Site, record: TableRecord, lang: str) -> str:
    """Returns the rulebook of a table as a page."""
    setup = record.setup
    loaded, lock = site.store.rules.load_setup(setup)
    with lock:
        return sanitize_markup(render_html(make_book(loaded, lang, BookOptions(setup.players, frozenset(setup.options)))))


async def download_save(request: Request) -> Response:
    """Returns the match as a save file, if everybody may read it."""
    site = site_of(request)
    record, _ = await read_viewer(request)
    raw = await run_in_threadpool(site.store.export_save, record.id)
    if raw is None:
        return site.render_message(request, "web.save.later", 403)
    return Response(raw, media_type="application/octet-stream",
                    headers={"content-disposition": f'attachment; filename="{record.setup.game}.ludoglot"'})


async def show_error(request: Request, error: Exception) -> Response:
    """Shows an error of a request as a page. Nobody reads the answer to a browser that has gone before its request was complete."""
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)
    site = site_of(request)
    if isinstance(error, MessageError):
        return site.render_message(request, error.key, 404 if error.key == "web.no_table" else 409, **error.params)
    if isinstance(error, HTTPException):
        return site.render_error(request, error)
    return site.render_message(request, "web.fault" if isinstance(error, RuleError) else "web.internal", 500)
