"""People who are away, and people who play again: a bot stands in for a person, and the same people start a new match.

The host decides at any time. Other people decide together, if somebody has kept them waiting for a while. A person who
comes back takes their seat again at once."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ..match.setup import HUMAN
from .absence import STAND_IN, is_long_wait
from .live_match import BOT_KINDS
from .lobby import read_hosted, site_of
from .security import read_form
from .site import redirect
from .storage import StaleSequenceError
from .table_routes import base_of, read_player, read_sequence


async def agree_to_bot(request: Request) -> Response:
    """Records that a person wants a bot to decide for the person who keeps everybody waiting."""
    site = site_of(request)
    record, seat, fields = await read_player(request)
    base, sequence = base_of(record, seat), read_sequence(fields)

    def agree() -> None:
        with site.store.use(record.id) as live:
            decision = live.match.position.decision
            if decision is None or live.sequence != sequence or decision.seat == seat.seat or live.record.is_bot(decision.seat):
                raise StaleSequenceError
            if not is_long_wait(live.record):
                raise HTTPException(403)
            site.storage.add_consent(live.record, decision.seat, seat.seat, sequence, STAND_IN)
    try:
        await run_in_threadpool(agree)
    except StaleSequenceError:
        return redirect(f"{base}?notice=stale")
    site.changed(record.id)
    return redirect(base)


async def take_back_seat(request: Request) -> Response:
    """Lets a person decide again instead of the bot."""
    site = site_of(request)
    record, seat, _ = await read_player(request)
    await run_in_threadpool(site.storage.set_stand_in, record.id, seat.seat, "")
    site.changed(record.id)
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
    await run_in_threadpool(site.storage.set_stand_in, record.id, seat.seat, "" if kind == HUMAN else kind)
    site.changed(record.id)
    return redirect(f"/table/{record.id}/host/{record.host_token}")
