"""Checks the order in which the conditions of a fold are tested."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from tmp_files import filled

DATA = "game: g\nname: G\nplayers: 2\nrules: [g.rules]\nenums:\n  Thing: [a, b, c, d, e, f]\n"


def compile_conditions(tmp_path: Path, conditions: str) -> str:
    ruleset = load_ruleset(filled(tmp_path, {"game.yaml": DATA, "g.rules":
        "state light[Thing]: bool\nstate heavy[Thing]: 0..9\n"
        "def laden(thing) = count(other in Thing where heavy[other] > heavy[thing]) > 2\n"
        "phase game:\n"
        f"    heavy[a] += count(one in Thing, two in Thing where {conditions})\n"
        "    choose thing in Thing by player_1: light[thing] = true\n"
        "standing player: 0\n"}))
    return ast.unparse(ast.fix_missing_locations(ruleset.module.tree()))


@pytest.mark.parametrize(("conditions", "inside"), [
    ("heavy[two] > 3 and laden(one)", True),                          # an expensive condition waits for the cheap one before it
    ("laden(one) and heavy[two] > 3", False),                         # but goes first if it is written first
])
def test_an_expensive_condition_does_not_overtake_a_cheap_one(tmp_path: Path, conditions: str, inside: bool):
    written = compile_conditions(tmp_path, conditions)
    assert (written.index("_two in range(6)") < written.index("if d_laden(")) == inside


def test_a_cheap_condition_comes_first_at_the_same_place(tmp_path: Path):
    written = compile_conditions(tmp_path, "laden(two) and heavy[two] > 3")
    assert written.index("> 3") < written.index("if d_laden(")
