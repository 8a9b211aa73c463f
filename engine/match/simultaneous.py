"""The decisions of a loop `at once` in a match, as each seat sees and answers them.

    block = find_simultaneous_block(match)                   None if the players decide in turn
    view = open_seat_match(match, block, seat, answers)      the match with the answers of one seat only
    is_asked(view, seat)                                     whether this seat has to answer further questions"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..position.position import Position
from ..position.simultaneous import find_simultaneous_loop, leaves_loop, list_simultaneous_seats, open_turn
from .table import MatchTable


@dataclass(frozen=True)
class SimultaneousBlock:
    """A run of a loop `at once`. `first` is the number of its first step, `start` the position before it."""

    first: int
    start: Position
    seats: tuple[int, ...]


def find_simultaneous_block(match: MatchTable) -> SimultaneousBlock | None:
    """Returns the run of a loop `at once` in which the match is, or None if not several seats decide in it.

    The match must keep the positions before its steps."""
    loop = find_simultaneous_loop(match.position)
    if loop is None:
        return None
    steps, first = match.steps, len(match.steps)
    while first and (before := steps[first - 1].before) is not None:
        former = find_simultaneous_loop(before)
        if former is None or former.head != loop.head or leaves_loop(before, steps[first - 1].option.code):
            break
        first -= 1
    start = steps[first].before if first < len(steps) else match.position.copy()
    assert start is not None
    seats = list_simultaneous_seats(start)
    return SimultaneousBlock(first, start, seats) if seats else None


def open_seat_match(match: MatchTable, block: SimultaneousBlock, seat: int | None, answers: Sequence[str]) -> MatchTable:
    """Returns the match up to the loop, with the answers of one seat, but none of the other seats.

    Answers are spellings. Decisions that the engine takes by itself follow them. Raises RuleError."""
    turn = open_turn(block.start, seat) if seat is not None and seat in block.seats else None
    view = MatchTable(match.game, match.setup, position=turn or block.start.copy())
    view.keep, view.opening, view.steps = True, match.opening, match.steps[: block.first]
    if seat is None or turn is None:
        return view
    list(view.take_forced(seat))
    for answer in answers:
        decision = view.position.decision
        option = decision.find(answer) if decision is not None and decision.seat == seat else None
        if option is None:
            break
        view.play(option)
        list(view.take_forced(seat))
    return view


def is_asked(view: MatchTable, seat: int) -> bool:
    """Whether the seat of a view still has to answer."""
    decision = view.position.decision
    return decision is not None and decision.seat == seat
