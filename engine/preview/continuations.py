"""The outcomes that an option allows through the player's own further choices within the same action.

The search visits every continuation, so that its bounds are guaranteed: what changes in all outcomes,
the least and the greatest amounts. If there are too many continuations, or if hidden information or
another player can intervene, there is no result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...dsl.storage.control_slots import ANSWER, EVENTS, RANDOM, SCRIPT
from ...dsl.types.types import Int
from ..position.call_stack import ActiveProcedure, current_context
from ..position.position import Position
from .lookahead import Lookahead, LookaheadResult
from .preview_change import Certainty
from .tracked_values import ValueChange, ValueKey

MAX_ALTERNATIVES = 4                              # different changes of one value, each outcome having one of them
IGNORED_SLOTS = {EVENTS, SCRIPT, ANSWER, RANDOM}                          # slots that do not influence what comes next

Calls = tuple[ActiveProcedure, ...]


class SearchLimitError(Exception):
    """Raised if not all continuations can be searched."""


# the position where the action has ended, and determinizations that must
ContinuationEnd = tuple[Position, list[Position]]
                                                                   # agree with it if the lookahead was stopped outside the action


def find_action_ends(foresight: Lookahead, outcome: LookaheadResult) -> list[ContinuationEnd] | None:
    """Returns the positions in which the current action may end through the player's own choices alone.

    The current action is the innermost active procedure, member or phase of the current decision. It ends when
    that procedure ends or when the same decision is asked again. Returns None if not all outcomes can be found
    within the budget, or if there is nothing left to choose."""
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
            if foresight.budget.is_exceeded:
                raise SearchLimitError
            yield from walk(foresight.extend(so_far, code))

    try:
        found = list(walk(outcome))
    except SearchLimitError:
        return None
    return found if seen else None


def first_outcome(foresight: Lookahead, outcome: LookaheadResult) -> Position:
    """Returns the position at the end of the current action if the player always takes the first option. If the
    lookahead stops earlier, returns the position reached."""
    waiting = active_calls(foresight.decision.position)
    for _ in range(foresight.budget.MAX_CHAIN):
        if (end := find_outcome(foresight, outcome, waiting)) is not None:
            return end
        if outcome.decision is None or outcome.decision.seat != foresight.seat:
            break
        outcome = foresight.extend(outcome, outcome.decision.codes[0])
    return outcome.after


def has_stopped_elsewhere(outcome: LookaheadResult, waiting: Calls) -> bool:
    """Whether the rules were stopped by a hidden value outside the procedures in `waiting`."""
    return not outcome.sure and bool(outcome.where) and not all(
        found[: len(waiting)] == waiting for found in (outcome.where, active_calls(outcome.after)))


def find_outcome(foresight: Lookahead, outcome: LookaheadResult, waiting: Calls) -> Position | None:
    """Returns the position in which the action within the procedures `waiting` has ended, or None if it has not
    ended."""
    if (left := foresight.find_exit_position(outcome)) is not None:
        return left
    decision = outcome.decision
    if decision is None:
        return outcome.after if outcome.over else None
    return outcome.after if foresight.is_repeat(outcome) or active_calls(outcome.after)[: len(waiting)] != waiting else None


def compute_bounds(
    ways: Sequence[dict[ValueKey, ValueChange]],
    numeric: Callable[[ValueChange], bool],
    is_own: Callable[[ValueChange], bool],
    counted: Callable[[ValueChange], bool] = lambda change: False,
) -> dict[Certainty, list[ValueChange]]:
    """Returns the bounds of these outcomes, each given as its changes by value key.

    - `IN_ANY_CASE`: changes that are the same in all of them
    - `AT_LEAST`: numbers that change in all of them, each by the smallest amount
    - `UP_TO`: the player's own numbers that may rise, each by the largest amount

    `numeric` says whether a change is reported as an amount. `is_own` says whether it concerns the deciding player.
    `counted` says whether it is reported as a count."""
    surely: list[ValueChange] = []
    least: list[ValueChange] = []
    most: list[ValueChange] = []
    for place in sorted({place for way in ways for place in way}):
        changes = [way[place] for way in ways if place in way]
        one, everywhere = changes[0], len(changes) == len(ways)
        if everywhere and all(change.new == one.new for change in changes):
            surely.append(one)
        elif numeric(one) or counted(one) and everywhere:
            low, high = min(changes, key=new_value), max(changes, key=new_value)
            if numeric(one) and is_own(one) and high.new > one.old:
                most.append(high)
            elif everywhere and low.new > one.old:
                least.append(low)
            elif everywhere and high.new < one.old and numeric(one):
                least.append(high)                                 # a loss of what is only counted would be reported as the number left
    return {Certainty.IN_ANY_CASE: surely, Certainty.AT_LEAST: least, Certainty.UP_TO: most}


def iter_alternatives(ways: Sequence[dict[ValueKey, ValueChange]]) -> Iterator[list[ValueChange]]:
    """Yields, for each value, the changes of which every outcome brings exactly one, if they are few and equally
    large."""
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
    """Returns the new value of a numeric change."""
    return int(change.new)


def active_calls(position: Position) -> Calls:
    """Returns the procedures that are active at the current decision of a position, the outermost first."""
    return current_context(position.game.module, position.s).calls
