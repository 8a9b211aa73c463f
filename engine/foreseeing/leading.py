"""What an option may lead to by one's own next choices: the most that can come of it, as long as they belong to what is being done now.

Every way to go on is looked at, so that nothing else brings more: where there are too many of them, or where what is covered or somebody
else has a say before the end, there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...dsl.storage.control import ANSWER, EVENTS, RANDOM, SCRIPT
from ..position.midst import Call, midst
from ..position.position import Position
from .ahead import Ahead, Foresight

UNTOLD = {EVENTS, SCRIPT, ANSWER, RANDOM}                          # entries that make no difference to what comes next

Calls = tuple[Call, ...]


class TooMuch(Exception):
    """Not all ways to go on could be looked at."""


def ends(foresight: Foresight, ahead: Ahead, work: int) -> list[Position] | None:
    """The positions in which what is being done now may end by one's own choices alone; None where not all of them can be found, or where
    nothing is left to choose. It ends with the procedure, the action or the card in which is decided now, and before the same is asked
    again. `work`: when to stop, in steps of the game since the beginning."""
    waiting = waits(foresight.decision.position)
    seen: set[str] = set()

    def walk(so_far: Ahead) -> Iterator[Position]:
        if (left := foresight.left(so_far)) is not None:
            yield left
            return
        decision = so_far.decision
        if decision is None:
            if not so_far.over:
                raise TooMuch
            yield so_far.after
            return
        if waits(so_far.after)[: len(waiting)] != waiting or decision.seat == foresight.seat and decision.key == foresight.decision.key:
            yield so_far.after
            return
        if decision.seat != foresight.seat:
            raise TooMuch
        same = repr([raw for n, raw in enumerate(so_far.after.s) if n not in UNTOLD])
        if same in seen:
            return
        seen.add(same)
        for code in decision.codes:
            if foresight.work > work:
                raise TooMuch
            yield from walk(foresight.after(so_far, code))

    try:
        found = list(walk(ahead))
    except TooMuch:
        return None
    return found if seen else None


def waits(position: Position) -> Calls:
    """The procedures in the middle of which a position waits, the outermost first."""
    return midst(position.game.module, position.s).calls
