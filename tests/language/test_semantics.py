"""Compares compiled rules with the reference interpreter: shipped games, edge cases written by hand, and random rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ludoglot.dsl.core.program import Routine
from ludoglot.dsl.lowering import value_index
from ludoglot.dsl.types.types import MemberOf
from ludoglot.engine.position.position import Game, random_playout
from shared_games import shared

from .interpreter_comparison import duel, take_over
from .random_rules import Rules
from .reference_interpreter import Walker
from .toys import data_of, make

GAMES = [
    ("rules", "tic-tac-toe", 2, 9),
    ("rules", "connect-four", 2, 30),
    ("rules", "breakthrough", 2, 30),
    ("rules", "hex", 2, 20),
    pytest.param("rules", "hex", 2, 60, marks=pytest.mark.long),
    ("rules", "dominant-species", 2, 40),
    pytest.param("rules", "dominant-species", 2, 150, marks=pytest.mark.long),
    pytest.param("rules", "dominant-species", 4, 150, marks=pytest.mark.long),
    pytest.param("rules", "dominant-species", 6, 80, marks=pytest.mark.long),
    ("games", "parry", 3, 80),
]
DEFS = [
    "animals",
    "initiative",
    "earth",
    "frozen",
    "elements",
    "need",
    "match",
    "lives",
    "rivals",
    "crowd",
    "discs_at",
    "free_corners",
    "vacant",
    "glaciable",
    "dominant",
    "on_tundra",
    "survivor",
    "awake",
    "unmoved",
]


@pytest.mark.long_cases("rules-connect-four-2-30", "rules-breakthrough-2-30", "rules-hex-2-20", "rules-dominant-species-2-40")
@pytest.mark.parametrize("where, name, players, decisions", GAMES)
def test_shipped_games_walk_as_they_run(rules, toys, where, name, players, decisions):
    game = shared({"rules": rules, "games": toys}[where] / name, players)
    for seed in range(2):
        _, fault = duel(game, seed, decisions)
        assert fault is None


@pytest.mark.long
def test_defs_of_a_heavy_game_have_the_same_value_in_random_positions(rules):
    game = shared(rules / "dominant-species", 4)
    program, enums = game.ruleset.program, game.model.enums
    walker, rng = Walker(program), random.Random(4)
    position = game.start(4)
    for _ in range(6):
        random_playout(position, rng, 60)
        take_over(walker, position)
        s = position.s.copy()
        for name in DEFS:
            family = program.families[name]
            routine = family.routines[0]
            compiled = game.module.namespace.get(_function(game, routine))
            if compiled is None:  # a def that is inlined everywhere
                continue
            for _ in range(40 if routine.params else 1):
                values = [rng.randrange(len(enums[p.type.name])) for p in routine.params if isinstance(p.type, MemberOf)]
                found = walker.natural(compiled(s, *values), routine.type)
                assert found == walker.call(family, None, values), (name, values)


def _function(game: Game, routine: Routine) -> str:
    """Returns the name of the compiled function of a def, or "" if it has none."""
    return f"d_{routine.name}"


CORNERS = Path(__file__).with_name("corners.txt").read_text(encoding="utf-8")
STATES = CORNERS.split("\n== ")[0]
BODIES = dict(part.split("\n", 1) for part in CORNERS.split("\n== ")[1:])


@pytest.fixture(autouse=True)
def small_boards_are_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treats the toy board of six cells like a large board, so that it gets incremental indexes too."""
    monkeypatch.setattr(value_index, "MIN_INDEX_DOMAIN", 1)


@pytest.mark.long_cases("everything to where it is")
@pytest.mark.parametrize("name", BODIES)
def test_tricky_corners(name):
    body = "\n".join("    " + line for line in BODIES[name].strip().split("\n"))
    game = make(data_of("garden"), f"{STATES}\nphase game:\n{body}\n\nstanding player: n\n", 2)
    for seed in range(12):
        duel(game, seed)


def test_what_lies_on_an_open_board_begins_anew():
    """Resets by `per` work on an open board as on any other board."""
    rules = f"""{STATES}
state seen[Spot]: 0..3 per lap
state met[Colour, Spot]: bool per lap

phase game:
    for lap in 1..3: lap()

proc lap():
    n = n * 10 + size(cells(seen)) + count(x in Colour where met[x, pole])
    choose x in near(pole) by player_1 or stop
    seen[x] = 1
    met[red, pole] = true

standing player: n
"""
    game = make(data_of("garden"), rules, 2)
    _, fault = duel(game, 0)
    assert fault is None
    position = game.start(1)
    while position.decision:
        position.play(0, position.decision.options[0])
    assert position.raw_value("n") == 0


def random_rules(seed: int) -> None:
    game = make(data_of("garden"), Rules(seed).text, 2)
    for start in range(2):
        duel(game, start, 30)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30))
def test_random_rules(seed):
    random_rules(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30, 2000))
def test_many_random_rules(seed):
    random_rules(seed)
