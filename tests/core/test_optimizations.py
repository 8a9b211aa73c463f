"""Each optimisation of the compiler can be switched off, and the games stay the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import Ruleset, load_ruleset
from ludoglot.dsl.ir.optimizations import ENVIRONMENT_VARIABLE, OPTIMIZATIONS, is_enabled
from ludoglot.dsl.lowering.module import ModuleLowering
from ludoglot.engine.position.position import Game

# For each optimisation, a game in which it is used.
USES = {
    "incremental-sets": "tic-tac-toe",
    "value-index": "connect-four",
    "delta-conditions": "connect-four",
    "pair-candidates": "breakthrough",
    "incremental-flood": "hex",
    "static-tables": "oware",
    "register-promotion": "tic-tac-toe",
}


def simulate(ruleset: Ruleset) -> list[object]:
    """Returns the end and the number of decisions of a few games in the direct-style form."""
    simulation, end, rng = ruleset.build_simulation(), ruleset.module.layout.states_end, random.Random(1)
    return [(s[8:end], many, ended) for s, many, ended in (simulation.run(seed, rng.random, 30) for seed in range(4))]


def play(ruleset: Ruleset, seed: int) -> list[object]:
    """Returns the moves and position hashes of a random game in the form with blocks."""
    position, rng, course = Game(ruleset).start(seed), random.Random(seed), list[object]()
    while not position.over and len(course) < 80:
        option = rng.choice(position.decision.options)
        position.step(option.code)
        course.append((option.spelling, hash(position)))
    return course


def compile_forms(ruleset: Ruleset) -> str:
    """Returns the compiled functions of both forms as text."""
    return repr([ModuleLowering(ruleset.facts, uncut=uncut).lower_module().functions for uncut in (False, True)])


def test_every_optimisation_has_a_game_that_uses_it() -> None:
    assert set(USES) == set(OPTIMIZATIONS)


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        is_enabled("loop-unrolling")


@pytest.mark.parametrize("name", [*OPTIMIZATIONS, "all"])
def test_games_are_the_same_without_it(name: str, rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [rules / USES[name]] if name in USES else [rules / game for game in sorted({*USES.values()})]
    for folder in folders:
        usual, rare = load_ruleset(folder), load_ruleset(folder)
        text = compile_forms(usual)
        expected = [simulate(usual), *(play(usual, seed) for seed in (1, 2))]
        with monkeypatch.context() as patch:
            patch.setenv(ENVIRONMENT_VARIABLE, name)
            assert compile_forms(rare) != text, f"{name} changes nothing in {folder.name}"
            assert [simulate(rare), *(play(rare, seed) for seed in (1, 2))] == expected, folder.name
