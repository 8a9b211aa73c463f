"""Checks that every game's core is sound, and that the verifier finds unsound code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from language.random_rules import RandomRules
from language.toys import data_of
from ludoglot.dsl.core import nodes as n
from ludoglot.dsl.core.program import Family, Program, Routine
from ludoglot.dsl.core.verify import verify_program
from ludoglot.dsl.core.walk import walk
from ludoglot.dsl.model.option_players import option_player_range
from ludoglot.dsl.types.types import BOOL, INT

from .load_core import core_from_folder, core_from_text, read_with_settings

HERE = Path(__file__).parent.parent
GAMES = sorted(path.parent for where in (HERE.parent / "rules", HERE / "games") for path in where.glob("*/game.yaml"))


@pytest.mark.long_cases("dominant-species", "evolution", "trias")
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_game_is_valid_for_few_and_many_players(folder):
    low, high = read_with_settings(folder)[0].player_range
    for players in {low, high}:
        assert verify_program(*core_from_folder(folder, players)) == []


@pytest.mark.long
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_game_is_valid_with_each_option(folder):
    source, usual = read_with_settings(folder)
    for name, option in source.data["options"].items():
        for value in option["values"]:
            players = (option_player_range(option, value) or source.player_range)[1]
            assert verify_program(*core_from_folder(folder, players, {**usual, name: value})) == []


@pytest.mark.long_cases("27", "28")
@pytest.mark.parametrize("seed", range(30))
def test_random_rules_are_valid(seed):
    assert verify_program(*core_from_text(data_of("garden"), RandomRules(seed).text, 2)) == []


RULES = """
state left[Player]: 0..9 = 3
state gone: 0..9

def rich(player) where:
    left[player] > 1
    any(other in Player where other != player: left[other] == 0)

def share[anna] = 2
def share[player: Player] = 1

proc give(player):
    let n = 0
    n += share[player]
    left[player] -= n
    move 1 from left[player] to gone
    tell given(player, n)

phase game:
    rounds until gone > 5:
        choose player in Player where left[player] > 0 by anna or stop
        give(player)
        if rich(player): left[player] -= 1

standing player: left[player]
"""
DATA = """
game: toy
name: Toy
players: 2..3
rules: [toy.rules]
enums:
  Player: [anna, bela, carla]
"""


@pytest.fixture
def program() -> Program:
    found, texts = core_from_text(DATA, RULES)
    assert verify_program(found, texts) == []
    return found


def replace_routine(program: Program, routine: Routine, other: Routine) -> None:
    """Replaces one routine."""
    family = program.families[routine.name]
    entries = {member: other if one is routine else one for member, one in family.entries.items()}
    program.families[routine.name] = replace(family, entries=entries, default=other if family.default is routine else family.default)


def get_routine(program: Program, name: str) -> Routine:
    return program.families[name].routines[0]


def change_statements(program: Program, name: str, change: Callable[[n.Stmt], n.Stmt]) -> None:
    """Changes the statements of a procedure, including those in the body of a statement."""

    def change_block(rows: n.Block) -> n.Block:
        found = []
        for row in rows:
            new = change(row)
            if isinstance(new, n.RoundsLoop):
                new = replace(new, body=change_block(new.body))
            found.append(new)
        return tuple(found)

    routine = get_routine(program, name)
    replace_routine(program, routine, replace(routine, body=change_block(routine.body)))


def list_problems(program: Program) -> str:
    return "\n".join(verify_program(program, {"toy/toy.rules": RULES}))


def test_a_local_outside_its_scope_is_found(program):
    (let,) = [node for node in walk(get_routine(program, "give").body) if isinstance(node, n.Let)]
    stray = n.LocalRef(let.value.at, let.local.type, let.local)
    wrong = n.PrimOp(stray.at, BOOL, ">", (stray, stray))
    change_statements(program, "game", lambda row: replace(row, until=wrong) if isinstance(row, n.RoundsLoop) else row)
    assert "n is not bound here" in list_problems(program)


def test_a_local_used_before_its_binding_is_found(program):
    routine = get_routine(program, "give")
    replace_routine(program, routine, replace(routine, body=routine.body[1:] + routine.body[:1]))
    assert "n is not bound here" in list_problems(program)


def test_a_local_bound_twice_is_found(program):
    routine = get_routine(program, "give")
    replace_routine(program, routine, replace(routine, body=routine.body[:1] + routine.body))
    assert "n is bound again where it is known" in list_problems(program)


def test_a_wrong_type_is_found(program):
    change_statements(program, "give", lambda row: replace(row, value=replace(row.value, value=7)) if isinstance(row, n.Let) else row)
    assert "Const is called 0 and gives None" in list_problems(program)


def test_an_operator_with_wrong_operands_is_found(program):
    routine = get_routine(program, "rich")
    test = routine.conditions[0].test
    assert isinstance(test, n.PrimOp)
    wrong = replace(test, op="and")
    replace_routine(program, routine, replace(routine, conditions=(replace(routine.conditions[0], test=wrong),)))
    assert "PrimOp is called bool and gives None" in list_problems(program)


def test_a_member_without_an_entry_is_found(program):
    family = program.families["share"]
    program.families["share"] = replace(family, default=None)
    assert "share lacks an entry" in list_problems(program)


def test_an_assignment_to_a_constant_is_found(program):
    fixed = get_routine(program, "give").params[0]
    change_statements(program, "give",
                      lambda row: replace(row, target=n.LocalRef(row.at, fixed.type, fixed)) if isinstance(row, n.Store) else row)
    assert "player is changed and not made for it" in list_problems(program)


def test_a_call_with_missing_arguments_is_found(program):
    change_statements(program, "game", lambda row: replace(row, args=()) if isinstance(row, n.CallProc) else row)
    assert "give is called with what it does not take" in list_problems(program)


def test_a_place_outside_the_file_is_found(program):
    change_statements(program, "give",
                      lambda row: replace(row, at=replace(row.at, end_column=999)) if isinstance(row, n.EmitEvent) else row)
    assert "lies outside its file" in list_problems(program)


def test_a_cycle_of_calls_is_found(program):
    routine = get_routine(program, "share")
    assert routine.value is not None
    here = n.Const(routine.value.at, program.families["give"].params[0].type, 0)
    replace_routine(program, routine, replace(routine, value=n.CallDef(routine.value.at, INT, "share", here, ())))
    assert "share[anna] is in a circle of calls, or calls into one" in list_problems(program)


def test_a_family_without_entries_is_found(program):
    program.families["none"] = Family("none", "def", None, {}, None)
    assert "none has no entry" in list_problems(program)
