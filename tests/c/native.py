"""Games played in C and in Python side by side."""

from __future__ import annotations

import random
from pathlib import Path

from ludoglot.dsl.c.building import FLAGS, Building
from ludoglot.dsl.c.calling import Failed, Player, library
from ludoglot.dsl.c.module import Program
from ludoglot.dsl.findings.diagnostics import Refused
from ludoglot.dsl.python.runtime import RuleFault, below
from ludoglot.dsl.rulesets.ruleset import load
from ludoglot.dsl.storage.control import CONTROL, EVENTS, OPTIONS, PC, RANDOM, ROUND, SEAT
from ludoglot.engine.bots.bots import Thought
from ludoglot.engine.bots.chance import generator
from ludoglot.engine.bots.mcts import Search
from ludoglot.engine.bots.native import GREEDY, THINKS, Thinker, thoughts
from ludoglot.engine.position.position import Game, Position
from ludoglot.engine.position.seeds import Seed

ROOT = Path(__file__).parent.parent.parent
GAMES = {path.parent.name: path.parent for folder in ("rules", "tests/games") for path in sorted(ROOT.glob(f"{folder}/*/game.yaml"))}
HASHED = 16                           # one decision of so many at which digests are made even where all entries are equal
HEAVY = {"dominant-species", "evolution", "trias"}                 # fewer decisions of these are compared in each run


def in_c(game: Game, flags: tuple[str, ...] = FLAGS) -> Thinker:
    """A game compiled, its bots too; here it must not fail."""
    program = Program(game.module.machine, game.players)
    text = thoughts(program)
    assert THINKS in text, "something closed is not known to C"
    found = library(Building(program.write(text), flags), program)
    assert found is not None, "the C compiler refused"
    return Thinker(found)


def variant(name: str, rng: random.Random) -> Game:
    """The game for some number of players with some value for each option, as far as they go together."""
    folder = ROOT / "rules" / name
    first = load(folder).model
    while True:
        try:
            return Game(load(folder, rng.randint(*first.player_range),
                             {option.name: rng.choice(option.values) for option in first.options.values()}))
        except Refused:                                            # an option that is not for so many
            continue


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


def same_entries(one: Position, other: Position) -> bool:
    """Whether all is equal from which the canonical form and the digest are made: told without making them."""
    game, a, b = one.game, one.s, other.s
    if a[CONTROL:game.states_end] != b[CONTROL:game.states_end] or any(a[entry] != b[entry] for entry in (PC, RANDOM, ROUND, SEAT)):
        return False
    pc = a[PC]
    while pc in game.module.waits:                                 # in the frames: what is alive, and where each goes on
        wait = game.module.waits[pc]
        if a[wait.return_slot] != b[wait.return_slot] or any(a[alive.slot] != b[alive.slot] for alive in wait.live):
            return False
        pc = a[wait.return_slot]
    return True


def differs(c: Player, position: Position, hashed: bool = True) -> str | None:
    """In what a position in C differs from that in Python. Not `hashed`: digests are only made where entries are not equal one by one."""
    s = list(position.s)
    s[EVENTS] = None
    c.save(s)
    other = Position(position.game, s)
    same = same_entries(position, other)
    for what, one, two in (
        ("options", list(position.s[OPTIONS]), list(s[OPTIONS])),
        ("canonical form", *((0, 0) if same else (position.canonical(), other.canonical()))),
        ("digest", *((0, 0) if same and not hashed else (position.digest(), other.digest()))),
        ("standing", standing(position), values(c, 0)),
        ("estimates", estimates(position), values(c, 1)),
    ):
        if one != two:
            return f"{what}: {one} in Python, {two} in C"
    return None


def side_by_side(game: Game, c: Player, seed: Seed, most: int) -> tuple[str | None, int]:
    """What differs at some decision of one random game, and how many decisions were made."""
    position = game.new(seed)
    c.load(position.s)
    choices = list(game.module.initial)
    choices[RANDOM] = seed if isinstance(seed, int) else 1
    code, number = 0, 0
    while True:
        position.step(code)
        c.step(code)
        wrong = differs(c, position, number % HASHED == 0)
        if wrong is not None:
            return f"seed {seed}, decision {number}: {wrong}", number
        if position.over or number == most:
            return None, number
        codes = position.s[OPTIONS]
        code = codes[below(choices, len(codes))]
        number += 1


def thought(position: Position, mind: int, rng: random.Random) -> tuple[int, int]:
    """What a bot chooses in Python, and its work; `mind` as C calls it."""
    assert position.decision is not None
    seat = position.decision.seat
    thinks = Thought(position, seat, rng) if mind == GREEDY else Search(position, seat, rng, mind)
    return thinks.choose(), thinks.used


def thinks_otherwise(game: Game, c: Thinker, seed: Seed, most: int, minds: tuple[int, ...], every: int = 1) -> tuple[str | None, int]:
    """The first thing that a bot chooses otherwise in C, at some decision of one random game, or with another work, or leaving another
    generator behind; and how many decisions were compared. One decision of `every` that leave a choice is thought about."""
    position, chance, number, compared = game.start(seed), random.Random(seed), 0, 0
    while not position.over and number < most:
        codes = position.s[OPTIONS]
        if len(codes) > 1 and number % every == 0:
            for mind in minds:
                one, two = (generator(seed, position.s[SEAT], number) for _ in range(2))
                wanted, found = thought(position, mind, one), c.choose(position, mind, two)
                if wanted != found or one.getstate() != two.getstate():
                    return f"seed {seed}, decision {number}, bot {mind}: {wanted} in Python, {found} in C", compared
                compared += 1
        position.step(codes[int(chance.random() * len(codes))])
        number += 1
    return None, compared
