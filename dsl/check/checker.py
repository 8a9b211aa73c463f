"""Runs the checker: first all declarations, then all bodies.

Diagnostics are collected. The program can be used if none of them is an error."""

from __future__ import annotations

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..model.model import GameModel
from ..syntax import tree
from ..types.types import BOOL, BROKEN, Bool, Int
from .declare import DeclarationPass
from .expressions import ExpressionChecker
from .scope import CheckedProgram, RoutineDecl, Scope
from .statements import StatementChecker


def check_rules(model: GameModel, files: list[tuple[str, list[tree.Node]]], findings: DiagnosticList) -> CheckedProgram:
    """Checks the rule files of a game: resolves every name and types every expression.

    `files` holds the displayed path and the declarations of each file."""
    declare = _run_declaration_pass(model, files, findings)
    try:
        _check_all_bodies(declare, findings)
    except RecursionError:                                         # hundreds of defs in one call chain
        findings.add("R402", SourceSpan(model.path))
    return declare.program


def check_defs(model: GameModel, files: list[tuple[str, list[tree.Node]]], findings: DiagnosticList) -> ExpressionChecker:
    """Checks declarations, initial values of states, and defs, but no procedures.

    The returned checker can check more expressions. It serves queries from outside, such as scenarios."""
    declare = _run_declaration_pass(model, files, findings)
    exprs = ExpressionChecker(model, declare.program, declare.names, findings)
    _check_def_bodies(exprs)
    return exprs


def check_procedures(
    model: GameModel, files: list[tuple[str, list[tree.Node]]], findings: DiagnosticList, changed: set[int]
) -> CheckedProgram:
    """Checks only the procedures whose syntax trees are in `changed`, by identity.

    All other parts must already have passed the check with this model."""
    declare = _run_declaration_pass(model, files, findings)
    stmts = StatementChecker(ExpressionChecker(model, declare.program, declare.names, findings))
    for family in declare.program.families.values():
        for routine in family.routines:
            if routine.kind != "def" and id(routine.node) in changed:
                stmts.check_routine(routine)
    return declare.program


def _run_declaration_pass(model: GameModel, files: list[tuple[str, list[tree.Node]]], findings: DiagnosticList) -> DeclarationPass:
    """Collects the declarations of all files."""
    declare = DeclarationPass(model, findings)
    for path, items in files:
        declare.declare_file(items, path)
    declare.finish()
    return declare


def _check_def_bodies(exprs: ExpressionChecker) -> None:
    """Checks the bodies of defs and the initial values of states."""
    for routine in exprs.program.list_routines():
        if routine.kind == "def" and routine not in exprs.done:
            exprs.open.append(routine)
            exprs.check_def_body(routine)
            exprs.open.pop()
    for state in exprs.program.states.values():
        if state.node.init is not None:
            scope = Scope(state.path, _placeholder_routine(state.path))
            found = exprs.expect(state.node.init, scope, state.type)
            if isinstance(found, Int) and isinstance(state.type, Int) and not _may_fit_range(found, state.type):
                exprs.error("R201", scope, state.node.init, found=found, wanted=state.type)


def _check_all_bodies(declare: DeclarationPass, findings: DiagnosticList) -> None:
    """Checks the bodies of defs, procedures, goals, and invariants."""
    program, model = declare.program, declare.model
    exprs = ExpressionChecker(model, program, declare.names, findings)
    stmts = StatementChecker(exprs)
    _check_def_bodies(exprs)
    for routine in program.list_routines():
        if routine.kind != "def":
            stmts.check_routine(routine)
    for goal in program.goals.values():
        scope = Scope(goal.path, goal.routine, {goal.subject.name: goal.subject})
        for value in goal.values:
            found = exprs.infer(value, scope)
            if not isinstance(found, Int | Bool) and found is not BROKEN:
                exprs.error("R201", scope, value, found=found, wanted="int")
    for routine in program.always:
        assert routine.value is not None
        exprs.expect(routine.value, Scope(routine.path, routine), BOOL)
    _check_game_phase(program, findings)


def _may_fit_range(found: Int, wanted: Int) -> bool:
    """Whether the ranges overlap, so that a value of `found` may be within `wanted`."""
    return (found.high is None or wanted.low is None or found.high >= wanted.low) and (
        found.low is None or wanted.high is None or found.low <= wanted.high)


def _placeholder_routine(path: str) -> RoutineDecl:
    """Returns a placeholder routine, for expressions outside of routines."""
    return RoutineDecl("def", "", None, [], None, path, "")


def _check_game_phase(program: CheckedProgram, findings: DiagnosticList) -> None:
    """Checks that `game` is a phase without cases and parameters."""
    family = program.families.get("game")
    if family is None or not family.routines:
        return
    if family.params or family.domain or family.kind != "proc" or family.routines[0].kind != "phase":
        findings.add("R115", family.routines[0].place)
