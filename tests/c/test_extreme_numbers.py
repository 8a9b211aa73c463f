"""Checks that extreme numbers and mutated rules behave the same in C and in Python, faults included. `bench/c_mutants.py` plays
thousands.
"""

from __future__ import annotations

import sys

import pytest
from extreme_games import find_difference, run_trial
from ludoglot.dsl.backend_c.toolchain import find_compiler
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game
from tmp_files import bench

GAME = """
game: ends
name: Ends
players: 2
rules: [ends.rules]
enums:
  Player: {name: player, members: {ann: {name: ann}, bea: {name: bea}}}
  Colour: [red, blue]
"""
STATES = """
state n: int
state big: 0..2147483648 = 2147483648
state l2: list of Colour
state little: 0..126
state small: 0..127
state wide: 0..32767
state wider: 0..2147483647
state stops: 0..127 saturating
state b: bag of Colour
state l: list of int
state perhaps: int?

phase game:
    choose x in 0..3 by ann or stop
"""
END = """    choose y in 0..3 by bea or stop
    n = y

standing player: n
"""
CASES = {
    "a number that no state holds": "little = 127",
    "the number that its state just holds": "small = 127\n    small -= 127",
    "one too many": "small = 127\n    small += 1",
    "one too few": "small -= 1",
    "a state of sixteen bits": "wide = 32767\n    if x > 1: wide += 1",
    "a state of thirty-two bits": "wider = 2147483647\n    if x > 1: wider += 1",
    "a number that stops at its end": "stops += big * big\n    stops -= 1000",
    "a number that stops at its beginning": "stops -= big * big\n    stops += 5",
    "the largest number of C": "n = big * big - 1 + big * big\n    n += x",
    "the least number of C": "n = 0 - big * big - big * big\n    n -= x",
    "a number for C and more": "n = big * big * 8\n    n -= big * big * 8",
    "a product beyond C": "n = big * 4 * (x + 1)\n    n = n * n",
    "a comparison beyond C": "if 0 - x < big * big * 2: n = 1",
    "the least number where there might be none": "perhaps = 0 - big * big - big * big + x\n    if perhaps == none: n = 5",
    "division that goes down": "n = (0 - 7 - x) // 2 + (0 - 7) % (x + 1)",
    "division by a negative number": "n = (7 + x) // (0 - 2) + 7 % (0 - 3 - x)",
    "division by zero": "n = 7 // x",
    "what is left by zero": "n = 7 % x",
    "the least number divided": "n = (0 - big * big - big * big) // (0 - 1 - x)",
    "a heavy bag": "repeat 20: b[red] += 500000000\n    b[blue] += 999999999\n    draw up to 1 from b to l2",
    "an extreme of extremes": "n = max(0 - big * big, min(big * big, x))",
    "a long list": "l = list(k in 1..90000: k)\n    n = size(l)",
    "a list that is too long": "l = list(k in 1..90000: k)\n    l += l",
    "a list out of its end": "l = list(k in 1..9: k)\n    n = l[x * 4]",
    "a long list the other way round": "l = reversed(list(k in 1..90000: k))\n    n = l[x]",
    "a sum of many": "for k in 1..100000 - x: n += k * k * big",
    "a chance of many": "choose y in 0..19999 by chance:\n        n = y",
}


@pytest.fixture(autouse=True)
def require_compiler():
    assert find_compiler() is not None, "these tests need a C compiler, called cc"


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_extreme_numbers_behave_the_same(case, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "ends.rules").write_text(f"{STATES}    {CASES[case]}\n{END}")
    found = find_difference(Game(load_ruleset(tmp_path)))
    assert found is None or found.startswith("not in C"), found


@pytest.mark.parametrize("number", [pytest.param(n, marks=pytest.mark.long) if n > 2 else n for n in range(40)])
def test_mutated_rules_behave_the_same(number, tmp_path):
    what, end, wrong = run_trial(f"shared {number}", tmp_path)
    assert end != "differs", f"{what}: {wrong}"


def test_the_mutation_benchmark_runs_as_a_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["c_mutants.py", "--trials", "1", "--game", "tic-tac-toe"])
    with pytest.raises(SystemExit) as end:
        bench("c_mutants").main()
    assert not end.value.code and capsys.readouterr().out.startswith("1 trials: 1 ")
