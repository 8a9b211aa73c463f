"""Compares Backgammon with pyspiel: all boards that each turn can reach, and the value of the game at the end.

In pyspiel, both dice of a throw are one action, and a double is two turns of two. Here each move of a man is a decision. So the test
compares the boards at the end of a turn.

`x`, player 0 of pyspiel, moves in the direction of Ludoglot's Black. No deviation is known.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from ludoglot.engine.position.position import GameEvent, Position
from shared_games import shared

SCORING = {"single": "winloss_scoring", "gammons": "enable_gammons", "backgammons": "full_scoring"}
SEATS = ("white", "black")
POINTS = range(24)
BAR, OFF, SIDE = 192, 193, 3                                        # offsets in its tensor, which has one block per side
Board = tuple[Any, ...]


def our_board(position: Position) -> Board:
    """Returns the men of both seats on the points from 1 to 24, on the bar, and off."""
    men, off = position["men"], position["borne_off"]
    return tuple((tuple(men[f"p{n + 1}"].get(seat, 0) for n in POINTS), men["bar"].get(seat, 0), off[seat]) for seat in SEATS)


def their_board(state: Any) -> Board:
    held = state.observation_tensor(0)
    return tuple((tuple(state.board(side, n) for n in POINTS), int(held[side * SIDE + BAR]), int(held[side * SIDE + OFF]))
                 for side in (1, 0))


def list_throws(told: list[GameEvent]) -> list[tuple[int, int]]:
    found = [{name: value for name, _, value in event.slots} for event in told if event.key == "thrown"]
    return [(event["first"], event["second"]) for event in found]


def find_our_ends(position: Position) -> dict[Board, list[str]]:
    """Returns the boards that can end a turn, each with the moves of one path to it."""
    ends: dict[Board, list[str]] = {}
    seen, due = set(), [(position, list[str]())]
    while due:
        at, way = due.pop()
        assert at.decision is not None
        for option in at.decision.options:
            after = at.copy()
            told, path = after.play(at.decision.seat, option.spelling), [*way, option.spelling]
            if after.over or list_throws(told):
                ends[our_board(after)] = path
            elif (our_board(after), tuple(after["dice"])) not in seen:
                seen.add((our_board(after), tuple(after["dice"])))
                due.append((after, path))
    return ends


def find_their_ends(state: Any) -> dict[Board, Any]:
    ends, seen, due = {}, set(), [state]
    while due:
        at = due.pop()
        for action in at.legal_actions():
            after = at.child(action)
            if after.is_terminal() or after.is_chance_node():
                ends[their_board(after)] = after
            elif their_board(after) not in seen:                    # the second half of a double
                seen.add(their_board(after))
                due.append(after)
    return ends


def apply_throw(state: Any, dice: tuple[int, ...], starter: str = "") -> None:
    low, high = sorted(dice)
    wanted = {f"{starter}(roll: {low}{high})", f"{starter}(roll: {high}{low})"}
    state.apply_action(next(action for action, _ in state.chance_outcomes()
                            if state.action_to_string(-1, action).split(maxsplit=3)[-1] in wanted))


def compare_random_game(seed: int, scoring: str) -> int:
    """Plays one random game. Returns the number of compared turns."""
    position = shared("backgammon", 2, {"scoring": scoring}).start(seed)
    state = pyspiel.load_game("backgammon", {"scoring_type": SCORING[scoring]}).new_initial_state()
    rng, count = random.Random(seed), 0
    apply_throw(state, tuple(position["dice"]), "X starts, " if position["starter"] == "black" else "O starts, ")
    while position.decision is not None:
        assert state.current_player() == 1 - position.decision.seat
        mine, others = find_our_ends(position), find_their_ends(state)
        assert mine.keys() == others.keys(), f"seed {seed}, after {count} turns:\n{state}"
        board = rng.choice(sorted(mine))
        told = [event for spelling in mine[board] for event in position.play(position.decision.seat, spelling)]
        state, count = others[board], count + 1
        for n, dice in enumerate(list_throws(told)):
            if n:                                                   # the previous throw allowed no move
                while not state.is_chance_node():
                    assert len(state.legal_actions()) == 1 and find_their_ends(state).keys() == {their_board(state)}
                    state.apply_action(state.legal_actions()[0])
            apply_throw(state, dice)
    assert state.is_terminal()
    worth = {rank.seat: rank.values[0] for rank in position.standing()}
    assert [worth[1] - worth[0], worth[0] - worth[1]] == state.returns()
    return count


LONG_CASES = [pytest.param(n, list(SCORING)[n % 3], marks=pytest.mark.long) for n in range(22) if n != 8]


@pytest.mark.parametrize("seed, scoring", [(8, "backgammons"), *LONG_CASES])
def test_every_turn_reaches_the_same_boards_in_both_engines(seed, scoring):
    assert compare_random_game(seed, scoring) > 20


@pytest.mark.long
def test_the_first_throw_is_not_a_double_and_the_higher_die_begins():
    game = shared("backgammon", 2)
    for seed in range(40):
        position = game.start(seed)
        first, second = position["dice"]
        assert first != second and position["starter"] == ("white" if first > second else "black")
