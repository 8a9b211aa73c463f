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

from .interpreter_comparison import compare_with_interpreter, copy_position
from .random_rules import RandomRules
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
    ("games", "causeways", 2, 10),
    pytest.param("games", "causeways", 2, 60, marks=pytest.mark.long),
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
def test_shipped_games_match_the_interpreter(rules, toys, where, name, players, decisions):
    game = shared({"rules": rules, "games": toys}[where] / name, players)
    for seed in range(2):
        _, fault = compare_with_interpreter(game, seed, decisions)
        assert fault is None


@pytest.mark.long
def test_defs_of_a_heavy_game_match_the_interpreter(rules):
    game = shared(rules / "dominant-species", 4)
    program, enums = game.ruleset.program, game.model.enums
    walker, rng = Walker(program), random.Random(4)
    position = game.start(4)
    for _ in range(6):
        random_playout(position, rng, 60)
        copy_position(walker, position)
        s = position.s.copy()
        for name in DEFS:
            family = program.families[name]
            routine = family.routines[0]
            compiled = game.module.namespace.get(function_name(game, routine))
            if compiled is None:  # a def that is inlined everywhere
                continue
            for _ in range(40 if routine.params else 1):
                values = [rng.randrange(len(enums[p.type.name])) for p in routine.params if isinstance(p.type, MemberOf)]
                found = walker.natural(compiled(s, *values), routine.type)
                assert found == walker.call(family, None, values), (name, values)


def function_name(game: Game, routine: Routine) -> str:
    """Returns the name of the compiled function of a def, or "" if it has none."""
    return f"d_{routine.name}"


EDGE_CASES = Path(__file__).with_name("corners.txt").read_text(encoding="utf-8")
STATES = EDGE_CASES.split("\n== ")[0]
BODIES = dict(part.split("\n", 1) for part in EDGE_CASES.split("\n== ")[1:])


@pytest.fixture(autouse=True)
def index_small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treats the toy board of six cells like a large board, so that it gets incremental indexes too."""
    monkeypatch.setattr(value_index, "MIN_INDEX_DOMAIN", 1)


@pytest.mark.long_cases("everything to where it is")
@pytest.mark.parametrize("name", BODIES)
def test_edge_cases_match_the_interpreter(name):
    body = "\n".join("    " + line for line in BODIES[name].strip().split("\n"))
    game = make(data_of("garden"), f"{STATES}\nphase game:\n{body}\n\nstanding player: n\n", 2)
    for seed in range(12):
        compare_with_interpreter(game, seed)


def test_states_of_an_open_board_are_reset():
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
    _, fault = compare_with_interpreter(game, 0)
    assert fault is None
    position = game.start(1)
    while position.decision:
        position.play(0, position.decision.options[0])
    assert position.raw_value("n") == 0


@pytest.mark.long
@pytest.mark.random_seeds(400)
def test_random_rules_match_the_interpreter(seed):
    game = make(data_of("garden"), RandomRules(seed).text, 2)
    for start in range(2):
        compare_with_interpreter(game, start, 30)
