"""Checks the call stack of a position: suspended procedures, and the procedures that run while a slot is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.storage.control_slots import PC
from ludoglot.engine.position.call_stack import iter_active, iter_waiting, list_calls, rule_line
from ludoglot.engine.position.observed_slots import ObservedSlots
from ludoglot.engine.position.position import Game, Position
from tmp_files import filled

YAML = "game: g\nname: G\nplayers: 2\nrules: [g.rules]\n"
RULES = """state n: 0..5
state m: 0..5

phase game:
    choose k in 0..5 by player_1
    spend(k)
    choose again in 0..1 by player_1

proc spend(price: int):
    pay(price)
    m += 1

proc pay(price: int):
    choose yes in 0..1 by player_2
    add(price)

proc add(price: int): n += price

standing player: n
"""


@pytest.fixture
def position(tmp_path: Path) -> Position:
    found = Game(load_ruleset(filled(tmp_path, {"game.yaml": YAML, "g.rules": RULES}))).start(1)
    found.play(0, "k=3")
    return found


def test_suspended_procedures_are_listed_with_their_lines(position):
    module, lines = position.game.module, RULES.splitlines()
    stack = list(iter_waiting(module, position.s, position.s[PC]))
    assert [owner.routine.name for owner, _ in stack] == ["pay", "spend", "game"]
    assert [lines[rule_line(module, where)[1] - 1].strip() for _, where in stack] == [
        "choose yes in 0..1 by player_2", "pay(price)", "spend(k)"]
    assert [number for number, _ in position.iter_suspended_frames()] == [number for number, *_ in position.suspended_frame_values()]
    assert [wait for _, wait in position.iter_suspended_frames()] == [where for _, where in stack]
    assert position.suspended_frame_values()[0][1:] == (3,), "the price must be saved"


def test_a_new_position_has_no_suspended_procedures(position):
    fresh = position.game.new_position(1)
    assert fresh.suspended_frame_values() == ((fresh.s[PC],),) and not list(fresh.iter_suspended_frames())


@pytest.mark.parametrize("stored", [True, False])
def test_each_write_is_observed_with_the_procedures_that_run(position, stored):
    module, seen = position.game.module, {}
    slots = {position.game.cells[name].base: name for name in ("n", "m")}

    def record_write(key, value, frame):
        if key in slots:
            seen[slots[key]] = value, [call.name for call in list_calls(module, position.s, iter_active(module, position.s, frame))]
        return stored or key not in slots

    position.s = ObservedSlots(position.s, record_write)
    position.play(1, "yes=1")
    assert seen == {"n": (3, ["game", "spend", "pay", "add"]), "m": (1, ["game", "spend"])}
    assert (position.raw_value("n"), position.raw_value("m")) == ((3, 1) if stored else (0, 0))
    assert type(position.copy().s) is list
