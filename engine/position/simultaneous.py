"""Decisions at the same time: the players of a loop `at once` may answer in any order.

A position keeps one order, that of the loop. So saves, scenarios, and bots know nothing of other orders. For a position at the
first decision of a loop, this module gives the decision of every player before anybody has answered:

    seats = list_simultaneous_seats(start)           the seats that may answer now
    turn = open_turn(start, seat)                    a position in which `seat` is asked, as if it came first
    turn.play(seat, option)                          after its last answer, the position asks another seat of the loop

The checks of loops `at once` guarantee that no answer depends on another one, and that every order leads to the same position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dsl.backend_python.runtime import LEFT, RuleFault, charge
from ...dsl.ir.limits import FREE_BLOCK_STEPS, MAX_STEPS_PER_DECISION
from ...dsl.ir.metadata import SimultaneousLoop
from ...dsl.storage.control_slots import ANSWER, FIRST_STATE_SLOT, OPTIONS, PC, SEAT
from .position import Game, Position


class SimultaneousTurn(Position):
    """The turn of a player in a loop `at once`. At its end, the position asks what `start` asks.

    The states are then those of `start`, with the answers of this player."""

    __slots__ = ("loop", "start")

    def __init__(self, game: Game, s: list[Any], loop: SimultaneousLoop, start: Position) -> None:
        super().__init__(game, s)
        self.loop, self.start = loop, start

    def copy(self) -> SimultaneousTurn:
        return SimultaneousTurn(self.game, self.s.copy(), self.loop, self.start)

    def step(self, code: int) -> Any:
        self.s[ANSWER] = code
        return self.run()

    def run(self) -> Any:
        """Runs to the next decision of the turn, or to its end. Returns the codes of the next decision."""
        codes = run_blocks(self.game, self.s, lambda s: bool(s[PC] == self.loop.head))
        return self.end() if codes is None else codes

    def end(self) -> Any:
        """Returns to the decision of `start`, and keeps the states."""
        s, states_end, memo_start = self.s, self.game.states_end, self.game.memo_start
        states, memos = s[FIRST_STATE_SLOT:states_end], s[memo_start:]
        s[:] = self.start.s
        s[FIRST_STATE_SLOT:states_end], s[memo_start:] = states, memos
        return s[OPTIONS]


def find_simultaneous_loop(position: Position) -> SimultaneousLoop | None:
    """Returns the loop `at once` that contains the pending decision, or None."""
    return next((wait.simultaneous for _, wait in position.iter_suspended_frames() if wait.simultaneous is not None), None)


def list_simultaneous_seats(start: Position) -> tuple[int, ...]:
    """Returns the seats that may answer now, in the order of the loop. `start` is a position at its first decision.

    The result is empty if there is no such loop, or if only one seat decides in it."""
    loop = find_simultaneous_loop(start)
    if loop is None:
        return ()
    members, following = start.s[loop.things.slot], start.s[loop.index.slot]
    if len(set(members)) < len(members):                           # the second turn of a player would depend on the first one
        return ()
    later = [seat for seat in members[following:] if open_turn(start, seat) is not None]
    return (start.s[SEAT], *later) if later else ()


def open_turn(start: Position, seat: int) -> Position | None:
    """Returns a position in which `seat` is asked as if it came first, or None if it decides nothing in the loop.

    `start` is a position at the first decision of the loop."""
    loop = find_simultaneous_loop(start)
    assert loop is not None
    if seat == start.s[SEAT]:
        return start.copy()
    turn = SimultaneousTurn(start.game, start.s.copy(), loop, start)
    turn.s[loop.things.slot], turn.s[loop.index.slot] = (seat, start.s[SEAT]), 0         # lookahead stops at the second one
    turn.s[PC] = loop.head
    try:
        turn.run()
    except RuleFault:                                              # reported when the turn comes
        return None
    return turn if turn.s[SEAT] == seat else None


def leaves_loop(position: Position, code: int) -> bool:
    """Whether a move ends the last turn of the loop `at once` that contains the pending decision."""
    loop = find_simultaneous_loop(position)
    assert loop is not None
    slots = position.s.copy()
    slots[ANSWER] = code
    return run_blocks(position.game, slots, lambda s: s[PC] == loop.head and s[loop.index.slot] >= len(s[loop.things.slot])) is None


def run_blocks(game: Game, s: list[Any], is_end: Callable[[list[Any]], bool]) -> Any:
    """Runs the rules to the next decision, like `Position.step`. Returns its codes, or None at the first loop head where `is_end` holds."""
    blocks = game.blocks
    LEFT[0] = MAX_STEPS_PER_DECISION
    out = blocks[s[PC]](s)
    while out is None:
        if is_end(s):
            return None
        charge(FREE_BLOCK_STEPS)
        out = blocks[s[PC]](s)
    return out
