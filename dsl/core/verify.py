"""Whether a core is sound: each name is bound where it is read, each type is what its operator gives, each call and each change can be.

The checker lets no other program through and `lower` makes no other core; this says so in one place, for tests and for passes to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..diagnostics.source_lines import lines_of
from ..types.types import BOOL, BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type, element
from .nodes import (
    After,
    Ask,
    Block,
    Choose,
    CountOf,
    Do,
    Draw,
    Each,
    Expr,
    Fold,
    Gen,
    Halt,
    How,
    If,
    Let,
    Load,
    Local,
    Move,
    Read,
    Repeat,
    Rounds,
    Seat,
    Shuffle,
    Span,
    Stmt,
    Store,
    Swap,
    Target,
    Tell,
)
from .program import Family, Program, Routine, State
from .typing_rules import called_well, plain, shape, suits
from .walk import children, walk

Scope = frozenset[Local]
HOLDERS = (SetOf, BagOf, PileOf, ListOf, Maybe)


def verify(program: Program, texts: Mapping[str, str] | None = None) -> list[str]:
    """What is wrong with a core, each with its place; nothing when it is sound. `texts` are the rule files by the path shown for them."""
    check = _Verify(program, texts or {})
    for state in program.states.values():
        check.state(state)
    for family in program.families.values():
        check.family(family)
    for routine in program.routines:
        check.routine(routine)
    check.goals()
    check.circles()
    return check.found


class _Verify:
    def __init__(self, program: Program, texts: Mapping[str, str]) -> None:
        self.program, self.model = program, program.model
        self.widths = {path: [len(line) + 1 for line in lines_of(text)] for path, text in texts.items()}
        self.bound: dict[Local, tuple[Routine, Span]] = {}
        self.within: Routine | None = None
        self.found: list[str] = []

    def say(self, holds: bool, at: Span, what: str) -> None:
        if not holds:
            self.found.append(f"{at.path}:{at.line}:{at.column}: {what}")

    # ------------------------------------------------------------ declarations

    def state(self, state: State) -> None:
        self.span(state.at)
        self.say(all(domain in self.model.enums for _, domain in state.axes), state.at, f"axes of {state.name}")
        if isinstance(state.seen, int):
            inside = state.seen < len(state.axes)
            self.say(inside, state.at, f"{state.name} is seen by an axis that it does not have")
            keeper = self.program.states.get(state.keeper or "")
            enum = self.model.enums[state.axes[state.seen][1]] if inside else None
            kept = enum is None or enum.kind == "player" or keeper is not None and keeper.seen == "open" and keeper.name == enum.decides
            self.say(kept, state.at, f"who looks at {state.name} is not known to all")
        if state.start is not None:
            self.expr(state.start, frozenset())
            self.say(suits(state.start.type, state.type), state.at, f"{state.name}: {state.type} begins as {state.start.type}")

    def family(self, family: Family) -> None:
        """Every member of the case has its entry, and all take the same."""
        at = family.routines[0].at if family.routines else Span("", 1, 1, 1, 2)
        self.say(bool(family.routines), at, f"{family.name} has no entry")
        members = range(len(self.model.enums[family.domain])) if family.domain is not None else ()
        total = family.default is not None or family.domain is not None and all(n in family.entries for n in members)
        self.say(total, at, f"{family.name} lacks an entry")
        self.say(all(n in members for n in family.entries), at, f"{family.name} has an entry for nobody")
        for routine in family.routines:
            default = routine is family.default
            wanted = Of(family.domain) if default and family.domain is not None else None
            self.say((routine.case.type if routine.case is not None else None) == wanted, routine.at, f"the case of {routine.key}")
            self.say(default or family.entries.get(routine.member if routine.member is not None else -1) is routine, routine.at,
                     f"{routine.key} is entered for another member")
            self.say((routine.kind == "def") == (family.kind == "def"), routine.at, f"{routine.key} is a {routine.kind}")
            self.say([p.type for p in routine.params] == [p.type for p in family.params], routine.at, f"what {routine.key} takes")
            self.say((routine.type is not None) == (routine.kind == "def"), routine.at, f"the value of {routine.key}")

    def goals(self) -> None:
        game = self.program.families.get("game")
        self.say(game is not None and game.routines[0].kind == "phase" and not game.params, Span(self.model.path, 1, 1, 1, 2), "phase game")
        self.say("standing" in self.program.goals, Span(self.model.path, 1, 1, 1, 2), "standing")
        for goal in self.program.goals.values():
            self.say([p.type for p in goal.params] == [Of("Player")] and bool(goal.values), goal.at, goal.name)
            self.say(all(isinstance(value.type, Int | Bool) for value in goal.values), goal.at, f"{goal.name} is no number")

    def routine(self, routine: Routine) -> None:
        self.within = routine
        self.span(routine.at)
        self.span(routine.named)
        self.say(_inside(routine.named, routine.at), routine.named, f"the name of {routine.key} stands elsewhere")
        scope = self.bind(frozenset(), (*routine.params, *([routine.case] if routine.case is not None else [])), routine.at)
        self.say(all(name in self.program.states for name in routine.resets), routine.at, f"{routine.key} resets what is no state")
        for value in (*([routine.value] if routine.value is not None else []), *routine.values):
            self.expr(value, scope)
        if routine.value is not None and routine.type is not None:
            self.say(suits(routine.value.type, routine.type), routine.value.at, f"{routine.key} gives {routine.value.type}")
        for condition in routine.conditions:
            self.span(condition.at)
            self.tests((condition.test,), scope)
        if isinstance(routine.by, Seat):
            self.seat(routine.by, scope)
        self.block(routine.body, scope)

    def circles(self) -> None:
        """Nothing calls itself, whatever entry of a family is meant."""
        calls = {routine: {callee for node in walk(*routine.parts) if isinstance(node, Ask | Do)
                           for callee in self.program.families[node.family].routines} for routine in self.program.routines}
        while free := [routine for routine, callees in calls.items() if not any(callee in calls for callee in callees)]:
            for routine in free:
                del calls[routine]
        for routine in calls:
            self.say(False, routine.at, f"{routine.key} is in a circle of calls, or calls into one")

    # ------------------------------------------------------------ places in files, names

    def span(self, at: Span) -> None:
        forward = (at.line, at.column) <= (at.end_line, at.end_column) and at.line > 0 and at.column > 0
        self.say(forward, at, "ends before it begins")
        if forward and at.path in self.widths:
            widths = self.widths[at.path]
            fits = at.end_line <= len(widths) and at.column <= widths[at.line - 1] and at.end_column <= widths[at.end_line - 1]
            self.say(fits, at, f"lies outside its file: to {at.end_line}:{at.end_column}")
        elif self.widths:
            self.say(at.path in self.widths, at, "is in a file that nobody knows")

    def bind(self, scope: Scope, new: Iterable[Local], at: Span) -> Scope:
        """Names that are read from here on. Who decides may stand above several choices and is then written out at each."""
        assert self.within is not None
        for local in new:
            self.say(local not in scope, at, f"{local.name} is bound again where it is known")
            self.say(self.bound.setdefault(local, (self.within, at)) == (self.within, at), at, f"{local.name} is bound in two places")
            scope |= {local}
        return scope

    # ------------------------------------------------------------ expressions

    def expr(self, node: Expr, scope: Scope) -> None:
        self.span(node.at)
        if isinstance(node, Read):
            self.say(node.local in scope, node.at, f"{node.local.name} is not bound here")
        if isinstance(node, Fold):
            inner = self.gens(node.gens, scope)
            self.tests(node.where, inner)
            if node.value is not None:
                self.expr(node.value, inner)
        elif isinstance(node, After):
            self.statement(node.call, scope)
            self.expr(node.value, scope)
        else:
            for child in children(node):
                assert isinstance(child, Expr)
                self.say(_inside(child.at, node.at), child.at, "lies outside the expression that it is a part of")
                self.expr(child, scope)
        found = shape(node, self.program)
        self.say(found == plain(node.type), node.at, f"{type(node).__name__} is called {node.type} and gives {found}")

    def tests(self, nodes: Iterable[Expr], scope: Scope) -> None:
        for node in nodes:
            self.expr(node, scope)
            self.say(node.type == BOOL, node.at, f"a condition is {node.type}")

    def number(self, node: Expr, scope: Scope) -> None:
        self.expr(node, scope)
        self.say(isinstance(node.type, Int), node.at, f"a number is {node.type}")

    def gens(self, gens: Iterable[Gen], scope: Scope) -> Scope:
        """Each source may name what stands before it."""
        for gen in gens:
            self.span(gen.at)
            self.expr(gen.source, scope)
            inner = element(gen.source.type)
            self.say(inner is not None and plain(inner) == plain(gen.local.type), gen.at, f"{gen.local.name} is not from {gen.source.type}")
            self.say(gen.number is None or isinstance(gen.source.type, ListOf | PileOf), gen.at, "what has no order is counted")
            scope = self.bind(scope, gen.locals, gen.at)
        return scope

    # ------------------------------------------------------------ statements

    def block(self, rows: Block, scope: Scope) -> None:
        for node in rows:
            self.span(node.at)
            scope = self.statement(node, scope)

    def statement(self, node: Stmt, scope: Scope) -> Scope:
        """Verify one statement; gives the names that are known after it."""
        match node:
            case Let(local=local, value=value):
                self.expr(value, scope)
                self.say(suits(value.type, local.type), node.at, f"{local.name}: {local.type} is made from {value.type}")
                return self.bind(scope, (local,), node.at)
            case Store(op=op, target=target, value=value):
                self.place(target, scope)
                self.expr(value, scope)
                wanted: Type = ListOf(target.type.of) if isinstance(target.type, PileOf) else target.type
                self.say(suits(value.type, wanted) and not isinstance(wanted, BagOf), node.at, f"{target.type} is set to {value.type}")
                self.say(op == "=" or isinstance(wanted, Int | SetOf | ListOf), node.at, f"{op} of {target.type}")
            case Move(amount=amount, source=source, target=target) | Draw(amount=amount, source=source, target=target):
                self.place(source, scope)
                self.place(target, scope)
                if amount.value is not None:
                    self.expr(amount.value, scope)
                self.say(amount.value is not None or not (amount.most or isinstance(node, Draw)), amount.at, "the amount is lacking")
                one, two = source.type, target.type
                numbers = isinstance(one, Int) and isinstance(two, Int) and isinstance(node, Move)
                holders = isinstance(one, HOLDERS) and isinstance(two, HOLDERS) and suits(one.of, two.of)
                self.say(numbers or holders, node.at, f"things go from {one} to {two}")
            case Shuffle(target=target):
                self.place(target, scope)
                self.say(isinstance(target.type, PileOf | ListOf), node.at, f"{target.type} is shuffled")
            case Swap(one=left, other=right):
                self.place(left, scope)
                self.place(right, scope)
                self.say(left.type == right.type, node.at, f"{left.type} and {right.type} are swapped")
            case Tell(slots=slots, named=named):
                self.span(named)
                self.say(len({name for name, _ in slots}) == len(slots), node.at, "two values of one name are told")
                for _, value in slots:
                    self.expr(value, scope)
                    self.say(not isinstance(value.type, Maybe), value.at, "what may be none is told")
            case Do(family=name, case=case, args=args):
                for value in (*([case] if case is not None else []), *args):
                    self.expr(value, scope)
                family = self.program.families.get(name)
                well = family is not None and family.kind == "proc" and called_well(self.program, name, case, args)
                self.say(well, node.at, f"{name} is called with what it does not take")
            case If(arms=arms, other=other):
                for arm in arms:
                    self.span(arm.at)
                    self.tests((arm.test,), scope)
                    self.block(arm.body, scope)
                self.block(other or (), scope)
            case Each(gens=gens, where=where, body=body):
                inner = self.gens(gens, scope)
                self.tests(where, inner)
                self.block(body, inner)
            case Repeat(count=count, until=until, body=body):
                self.number(count, scope)
                self.tests((until,) if until is not None else (), scope)
                self.block(body, scope)
            case Rounds(gen=gen, where=where, until=until, body=body):
                inner = self.gens((gen,) if gen is not None else (), scope)
                self.say(gen is not None or until is not None and not where, node.at, "rounds without an end")
                self.tests(where, inner)
                self.tests((until,) if until is not None else (), scope)
                self.block(body, inner)
            case Choose():
                return self.choose(node, scope)
            case Halt():
                pass
            case _:
                self.say(False, node.at, f"{type(node).__name__} is no statement")
        return scope

    def place(self, node: Target, scope: Scope) -> None:
        """Something that can be changed."""
        self.expr(node, scope)
        match node:
            case Read(local=local):
                self.say(local.mutable, node.at, f"{local.name} is changed and not made for it")
            case CountOf(bag=bag):
                self.say(isinstance(bag, Load), node.at, "a count of what is no place is changed")
            case Load():
                pass

    def choose(self, node: Choose, scope: Scope) -> Scope:
        after = scope
        if isinstance(node.by, Seat):
            self.seat(node.by, scope)
        self.how(node.how, node, scope)
        names = [way.name for way in node.ways]
        self.say(len(set(names)) == len(names) and (None not in names or len(names) == 1), node.at, "two ways of one name")
        for way in node.ways:
            self.span(way.at)
            inner = scope
            for group in way.groups:
                inner = self.gens(group, inner)
            self.tests(way.where, inner)
            if node.result is not None:
                self.say(len(way.gens) == 1 and node.result.type == SetOf(way.gens[0].local.type), node.at, "a set of something else")
                inner = self.bind(scope, (node.result,), node.at)
            self.say(way.body is not None or not node.menu, way.at, "a way of a menu leads nowhere")
            if way.body is None:
                after = inner
            self.block(way.body or (), inner)
        if node.otherwise is not None:
            self.span(node.otherwise.at)
            self.block(node.otherwise.body, scope)
        return after

    def how(self, how: How | None, node: Choose, scope: Scope) -> None:
        self.say((node.result is not None) == (how is not None and how.sets), node.at, "a chosen set has no name")
        if how is not None:
            self.span(how.at)
            self.say((how.count is None) == (how.kind == "some"), how.at, "how many are chosen")
            if how.count is not None:
                self.number(how.count, scope)

    def seat(self, by: Seat, scope: Scope) -> None:
        """A player decides, or a thing for which a state names one."""
        self.span(by.at)
        self.expr(by.who, scope)
        enum = self.model.enum_of(by.who.type.name) if isinstance(by.who.type, Of) else None
        keeper = self.program.states.get(enum.decides or "") if enum is not None else None
        decides = enum is not None and (enum.kind == "player" or keeper is not None and [d for _, d in keeper.axes] == [enum.name])
        self.say(decides, by.at, f"{by.who.type} decides")


def _inside(inner: Span, outer: Span) -> bool:
    return inner.path == outer.path and (outer.line, outer.column) <= (inner.line, inner.column) and (
        inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
