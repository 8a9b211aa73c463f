"""What only simulated games keep is right: floods that lose cells too, words in variables, pairs as masks."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from ludoglot.dsl.compile.candidates import Pairs
from ludoglot.dsl.compile.module import ModuleWriter
from ludoglot.dsl.machine import nodes as m
from ludoglot.dsl.python.module import Simulation, made
from ludoglot.dsl.rulesets.ruleset import Ruleset, load
from ludoglot.dsl.storage.control import CONTROL

LOST = "        for other in near(cell) where stone[other] != none and stone[other] != player: stone[other] = none\n"


def games(ruleset: Ruleset, count: int = 6) -> list[object]:
    """Random games of at most thirty rounds: how they ended, and after how many decisions."""
    simulation, end, rng = ruleset.simulation(), ruleset.module.layout.states_end, random.Random(1)
    return [(s[8:end], many, ended) for s, many, ended in (simulation.run(seed, rng.random, 30) for seed in range(count))]


def test_floods_are_mended_where_cells_are_lost(rules: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hex"
    shutil.copytree(rules / "hex", folder)
    file = folder / "hex.rules"
    put_down = "        stone[cell] = player\n"
    file.write_text(file.read_text(encoding="utf-8").replace(put_down, put_down + LOST), encoding="utf-8")
    ruleset = load(folder)
    machine = ModuleWriter(ruleset.facts, uncut=True).write()
    (flood,) = [memo for memo in machine.memos if memo.build.endswith("_reached")]
    module = made(machine)
    states = ruleset.module.initial[CONTROL : ruleset.module.layout.states_end]
    module.initial[CONTROL : CONTROL + len(states)] = states
    module.prime()
    for seed in range(6):
        s, _, _ = Simulation(module.plain_game, module.initial).run(seed, random.Random(seed).random, 60)
        anew = s.copy()
        for memo in module.memos:
            if memo.build:
                module.namespace[memo.build](anew)
        assert any(s[flood.slot : flood.slot + 2]) and s[flood.slot : flood.slot + 2] == anew[flood.slot : flood.slot + 2]


def test_pairs_are_counted_and_not_listed(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Breakthrough no list of options is made; the games are those that are played with one."""
    ruleset = load(rules / "breakthrough")
    game = next(code for code in ModuleWriter(ruleset.facts, uncut=True).write().functions if code.name == "p_game")
    assert not any(isinstance(step, m.Set) and step.names == ("o",) and isinstance(step.value, m.Lst) for step in m.steps(game.body))
    counted = games(ruleset)
    monkeypatch.setattr(Pairs, "offered", lambda *_: None)
    assert games(ruleset) == counted
