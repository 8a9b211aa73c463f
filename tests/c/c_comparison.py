"""Games played in C and in Python side by side."""

from __future__ import annotations

import random
from pathlib import Path

from ludoglot.dsl.backend_c.ffi import NativeContext, build_library
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
HEAVY = {"dominant-species", "evolution", "trias"}                 # fewer decisions of these are compared in each run


def in_c(game: Game, flags: tuple[str, ...] = COMPILE_FLAGS) -> NativeBots:
    """A game compiled, its bots too; here it must not fail."""
    program = CProgram(game.module.machine, game.players)
    text = bot_sources(program)
    assert ALL_BOTS_DEFINE in text, "something closed is not known to C"
    found = build_library(NativeBuild(program.write(text), flags), program)
    assert found is not None, "the C compiler refused"
    return NativeBots(found)


def variant(name: str, rng: random.Random) -> Game:
    """The game for some number of players with some value for each option, as far as they go together."""
    folder = ROOT / "rules" / name
    first = load_ruleset(folder).model
    while True:
        try:
            return Game(load_ruleset(folder, rng.randint(*first.player_range),
                             {option.name: rng.choice(option.values) for option in first.options.values()}))
        except RulesRejectedError:                                            # an option that is not for so many
            continue


def side_by_side(game: Game, c: NativeContext, seed: Seed, most: int) -> tuple[str | None, int]:
    """What differs at some decision of one random game, and how many decisions were made. C must be able to do all of it."""
    return selftest.compare_random_game(game, c, seed, most, refusing=False)


def thinks_otherwise(game: Game, c: NativeBots, seed: Seed, most: int, minds: tuple[int, ...], every: int = 1) -> tuple[str | None, int]:
    """The first thing that a bot chooses otherwise in C, at some decision of one random game, or with another work, or leaving another
    generator behind; and how many decisions were compared. One decision of `every` that leave a choice is thought about."""
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
