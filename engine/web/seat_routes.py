"""The routes of a seat apart from moves: stand-in bots, rematches, and chat.

The host decides at any time. Other people decide together, if somebody has kept them waiting for a while. A person who
comes back takes their seat again at once."""

from __future__ import annotations

from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ..match.setup import HUMAN, MatchSetup
from ..position.seeds import new_secret_seed
from .early_answers import find_awaited_person, view_seat
from .live_match import BOT_KINDS
from .lobby import clean_line, read_hosted, site_of
from .people_page import MAX_MESSAGE_CHARS, STAND_IN, is_long_wait
from .people_store import Rematch
from .security import read_form
from .site import redirect
from .storage import SeatRecord, StaleSequenceError, TableRecord
from .table_routes import base_of, lead_to_seat, read_player, read_sequence


async def agree_to_bot(request: Request) -> Response:
    """Records that a person wants a bot to decide for the person who keeps everybody waiting."""
    site = site_of(request)
    record, seat, fields = await read_player(request)
    base, sequence = base_of(record, seat), read_sequence(fields)

    def agree() -> None:
        with site.store.use(record.id) as live:
            awaited = find_awaited_person(live, seat.seat)
            if awaited is None or view_seat(live, seat.seat).sequence != sequence:
                raise StaleSequenceError
            if not is_long_wait(live.record):
                raise HTTPException(403)
            site.people.add_consent(live.record, awaited, seat.seat, live.sequence, STAND_IN)
    try:
        await run_in_threadpool(agree)
    except StaleSequenceError:
        return redirect(f"{base}?notice=stale")
    site.changed(record.id, request)
    return redirect(base)


async def take_back_seat(request: Request) -> Response:
    """Lets a person decide again instead of the bot."""
    site = site_of(request)
    record, seat, _ = await read_player(request)
    await run_in_threadpool(site.people.set_stand_in, record.id, seat.seat, "")
    site.changed(record.id, request)
    return redirect(base_of(record, seat))


async def set_bot(request: Request) -> Response:
    """Lets a bot decide for a person, or lets the person decide again, as the host wants."""
    site = site_of(request)
    fields = await read_form(request, site.secret)
    record = await read_hosted(request)
    seat = next((seat for seat in record.seats if str(seat.seat) == fields.get("seat") and seat.is_human), None)
    kind = fields.get("kind", "")
    if seat is None or kind not in (HUMAN, *BOT_KINDS):
        raise HTTPException(400)
    await run_in_threadpool(site.people.set_stand_in, record.id, seat.seat, "" if kind == HUMAN else kind)
    site.changed(record.id, request)
    return redirect(record.host_path)


# ---------------------------------------------------------------- the next match


async def play_again(request: Request) -> Response:
    """Creates the next table of the same people, once, and leads its person to their seat there."""
    site = site_of(request)
    record, seat, fields = await read_player(request)
    if not record.over:
        raise HTTPException(403)
    shift = int(fields.get("begin") == "other")

    def propose() -> None:
        if site.people.find_rematch(record.id) is None:
            created = site.store.create(make_next_setup(record.setup, shift), record.spectators)
            site.people.add_rematch(record.id, Rematch(created.id, seat.seat, shift))
    await run_in_threadpool(propose)
    site.changed(record.id, request)
    return await take_next_seat(request, record, seat)


async def go_to_rematch(request: Request) -> Response:
    """Leads a person to their seat at the next table."""
    record, seat, _ = await read_player(request)
    return await take_next_seat(request, record, seat)


async def take_next_seat(request: Request, record: TableRecord, seat: SeatRecord) -> Response:
    """Gives a person their seat at the next table, with their name and language, and leads there.

    A seat that somebody has taken already opens only in their browser."""
    site = site_of(request)

    def take() -> tuple[TableRecord, SeatRecord, bool] | None:
        found = site.people.find_rematch(record.id)
        following = site.storage.read_table(found.next_id) if found is not None else None
        if found is None or following is None:
            return None
        place = following.seats[found.next_seat(seat.seat, len(following.seats))]
        try:
            token = site.storage.take_seat(following.id, place.seat, place.token, seat.name, seat.lang)
        except StaleSequenceError:
            return following, place, False
        return following, replace(place, token=token), True
    taken = await run_in_threadpool(take)
    if taken is None:
        return redirect(base_of(record, seat))
    following, place, is_new = taken
    if not is_new:
        return redirect(base_of(following, place))
    site.changed(following.id, request)
    return lead_to_seat(site, request, following, place)


def make_next_setup(setup: MatchSetup, shift: int) -> MatchSetup:
    """Returns the setup of the next match: the same game and people. Everybody moves by `shift` seats, so that somebody else begins."""
    names, seats, langs = (values[shift:] + values[:shift] for values in (setup.names, setup.seats, setup.langs))
    return MatchSetup(setup.game, setup.players, new_secret_seed(), setup.options, setup.house, names, seats, langs, auto=setup.auto,
                      lang=setup.lang)


# ---------------------------------------------------------------- chat


async def say(request: Request) -> Response:
    """Adds a message to the chat."""
    site = site_of(request)
    record, seat, fields = await read_player(request)
    text = clean_line(fields.get("text", ""), MAX_MESSAGE_CHARS)
    if text and not site.messages.allows(f"{record.id}/{seat.seat}"):
        return redirect(f"{base_of(record, seat)}?notice=slow")
    stored = bool(text) and await run_in_threadpool(site.people.add_message, record.id, seat.seat, text)
    if stored:
        site.changed(record.id, request)
    return redirect(base_of(record, seat))


async def set_chat(request: Request) -> Response:
    """Turns the chat on or off, as the host wants."""
    site = site_of(request)
    fields = await read_form(request, site.secret)
    record = await read_hosted(request)
    await run_in_threadpool(site.people.set_chat, record.id, fields.get("chat") == "on")
    site.changed(record.id, request)
    return redirect(record.host_path)
