"""Checks the perfect player of Connect Four, which judges `hard` in bench/perfect_play.py."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from ludoglot.dsl.backend_c.toolchain import find_compiler
from tmp_files import bench

# Positions with published scores, from the tests of Pascal Pons' solver.
SCORES = [("2252576253462244111563365343671351441", -1), ("7422341735647741166133573473242566", 1),
          ("23163416124767223154467471272416755633", 0), ("65214673556155731566316327373221417", -1)]


@pytest.fixture(scope="module")
def solver() -> Iterator[Any]:
    assert find_compiler() is not None, "these tests need a C compiler, called cc"
    with bench("perfect_play").Solver() as found:
        yield found


@pytest.mark.parametrize("played, score", SCORES)
def test_the_solver_finds_published_scores(solver, played, score):
    assert max(solver.score_columns(played).values()) == score


def test_the_solver_scores_every_column_that_is_not_full(solver):
    assert solver.score_columns(SCORES[1][0]) == {"1": -3, "2": 1, "5": -4, "6": 1}


def test_the_perfect_player_prefers_the_best_value(solver):
    script = bench("perfect_play")
    played = SCORES[1][0]
    possible = list(solver.score_columns(played))
    assert {script.reply(solver, played, possible, random.Random(n), 0) for n in range(8)} <= {("2", 1), ("6", 1)}
    assert script.reply(solver, "4", list("1234567"), random.Random(1), 0) == ("4", None)
