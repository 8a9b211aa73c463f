"""Checks that fast flood fills through sets give the same result as simple ones."""

from __future__ import annotations

import random

import pytest
from ludoglot.dsl.backend_python.runtime import flooded, spread

SIDE = 9
NEIGHBOURS = tuple(
    sum(1 << r * SIDE + c for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        if 0 <= r < SIDE and 0 <= c < SIDE)
    for row in range(SIDE) for column in range(SIDE))


@pytest.mark.parametrize("seed", range(5))
def test_an_incremental_flood_equals_a_new_one(seed: int):
    rng = random.Random(seed)
    recent = [(0, 0, 0)] * 4
    boards = [[0, 0] for _ in range(3)]                            # start and cells of three boards that take turns
    grown = 0
    for _ in range(600):
        board = rng.choice(boards)
        if rng.random() < 0.03:
            board[:] = [0, 0]                                      # a new game
        board[1] |= 1 << rng.randrange(SIDE * SIDE)
        if rng.random() < 0.1:
            board[0] |= 1 << rng.randrange(SIDE * SIDE)
        if rng.random() < 0.05:
            board[1] &= ~(1 << rng.randrange(SIDE * SIDE))         # a cell is removed
        start, cells = board
        wanted = spread(start & cells, cells, NEIGHBOURS)
        assert flooded(start, cells, NEIGHBOURS, recent) == wanted
        grown += wanted.bit_count() > 5
    assert grown > 50 and len(recent) == 4
