"""Effects of each routine: states read and written, calls, decisions. Orders callees before callers and
rejects recursion."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.nodes import (
    AfterCall,
    CallDef,
    CallProc,
    ChanceDecider,
    ChooseStmt,
    Const,
    CountOf,
    DrawStmt,
    Node,
    OccupiedCells,
    SeatDecider,
    Shuffle,
    StateRef,
    Stmt,
    Store,
)
from ..core.program import Program, Routine
from ..core.walk import target_state, walk, write_targets
from ..diagnostics.dependency_order import order_by_needs
from ..diagnostics.diagnostic import DiagnosticList
from ..types.types import MemberOf
from .results import EffectTable, RoutineEffects


def find_effects(program: Program, findings: DiagnosticList) -> EffectTable:
    """Returns the effects of every routine. Reports recursion, unused states and routines, and invalid uses of
    `after`."""
    found = EffectTable({routine: direct_effects(program, *routine.parts) for routine in program.routines})
    for routine, effect in found.of.items():
        effect.writes.update(routine.resets)
    _propagate_effects(found, findings)
    _check_trial_calls(program, found, findings)
    _report_unused(program, found, findings)
    return found


def direct_effects(program: Program, *parts: Node | Iterable[Node] | None) -> RoutineEffects:
    """Returns the direct effects of these trees, without their callees. An overwritten place also counts as read,
    except in `looks`."""
    found = RoutineEffects()
    only_set: set[Node] = set()
    only_tried: set[Node] = set()
    for node in walk(*parts):
        match node:
            case AfterCall(call=call):
                only_tried.add(call)
                found.tries.update(program.families[call.family].routines)
            case CallProc() if node in only_tried:
                pass
            case StateRef(state=state) | OccupiedCells(state=state):
                found.reads.add(state)
                if node not in only_set:
                    found.looks.add(state)
            case CallDef(family=name) | CallProc(family=name):
                found.calls.update(program.families[name].routines)
            case ChooseStmt(by=ChanceDecider()):
                found.draws = True
            case ChooseStmt(by=SeatDecider(who=who)):
                found.asks = True
                enum = program.model.enum_of(who.type.name) if isinstance(who.type, MemberOf) else None
                if enum is not None and enum.decides is not None and enum.decides in program.states:
                    found.reads.add(enum.decides)
            case DrawStmt() | Shuffle():
                found.draws = True
            case Store(target=CountOf(bag=place)) | Store(target=place):
                only_set.add(place)
        if isinstance(node, Stmt):
            found.writes.update(filter(None, map(target_state, write_targets(node))))
    return found


def _propagate_effects(effects: EffectTable, findings: DiagnosticList) -> None:
    """Adds the effects of callees to each routine and sets the order. Where the order is free, routines stay in
    declaration order."""
    effects.order, circles = order_by_needs({routine: effect.calls | effect.tries for routine, effect in effects.of.items()})
    for circle in circles:
        findings.add("R401", circle[0].place, names=" → ".join(routine.key for routine in circle))
    for effect in map(effects.of.__getitem__, effects.order):
        for callee in effect.calls | effect.tries:
            inner = effects.of[callee]
            effect.reads |= inner.reads
            if callee not in effect.calls:
                continue
            effect.writes |= inner.writes
            effect.asks |= inner.asks
            effect.draws |= inner.draws


def find_written_states(node: Node, program: Program, effects: EffectTable) -> list[str]:
    """Returns the states that this one statement writes, including through calls. Direct writes give one entry for
    each place."""
    if isinstance(node, CallProc):
        return sorted({state for routine in resolve_callees(program, node) for state in effects.of[routine].writes})
    return [state for place in write_targets(node) if (state := target_state(place)) is not None] if isinstance(node, Stmt) else []


def resolve_callees(program: Program, node: CallDef | CallProc) -> list[Routine]:
    """Returns the family entries that a call may reach: one if the case is a known member, else all."""
    family = program.families[node.family]
    if isinstance(node.case, Const):
        entry = family.entry(node.case.value)
        return [entry] if entry is not None else []
    return family.routines


def _check_trial_calls(program: Program, effects: EffectTable, findings: DiagnosticList) -> None:
    """Reports procedures called by `after` that ask a player or draw at random: `after` only tries them."""
    for routine in program.routines:
        for node in walk(*routine.parts):
            if isinstance(node, AfterCall) and any(
                effects.of[callee].asks or effects.of[callee].draws for callee in resolve_callees(program, node.call)
            ):
                findings.add("R403", node.call.at.place, name=node.call.family)


def _report_unused(program: Program, effects: EffectTable, findings: DiagnosticList) -> None:
    """Reports states that are never read or written and routines that are never called. Usually they are typos."""
    looks = {state for effect in effects.of.values() for state in effect.looks}
    writes = {state for effect in effects.of.values() for state in effect.writes}
    calls = {routine for effect in effects.of.values() for routine in effect.calls | effect.tries}
    named = {name for enum in program.model.enums.values() for name in (enum.decides, enum.numbered)}     # referenced from the data
    for state in program.states.values():
        if state.name not in looks and state.name not in named:
            findings.add("W101", state.at.place, name=state.name)
        elif state.name not in writes and state.name not in program.model.start and state.start is None:
            findings.add("W102", state.at.place, name=state.name)
    for family in program.families.values():
        if family.name != "game" and family.name not in named and calls.isdisjoint(family.routines):
            findings.add("W103", family.routines[0].place, name=family.name)
