"""Checks loops `at once`: the players answer in any order, and nobody learns an answer before all have answered.

    for player in Player at once: pass_cards(player)

The check follows the loop through all calls. It knows the locals that hold the player of the turn ("own" locals). A turn
may change only entries of that player that the others do not see. It may not read such entries of another player.
So every order of the turns leads to the same position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..core.nodes import (
    CallDef,
    CallProc,
    ChooseStmt,
    CountOf,
    DrawStmt,
    EmitEvent,
    Expr,
    ForEach,
    Let,
    LocalRef,
    LocalVar,
    Node,
    OccupiedCells,
    RoundsLoop,
    SeatDecider,
    Shuffle,
    StateRef,
    Stmt,
    StopProc,
)
from ..core.program import Program, Routine, State
from ..core.walk import walk, write_targets
from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from .effects import resolve_callees

SealedChoices = dict[ChooseStmt, frozenset[str]]


def find_sealed_choices(program: Program, findings: DiagnosticList) -> SealedChoices:
    """Returns the choices in loops `at once`, with the hidden states that these loops write. Reports loops in which the
    order of the turns could matter.

    The other players must not see the values that are chosen there, even if they come from an open set."""
    found: SealedChoices = {}
    for routine in program.routines:
        for node in walk(*routine.parts):
            if isinstance(node, ForEach) and node.at_once:
                check = SimultaneousLoopCheck(program, findings)
                check.check(node)
                for choice in check.choices:
                    found[choice] = found.get(choice, frozenset()) | check.written
    return found


@dataclass
class SimultaneousLoopCheck:
    """The check of one loop. `reads` are the entries that are not certainly the player's own, with their places."""

    program: Program
    findings: DiagnosticList
    choices: list[ChooseStmt] = field(default_factory=list)
    written: frozenset[str] = frozenset()
    reads: list[tuple[str, SourceSpan]] = field(default_factory=list)
    visited: set[tuple[Routine, frozenset[LocalVar]]] = field(default_factory=set)
    reported: set[tuple[str, SourceSpan]] = field(default_factory=set)

    def check(self, loop: ForEach) -> None:
        """Checks the loop with everything that it calls."""
        for node in walk(loop.body):
            if isinstance(node, StopProc) or isinstance(node, ChooseStmt) and node.stop:
                self.report("R331", node.at.place, hint="stop_in_a_procedure", what="`stop`")
        self.follow(loop.body, {loop.gens[0].local}, bound_locals(loop.body))
        for state, place in self.reads:
            if state in self.written and ("R332", place) not in self.reported:
                self.report("R333", place, name=state)
        if not self.choices:
            self.report("R334", loop.at.place)

    def follow(self, parts: Iterable[Node], own: set[LocalVar], inner: set[LocalVar] | None = None) -> None:
        """Checks the statements and expressions of one routine. `own` are the locals that hold the player of the turn.

        `inner` are the locals that each turn has for itself. None means all of them."""
        for node in walk(parts):
            match node:
                case Let(local=local, value=LocalRef(local=other)) if other in own and not local.mutable:
                    own.add(local)
                case StateRef(state=name, index=index):
                    if not is_own_entry(self.program.states[name], index, own):
                        self.reads.append((name, node.at.place))
                case OccupiedCells(state=name):
                    self.reads.append((name, node.at.place))
                case CallDef() | CallProc():
                    self.follow_call(node, own)
                case ChooseStmt():
                    self.check_choice(node, own)
                case DrawStmt() | Shuffle():
                    self.report("R331", node.at.place, hint="chance_outside", what="`draw`" if isinstance(node, DrawStmt) else "`shuffle`")
                case EmitEvent():
                    self.report("R331", node.at.place, hint="tell_afterwards", what="`tell`")
                case RoundsLoop():
                    self.report("R331", node.at.place, hint="loop_with_an_end", what="`rounds`")
                case ForEach(at_once=True, gens=(gen,)):
                    own.add(gen.local)
                    self.report("R331", node.at.place, hint="one_after_the_other", what="`at once`")
            if isinstance(node, Stmt) and not isinstance(node, DrawStmt | Shuffle):
                self.check_writes(node, own, inner)

    def follow_call(self, node: CallDef | CallProc, own: set[LocalVar]) -> None:
        """Follows a call into all routines that it may run."""
        for routine in resolve_callees(self.program, node):
            pairs = [*zip(routine.params, node.args), *([(routine.case, node.case)] if routine.case is not None else [])]
            given = frozenset(local for local, value in pairs if isinstance(value, LocalRef) and value.local in own)
            for name in routine.resets:
                self.report("R332", node.at.place, hint="an_entry_each", name=name)
            if (routine, given) not in self.visited:
                self.visited.add((routine, given))
                self.follow(routine.parts, set(given))

    def check_choice(self, node: ChooseStmt, own: set[LocalVar]) -> None:
        """Checks that the player of the turn decides."""
        if not isinstance(node.by, SeatDecider):
            self.report("R331", node.at.place, hint="chance_outside", what="`by chance`")
        elif not (isinstance(node.by.who, LocalRef) and node.by.who.local in own):
            self.report("R335", node.at.place, hint="player_of_the_turn")
        self.choices.append(node)

    def check_writes(self, node: Stmt, own: set[LocalVar], inner: set[LocalVar] | None) -> None:
        """Checks that a statement writes only entries of the player of the turn that the others do not see."""
        for target in write_targets(node):
            place = target.bag if isinstance(target, CountOf) else target
            match place:
                case StateRef(state=name, index=index) if is_own_entry(self.program.states[name], index, own):
                    self.written |= {name}
                case StateRef(state=name):
                    self.report("R332", place.at.place, hint="an_entry_each", name=name)
                case LocalRef(local=local) if inner is not None and local not in inner:
                    self.report("R332", place.at.place, hint="an_entry_each", name=local.name)

    def report(self, code: str, place: SourceSpan, **values: Any) -> None:
        """Reports a finding once for each place."""
        if (code, place) not in self.reported:
            self.reported.add((code, place))
            self.findings.add(code, place, **values)


def is_own_entry(state: State, index: tuple[Expr, ...], own: set[LocalVar]) -> bool:
    """Whether an entry belongs to the player of the turn, and no other player sees it."""
    if not isinstance(state.seen, int) or state.inverted or state.keeper is not None or not index:
        return False
    owner = index[state.seen]
    return isinstance(owner, LocalRef) and owner.local in own


def bound_locals(parts: Iterable[Node]) -> set[LocalVar]:
    """Returns the locals that these trees declare with `let`."""
    return {node.local for node in walk(parts) if isinstance(node, Let)}
