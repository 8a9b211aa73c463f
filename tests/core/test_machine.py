"""Every machine that the compiler makes is sound, in all its forms; and what makes one unsound is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled import shared
from ludoglot.dsl.ir import builder as b
from ludoglot.dsl.ir import fuel
from ludoglot.dsl.ir import nodes as m
from ludoglot.dsl.ir.verify import verify
from ludoglot.dsl.lowering.explain_form import ReasonWriter
from ludoglot.dsl.lowering.module import ModuleWriter
from ludoglot.dsl.storage.control_slots import EVENTS

LINES = 69                           # of four cells, on a board of seven times six
ROOT = Path(__file__).parent.parent.parent
GAMES = sorted(path.parent for folder in ("rules", "tests/games") for path in ROOT.glob(f"{folder}/*/game.yaml"))


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_every_machine_is_sound(folder: Path):
    facts = shared(folder).ruleset.facts
    for machine in (ModuleWriter(facts).write(), ModuleWriter(facts, uncut=True).write(), ReasonWriter(facts).write()):
        assert verify(machine) == []


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_whatever_is_counted_leaves_it_sound(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Also where every loop and every function counts its steps, those of kept sets among them."""
    monkeypatch.setattr(fuel, "MUCH", 1)
    facts = shared(folder).ruleset.facts
    for uncut in (False, True):
        assert verify(ModuleWriter(facts, uncut=uncut).write()) == []


SPOILT = {
    "x is not set on every way": [m.If(m.Flag(True), [m.Set(("x",), m.Num(1))]), m.Return(m.Var("x"))],
    "y is not set on every way": [m.For(("y",), b.call("range", 3)), m.Return(m.Var("y"))],
    "there is no function nobody": [m.Do(b.call(m.Function("nobody"), b.POSITION))],
    "there is no constant C99999": [m.Return(m.Table("C99999"))],
    "Frame has no place": [m.Return(b.get(m.Frame(7)))],
    "Forget was not written out": [m.Forget("stone")],
    "the position has no word 99999": [m.Return(b.get(99999))],
    "a break outside a loop": [m.Break()],
    "nothing gets to Set": [m.Return(), m.Set(("x",), m.Num(1))],
}


@pytest.mark.parametrize("said", SPOILT)
def test_what_is_unsound_is_found(said: str):
    machine = ModuleWriter(shared("hex").ruleset.facts).write()
    machine.functions[0].body = list(SPOILT[said])
    assert any(line.endswith(said) for line in verify(machine)), verify(machine)


def test_where_nobody_listens_nothing_is_looked_for_that_is_only_told():
    """In Connect Four the search for the four that are told: all is done where events are heard, and nothing of it else. In a simulation
    nobody ever listens, so it is not even written."""
    facts = shared("connect-four").ruleset.facts
    machine = ModuleWriter(facts).write()
    heard = b.op(b.get(EVENTS), "is not", m.Nil())
    simulated = ModuleWriter(facts, uncut=True).write()
    assert not any(isinstance(step, m.If) and step.test == heard for code in simulated.functions for step in m.steps(code.body))

    def searches(body: m.Body) -> int:
        """Loops over the lines of the board, apart from what is done for those who listen."""
        return sum(isinstance(step, m.For) and isinstance(step.things, m.Table) and len(machine.values[step.things.name]) == LINES
                   for top in body for step in m.steps([top]) if not (isinstance(top, m.If) and top.test == heard))
    assert sum(searches(code.body) for code in machine.blocks) == 0
    assert any(top.test == heard and any(isinstance(step, m.For) for step in m.steps(top.body))
               for code in machine.blocks for top in m.steps(code.body) if isinstance(top, m.If))
