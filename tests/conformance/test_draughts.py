"""English draughts turn by turn against pydraughts: the boards that can be reached are the same.

It writes a whole capture as one move, so what is compared is what lies on the board after it, whatever the order was. Its squares are
numbered from Black's side of the board, where ours has row 1. Its draws are not compared: it has no rule of so many moves without
a capture.
"""

from __future__ import annotations

import random

import pytest
from compiled import shared
from draughts import Board
from ludoglot.engine.position.position import Position
from ludoglot.engine.testing.lines import turned

Men = frozenset[tuple[str, str]]                                   # cell and piece


def cell(square: int) -> str:
    row, place = divmod(square - 1, 4)
    return f"{'hgfedcba'[2 * place + (row % 2 == 0)]}{row + 1}"


def outside(fen: str) -> Men:
    found = set()
    for side in fen.split(":")[1:]:
        owner = {"W": "white", "B": "black"}[side[0]]
        for square in filter(None, side[1:].split(",")):
            found.add((cell(int(square.lstrip("K"))), f"{owner}_{'king' if square.startswith('K') else 'man'}"))
    return frozenset(found)


def inside(position: Position) -> Men:
    return frozenset((where, piece) for where, piece in position["man"].items() if piece is not None)


def after(board: Board) -> dict[Men, object]:
    """The moves of who is to move, by what they leave on the board."""
    found = {}
    for move in board.legal_moves():
        board.push(move)
        found[outside(board.fen)] = move
        board.pop()
    return found


def side_by_side(seed: int) -> int:
    """One random game; gives its number of turns."""
    position, board, rng, count = shared("english-draughts").start(seed), Board(variant="english"), random.Random(seed), 0
    assert inside(position) == outside(board.fen)
    while not position.over:
        mine = {inside(reached): reached for reached, _ in turned(position, [])}
        theirs = after(board)
        assert set(mine) == set(theirs), f"seed {seed}, turn {count}: {board.fen}"
        chosen = rng.choice(sorted(mine, key=sorted))
        board.push(theirs[chosen])
        position, count = mine[chosen], count + 1
    assert not board.legal_moves() or position.value("quiet") == 40
    return count


def test_a_game_by_the_boards_they_reach():
    assert side_by_side(101) > 20


@pytest.mark.long
def test_twenty_games_by_the_boards_they_reach():
    for seed in range(20):
        side_by_side(seed)
