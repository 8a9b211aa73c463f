"""The checker: declarations, then bodies. All findings are collected; the program is usable when none is an error."""

from __future__ import annotations

from ..diagnostics.diagnostic import Findings, Place
from ..model.model import Model
from ..syntax import tree
from ..types.types import BOOL, BROKEN, Bool, Int
from .declare import Declare
from .expressions import Exprs
from .scope import Declared, Routine, Scope
from .statements import Stmts


def check(model: Model, files: list[tuple[str, list[tree.Node]]], findings: Findings) -> Declared:
    """Resolve every name and type every expression of a game's rule files ((shown path, declarations) each)."""
    declare = _declared(model, files, findings)
    try:
        _bodies(declare, findings)
    except RecursionError:                                         # hundreds of defs, each calling the next
        findings.add("R402", Place(model.path))
    return declare.program


def check_defs(model: Model, files: list[tuple[str, list[tree.Node]]], findings: Findings) -> Exprs:
    """What can be asked of a game from outside: its declarations, and its states and defs checked. Procedures are let be."""
    declare = _declared(model, files, findings)
    exprs = Exprs(model, declare.program, declare.names, findings)
    _defs(exprs)
    return exprs


def check_procedures(model: Model, files: list[tuple[str, list[tree.Node]]], findings: Findings, changed: set[int]) -> Declared:
    """As check, of these procedures alone (their trees, by identity), where all else has been found right in this model before."""
    declare = _declared(model, files, findings)
    stmts = Stmts(Exprs(model, declare.program, declare.names, findings))
    for family in declare.program.families.values():
        for routine in family.routines:
            if routine.kind != "def" and id(routine.node) in changed:
                stmts.routine(routine)
    return declare.program


def _declared(model: Model, files: list[tuple[str, list[tree.Node]]], findings: Findings) -> Declare:
    declare = Declare(model, findings)
    for path, items in files:
        declare.file(items, path)
    declare.finish()
    return declare


def _defs(exprs: Exprs) -> None:
    """First values of states, and defs."""
    for family in exprs.program.families.values():
        for routine in family.routines:
            if routine.kind == "def":
                if routine not in exprs.done:
                    exprs.open.append(routine)
                    exprs.definition(routine)
                    exprs.open.pop()
    for state in exprs.program.states.values():
        if state.node.init is not None:
            scope = Scope(state.path, _nobody(state.path))
            found = exprs.want(state.node.init, scope, state.type)
            if isinstance(found, Int) and isinstance(state.type, Int) and not _inside(found, state.type):
                exprs.error("R201", scope, state.node.init, found=found, wanted=state.type)


def _bodies(declare: Declare, findings: Findings) -> None:
    program, model = declare.program, declare.model
    exprs = Exprs(model, program, declare.names, findings)
    stmts = Stmts(exprs)
    _defs(exprs)
    for family in program.families.values():
        for routine in family.routines:
            if routine.kind != "def":
                stmts.routine(routine)
    for goal in program.goals.values():
        scope = Scope(goal.path, goal.routine, {goal.player.name: goal.player})
        for value in goal.values:
            found = exprs.of(value, scope)
            if not isinstance(found, Int | Bool) and found is not BROKEN:
                exprs.error("R201", scope, value, found=found, wanted="int")
    for routine in program.always:
        assert routine.value is not None
        exprs.want(routine.value, Scope(routine.path, routine), BOOL)
    _game(program, findings)


def _inside(found: Int, wanted: Int) -> bool:
    """Whether no value of `found` is surely outside `wanted`."""
    return (found.high is None or wanted.low is None or found.high >= wanted.low) and (
        found.low is None or wanted.high is None or found.low <= wanted.high)


def _nobody(path: str) -> Routine:
    return Routine("def", "", None, [], None, path, "")


def _game(program: Declared, findings: Findings) -> None:
    family = program.families.get("game")
    if family is None or not family.routines:
        return
    if family.params or family.domain or family.kind != "proc" or family.routines[0].kind != "phase":
        findings.add("R115", family.routines[0].place)
