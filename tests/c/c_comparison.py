"""Plays games in C and in Python side by side."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from ludoglot.dsl.backend_c.ffi import NativeContext, NativeLibrary, build_library
from ludoglot.dsl.backend_c.program import CProgram
from ludoglot.dsl.backend_c.toolchain import COMPILE_FLAGS, NativeBuild
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.storage.control_slots import OPTIONS
from ludoglot.engine.bots import selftest
from ludoglot.engine.bots.native import ALL_BOTS_DEFINE, NativeBots, bot_sources
from ludoglot.engine.position.position import Game
from ludoglot.engine.position.seeds import Seed

ROOT = Path(__file__).parent.parent.parent
GAMES = {path.parent.name: path.parent for folder in ("rules", "tests/games") for path in sorted(ROOT.glob(f"{folder}/*/game.yaml"))}
HEAVY = {"dominant-species", "evolution", "trias"}                 # a run compares fewer decisions of these
OPEN_BOARDS = {"trias", "drift"}                                   # these have no fixed number of actions


def compile_game(game: Game, flags: tuple[str, ...] = COMPILE_FLAGS) -> NativeBots:
    """Compiles a game and its bots. Fails if C does not support all of them."""
    program = CProgram(game.module.machine, game.players)
    text = bot_sources(program)
    assert ALL_BOTS_DEFINE in text, "C does not support the hidden states"
    found = build_library(NativeBuild(program.write(text), flags), program)
    assert found is not None, "the C compiler rejected the code"
    return NativeBots(found)


def compile_rules(game: Game) -> NativeLibrary:
    """Compiles a game without its bots and without optimizations, which is faster. C must support all of its rules."""
    program = CProgram(game.module.machine, game.players)
    found = build_library(NativeBuild(program.write(), (*COMPILE_FLAGS, "-O0")), program)
    assert found is not None, "these tests need a C compiler, called cc"
    return found


def load_random_variant(name: str, rng: random.Random) -> Game:
    """Returns a game with a random number of players and random option values that are compatible."""
    folder = ROOT / "rules" / name
    first = load_ruleset(folder).model
    while True:
        try:
            return Game(load_ruleset(folder, rng.randint(*first.player_range),
                             {option.name: rng.choice(option.values) for option in first.options.values()}))
        except RulesRejectedError:                                            # this option does not support the number of players
            continue


def compare_random_game(game: Game, c: NativeContext, seed: Seed, most: int) -> tuple[str | None, int]:
    """Returns the first difference in one random game, and the number of decisions. C must support the whole game."""
    return selftest.compare_random_game(game, c, seed, most, refusing=False)


def compare_bots_in_game(game: Game, c: NativeBots, seed: Seed, most: int, minds: Sequence[int], every: int = 1) -> tuple[str | None, int]:
    """Compares the bots in C and in Python in one random game.

    Returns the first difference and the number of comparisons. A difference is another choice, another amount of work, or another
    generator state afterwards. Bots think about one of every `every` decisions that leave a choice.
    """
    position, chance, number, compared = game.start(seed), random.Random(seed), 0, 0
    while not position.over and number < most:
        codes = position.s[OPTIONS]
        if len(codes) > 1 and number % every == 0:
            wrong = selftest.compare_bots(position, c, minds, seed, number, refusing=False)
            if wrong is not None:
                return wrong, compared
            compared += len(minds)
        position.step(codes[int(chance.random() * len(codes))])
        number += 1
    return None, compared
