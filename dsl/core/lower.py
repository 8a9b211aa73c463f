"""From the checked tree of the rule files to the core.

Every name has been resolved and every expression typed (check/); here the shapes of the text become few: an index is the entry of a state,
of a table or of a list, a condition is the list of what `and` joins, an empty literal has the type of its place, a menu and a choice are
one statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from ..check import scope as checked
from ..syntax import tree
from ..types.types import CONTAINERS, BagOf, Empty, Maybe, Type, element
from . import nodes as n
from .program import Condition, Family, Program, Routine, State

KINDS: dict[str, Literal["def", "proc", "phase"]] = {"def": "def", "proc": "proc", "phase": "phase"}


def lower(program: checked.Declared) -> Program:
    """The core of a checked program without errors."""
    found = Program(program.model, lower_states(program), cited=program.cited)
    for family in program.families.values():
        entries = {member: _Lowering(routine, program).routine() for member, routine in family.entries.items()}
        default = _Lowering(family.default, program).routine() if family.default else None
        found.families[family.name] = Family(family.name, "def" if family.kind == "def" else "proc", family.domain, entries, default)
    found.always = [_Lowering(routine, program).routine("law") for routine in program.always]
    for word, goal in program.goals.items():
        found.goals[word] = _Lowering(goal.routine, program).goal(goal)
    return found


def lower_expr(node: tree.Expr, routine: checked.Routine, program: checked.Declared,
               params: Mapping[checked.Local, n.Local] | None = None) -> n.Expr:
    """One checked expression of a routine; `params` are those of its names that stand for values from outside."""
    lowering = _Lowering(routine, program)
    lowering.locals.update(params or {})
    return lowering.expr(node)


def lower_states(program: checked.Declared) -> dict[str, State]:
    """What the position of a checked program holds."""
    return {state.name: _state(state, program) for state in program.states.values()}


def _state(state: checked.State, program: checked.Declared) -> State:
    start = state.node.init
    empty = checked.Routine("def", "", None, [], state.node, state.path, "")
    return State(
        state.name, tuple(state.axes), state.type, span(state.path, state.node.name), state.saturating,
        state.seen if isinstance(state.seen, int) else "hidden" if state.seen == "hidden" else "open",
        state.keeper.name if state.keeper is not None else None,
        None if start is None else _Lowering(empty, program).expr(start, state.type),
        str(state.node.per.scope) if state.node.per else None, state.cites,
    )


def span(path: str, thing: Any) -> n.Span:
    """Where a token or a node of the tree stands."""
    meta = getattr(thing, "meta", thing)
    path = getattr(meta, "file", None) or path                     # a pack's line in a rule of the game
    line, column = getattr(meta, "line", None) or 1, getattr(meta, "column", None) or 1
    end_line, end_column = getattr(meta, "end_line", None) or line, getattr(meta, "end_column", None)
    return n.Span(path, line, column, end_line, end_column or column + 1)


class _Lowering:
    """One routine."""

    def __init__(self, routine: checked.Routine, program: checked.Declared) -> None:
        self.source, self.path, self.found = routine, routine.path, program.resolution
        self.type = program.resolution.type
        self.locals: dict[checked.Local, n.Local] = {}

    def at(self, thing: Any) -> n.Span:
        return span(self.path, thing)

    def local(self, local: checked.Local) -> n.Local:
        if local not in self.locals:
            self.locals[local] = n.Local(local.name, local.type, local.mutable)
        return self.locals[local]

    # ------------------------------------------------------------ routines

    def routine(self, kind: Literal["law"] | None = None) -> Routine:
        source = self.source
        behind = source.node.cites if isinstance(source.node, tree.DefValue) else None
        return Routine(
            self.at(source.node), kind or KINDS[source.kind], source.name, source.key, source.member,
            tuple(map(self.local, source.params)), self.local(source.case_local) if source.case_local else None,
            span(self.path, _name(source.node)), source.cites, self.cites(behind),
            self.decider(source.by) if source.by is not None else None,
            self.expr(source.value, source.type) if source.value is not None else None, (),
            tuple(Condition(self.at(c), self.expr(c.test), self.cites(c.cites)) for c in source.conditions),
            self.block(source.body) if source.body is not None else (),
            source.type, tuple(state.name for state in source.resets), source.family,
        )

    def goal(self, goal: checked.Goal) -> Routine:
        source = self.source
        return Routine(
            self.at(source.node), "goal", goal.word, goal.word, None, (self.local(goal.player),), None,
            span(self.path, _name(source.node)), source.cites, values=tuple(map(self.expr, goal.values)),
        )

    def cites(self, cites: Iterable[Any] | None) -> tuple[str, ...]:
        """Clauses in full: `@06` is one of the routine's family."""
        texts = [str(token)[1:] for token in cites or ()]
        return tuple(f"{self.source.family}-{text}" if text.isdigit() else text for text in texts)

    # ------------------------------------------------------------ expressions

    def ref(self, node: tree.Node) -> checked.Ref:
        ref = self.found.ref(node)
        assert ref is not None
        return ref

    def expr(self, node: tree.Expr, wanted: Type | None = None) -> n.Expr:
        """An expression; an empty literal takes the form of `wanted`."""
        at, found = self.at(node), self.type(node)
        match node:
            case tree.Number():
                return n.Const(at, found, int(node.digits))
            case tree.Truth():
                return n.Const(at, found, int(node.word.type == "TRUE"))
            case tree.Nothing():
                return self.nothing(at, "none", found, wanted)
            case tree.Domain():
                return n.Whole(at, found, self.ref(node).target.name)
            case tree.Name():
                return self.name(node, at)
            case tree.SetLiteral() | tree.ListLiteral():
                if not node.parts:
                    return self.nothing(at, "{}" if isinstance(node, tree.SetLiteral) else "[]", found, wanted)
                inner = element(found)
                return n.Display(at, found, tuple(self.expr(part, inner) for part in node.parts))
            case tree.IfElse():
                return n.Cond(at, found, self.expr(node.test), self.expr(node.value, found), self.expr(node.other, found))
            case tree.Fallback():
                return n.OrElse(at, found, self.expr(node.value), self.expr(node.other, element(self.type(node.value))))
            case tree.Unary():
                return n.Prim(at, found, "not" if node.op.type == "NOT" else "neg", (self.expr(node.value),))
            case tree.Binary():
                return self.binary(node, at)
            case tree.Member():
                return n.Prim(at, found, "in", (self.expr(node.value), self.expr(node.group)))
            case tree.NotMember():
                return n.Prim(at, found, "not in", (self.expr(node.value), self.expr(node.group)))
            case tree.Span():
                return n.Prim(at, found, "..", (self.expr(node.low), self.expr(node.high)))
            case tree.Printed():
                ref = self.ref(node)
                if ref.kind == "number":
                    domain, member = self.ref(node.value).target
                    return n.OwnNumber(at, found, domain, member, str(node.name))
                return n.Attribute(at, found, self.expr(node.value), ref.target[0].name, ref.target[1])
            case tree.At():
                return self.index(node, at)
            case tree.Apply():
                return self.apply(node, at)
            case tree.After():
                return n.After(at, found, self.call(node, self.at(node.target), ()), self.expr(node.value, found))
            case tree.Fold():
                gens = self.gens(node.binders)
                value = self.expr(node.value) if node.value is not None else None
                if str(node.word) == "all" and node.value is None and node.where is not None:     # as with `any`, it is what each must meet
                    return n.Fold(at, found, "all", gens, (), self.expr(node.where))
                return n.Fold(at, found, str(node.word), gens, self.conjuncts(node.where), value)
        raise AssertionError(node)

    def nothing(self, at: n.Span, literal: Any, found: Type, wanted: Type | None) -> n.Expr:
        if isinstance(found, Empty) and wanted is not None and not isinstance(wanted, Empty):
            found = wanted if isinstance(wanted, (Maybe, *CONTAINERS)) else Maybe(wanted)
        return n.Nothing(at, found, literal)

    def name(self, node: tree.Name, at: n.Span) -> n.Expr:
        found, ref = self.type(node), self.ref(node)
        match ref.kind:
            case "local":
                return n.Read(at, found, self.local(ref.target))
            case "state":
                return n.Load(at, found, ref.target.name, ())
            case "family":
                return n.Ask(at, found, ref.target.name, None, (), bare=True)
            case "number":
                return n.Number(at, found, str(node.name))
            case "option":
                return n.Setting(at, found, ref.target.name)
        return n.Const(at, found, ref.target[1])

    def binary(self, node: tree.Binary, at: n.Span) -> n.Expr:
        found, op = self.type(node), node.op.type.lower() if node.op.type in ("AND", "OR") else str(node.op)
        if op in ("==", "!="):
            sides = self.expr(node.left, self.type(node.right)), self.expr(node.right, self.type(node.left))
        else:
            sides = self.expr(node.left, found), self.expr(node.right, found)
        return n.Prim(at, found, op, sides)

    def index(self, node: tree.At, at: n.Span) -> n.Expr:
        """Brackets: the entry of a state, a table read, the case of a def, one kind of a bag, one thing of a list."""
        base, *indices = node.parts
        found, ref = self.type(node), self.found.ref(base) if isinstance(base, tree.Name) else None
        if ref is not None and ref.kind == "state" and ref.target.axes:
            return n.Load(at, found, ref.target.name, tuple(map(self.expr, indices)))
        if ref is not None and ref.kind == "table":
            return n.Lookup(at, found, ref.target.name, self.expr(indices[0]))
        if ref is not None and ref.kind == "family" and ref.target.domain is not None:
            return n.Ask(at, found, ref.target.name, self.expr(indices[0]), (), bare=True)
        if isinstance(self.type(base), BagOf):
            return n.CountOf(at, found, self.expr(base), self.expr(indices[0]))
        return n.Item(at, found, self.expr(base), self.expr(indices[0]))

    def apply(self, node: tree.Apply, at: n.Span) -> n.Expr:
        target, *arguments = node.parts
        found, ref = self.type(node), self.ref(node)
        if ref.kind == "family":
            case = self.expr(target.parts[1]) if isinstance(target, tree.At) else None
            return n.Ask(at, found, ref.target.name, case, self.arguments(ref.target, arguments))
        if ref.target == "cells":
            name, *indices = arguments[0].parts if isinstance(arguments[0], tree.At) else arguments
            return n.Occupied(at, found, self.ref(name).target.name, tuple(map(self.expr, indices)))
        return n.Prim(at, found, ref.target, tuple(map(self.expr, arguments)))

    def arguments(self, family: checked.Family, given: list[tree.Expr]) -> tuple[n.Expr, ...]:
        return tuple(self.expr(argument, param.type) for argument, param in zip(given, family.params))

    def conjuncts(self, node: tree.Expr | None) -> tuple[n.Expr, ...]:
        """What `and` joins, in the order of the text."""
        if isinstance(node, tree.Binary) and node.op.type == "AND":
            return self.conjuncts(node.left) + self.conjuncts(node.right)
        return () if node is None else (self.expr(node),)

    def gens(self, binders: Iterable[Any]) -> tuple[n.Gen, ...]:
        return tuple(map(self.gen, binders))

    def gen(self, binder: Any) -> n.Gen:
        number = self.local(self.found.numbers[id(binder)]) if isinstance(binder, tree.BinderNumbered) else None
        return n.Gen(self.at(binder), self.local(self.found.locals[id(binder)]), self.expr(binder.source), number)

    # ------------------------------------------------------------ statements

    def block(self, suite: Iterable[Any]) -> n.Block:
        return tuple(map(self.stmt, suite))

    def target(self, node: tree.Expr) -> n.Target:
        found = self.expr(node)
        assert isinstance(found, n.Load | n.CountOf | n.Read)
        return found

    def stmt(self, node: Any) -> n.Stmt:
        at = self.at(node)
        if isinstance(node, tree.Choose | tree.ChooseBlock | tree.Menu):
            return self.choose(node, at)
        if isinstance(node, tree.If_):
            return self.branches(node, at)
        cites = self.cites(node.parts[-1] if isinstance(node, tree.Tell) else node.cites)
        match node:
            case tree.Let():
                return n.Let(at, cites, self.local(self.found.locals[id(node)]), self.expr(node.value, self.found.locals[id(node)].type))
            case tree.Assign():
                op: Any = str(node.op)
                return n.Store(at, cites, op, self.target(node.target), self.expr(node.value, self.type(node.target)))
            case tree.Move():
                inner = None if isinstance(node.amount, tree.Everything) else element(self.type(node.source))
                return n.Move(at, cites, self.amount(node.amount, inner), self.target(node.source), self.target(node.target))
            case tree.Draw():
                return n.Draw(at, cites, self.amount(node.amount), self.target(node.source), self.target(node.target))
            case tree.Shuffle():
                return n.Shuffle(at, cites, self.target(node.target))
            case tree.Swap():
                return n.Swap(at, cites, self.target(node.one), self.target(node.other))
            case tree.Tell():
                name, *tellings, _ = node.parts
                values = [telling.value for telling in tellings if telling is not None]
                slots = tuple((slot, self.expr(value)) for (slot, _), value in zip(self.found.slots[id(node)], values))
                return n.Tell(at, cites, str(name), slots, self.at(name))
            case tree.Stop():
                return n.Halt(at, cites)
            case tree.Call():
                return self.call(node, at, cites)
            case tree.For_():
                gens = self.gens(node.binders)
                return n.Each(at, cites, gens, self.conjuncts(node.where), node.reached is not None, self.block(node.body))
            case tree.Repeat():
                until = self.expr(node.until) if node.until is not None else None
                return n.Repeat(at, cites, self.expr(node.count), until, self.block(node.body))
            case tree.Rounds():
                gen = self.gen(node.binder) if node.binder is not None else None
                until = self.expr(node.until) if node.until is not None else None
                return n.Rounds(at, cites, gen, self.conjuncts(node.where), until, self.block(node.body))
        raise AssertionError(node)

    def call(self, node: tree.Node, at: n.Span, cites: tuple[str, ...]) -> n.Do:
        """The procedure that a statement or an `after` calls."""
        family, given, arguments = self.found.calls[id(node)]
        case = self.expr(given) if given is not None else None
        return n.Do(at, cites, family.name, case, self.arguments(family, arguments))

    def amount(self, node: Any, wanted: Type | None = None) -> n.Amount:
        value = None if isinstance(node, tree.Everything) else self.expr(node.value, wanted)
        return n.Amount(self.at(node), value, isinstance(node, tree.AtMost))

    def branches(self, node: tree.If_, at: n.Span) -> n.Stmt:
        test, cites, suite, *rest = node.parts
        arms = [n.Arm(self.at(test), self.expr(test), self.cites(cites), self.block(suite))]
        other = None
        for part in rest:
            if isinstance(part, tree.Elif_):
                arms.append(n.Arm(self.at(part), self.expr(part.test), self.cites(part.cites), self.block(part.body)))
            elif part is not None:
                other = self.block(part.body)
        return n.If(at, self.cites(cites), tuple(arms), other)

    def decider(self, node: Any) -> n.Decider:
        if isinstance(node, tree.BySeat):
            return n.Seat(self.at(node), self.expr(node.who))
        return n.Chance(self.at(node))

    def how(self, node: Any) -> n.How | None:
        if node is None:
            return None
        kinds: dict[type, Any] = {tree.UpTo: "up to", tree.Exactly: "exactly", tree.Some: "some", tree.UpToTimes: "up to times",
                                  tree.ExactlyTimes: "exactly times"}
        return n.How(self.at(node), kinds[type(node)], self.expr(node.count) if hasattr(node, "count") else None)

    def choose(self, node: Any, at: n.Span) -> n.Stmt:
        cites = self.cites(node.cites)
        by, how = self.decider(self.found.deciders[id(node)]), self.how(node.how)
        if isinstance(node, tree.Menu):
            ways = tuple(
                n.Way(self.at(entry), str(entry.name), self.cites(entry.cites), (self.gens(entry.binders),) if entry.binders else (),
                      self.conjuncts(entry.where), self.block(entry.body))
                for entry in node.entries)
        else:
            groups = tuple(map(self.gens, node.slots))
            body = self.block(node.body) if isinstance(node, tree.ChooseBlock) else None
            ways = (n.Way(at, None, (), groups, self.conjuncts(node.where), body),)
        other = getattr(node, "otherwise", None)
        otherwise = n.Otherwise(self.at(other), self.cites(other.cites), self.block(other.body)) if other is not None else None
        result = self.found.results.get(id(node))
        return n.Choose(
            at, cites, ways, by, node.may is not None, how, str(node.label) if node.label is not None else None,
            self.local(result) if result is not None else None, getattr(node, "or_stop", None) is not None, otherwise,
        )


def _name(node: Any) -> Any:
    """The token with a declaration's name."""
    parts = getattr(node, "parts", None)
    return node.name if parts is None else parts[1] if isinstance(node, tree.Goal) else parts[0]
