"""Verifies the invariants of a core program:

  - each local is bound once, and in scope wherever it is read
  - each expression has the type that its operator gives
  - each call matches its family, families are complete, and there is no recursion
  - each assignment and each choice is well formed

The checker rejects every other program and lowering builds no other core. Tests and future passes can rely on
it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..diagnostics.source_lines import split_lines
from ..types.types import BOOL, BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, element_type
from .nodes import (
    AfterCall,
    Block,
    CallDef,
    CallProc,
    ChoiceCardinality,
    ChooseStmt,
    CountOf,
    DrawStmt,
    EmitEvent,
    Expr,
    Fold,
    ForEach,
    GeneratorBinding,
    IfChain,
    Let,
    LocalRef,
    LocalVar,
    MoveStmt,
    RepeatLoop,
    RoundsLoop,
    RuleSpan,
    SeatDecider,
    Shuffle,
    StateRef,
    Stmt,
    StopProc,
    Store,
    Swap,
    Target,
)
from .program import Family, Program, Routine, State
from .typing_rules import PLAYER_TYPE, infer_plain_type, is_assignable_ignoring_ranges, is_valid_call, without_ranges
from .walk import children, walk

Scope = frozenset[LocalVar]
CONTAINER_TYPES = (SetOf, BagOf, PileOf, ListOf, OptionalOf)


def verify_program(program: Program, texts: Mapping[str, str] | None = None) -> list[str]:
    """Returns the problems of a core, each with its place. The list is empty if the core is sound.

    `texts` maps the displayed paths of the rule files to their texts. It is used to check source spans."""
    check = _CoreVerifier(program, texts or {})
    for state in program.states.values():
        check.check_state(state)
    for family in program.families.values():
        check.check_family(family)
    for routine in program.routines:
        check.check_routine(routine)
    check.check_goals()
    check.check_recursion()
    return check.found


class _CoreVerifier:
    """Walks a program and collects problems in `found`."""
    def __init__(self, program: Program, texts: Mapping[str, str]) -> None:
        self.program, self.model = program, program.model
        self.widths = {path: [len(line) + 1 for line in split_lines(text)] for path, text in texts.items()}
        self.bound: dict[LocalVar, tuple[Routine, RuleSpan]] = {}
        self.within: Routine | None = None
        self.found: list[str] = []

    def require(self, holds: bool, at: RuleSpan, what: str) -> None:
        """Records the problem `what` unless `holds` is true."""
        if not holds:
            self.found.append(f"{at.path}:{at.line}:{at.column}: {what}")

    # ------------------------------------------------------------ declarations

    def check_state(self, state: State) -> None:
        self.check_span(state.at)
        self.require(all(domain in self.model.enums for _, domain in state.axes), state.at, f"axes of {state.name}")
        if isinstance(state.seen, int):
            inside = state.seen < len(state.axes)
            self.require(inside, state.at, f"{state.name} is seen by an axis that it does not have")
            keeper = self.program.states.get(state.keeper or "")
            enum = self.model.enums[state.axes[state.seen][1]] if inside else None
            kept = enum is None or enum.kind == "player" or keeper is not None and keeper.seen == "open" and keeper.name == enum.decides
            self.require(kept, state.at, f"who looks at {state.name} is not known to all")
        self.require(isinstance(state.seen, int) or not state.inverted, state.at, f"{state.name} is hidden from no axis")
        if state.start is not None:
            self.check_expr(state.start, frozenset())
            self.require(
                is_assignable_ignoring_ranges(state.start.type, state.type),
                state.at,
                f"{state.name}: {state.type} begins as {state.start.type}",
            )

    def check_family(self, family: Family) -> None:
        """Checks that every member of the case has one entry and that all entries take the same parameters."""
        at = family.routines[0].at if family.routines else RuleSpan("", 1, 1, 1, 2)
        self.require(bool(family.routines), at, f"{family.name} has no entry")
        members = range(len(self.model.enums[family.domain])) if family.domain is not None else ()
        total = family.default is not None or family.domain is not None and all(n in family.entries for n in members)
        self.require(total, at, f"{family.name} lacks an entry")
        self.require(all(n in members for n in family.entries), at, f"{family.name} has an entry for nobody")
        for routine in family.routines:
            default = routine is family.default
            wanted = MemberOf(family.domain) if default and family.domain is not None else None
            self.require((routine.case.type if routine.case is not None else None) == wanted, routine.at, f"the case of {routine.key}")
            self.require(default or family.entries.get(routine.member if routine.member is not None else -1) is routine, routine.at,
                     f"{routine.key} is entered for another member")
            self.require((routine.kind == "def") == (family.kind == "def"), routine.at, f"{routine.key} is a {routine.kind}")
            self.require([p.type for p in routine.params] == [p.type for p in family.params], routine.at, f"what {routine.key} takes")
            self.require((routine.type is not None) == (routine.kind == "def"), routine.at, f"the value of {routine.key}")

    def check_goals(self) -> None:
        game = self.program.families.get("game")
        self.require(
            game is not None and game.routines[0].kind == "phase" and not game.params, RuleSpan(self.model.path, 1, 1, 1, 2), "phase game"
        )
        self.require("standing" in self.program.goals, RuleSpan(self.model.path, 1, 1, 1, 2), "standing")
        for goal in self.program.goals.values():
            self.require([p.type for p in goal.params] == [MemberOf("Player")] and bool(goal.values), goal.at, goal.name)
            self.require(all(isinstance(value.type, Int | Bool) for value in goal.values), goal.at, f"{goal.name} is no number")

    def check_routine(self, routine: Routine) -> None:
        self.within = routine
        self.check_span(routine.at)
        self.check_span(routine.named)
        self.require(_is_inside(routine.named, routine.at), routine.named, f"the name of {routine.key} stands elsewhere")
        scope = self.bind(frozenset(), (*routine.params, *([routine.case] if routine.case is not None else [])), routine.at)
        self.require(all(name in self.program.states for name in routine.resets), routine.at, f"{routine.key} resets what is no state")
        for value in (*([routine.value] if routine.value is not None else []), *routine.values):
            self.check_expr(value, scope)
        if routine.value is not None and routine.type is not None:
            self.require(
                is_assignable_ignoring_ranges(routine.value.type, routine.type),
                routine.value.at,
                f"{routine.key} gives {routine.value.type}",
            )
        for condition in routine.conditions:
            self.check_span(condition.at)
            self.check_conditions((condition.test,), scope)
        if isinstance(routine.by, SeatDecider):
            self.check_seat(routine.by, scope)
        self.check_block(routine.body, scope)

    def check_recursion(self) -> None:
        """Checks that no routine can call itself. Every entry of a called family counts as called."""
        calls = {routine: {callee for node in walk(*routine.parts) if isinstance(node, CallDef | CallProc)
                           for callee in self.program.families[node.family].routines} for routine in self.program.routines}
        while free := [routine for routine, callees in calls.items() if not any(callee in calls for callee in callees)]:
            for routine in free:
                del calls[routine]
        for routine in calls:
            self.require(False, routine.at, f"{routine.key} is in a circle of calls, or calls into one")

    # ------------------------------------------------------------ spans and scopes

    def check_span(self, at: RuleSpan) -> None:
        """Checks that a span is ordered and lies within its file."""
        forward = (at.line, at.column) <= (at.end_line, at.end_column) and at.line > 0 and at.column > 0
        self.require(forward, at, "ends before it begins")
        if forward and at.path in self.widths:
            widths = self.widths[at.path]
            fits = at.end_line <= len(widths) and at.column <= widths[at.line - 1] and at.end_column <= widths[at.end_line - 1]
            self.require(fits, at, f"lies outside its file: to {at.end_line}:{at.end_column}")
        elif self.widths:
            self.require(at.path in self.widths, at, "is in a file that nobody knows")

    def bind(self, scope: Scope, new: Iterable[LocalVar], at: RuleSpan) -> Scope:
        """Returns the scope extended by new locals, after checking that each is bound only once.

        The decider of a routine is copied to several choices, so the same routine and span may bind a local again."""
        assert self.within is not None
        for local in new:
            self.require(local not in scope, at, f"{local.name} is bound again where it is known")
            self.require(self.bound.setdefault(local, (self.within, at)) == (self.within, at), at, f"{local.name} is bound in two places")
            scope |= {local}
        return scope

    # ------------------------------------------------------------ expressions

    def check_expr(self, node: Expr, scope: Scope) -> None:
        self.check_span(node.at)
        if isinstance(node, LocalRef):
            self.require(node.local in scope, node.at, f"{node.local.name} is not bound here")
        if isinstance(node, Fold):
            if node.places is not None:
                self.check_expr(node.places, scope)
            inner = self.check_generators(node.gens, scope)
            self.check_conditions(node.where, inner)
            if node.value is not None:
                self.check_expr(node.value, inner)
        elif isinstance(node, AfterCall):
            self.check_statement(node.call, scope)
            self.check_expr(node.value, scope)
        else:
            for child in children(node):
                assert isinstance(child, Expr)
                self.require(_is_inside(child.at, node.at), child.at, "lies outside the expression that it is a part of")
                self.check_expr(child, scope)
        found = infer_plain_type(node, self.program)
        self.require(found == without_ranges(node.type), node.at, f"{type(node).__name__} is called {node.type} and gives {found}")

    def check_conditions(self, nodes: Iterable[Expr], scope: Scope) -> None:
        """Checks that each of these expressions is a truth value."""
        for node in nodes:
            self.check_expr(node, scope)
            self.require(node.type == BOOL, node.at, f"a condition is {node.type}")

    def check_number(self, node: Expr, scope: Scope) -> None:
        self.check_expr(node, scope)
        self.require(isinstance(node.type, Int), node.at, f"a number is {node.type}")

    def check_generators(self, gens: Iterable[GeneratorBinding], scope: Scope) -> Scope:
        """Checks generators from left to right and returns the extended scope. Each source can read the locals of
        earlier generators."""
        for gen in gens:
            self.check_span(gen.at)
            self.check_expr(gen.source, scope)
            inner = element_type(gen.source.type)
            self.require(
                inner is not None and without_ranges(inner) == without_ranges(gen.local.type),
                gen.at,
                f"{gen.local.name} is not from {gen.source.type}",
            )
            self.require(gen.number is None or isinstance(gen.source.type, ListOf | PileOf), gen.at, "what has no order is counted")
            scope = self.bind(scope, gen.locals, gen.at)
        return scope

    # ------------------------------------------------------------ statements

    def check_block(self, rows: Block, scope: Scope) -> None:
        for node in rows:
            self.check_span(node.at)
            scope = self.check_statement(node, scope)

    def check_statement(self, node: Stmt, scope: Scope) -> Scope:
        """Verifies one statement and returns the scope after it."""
        match node:
            case Let(local=local, value=value):
                self.check_expr(value, scope)
                self.require(
                    is_assignable_ignoring_ranges(value.type, local.type), node.at, f"{local.name}: {local.type} is made from {value.type}"
                )
                return self.bind(scope, (local,), node.at)
            case Store(op=op, target=target, value=value):
                self.check_target(target, scope)
                self.check_expr(value, scope)
                wanted, found = (ListOf(one.type.of) if isinstance(one.type, PileOf) else one.type for one in (target, value))
                self.require(
                    is_assignable_ignoring_ranges(found, wanted) and not isinstance(wanted, BagOf),
                    node.at,
                    f"{target.type} is set to {value.type}",
                )
                self.require(op == "=" or isinstance(wanted, Int | SetOf | ListOf), node.at, f"{op} of {target.type}")
            case MoveStmt(amount=amount, source=source, target=target) | DrawStmt(amount=amount, source=source, target=target):
                self.check_target(source, scope)
                self.check_target(target, scope)
                if amount.value is not None:
                    self.check_expr(amount.value, scope)
                self.require(
                    amount.value is not None or not (amount.most or isinstance(node, DrawStmt)), amount.at, "the amount is lacking"
                )
                one, two = source.type, target.type
                numbers = isinstance(one, Int) and isinstance(two, Int) and isinstance(node, MoveStmt)
                holders = (
                    isinstance(one, CONTAINER_TYPES) and isinstance(two, CONTAINER_TYPES) and is_assignable_ignoring_ranges(one.of, two.of)
                )
                self.require(numbers or holders, node.at, f"things go from {one} to {two}")
            case Shuffle(target=target):
                self.check_target(target, scope)
                self.require(isinstance(target.type, PileOf | ListOf), node.at, f"{target.type} is shuffled")
            case Swap(one=left, other=right):
                self.check_target(left, scope)
                self.check_target(right, scope)
                self.require(left.type == right.type, node.at, f"{left.type} and {right.type} are swapped")
            case EmitEvent(slots=slots, named=named, listeners=listeners):
                self.check_span(named)
                self.require(len({name for name, _ in slots}) == len(slots), node.at, "two values of one name are told")
                for _, value in slots:
                    self.check_expr(value, scope)
                    self.require(not isinstance(value.type, OptionalOf), value.at, "what may be none is told")
                for listener in listeners or ():
                    self.check_expr(listener, scope)
                    self.require(listener.type == PLAYER_TYPE, listener.at, "a listener of an event is not a player")
            case CallProc(family=name, case=case, args=args):
                for value in (*([case] if case is not None else []), *args):
                    self.check_expr(value, scope)
                family = self.program.families.get(name)
                well = family is not None and family.kind == "proc" and is_valid_call(self.program, name, case, args)
                self.require(well, node.at, f"{name} is called with what it does not take")
            case IfChain(arms=arms, other=other):
                for arm in arms:
                    self.check_span(arm.at)
                    self.check_conditions((arm.test,), scope)
                    self.check_block(arm.body, scope)
                self.check_block(other or (), scope)
            case ForEach(gens=gens, where=where, body=body, reached=reached, at_once=at_once):
                self.require(not at_once or len(gens) == 1 and not reached, node.at, "a loop at once with several names")
                inner = self.check_generators(gens, scope)
                self.check_conditions(where, inner)
                self.check_block(body, inner)
            case RepeatLoop(count=count, until=until, body=body):
                self.check_number(count, scope)
                self.check_conditions((until,) if until is not None else (), scope)
                self.check_block(body, scope)
            case RoundsLoop(gen=gen, where=where, until=until, body=body):
                inner = self.check_generators((gen,) if gen is not None else (), scope)
                self.require(gen is not None or until is not None and not where, node.at, "rounds without an end")
                self.check_conditions(where, inner)
                self.check_conditions((until,) if until is not None else (), scope)
                self.check_block(body, inner)
            case ChooseStmt():
                return self.check_choice(node, scope)
            case StopProc():
                pass
            case _:
                self.require(False, node.at, f"{type(node).__name__} is no statement")
        return scope

    def check_target(self, node: Target, scope: Scope) -> None:
        """Checks that an expression is assignable."""
        self.check_expr(node, scope)
        match node:
            case LocalRef(local=local):
                self.require(local.mutable, node.at, f"{local.name} is changed and not made for it")
            case CountOf(bag=bag):
                self.require(isinstance(bag, StateRef), node.at, "a count of what is no place is changed")
            case StateRef():
                pass

    def check_choice(self, node: ChooseStmt, scope: Scope) -> Scope:
        """Verifies a choice and returns the scope after it."""
        after = scope
        if isinstance(node.by, SeatDecider):
            self.check_seat(node.by, scope)
        self.check_cardinality(node.how, node, scope)
        names = [way.name for way in node.ways]
        self.require(len(set(names)) == len(names) and (None not in names or len(names) == 1), node.at, "two ways of one name")
        for way in node.ways:
            self.check_span(way.at)
            inner = scope
            for group in way.groups:
                inner = self.check_generators(group, inner)
            self.check_conditions(way.where, inner)
            if node.result is not None:
                self.require(len(way.gens) == 1 and node.result.type == SetOf(way.gens[0].local.type), node.at, "a set of something else")
                inner = self.bind(scope, (node.result,), node.at)
            self.require(way.body is not None or not node.is_menu, way.at, "a way of a menu leads nowhere")
            if way.body is None:
                after = inner
            self.check_block(way.body or (), inner)
        if node.otherwise is not None:
            self.check_span(node.otherwise.at)
            self.check_block(node.otherwise.body, scope)
        return after

    def check_cardinality(self, cardinality: ChoiceCardinality | None, node: ChooseStmt, scope: Scope) -> None:
        self.require((node.result is not None) == (cardinality is not None and cardinality.is_set), node.at, "a chosen set has no name")
        if cardinality is not None:
            self.check_span(cardinality.at)
            self.require((cardinality.count is None) == (cardinality.kind == "some"), cardinality.at, "how many are chosen")
            if cardinality.count is not None:
                self.check_number(cardinality.count, scope)

    def check_seat(self, by: SeatDecider, scope: Scope) -> None:
        """Checks that the decider is a player, or a thing for which a state names a player."""
        self.check_span(by.at)
        self.check_expr(by.who, scope)
        enum = self.model.enum_of(by.who.type.name) if isinstance(by.who.type, MemberOf) else None
        keeper = self.program.states.get(enum.decides or "") if enum is not None else None
        decides = enum is not None and (enum.kind == "player" or keeper is not None and [d for _, d in keeper.axes] == [enum.name])
        self.require(decides, by.at, f"{by.who.type} decides")


def _is_inside(inner: RuleSpan, outer: RuleSpan) -> bool:
    """Whether one span lies within another."""
    return inner.path == outer.path and (outer.line, outer.column) <= (inner.line, inner.column) and (
        inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
