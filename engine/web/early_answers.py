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
from .earlier_panels import EarlierPanels
from .live_match import LiveMatch
from .storage import StaleSequenceError
from .table_extras import EarlyAnswers


def find_block(live: LiveMatch) -> SimultaneousBlock | None:
    """Returns the run of a loop `at once` in which the match is, or None. Kept until the match goes on."""
    key = ("block",)
    if key not in live.pages:
        live.pages[key] = find_simultaneous_block(live.match)
    found: SimultaneousBlock | None = live.pages[key]
    return found


def list_waiting_answers(live: LiveMatch) -> EarlyAnswers:
    """Returns the answers of people that are not in the log yet."""
    return {seat: given for seat, given in live.record.early.items() if given and not live.record.is_bot(seat)}


def view_seat(live: LiveMatch, seat: int | None) -> LiveMatch:
    """Returns the match as a seat, or a spectator (None), sees it. In a loop `at once`, it contains no answers of other seats.

    The sequence number of a view counts the entries before the loop and the answers of the seat."""
    block = find_block(live)
    if block is None:
        live.views.clear()
        return live
    steps, begun = live.match.steps[block.first :], live.sequence - (len(live.match.steps) - block.first)
    own = [step.option.spelling for step in steps if step.seat == seat and not step.auto]
    own += list_waiting_answers(live).get(seat, ()) if seat is not None else ()
    known, view = live.views.get(seat, (None, live))
    if known != (begun, own):
        view = replace(live, match=open_seat_match(live.match, block, seat, own), sequence=begun + len(own), decisions=[], transcripts={},
                       pages={}, earlier=EarlierPanels(), views={})
        live.views[seat] = (begun, own), view
    view.refresh_record(live.record)
    return view


def list_awaited_seats(live: LiveMatch) -> list[int]:
    """Returns the seats that still have to answer."""
    block, decision = find_block(live), live.match.position.decision
    if block is None:
        return [] if decision is None else [decision.seat]
    return [seat for seat in block.seats if is_asked(view_seat(live, seat).match, seat)]


def find_awaited_person(live: LiveMatch, seat: int) -> int | None:
    """Returns the seat of a person who keeps this seat waiting, or None."""
    awaited = list_awaited_seats(live)
    return None if seat in awaited else next((other for other in awaited if not live.record.is_bot(other)), None)


def can_take_back(live: LiveMatch, seat: int) -> bool:
    """Whether a person can take back the last decision: an answer that still waits, or a decision before the loop."""
    waiting = list_waiting_answers(live)
    return seat in waiting or not waiting and live.match.can_undo(seat)


def add_answer(live: LiveMatch, seat: int, spelling: str) -> list[dict[str, Any]]:
    """Adds an answer of a person, and returns the log entries that follow. Raises RuleError."""
    waiting = list_waiting_answers(live)
    view_seat(live, seat).match.play(spelling)                     # reports a fault of the rules before it is stored
    live.views.pop(seat)
    live.record = replace(live.record, early={**waiting, seat: (*waiting.get(seat, ()), spelling)})
    return settle(live)


def settle(live: LiveMatch) -> list[dict[str, Any]]:
    """Plays the answers that have waited if all people have answered, up to the turn of a bot. Returns their log entries.

    The record then has the answers that still wait."""
    left = {seat: list(given) for seat, given in list_waiting_answers(live).items()}
    if find_block(live) is None or not all(live.record.is_bot(seat) for seat in list_awaited_seats(live)):
        return []
    entries: list[dict[str, Any]] = []
    while (decision := live.match.position.decision) is not None and left.get(decision.seat):
        option = decision.find(left[decision.seat].pop(0))
        if option is None:
            raise StaleSequenceError
        live.match.play(option)
        entries += [live.last_entry, *live.take_forced()]
    live.record = replace(live.record, early={seat: tuple(given) for seat, given in left.items() if given})
    return entries
