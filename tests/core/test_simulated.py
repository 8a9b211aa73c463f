"""What only simulated games keep is right: floods that lose cells too, words in variables, pairs as masks."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from ludoglot.dsl.backend_python.module import GameSimulation, load_module
from ludoglot.dsl.game.ruleset import Ruleset, load_ruleset
from ludoglot.dsl.ir import nodes as m
from ludoglot.dsl.ir.traversal import iter_statements
from ludoglot.dsl.lowering.module import ModuleLowering
from ludoglot.dsl.lowering.pair_candidates import PairCandidates
from ludoglot.dsl.storage.control_slots import FIRST_STATE_SLOT

PUT = "        stone[cell] = player\n"
LOST = PUT + "        for other in near(cell) where stone[other] != none and stone[other] != player: stone[other] = none\n"
TWICE = "        if row(cell) < 3: stone[cell] = player\n" + PUT


def games(ruleset: Ruleset, count: int = 6) -> list[object]:
    """Random games of at most thirty rounds: how they ended, and after how many decisions."""
    simulation, end, rng = ruleset.build_simulation(), ruleset.module.layout.states_end, random.Random(1)
    return [(s[8:end], many, ended) for s, many, ended in (simulation.run(seed, rng.random, 30) for seed in range(count))]


@pytest.mark.long
@pytest.mark.parametrize("steps", [LOST, TWICE], ids=["cells are lost", "a cell is written twice"])
def test_what_is_kept_is_what_would_be_worked_out(rules: Path, tmp_path: Path, steps: str) -> None:
    """Who holds what, and what is reached through the cells that one holds."""
    folder = tmp_path / "hex"
    shutil.copytree(rules / "hex", folder)
    file = folder / "hex.rules"
    file.write_text(file.read_text(encoding="utf-8").replace(PUT, steps), encoding="utf-8")
    ruleset = load_ruleset(folder)
    machine = ModuleLowering(ruleset.facts, uncut=True).lower_module()
    kept = [memo.slot for memo in machine.memos if memo.build]      # the floods, and who holds what: none, and each of the two
    assert [memo.build for memo in machine.memos if memo.build] == ["k_stone_holders", "k_stone_reached"]
    module = load_module(machine)
    states = ruleset.module.initial[FIRST_STATE_SLOT : ruleset.module.layout.states_end]
    module.initial[FIRST_STATE_SLOT : FIRST_STATE_SLOT + len(states)] = states
    module.build_initial_sets()
    for seed in range(6):
        s, _, _ = GameSimulation(module.plain_game, module.initial).run(seed, random.Random(seed).random, 60)
        anew = s.copy()
        for memo in module.memos:
            if memo.build:
                module.namespace[memo.build](anew)
        for first, many in ((kept[0] + 1, 2), (kept[1], 2)):
            assert any(s[first : first + many]) and s[first : first + many] == anew[first : first + many]


@pytest.mark.long
def test_pairs_are_counted_and_not_listed(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Breakthrough no list of options is made; the games are those that are played with one."""
    ruleset = load_ruleset(rules / "breakthrough")
    game = next(code for code in ModuleLowering(ruleset.facts, uncut=True).lower_module().functions if code.name == "p_game")
    assert not any(
        isinstance(step, m.AssignStmt) and step.names == ("o",) and isinstance(step.value, m.ListDisplay)
        for step in iter_statements(game.body)
    )
    counted = games(ruleset)
    monkeypatch.setattr(PairCandidates, "find_offer", lambda *_: None)
    assert games(ruleset) == counted
