"""Checks that you can switch off each optimization of the compiler, and that games stay the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import Ruleset, load_ruleset
from ludoglot.dsl.ir.optimizations import ENVIRONMENT_VARIABLE, OPTIMIZATIONS, is_enabled
from ludoglot.dsl.lowering.module import ModuleLowering
from ludoglot.engine.position.position import Game

# For each optimization, a game that uses it.
GAME_BY_OPTIMIZATION = {
    "incremental-sets": "tic-tac-toe",
    "value-index": "connect-four",
    "delta-conditions": "connect-four",
    "member-filters": "gin-rummy",
    "recent-ways": "corridors",
    "static-tables": "oware",
}


def play(ruleset: Ruleset, seed: int) -> list[object]:
    """Returns the moves and position hashes of a random game."""
    position, rng, course = Game(ruleset).start(seed), random.Random(seed), list[object]()
    while not position.over and len(course) < 80:
        option = rng.choice(position.decision.options)
        position.step(option.code)
        course.append((option.spelling, hash(position)))
    return course


def compile_to_text(ruleset: Ruleset) -> str:
    """Returns the compiled functions and blocks as text."""
    machine = ModuleLowering(ruleset.facts).lower_module()
    return repr([*machine.functions, *machine.blocks])


def test_every_optimization_has_a_game_that_uses_it() -> None:
    assert set(GAME_BY_OPTIMIZATION) == set(OPTIMIZATIONS)


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        is_enabled("loop-unrolling")


@pytest.mark.parametrize("name", [*OPTIMIZATIONS, "all"])
def test_games_are_the_same_without_the_optimization(name: str, rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [GAME_BY_OPTIMIZATION[name]] if name in GAME_BY_OPTIMIZATION else sorted({*GAME_BY_OPTIMIZATION.values()})
    for folder in (rules / game for game in games):
        usual, rare = load_ruleset(folder), load_ruleset(folder)
        text = compile_to_text(usual)
        expected = [play(usual, seed) for seed in (1, 2)]
        with monkeypatch.context() as patch:
            patch.setenv(ENVIRONMENT_VARIABLE, name)
            assert compile_to_text(rare) != text, f"{name} changes nothing in {folder.name}"
            assert [play(rare, seed) for seed in (1, 2)] == expected, folder.name
