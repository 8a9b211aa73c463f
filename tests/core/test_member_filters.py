"""Checks that conditions on members become masks, and that they select the same members as a loop."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.backend_python.module import compile_module
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.ir import nodes as m
from ludoglot.dsl.ir.optimizations import ENVIRONMENT_VARIABLE
from ludoglot.dsl.ir.traversal import iter_statements
from ludoglot.dsl.lowering.module import ModuleLowering
from shared_games import shared

# Of each form of a condition, a def: from a table by member, from a table by number, and with another set.
DEFS = [("limit-holdem", "d_of_suit"), ("gin-rummy", "d_run_from"), ("limit-holdem", "d_goes_to")]


@pytest.mark.parametrize(("game", "name"), DEFS)
def test_a_condition_on_members_needs_no_loop(game: str, name: str, rules: Path):
    machine = ModuleLowering(shared(rules / game).ruleset.facts).lower_module()
    body = next(code.body for code in machine.functions if code.name == name)
    assert not any(isinstance(node, m.ForStmt) for node in iter_statements(body))


def test_a_number_beyond_all_members_selects_all_or_none(rules: Path, monkeypatch: pytest.MonkeyPatch):
    facts = load_ruleset(rules / "gin-rummy").facts
    filtered = compile_module(facts)
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, "member-filters")
    looped = compile_module(facts)
    every = (1 << 52) - 1
    for low in range(52):
        for n in (-20, -1, 0, 1, 3, 5, 12, 13, 14, 40):
            found = [form.namespace["d_run_from"]([], every, low, n) for form in (filtered, looped)]
            assert found[0] == found[1], (low, n)
