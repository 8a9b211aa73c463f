"""Games played in C and in Python side by side."""

from __future__ import annotations

from pathlib import Path

from ludoglot.dsl.c.building import FLAGS, Building
from ludoglot.dsl.c.calling import Failed, Player, player
from ludoglot.dsl.c.module import Program
from ludoglot.dsl.python.runtime import RuleFault, below
from ludoglot.dsl.storage.control import EVENTS, OPTIONS, RANDOM
from ludoglot.engine.position.position import Game, Position

ROOT = Path(__file__).parent.parent.parent
GAMES = {path.parent.name: path.parent for folder in ("rules", "tests/games") for path in sorted(ROOT.glob(f"{folder}/*/game.yaml"))}
HEAVY = {"dominant-species", "evolution", "trias"}                 # fewer decisions of these are compared in each run


def in_c(game: Game, flags: tuple[str, ...] = FLAGS) -> Player:
    """A game compiled; here it must not fail."""
    program = Program(game.module.machine, game.players)
    found = player(Building(program.write(), flags), program)
    assert found is not None, "the C compiler refused"
    return found


def standing(position: Position) -> list[tuple[int, ...]] | None:
    """The standing of all seats; None where the rules fail, as they may before everything is set up."""
    try:
        return [tuple(int(value(position.s, seat)) for value in position.game.module.standing) for seat in range(position.game.players)]
    except RuleFault:
        return None


def estimates(position: Position) -> list[tuple[int, ...]] | None:
    try:
        return [(position.estimate(seat),) for seat in range(position.game.players)]
    except RuleFault:
        return None


def values(c: Player, which: int) -> list[tuple[int, ...]] | None:
    """The same in C."""
    try:
        return c.values(which)
    except Failed:
        return None


def differs(c: Player, position: Position) -> str | None:
    """In what a position in C differs from that in Python."""
    s = list(position.s)
    s[EVENTS] = None
    c.save(s)
    other = Position(position.game, s)
    for what, one, two in (
        ("options", list(position.s[OPTIONS]), list(s[OPTIONS])),
        ("canonical form", position.canonical(), other.canonical()),
        ("digest", position.digest(), other.digest()),
        ("standing", standing(position), values(c, 0)),
        ("estimates", estimates(position), values(c, 1)),
    ):
        if one != two:
            return f"{what}: {one} in Python, {two} in C"
    return None


def side_by_side(game: Game, c: Player, seed: int, most: int) -> tuple[str | None, int]:
    """What differs at some decision of one random game, and how many decisions were made."""
    position = game.new(seed)
    c.load(position.s)
    choices = list(game.module.initial)
    choices[RANDOM] = seed
    code, number = 0, 0
    while True:
        position.step(code)
        c.step(code)
        wrong = differs(c, position)
        if wrong is not None:
            return f"seed {seed}, decision {number}: {wrong}", number
        if position.over or number == most:
            return None, number
        codes = position.s[OPTIONS]
        code = codes[below(choices, len(codes))]
        number += 1
