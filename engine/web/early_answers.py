"""People answer at the same time in a loop `at once`.

The log of a table keeps the order of the loop. The answers of people wait in the database until all people have answered, and
then follow in the log. Until then, each seat sees its own answers only. So the page of a seat depends on nothing that another
seat has answered. Bots decide when the log has come to their turn.

    view_seat(live, seat)          the match as this seat sees it
    list_awaited_seats(live)       the seats that still have to answer
    settle(live)                   plays the answers that have waited, once all people have answered"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..match.simultaneous import SimultaneousBlock, find_simultaneous_block, is_asked, open_seat_match
from ..match.table import UndoError
from .earlier_panels import EarlierPanels
from .live_match import LiveMatch


def find_block(live: LiveMatch) -> SimultaneousBlock | None:
    """Returns the run of a loop `at once` in which the match is, or None. Kept until the match goes on."""
    live, key = live.whole or live, ("block",)
    if key not in live.pages:
        live.pages[key] = find_simultaneous_block(live.match)
    found: SimultaneousBlock | None = live.pages[key]
    return found


def view_seat(live: LiveMatch, seat: int | None) -> LiveMatch:
    """Returns the match as a seat, or a spectator (None), sees it. In a loop `at once`, it contains no answers of other seats.

    The sequence number of a view counts the entries before the loop and the answers of the seat."""
    block = find_block(live)
    if block is None:
        live.views.clear()
        return live
    steps, first = live.match.steps[block.first :], live.sequence - (len(live.match.steps) - block.first)
    own = [step.option.spelling for step in steps if step.seat == seat and not step.auto]
    own += live.record.early.get(seat, ()) if seat is not None else ()
    known, view = live.views.get(seat, (None, live))
    if known != (first, own):
        view = replace(live, match=open_seat_match(live.match, block, seat, own), sequence=first + len(own), decisions=[], transcripts={},
                       pages={}, earlier=EarlierPanels(), views={}, whole=live)
        live.views[seat] = (first, own), view
    view.refresh_record(live.record)
    return view


def list_awaited_seats(live: LiveMatch) -> list[int]:
    """Returns the seats that still have to answer."""
    live = live.whole or live
    block, decision = find_block(live), live.match.position.decision
    if block is None:
        return [] if decision is None else [decision.seat]
    return [seat for seat in block.seats if is_asked(view_seat(live, seat).match, seat)]


def find_awaited_person(live: LiveMatch, seat: int) -> int | None:
    """Returns the seat of a person who keeps this seat waiting, or None."""
    awaited = list_awaited_seats(live)
    return None if seat in awaited else next((other for other in awaited if not live.record.is_bot(other)), None)


def check_undo(live: LiveMatch, seat: int) -> None:
    """Checks that a person can take back the last decision: an answer that still waits, or a decision in the log.

    Raises UndoError with the first obstacle. Of an answer that waits, only this person can have learned something. At the end
    of a match with secrets, everybody can read them in the save. So that end is final."""
    live = live.whole or live
    if live.match.over and live.has_secrets:
        raise UndoError("undo.why.over")
    early = live.record.early
    if seat in early:
        view_seat(live, seat).match.find_undo_start(seat, watching=(seat,))
    elif early:
        raise UndoError("undo.why.other")
    else:
        live.match.find_undo_start(seat)


def find_undo_obstacle(live: LiveMatch, seat: int) -> str | None:
    """Returns the key of the reason why a person cannot take back the last decision, or None."""
    try:
        check_undo(live, seat)
    except UndoError as error:
        return error.key
    return None


def add_answer(live: LiveMatch, seat: int, spelling: str) -> list[dict[str, Any]]:
    """Adds an answer of a person, and returns the log entries that follow. Raises RuleError."""
    view_seat(live, seat).match.play(spelling)                     # reports a fault of the rules before it is stored
    live.views.pop(seat)
    set_waiting_answers(live, seat, (*live.record.early.get(seat, ()), spelling))
    return settle(live)


def set_waiting_answers(live: LiveMatch, seat: int, answers: tuple[str, ...]) -> None:
    """Replaces the answers of a seat that wait, in the record."""
    early = {**live.record.early, seat: answers}
    live.record = replace(live.record, early={one: given for one, given in early.items() if given})


def settle(live: LiveMatch) -> list[dict[str, Any]]:
    """Plays the answers that have waited, up to the turn of a bot, if all people have answered. Returns their log entries.

    If a bot has taken a seat, the answers of the person follow when their turn comes. The record then has the answers that
    still wait."""
    if find_block(live) is None:
        return []
    is_complete = all(map(live.record.is_bot, list_awaited_seats(live)))
    entries: list[dict[str, Any]] = []
    while (decision := live.match.position.decision) is not None and (waiting := live.record.early.get(decision.seat)):
        option = decision.find(waiting[0])
        if option is None or not (is_complete or live.record.is_bot(decision.seat)):
            break
        set_waiting_answers(live, decision.seat, waiting[1:])
        live.match.play(option)
        entries += [live.last_entry, *live.take_forced()]
    return entries
