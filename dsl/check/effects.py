"""What each routine reads, writes, calls and asks; callees before callers; nothing calls itself."""

from __future__ import annotations

from ..diagnostics import Findings, Place
from ..syntax import tree
from .scope import Family, Program, Routine, State
from .stmts import state_of, walk


def effects(program: Program, findings: Findings) -> None:
    """Fill reads, writes, calls, asks of every routine and `program.order`; a circle of calls is reported."""
    routines = [r for family in program.families.values() for r in family.routines] + program.always
    routines += [goal.routine for goal in program.goals.values()]
    for routine in routines:
        _own(routine, program)
    visiting: list[Routine] = []
    finished: set[Routine] = set()

    def visit(routine: Routine) -> None:
        if routine in finished:
            return
        if routine in visiting:
            circle = visiting[visiting.index(routine):] + [routine]
            findings.add("R401", routine.place, names=" → ".join(r.key for r in circle))
            return
        visiting.append(routine)
        for called in routine.calls:
            visit(called)
            routine.reads |= called.reads
            routine.writes |= called.writes
            routine.asks |= called.asks
            routine.draws |= called.draws
        visiting.pop()
        finished.add(routine)
        program.order.append(routine)

    for routine in routines:
        visit(routine)
    _unused(program, findings)


def _own(routine: Routine, program: Program) -> None:
    parts: list = [routine.value, routine.conditions, routine.body, routine.by]
    goal = program.goals.get(routine.name)
    if goal is not None and goal.routine is routine:
        parts = list(goal.values)
    routine.looks = _looks([part for part in parts if part is not None])
    for part in parts:
        if part is not None:
            _collect(part, routine, program)
    routine.writes.update(routine.resets)


def _collect(part: object, routine: Routine, program: Program) -> None:
    for node in walk(part):
        ref = getattr(node, "ref", None)
        if ref is not None and ref.kind == "state":
            routine.reads.add(ref.target)
        elif ref is not None and ref.kind == "family":
            routine.calls.update(_called(ref.target, node))
        if isinstance(node, tree.Name) and node.ref is not None and node.ref.kind == "state":
            routine.reads.add(node.ref.target)
        if isinstance(node, tree.Assign):
            routine.writes.update(_place(node.target))
        elif isinstance(node, tree.Move | tree.Draw):
            routine.writes.update(_place(node.source) | _place(node.target))
            routine.draws |= isinstance(node, tree.Draw)
        elif isinstance(node, tree.Shuffle):
            routine.writes.update(_place(node.target))
            routine.draws = True
        elif isinstance(node, tree.Swap):
            routine.writes.update(_place(node.one) | _place(node.other))
        elif isinstance(node, tree.Choose | tree.ChooseBlock | tree.Menu):
            decider = node.decider
            if isinstance(decider, tree.ByChance):
                routine.draws = True
            else:
                routine.asks = True
                if isinstance(decider, tree.BySeat):
                    found = decider.who.type
                    enum = program.model.enum_of(found.name) if hasattr(found, "name") else None
                    if enum is not None and enum.decides and enum.decides in program.states:
                        routine.reads.add(program.states[enum.decides])


def _looks(part: object) -> set[State]:
    """The states that something depends on: all it names but those that it only sets with `=`, `+=`, `-=`."""
    set_: set[int] = set()
    found: set[State] = set()
    for node in walk(part):
        if isinstance(node, tree.Assign):
            place: object = node.target
            while isinstance(place, tree.At):
                set_.add(id(place))
                place = place.parts[0]
            set_.add(id(place))
        ref = getattr(node, "ref", None)
        if ref is not None and ref.kind == "state" and id(node) not in set_:
            found.add(ref.target)
    return found


def written_by(node: object, program: Program) -> list[State]:
    """The states that this one statement writes, through calls too."""
    if isinstance(node, tree.Assign | tree.Shuffle):
        return list(_place(node.target))
    if isinstance(node, tree.Move | tree.Draw):
        return [*_place(node.source), *_place(node.target)]
    if isinstance(node, tree.Swap):
        return [*_place(node.one), *_place(node.other)]
    if isinstance(node, tree.Call):
        return list({state for routine in _called(node.ref.target, node) for state in routine.writes})
    return []


def _place(node: tree.Expr) -> set[State]:
    state = state_of(node)
    return {state} if state is not None else set()


def _called(family: Family, node: object) -> list[Routine]:
    """The entries that a call may reach: one where the case is a known member, else all."""
    case = getattr(node, "case", None)
    if case is None and isinstance(node, tree.Apply) and isinstance(node.parts[0], tree.At):
        case = node.parts[0].parts[1]
    if isinstance(case, tree.Name) and case.ref is not None and case.ref.kind == "member":
        found = family.entry(case.ref.target[1])
        return [found] if found else []
    return family.routines


def _unused(program: Program, findings: Findings) -> None:
    """States that nobody writes or reads, routines that nobody calls: usually a slip of the pen."""
    every = [r for family in program.families.values() for r in family.routines]
    every += [*program.always, *(goal.routine for goal in program.goals.values())]
    reads = {s for r in every for s in r.looks}
    writes = {s for r in every for s in r.writes}
    deciding = {e.decides for e in program.model.enums.values()}
    for state in program.states.values():
        if state not in reads and state.name not in deciding:
            findings.add("W101", Place.of(state.path, state.node.name), name=state.name)
        elif state not in writes and state.name not in program.model.start and state.node.init is None:
            findings.add("W102", Place.of(state.path, state.node.name), name=state.name)
    called = {r for r in every for c in [r.calls] for r in c}
    for family in program.families.values():
        if family.name != "game" and not any(r in called for r in family.routines):
            findings.add("W103", family.routines[0].place, name=family.name)
