"""Walks through the rules from the beginning of the game, in the order in which they
run, and notes where each clause is first cited.

The walk opens a section for each phase and for each member that has a procedure of its own. If the rules
loop over all members, these sections follow in member order. If a player picks a member, such as a card
that is played, the sections go to ONE_BY_ONE."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from ...dsl.core import nodes
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import walk
from ...dsl.model.model import GameModel
from ...dsl.types.types import MemberOf

COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
BEFORE, COURSE, END, ONE_BY_ONE = "before", "course", "end", "one_by_one"


@dataclass(eq=False)
class RuleSection:
    """A phase (`domain` is empty) or a member with procedures of its own. `number` says when the walk reached it."""

    stage: str
    name: str = ""
    domain: str = ""
    number: int = 0
    parent: RuleSection | None = None
    closed: bool = False                                           # unreachable with the reader's choices
    parts: list[RuleSection] = field(default_factory=list)

    def is_within(self, other: RuleSection) -> bool:
        """Whether this section is the other one or lies inside it."""
        return self is other or self.parent is not None and self.parent.is_within(other)


@dataclass(frozen=True)
class ClauseHit:
    """A place where the walk met a clause, or a routine that belongs to a clause family.

    - `number` and `section`: when and where
    - `opens`: the section belongs to the routine itself
    - `aside`: only option values that are not set lead there
    - `closed`: only option values, or a number of players, that the reader excluded lead there"""

    name: str
    number: int
    section: RuleSection
    opens: bool
    aside: bool
    closed: bool


class RuleWalk:
    """The walk through one program.

    - `clauses`: every clause, each time it is met
    - `families`: every routine that belongs to a clause family
    - `stages`: the top section of each stage
    - `chosen`: the game options that the reader fixed
    - `counted`: whether the reader fixed the number of players"""

    def __init__(self, program: Program, chosen: Collection[str] = (), counted: bool = False) -> None:
        self.program, self.model = program, program.model
        self.chosen, self.counted = chosen, counted
        self.clauses: list[ClauseHit] = []
        self.families: list[ClauseHit] = []
        self.stages = {stage: RuleSection(stage) for stage in (BEFORE, COURSE, END, ONE_BY_ONE)}
        self.number = 0
        self.aside = self.closed = 0
        self.stage_of: dict[str, set[str]] = {}                    # the stages in which the walk entered each procedure
        self.seen: dict[tuple[Routine, tuple[str, int] | None], bool] = {}     # True: unreachable so far, walked again later
        self.going: list[tuple[str, int] | None] = [None]          # the member whose routine is being walked
        self.bound: set[nodes.LocalVar] = set()                       # loop variables over all members of an enum
        self.section = self.stages[COURSE]

    def run(self) -> RuleWalk:
        """Runs the whole walk: the set-up, the main loop, what follows it, the standing, and the remaining routines."""
        for routine in self.program.families["game"].routines if "game" in self.program.families else ():
            self.note_clauses(routine.cites)
            self.seen[routine, None] = False
            for stage, statement in iter_staged_statements(routine.body):
                self.section = self.stages[stage]
                if stage == COURSE and isinstance(statement, nodes.RoundsLoop):
                    self.walk_main_loop(statement)
                else:
                    self.walk_node(statement)
        self.section = self.stages[END]
        for goal in self.program.goals.values():
            if goal.key == "standing":
                self.walk_routine(goal)
                self.note_clauses(tuple(self.find_clauses_in(goal)))
        self.section = self.stages[COURSE]
        for routine in self.program.routines:
            self.walk_routine(routine)
        self.section = self.stages[BEFORE]                         # initial values of states
        for state in self.program.states.values():
            self.note_clauses(state.cites)
        return self

    def walk_main_loop(self, loop: nodes.RoundsLoop) -> None:
        """Walks the main loop. Its own clauses come after those inside it, and its end condition belongs to the end of
        the game."""
        for part in (loop.gen, loop.where, loop.body):
            self.walk_node(part)
        self.note_clauses(loop.cites)
        self.section = self.stages[END]
        self.walk_node(loop.until)

    def find_clauses_in(self, routine: Routine) -> Iterator[str]:
        """Yields the clauses cited anywhere on the lines of a routine."""
        for clause, places in self.program.cited.items():
            if any(place.path == routine.path and routine.at.line <= place.line <= routine.at.end_line for place in places):
                yield clause

    def is_setup_only(self, name: str) -> bool:
        """Whether a procedure belongs to the set-up only."""
        return self.stage_of.get(name) == {BEFORE}

    # ------------------------------------------------------------ notes

    def note_clauses(self, cites: tuple[str, ...]) -> None:
        """Records that the walk met these clauses."""
        for clause in cites:
            self.number += 1
            self.clauses.append(ClauseHit(clause, self.number, self.section, False, self.aside > 0, self.closed > 0))

    def note_family(self, routine: Routine, opens: bool) -> None:
        """Records that a routine of a clause family runs here."""
        self.number += 1
        if routine.family is not None:
            self.families.append(ClauseHit(routine.family, self.number, self.section, opens, self.aside > 0, self.closed > 0))

    # ------------------------------------------------------------ walking

    def walk_routine(self, routine: Routine, separate: bool = False) -> None:
        """Walks a routine the first time it is met. A routine of a member is walked once for each member."""
        key = (routine, self.going[-1] if self.depends_on_member(routine) else None)
        if key in self.seen and self.seen[key] <= (self.closed > 0) or routine.case is not None and self.going[-1] is None:
            return
        self.seen[key] = self.closed > 0
        self.stage_of.setdefault(routine.name, set()).add(self.section.stage)
        before = self.section
        if routine.kind == "phase" and routine.name != "game":
            self.section = self.open_section(routine.name)
        elif routine.member is not None and routine.kind == "proc":
            domain = self.program.families[routine.name].domain or ""
            self.section = self.open_section(self.model.enums[domain].members[routine.member], domain, separate)
        own = routine.kind == "proc" and self.program.families[routine.name].domain is not None
        self.note_family(routine, own or routine.kind == "phase")
        self.note_clauses((*routine.cites, *routine.value_cites))
        for part in routine.parts:
            self.walk_node(part)
        self.section = before

    def depends_on_member(self, routine: Routine) -> bool:
        """Whether the path through a routine depends on the member whose procedure is being walked."""
        here = self.going[-1]
        if here is None or routine.case is not None:
            return here is not None
        calls = (node for node in walk(*routine.parts) if isinstance(node, nodes.CallProc | nodes.CallDef))
        return any(self.program.families[call.family].domain == here[0] and not isinstance(call.case, nodes.Const) for call in calls)

    def open_section(self, name: str, domain: str = "", separate: bool = False) -> RuleSection:
        """Returns the section of a phase or a member. A new one is added here if there is none."""
        known = next(
            (one for stage in self.stages.values() for one in iter_sections(stage) if (one.name, one.domain) == (name, domain)), None
        )
        if known is not None:
            known.closed = known.closed and self.closed > 0
            return known
        parent = self.stages[ONE_BY_ONE] if separate else self.section
        while domain and parent.domain == domain and parent.parent is not None:          # members of a type are never nested
            parent = parent.parent
        made = RuleSection(parent.stage, name, domain, self.number, parent, self.closed > 0)
        parent.parts.append(made)
        return made

    def walk_node(self, node: Any) -> None:
        """Walks a statement, an expression or a part of one, in source order."""
        if isinstance(node, tuple):
            for part in sorted(node, key=is_guard):                 # guards come after the normal course
                self.walk_node(part)
            return
        if not isinstance(node, nodes.Node) or isinstance(node, nodes.AfterCall):      # `after` only looks ahead, nothing happens
            return
        self.note_clauses(getattr(node, "cites", ()))
        if isinstance(node, nodes.GeneratorBinding) and isinstance(node.source, nodes.AllMembers):
            self.bound.add(node.local)
        if isinstance(node, nodes.IfChain):
            self.walk_branches(node)
            return
        for part in fields(node):
            if part.name not in ("at", "type", "cites"):
                self.walk_node(getattr(node, part.name))
        if isinstance(node, nodes.CallProc | nodes.CallDef):
            self.walk_call(node)

    def walk_branches(self, node: nodes.IfChain) -> None:
        """Walks the branches of an `if`. Branches that the options exclude are marked."""
        aside, closed = self.aside, self.closed
        before = [False, False]                                    # an earlier branch is taken: by settings, by choice
        for arm in (*node.arms, None):
            said = (
                [None, None]
                if arm is None
                else [
                    evaluate_condition(arm.test, self.model, self.model.settings, True),
                    evaluate_condition(arm.test, self.model, self.chosen, self.counted),
                ]
            )
            self.aside, self.closed = aside + (before[0] or said[0] is False), closed + (before[1] or said[1] is False)
            self.walk_node(arm if arm is not None else node.other or ())
            before = [taken or one is True for taken, one in zip(before, said)]
        self.aside, self.closed = aside, closed

    def walk_call(self, node: nodes.CallProc | nodes.CallDef) -> None:
        """Walks the routines that a call may run. If the called member is unknown, these are the routines of all
        members."""
        family = self.program.families[node.family]
        if family.domain is None or node.case is None:
            for routine in [family.default] if family.default is not None else family.routines[:1]:
                self.walk_routine(routine)
            return
        members = self.model.enums[family.domain].members
        here = self.going[-1]
        if isinstance(node.case, nodes.Const):
            chosen, apart = [node.case.value], False
        elif here is not None and here[0] == family.domain:
            chosen, apart = [here[1]], False
        else:
            chosen = list(range(len(members)))
            apart = not (isinstance(node.case, nodes.LocalRef) and node.case.local in self.bound)
        for member in chosen:
            entry = family.entry(member)
            if entry is None:
                continue
            self.going.append((family.domain, member))
            self.walk_member_routine(entry, family.domain, members[member], apart)
            self.going.pop()

    def walk_member_routine(self, entry: Routine, domain: str, member: str, separate: bool) -> None:
        """Walks the routine for one member. The default routine runs in that member's section too."""
        before = self.section
        if entry.member is None and entry.kind == "proc" and self.program.families[entry.name].entries:
            self.section = self.open_section(member, domain, separate)
        self.walk_routine(entry, separate)
        self.section = before


def is_guard(node: Any) -> bool:
    """Whether a statement only ends the procedure under some condition."""
    return isinstance(node, nodes.IfChain) and node.other is None and all(
        len(arm.body) == 1 and isinstance(arm.body[0], nodes.StopProc) for arm in node.arms)


def iter_staged_statements(body: nodes.Block) -> Iterator[tuple[str, nodes.Stmt]]:
    """Yields the statements of the game with their stages: the main loop is the
    course, the others come before it or after it."""
    loops = [n for n, one in enumerate(body) if isinstance(one, nodes.RoundsLoop)]
    loops = loops or [n for n, one in enumerate(body) if isinstance(one, nodes.RepeatLoop | nodes.ForEach)]
    first = loops[0] if loops else -1
    for n, statement in enumerate(body):
        yield COURSE if n == first or first < 0 else BEFORE if n < first else END, statement


def iter_sections(section: RuleSection) -> Iterator[RuleSection]:
    """Yields a section and all sections in it."""
    yield section
    for part in section.parts:
        yield from iter_sections(part)


def evaluate_condition(test: nodes.Expr, model: GameModel, chosen: Collection[str], counted: bool) -> bool | None:
    """Returns the value of a condition that depends only on the game options in `chosen` and, if `counted`, on the
    number of players. Returns None if these do not decide it."""
    match test:
        case nodes.OptionValue():
            value = model.settings.get(test.name) if test.name in chosen else None
            return value if isinstance(value, bool) else None
        case nodes.PrimOp(op="==" | "!=", args=(nodes.OptionValue(name=name), nodes.Const(type=MemberOf(name=domain), value=member))):
            if name not in chosen:
                return None
            return (str(model.settings[name]) == model.enums[domain].members[member]) == (test.op == "==")
        case nodes.PrimOp(op=op, args=(nodes.PrimOp(op="size", args=(nodes.AllMembers(domain=domain),)), nodes.Const(value=n))) \
                if counted and op in COMPARISONS and model.enums[domain].kind == "player":
            return bool(COMPARISONS[op](model.players, n))
        case nodes.PrimOp(op="not"):
            said = evaluate_condition(test.args[0], model, chosen, counted)
            return None if said is None else not said
        case nodes.PrimOp(op="and" | "or"):
            parts = [evaluate_condition(one, model, chosen, counted) for one in test.args]
            sure = test.op == "or"
            return sure if sure in parts else None if None in parts else not sure
    return None
