"""Checks that the IR of every game is sound in all its forms, and that the verifier finds unsound IR."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.ir import builder as b
from ludoglot.dsl.ir import fuel
from ludoglot.dsl.ir import nodes as m
from ludoglot.dsl.ir.traversal import iter_statements
from ludoglot.dsl.ir.verify import verify
from ludoglot.dsl.lowering.explain_form import ExplainModuleLowering
from ludoglot.dsl.lowering.module import ModuleLowering
from ludoglot.dsl.storage.control_slots import EVENTS
from shared_games import shared

LINE_COUNT = 69                      # of four cells, on a board of seven by six
ROOT = Path(__file__).parent.parent.parent
GAMES = sorted(path.parent for folder in ("rules", "tests/games") for path in ROOT.glob(f"{folder}/*/game.yaml"))


@pytest.mark.long_cases(
    "backgammon", "chess", "cribbage", "dominant-species", "evolution", "hearts", "international-draughts", "scopa", "snapszer",
    "trias", "food-chain", "masquerade", "orchard-floor",
)
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_the_ir_of_every_game_is_valid(folder: Path):
    facts = shared(folder).ruleset.facts
    for machine in (ModuleLowering(facts).lower_module(), ExplainModuleLowering(facts).lower_module()):
        assert verify(machine) == []


@pytest.mark.long_cases("chess", "dominant-species", "evolution", "go", "international-draughts", "scopa", "trias", "food-chain")
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_ir_that_counts_every_step_is_valid(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Covers the IR in which every loop and function counts its steps, including those of incremental sets."""
    monkeypatch.setattr(fuel, "CHARGE_THRESHOLD", 1)
    assert verify(ModuleLowering(shared(folder).ruleset.facts).lower_module()) == []


INVALID_BODIES = {
    "x is not set on every way": [m.IfStmt(m.BoolConst(True), [m.AssignStmt(("x",), m.IntConst(1))]), m.ReturnStmt(m.Var("x"))],
    "y is not set on every way": [m.ForStmt(("y",), b.call("range", 3)), m.ReturnStmt(m.Var("y"))],
    "there is no function nobody": [m.ExprStmt(b.call(m.FunctionRef("nobody"), b.POSITION))],
    "there is no constant C99999": [m.ReturnStmt(m.ConstantRef("C99999"))],
    "FrameAddr has no place": [m.ReturnStmt(b.load_slot(m.FrameAddr(7)))],
    "InvalidateMemos was not written out": [m.InvalidateMemos("stone")],
    "the position has no word 99999": [m.ReturnStmt(b.load_slot(99999))],
    "a break outside a loop": [m.BreakStmt()],
    "nothing gets to AssignStmt": [m.ReturnStmt(), m.AssignStmt(("x",), m.IntConst(1))],
}


@pytest.mark.parametrize("said", INVALID_BODIES)
def test_the_verifier_finds_invalid_ir(said: str):
    machine = ModuleLowering(shared("hex").ruleset.facts).lower_module()
    machine.functions[0].body = list(INVALID_BODIES[said])
    assert any(line.endswith(said) for line in verify(machine)), verify(machine)


def test_code_for_events_runs_only_if_they_are_received():
    """In Connect Four, the search for the four connected discs only serves an event. It runs completely if somebody receives events, and
    not at all otherwise.
    """
    machine = ModuleLowering(shared("connect-four").ruleset.facts).lower_module()
    heard = b.binary_op(b.load_slot(EVENTS), "is not", m.NoneConst())

    def count_line_loops(body: m.Body) -> int:
        """Counts loops over the lines of the board, without code that runs only for receivers of events."""
        return sum(isinstance(step, m.ForStmt) and isinstance(step.things, m.ConstantRef)
                   and len(machine.values[step.things.name]) == LINE_COUNT
                   for top in body for step in iter_statements([top]) if not (isinstance(top, m.IfStmt) and top.test == heard))
    assert sum(count_line_loops(code.body) for code in machine.blocks) == 0
    assert any(top.test == heard and any(isinstance(step, m.ForStmt) for step in iter_statements(top.body))
               for code in machine.blocks for top in iter_statements(code.body) if isinstance(top, m.IfStmt))
