"""What an option leads to by one's own next choices, as long as they belong to what is being done now: what comes of it in any case, what
at least, and the most that can come of it.

Every way to go on is looked at, so that nothing else brings more: where there are too many of them, or where what is covered or somebody
else has a say before the end, there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...dsl.storage.control_slots import ANSWER, EVENTS, RANDOM, SCRIPT
from ...dsl.types.types import Int
from ..position.call_context import ActiveProcedure, current_context
from ..position.position import Position
from .lookahead import Lookahead, LookaheadResult
from .tracked_values import ValueChange, ValueKey

MAX_ALTERNATIVES = 4                              # changes of which one comes in any case
MAX_CHAIN = 12                           # choices one after the other
IGNORED_SLOTS = {EVENTS, SCRIPT, ANSWER, RANDOM}                          # entries that make no difference to what comes next

Calls = tuple[ActiveProcedure, ...]


class SearchLimitError(Exception):
    """Not all ways to go on could be looked at."""


# what is being done has ended; and imagined positions, of which it holds
ContinuationEnd = tuple[Position, list[Position]]
                                                                   # too what is certain, where it is stopped in the midst of something else


def enumerate_outcomes(foresight: Lookahead, ahead: LookaheadResult, work: int) -> list[ContinuationEnd] | None:
    """The positions in which what is being done now may end by one's own choices alone; None where not all of them can be found, or where
    nothing is left to choose. It ends with the procedure, the action or the card in which is decided now, and before the same is asked
    again. `work`: when to stop, in steps of the game since the beginning."""
    waiting = active_calls(foresight.decision.position)
    seen: set[str] = set()

    def walk(so_far: LookaheadResult) -> Iterator[ContinuationEnd]:
        if (end := find_outcome(foresight, so_far, waiting)) is not None:
            yield end, []
            return
        if has_stopped_elsewhere(so_far, waiting) and so_far.worlds:
            yield so_far.after, so_far.worlds
            return
        decision = so_far.decision
        if decision is None or decision.seat != foresight.seat:
            raise SearchLimitError
        same = repr([raw for n, raw in enumerate(so_far.after.s) if n not in IGNORED_SLOTS])
        if same in seen:
            return
        seen.add(same)
        for code in decision.codes:
            if foresight.work > work:
                raise SearchLimitError
            yield from walk(foresight.extend(so_far, code))

    try:
        found = list(walk(ahead))
    except SearchLimitError:
        return None
    return found if seen else None


def first_outcome(foresight: Lookahead, ahead: LookaheadResult) -> Position:
    """Where what is being done now ends if one chooses what is offered first each time, or where it stops before that."""
    waiting = active_calls(foresight.decision.position)
    for _ in range(MAX_CHAIN):
        if (end := find_outcome(foresight, ahead, waiting)) is not None:
            return end
        if ahead.decision is None or ahead.decision.seat != foresight.seat:
            break
        ahead = foresight.extend(ahead, ahead.decision.codes[0])
    return ahead.after


def has_stopped_elsewhere(ahead: LookaheadResult, waiting: Calls) -> bool:
    """Whether the rules were stopped in the midst of something else than what was being done in the midst of these procedures."""
    return not ahead.sure and bool(ahead.where) and not all(
        found[: len(waiting)] == waiting for found in (ahead.where, active_calls(ahead.after)))


def find_outcome(foresight: Lookahead, ahead: LookaheadResult, waiting: Calls) -> Position | None:
    """The position in which what is being done in the midst of these procedures has ended; None where it has not."""
    if (left := foresight.find_exit_position(ahead)) is not None:
        return left
    decision = ahead.decision
    if decision is None:
        return ahead.after if ahead.over else None
    return ahead.after if foresight.is_repeat(ahead) or active_calls(ahead.after)[: len(waiting)] != waiting else None


@dataclass(frozen=True)
class OutcomeBounds:
    """Of several ways to go on: what changes alike in all of them; numbers that change in all, each as little as it may; and one's own
    that may rise, each as much as it may. `either`: of a value, several changes of which each way brings one."""

    surely: list[ValueChange]
    least: list[ValueChange]
    most: list[ValueChange]
    either: list[list[ValueChange]]


def compute_bounds(ways: Sequence[dict[ValueKey, ValueChange]], numeric: Callable[[ValueChange], bool], own: Callable[[ValueChange], bool],
              counted: Callable[[ValueChange], bool] = lambda change: False) -> OutcomeBounds:
    """What is certain of these ways, each with its changes by place. `numeric`: whether a change tells by how much; `own`: whether it is
    of the one who decides, of whose gains the most matters, and not the least; `counted`: whether it tells how many there are."""
    out = OutcomeBounds([], [], [], list(iter_alternatives(ways)))
    for place in sorted({place for way in ways for place in way}):
        changes = [way[place] for way in ways if place in way]
        one = changes[0]
        if len(changes) == len(ways) and all(change.new == one.new for change in changes):
            out.surely.append(one)
        elif numeric(one):
            low, high = min(changes, key=new_value), max(changes, key=new_value)
            if own(one) and high.new > one.old:
                out.most.append(high)
            elif len(changes) == len(ways) and (low.new > one.old or high.new < one.old):
                out.least.append(low if low.new > one.old else high)
        elif counted(one) and len(changes) == len(ways):
            low, high = min(changes, key=new_value), max(changes, key=new_value)
            if low.new > one.old:                                  # of fewer it would be told how few are left
                out.least.append(low)
    return out


def iter_alternatives(ways: Sequence[dict[ValueKey, ValueChange]]) -> Iterator[list[ValueChange]]:
    """Of each value the changes of which every way brings just one, where these are a few."""
    in_all = set.intersection(*(set(way) for way in ways)) if ways else set()
    for n in sorted({place[0] for way in ways for place in way}):
        each = [[change for place, change in way.items() if place[0] == n] for way in ways]
        found = {(some[0].place, some[0].new): some[0] for some in each if len(some) == 1 and some[0].place not in in_all}
        if (
            all(len(some) == 1 for some in each)
            and 1 < len(found) <= MAX_ALTERNATIVES
            and len({change.new - change.old if isinstance(change.type, Int) else 0 for change in found.values()}) == 1
        ):
            yield list(found.values())


def new_value(change: ValueChange) -> int:
    return int(change.new)


def active_calls(position: Position) -> Calls:
    """The procedures in the middle of which a position waits, the outermost first."""
    return current_context(position.game.module, position.s).calls
