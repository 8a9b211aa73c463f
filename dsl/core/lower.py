"""Lowers the checked syntax tree of the rule files to the core.

`dsl/check` has resolved every name and typed every expression. Lowering reduces the many forms of the syntax
to few:

  - an index becomes an entry of a state, of a table, or of a list
  - a condition becomes a tuple of the operands of `and`
  - an empty literal gets the type that its context expects
  - a menu and a choice become one kind of statement"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from ..check import scope as checked
from ..syntax import tree
from ..types.operations import parse_fold_kind, parse_operator
from ..types.types import BOOL, CONTAINERS, BagOf, EmptyType, Int, MemberOf, OptionalOf, SetOf, Type, element_type
from . import nodes as n
from .program import DefCondition, Family, Program, Routine, State

ROUTINE_KINDS: dict[str, Literal["def", "proc", "phase"]] = {"def": "def", "proc": "proc", "phase": "phase"}


def lower_program(program: checked.CheckedProgram) -> Program:
    """Returns the core of a checked program that has no errors."""
    found = Program(program.model, lower_states(program), cited=program.cited)
    for family in program.families.values():
        entries = {member: _RoutineLowering(routine, program).lower_routine() for member, routine in family.entries.items()}
        default = _RoutineLowering(family.default, program).lower_routine() if family.default else None
        found.families[family.name] = Family(family.name, "def" if family.kind == "def" else "proc", family.domain, entries, default)
    found.always = [_RoutineLowering(routine, program).lower_routine("law") for routine in program.always]
    for word, goal in program.goals.items():
        found.goals[word] = _RoutineLowering(goal.routine, program).lower_goal(goal)
        found.team_attribute = goal.attribute                      # the same in all goals
    return found


def lower_expr(node: tree.Expr, routine: checked.RoutineDecl, program: checked.CheckedProgram,
               params: Mapping[checked.LocalDecl, n.LocalVar] | None = None) -> n.Expr:
    """Returns the core of one checked expression of a routine.

    `params` maps declared locals of the routine to the core locals that stand for values from outside."""
    lowering = _RoutineLowering(routine, program)
    lowering.locals.update(params or {})
    return lowering.lower_expr(node)


def lower_states(program: checked.CheckedProgram) -> dict[str, State]:
    """Returns the states of a checked program by name."""
    return {state.name: _lower_state(state, program) for state in program.states.values()}


def _lower_state(state: checked.StateDecl, program: checked.CheckedProgram) -> State:
    """Returns the core of one state declaration."""
    start = state.node.init
    empty = checked.RoutineDecl("def", "", None, [], state.node, state.path, "")
    return State(
        state.name, tuple(state.axes), state.type, span_of(state.path, state.node.name), state.saturating,
        state.seen if isinstance(state.seen, int) else "hidden" if state.seen == "hidden" else "open", state.inverted,
        state.keeper.name if state.keeper is not None else None,
        None if start is None else _RoutineLowering(empty, program).lower_expr(start, state.type),
        str(state.node.per.scope) if state.node.per else None, state.cites,
    )


def span_of(path: str, thing: Any) -> n.RuleSpan:
    """Returns the source span of a token or of a syntax node."""
    meta = getattr(thing, "meta", thing)
    path = getattr(meta, "file", None) or path                     # a line that a pack has patched into a rule of the game
    line, column = getattr(meta, "line", None) or 1, getattr(meta, "column", None) or 1
    end_line, end_column = getattr(meta, "end_line", None) or line, getattr(meta, "end_column", None)
    return n.RuleSpan(path, line, column, end_line, end_column or column + 1)


class _RoutineLowering:
    """Lowers one routine. Each syntax construct has a method, and declared locals map to core locals."""

    def __init__(self, routine: checked.RoutineDecl, program: checked.CheckedProgram) -> None:
        self.source, self.path, self.found = routine, routine.path, program.resolution
        self.type = program.resolution.type
        self.locals: dict[checked.LocalDecl, n.LocalVar] = {}
        self.team: tuple[checked.LocalDecl, str] | None = None     # in a goal about teams: its name, and the attribute of players
        self.player = n.LocalVar("player", MemberOf("Player"))     # the parameter of such a goal

    def span_at(self, thing: Any) -> n.RuleSpan:
        """Returns the source span of a token or node of this routine."""
        return span_of(self.path, thing)

    def lower_local(self, local: checked.LocalDecl) -> n.LocalVar:
        """Returns the core local of a declared local. Creates it at the first call."""
        if local not in self.locals:
            self.locals[local] = n.LocalVar(local.name, local.type, local.mutable)
        return self.locals[local]

    # ------------------------------------------------------------ routines

    def lower_routine(self, kind: Literal["law"] | None = None) -> Routine:
        """Returns the core of this routine: an entry of a def or procedure, or an invariant if `kind` is "law"."""
        source = self.source
        behind = source.node.cites if isinstance(source.node, tree.DefValue) else None
        return Routine(
            self.span_at(source.node), kind or ROUTINE_KINDS[source.kind], source.name, source.key, source.member,
            tuple(map(self.lower_local, source.params)), self.lower_local(source.case_local) if source.case_local else None,
            span_of(self.path, _name_token(source.node)), source.cites, self.full_clauses(behind),
            self.lower_decider(source.by) if source.by is not None else None,
            self.lower_expr(source.value, source.type) if source.value is not None else None, (),
            tuple(DefCondition(self.span_at(c), self.lower_expr(c.test), self.full_clauses(c.cites)) for c in source.conditions),
            self.lower_block(source.body) if source.body is not None else (),
            source.type, tuple(state.name for state in source.resets), source.family,
        )

    def lower_goal(self, goal: checked.GoalDecl) -> Routine:
        """Returns the core of a goal: `standing` or `estimate`.

        Its parameter is a player. If the goal is about a team, the name of the team becomes an attribute of that player."""
        source = self.source
        if goal.attribute is not None:
            self.team = goal.subject, goal.attribute
        player = self.lower_local(goal.subject) if self.team is None else self.player
        return Routine(
            self.span_at(source.node), "goal", goal.word, goal.word, None, (player,), None,
            span_of(self.path, _name_token(source.node)), source.cites, values=tuple(map(self.lower_expr, goal.values)),
        )

    def full_clauses(self, cites: Iterable[Any] | None) -> tuple[str, ...]:
        """Returns full clause ids. The short form `@06` is completed with the clause family of the routine."""
        texts = [str(token)[1:] for token in cites or ()]
        return tuple(f"{self.source.family}-{text}" if text.isdigit() else text for text in texts)

    # ------------------------------------------------------------ expressions

    def require_ref(self, node: tree.Node) -> checked.NameRef:
        """Returns what a node refers to. The checker has resolved it, so it is never None."""
        ref = self.found.ref(node)
        assert ref is not None
        return ref

    def lower_expr(self, node: tree.Expr, wanted: Type | None = None) -> n.Expr:
        """Returns the core of an expression. An empty literal takes the type `wanted`."""
        at, found = self.span_at(node), self.type(node)
        match node:
            case tree.Number():
                return n.Const(at, found, int(node.digits))
            case tree.Truth():
                return n.Const(at, found, int(node.word.type == "TRUE"))
            case tree.Nothing():
                return self.lower_empty_literal(at, "none", found, wanted)
            case tree.Domain():
                return n.AllMembers(at, found, self.require_ref(node).target.name)
            case tree.Name():
                return self.lower_name(node, at)
            case tree.SetLiteral() | tree.ListLiteral():
                if not node.parts:
                    return self.lower_empty_literal(at, "{}" if isinstance(node, tree.SetLiteral) else "[]", found, wanted)
                inner = element_type(found)
                return n.CollectionLiteral(at, found, tuple(self.lower_expr(part, inner) for part in node.parts))
            case tree.IfElse():
                return n.CondExpr(
                    at, found, self.lower_expr(node.test), self.lower_expr(node.value, found), self.lower_expr(node.other, found)
                )
            case tree.Fallback():
                return n.OrElse(at, found, self.lower_expr(node.value), self.lower_expr(node.other, element_type(self.type(node.value))))
            case tree.Unary():
                return n.PrimOp(at, found, "not" if node.op.type == "NOT" else "neg", (self.lower_expr(node.value),))
            case tree.Binary():
                return self.lower_binary(node, at)
            case tree.Member():
                return n.PrimOp(at, found, "in", (self.lower_expr(node.value), self.lower_expr(node.group)))
            case tree.NotMember():
                return n.PrimOp(at, found, "not in", (self.lower_expr(node.value), self.lower_expr(node.group)))
            case tree.Span():
                return n.PrimOp(at, found, "..", (self.lower_expr(node.low), self.lower_expr(node.high)))
            case tree.Printed():
                ref = self.require_ref(node)
                if ref.kind == "number":
                    domain, member = self.require_ref(node.value).target
                    return n.MemberConstant(at, found, domain, member, str(node.name))
                return n.Attribute(at, found, self.lower_expr(node.value), ref.target[0].name, ref.target[1])
            case tree.At():
                return self.lower_index(node, at)
            case tree.Apply():
                return self.lower_apply(node, at)
            case tree.After():
                return n.AfterCall(at, found, self.lower_call(node, self.span_at(node.target), ()), self.lower_expr(node.value, found))
            case tree.Fold() if parse_fold_kind(node.word) == "longest":
                return self.lower_way(node, node.binders.items[0], node.binders.items[1:], None)
            case tree.Fold():
                kind, gens = parse_fold_kind(node.word), self.lower_generators(node.binders)
                value = self.lower_expr(node.value) if node.value is not None else None
                if kind == "all" and node.value is None and node.where is not None:     # the condition is the test, as in `any`
                    return n.Fold(at, found, kind, gens, (), self.lower_expr(node.where))
                return n.Fold(at, found, kind, gens, self.lower_conjuncts(node.where), value)
            case tree.Way():
                return self.lower_way(node, node.start, node.binders.items, node.goal)
            case tree.Trail():
                return self.lower_way(node, node.start, node.binders.items, node.through)
        raise AssertionError(node)

    def lower_way(self, node: tree.Way | tree.Trail | tree.Fold, start: Any, steps: list[Any], places: tree.Expr | None) -> n.Expr:
        """Returns the fold of a way. Without `places`, all places are meant. Each step costs 1 by default."""
        at = self.span_at(node)
        gens = self.lower_generators([start, *steps])
        place = gens[0].local.type
        assert isinstance(place, MemberOf)
        named = self.lower_expr(places, SetOf(place)) if places is not None else n.AllMembers(at, SetOf(place), place.name)
        cost = self.lower_expr(node.value) if node.value is not None else n.Const(at, Int(1, 1), 1)
        return n.Fold(at, self.type(node), parse_fold_kind(node.word), gens, self.lower_conjuncts(node.where), cost, named)

    def lower_empty_literal(self, at: n.RuleSpan, literal: Any, type_: Type, wanted: Type | None) -> n.Expr:
        """Returns an empty literal (`none`, `{}`, or `[]`) with the type that its context expects."""
        if isinstance(type_, EmptyType) and wanted is not None and not isinstance(wanted, EmptyType):
            if type_.written != "none" and isinstance(wanted, OptionalOf):
                wanted = wanted.of                                     # `{}` is an empty set there, and not none
            type_ = wanted if isinstance(wanted, (OptionalOf, *CONTAINERS)) else OptionalOf(wanted)
        return n.EmptyLiteral(at, type_, literal)

    def lower_name(self, node: tree.Name, at: n.RuleSpan) -> n.Expr:
        """Returns the core of a bare name: a local, a state, a def, a number, an option, or a member."""
        found, ref = self.type(node), self.require_ref(node)
        match ref.kind:
            case "local" if self.team is not None and ref.target is self.team[0]:
                return n.Attribute(at, found, n.LocalRef(at, self.player.type, self.player), "Player", self.team[1])
            case "local":
                return n.LocalRef(at, found, self.lower_local(ref.target))
            case "state":
                return n.StateRef(at, found, ref.target.name, ())
            case "family":
                return n.CallDef(at, found, ref.target.name, None, (), bare=True)
            case "number":
                return n.NamedConstant(at, found, str(node.name))
            case "option":
                return n.OptionValue(at, found, ref.target.name)
        return n.Const(at, found, ref.target[1])

    def lower_binary(self, node: tree.Binary, at: n.RuleSpan) -> n.Expr:
        """Returns the core of a binary operator. Each side of a comparison gives its type to an empty literal on the
        other side."""
        found, op = self.type(node), parse_operator(node.op.type.lower() if node.op.type in ("AND", "OR") else str(node.op))
        if op in ("==", "!="):
            sides = self.lower_expr(node.left, self.type(node.right)), self.lower_expr(node.right, self.type(node.left))
        elif op in ("<=", ">=") and isinstance(self.type(node.left), BagOf):
            return self.lower_bag_comparison(node, at)
        else:
            sides = self.lower_expr(node.left, found), self.lower_expr(node.right, found)
        return n.PrimOp(at, found, op, sides)

    def lower_bag_comparison(self, node: tree.Binary, at: n.RuleSpan) -> n.Expr:
        """Returns the core of `less <= more` for two bags: `all(kind in less: less[kind] <= more[kind])`."""
        less, more = (node.left, node.right) if str(node.op) == "<=" else (node.right, node.left)
        gen, count = self.lower_bag_generator(less, self.type(node.left))
        there = self.lower_count(more, self.type(node.left), gen.local)
        return n.Fold(at, BOOL, "all", (gen,), (), n.PrimOp(at, BOOL, "<=", (count, there)))

    def lower_bag_generator(self, bag: tree.Expr, type_: Type) -> tuple[n.GeneratorBinding, n.Expr]:
        """Returns a generator of the kinds in a bag, and the count of its kind. An empty literal has the type `type_`."""
        assert isinstance(type_, BagOf)
        gen = n.GeneratorBinding(self.span_at(bag), n.LocalVar("kind", type_.of), self.lower_expr(bag, type_))
        return gen, self.lower_count(bag, type_, gen.local)

    def lower_count(self, bag: tree.Expr, type_: Type, kind: n.LocalVar) -> n.CountOf:
        """Returns the core of `bag[kind]`. An empty literal has the type `type_`."""
        at = self.span_at(bag)
        return n.CountOf(at, Int(0, None), self.lower_expr(bag, type_), n.LocalRef(at, kind.type, kind))

    def lower_index(self, node: tree.At, at: n.RuleSpan) -> n.Expr:
        """Returns the core of an index in brackets.

        It selects an entry of a state or table, the case of a def, a count in a bag, or a list element."""
        base, *indices = node.parts
        found, ref = self.type(node), self.found.ref(base) if isinstance(base, tree.Name) else None
        if ref is not None and ref.kind == "state" and ref.target.axes:
            return n.StateRef(at, found, ref.target.name, tuple(map(self.lower_expr, indices)))
        if ref is not None and ref.kind == "table":
            return n.TableLookup(at, found, ref.target.name, self.lower_expr(indices[0]))
        if ref is not None and ref.kind == "family" and ref.target.domain is not None:
            return n.CallDef(at, found, ref.target.name, self.lower_expr(indices[0]), (), bare=True)
        if isinstance(self.type(base), BagOf):
            return n.CountOf(at, found, self.lower_expr(base), self.lower_expr(indices[0]))
        return n.ElementAt(at, found, self.lower_expr(base), self.lower_expr(indices[0]))

    def lower_apply(self, node: tree.Apply, at: n.RuleSpan) -> n.Expr:
        """Returns the core of a call in an expression: a def, the built-in `cells`, or another built-in function."""
        target, *arguments = node.parts
        found, ref = self.type(node), self.require_ref(node)
        if ref.kind == "family":
            case = self.lower_expr(target.parts[1]) if isinstance(target, tree.At) else None
            return n.CallDef(at, found, ref.target.name, case, self.lower_arguments(ref.target, arguments))
        if ref.target == "cells":
            name, *indices = arguments[0].parts if isinstance(arguments[0], tree.At) else arguments
            return n.OccupiedCells(at, found, self.require_ref(name).target.name, tuple(map(self.lower_expr, indices)))
        return n.PrimOp(at, found, ref.target, tuple(map(self.lower_expr, arguments)))

    def lower_arguments(self, family: checked.FamilyDecl, arguments: list[tree.Expr]) -> tuple[n.Expr, ...]:
        """Returns the arguments of a call, each with the type of its parameter."""
        return tuple(self.lower_expr(argument, param.type) for argument, param in zip(arguments, family.params))

    def lower_conjuncts(self, node: tree.Expr | None) -> tuple[n.Expr, ...]:
        """Returns the operands of a chain of `and`, in source order. Empty if there is no condition."""
        if isinstance(node, tree.Binary) and node.op.type == "AND":
            return self.lower_conjuncts(node.left) + self.lower_conjuncts(node.right)
        return () if node is None else (self.lower_expr(node),)

    def lower_generators(self, binders: Iterable[Any]) -> tuple[n.GeneratorBinding, ...]:
        """Returns the generators of a list of binders."""
        return tuple(map(self.lower_generator, binders))

    def lower_generator(self, binder: Any) -> n.GeneratorBinding:
        """Returns the generator of one binder: its local, its source, and the counter if it is numbered."""
        number = self.lower_local(self.found.numbers[id(binder)]) if isinstance(binder, tree.BinderNumbered) else None
        return n.GeneratorBinding(
            self.span_at(binder), self.lower_local(self.found.locals[id(binder)]), self.lower_expr(binder.source), number
        )

    # ------------------------------------------------------------ statements

    def lower_block(self, suite: Iterable[Any]) -> n.Block:
        """Returns the statements of a suite."""
        return tuple(map(self.lower_stmt, suite))

    def lower_target(self, node: tree.Expr) -> n.Target:
        """Returns something assignable: an entry of a state, a count in a bag, or a local."""
        found = self.lower_expr(node)
        assert isinstance(found, n.StateRef | n.CountOf | n.LocalRef)
        return found

    def lower_stmt(self, node: Any) -> n.Stmt:
        """Returns the core of one statement."""
        at = self.span_at(node)
        if isinstance(node, tree.Choose | tree.ChooseBlock | tree.Menu):
            return self.lower_choice(node, at)
        if isinstance(node, tree.If_):
            return self.lower_if(node, at)
        cites = self.full_clauses(node.parts[-1] if isinstance(node, tree.Tell) else node.cites)
        match node:
            case tree.Let():
                return n.Let(
                    at, cites, self.lower_local(self.found.locals[id(node)]), self.lower_expr(node.value, self.found.locals[id(node)].type)
                )
            case tree.Assign():
                op: Any = str(node.op)
                if isinstance(self.type(node.target), BagOf):
                    return self.lower_bag_assignment(node, at, cites)
                return n.Store(at, cites, op, self.lower_target(node.target), self.lower_expr(node.value, self.type(node.target)))
            case tree.Move():
                if isinstance(node.amount, tree.ExactAmount) and isinstance(self.type(node.amount.value), BagOf):
                    return self.lower_bag_move(node, node.amount, at, cites)
                inner = None if isinstance(node.amount, tree.Everything) else element_type(self.type(node.source))
                return n.MoveStmt(
                    at, cites, self.lower_amount(node.amount, inner), self.lower_target(node.source), self.lower_target(node.target)
                )
            case tree.Draw():
                return n.DrawStmt(at, cites, self.lower_amount(node.amount), self.lower_target(node.source), self.lower_target(node.target))
            case tree.Shuffle():
                return n.Shuffle(at, cites, self.lower_target(node.target))
            case tree.Swap():
                return n.Swap(at, cites, self.lower_target(node.one), self.lower_target(node.other))
            case tree.Tell():
                name, *tellings, listeners, _ = node.parts
                values = [telling.value for telling in tellings if telling is not None]
                slots = tuple((slot, self.lower_expr(value)) for (slot, _), value in zip(self.found.slots[id(node)], values))
                heard_by = tuple(map(self.lower_expr, listeners)) if listeners is not None else None
                return n.EmitEvent(at, cites, str(name), slots, self.span_at(name), heard_by)
            case tree.Stop():
                return n.StopProc(at, cites)
            case tree.Call():
                return self.lower_call(node, at, cites)
            case tree.For_():
                gens = self.lower_generators(node.binders)
                where, body, manner = self.lower_conjuncts(node.where), self.lower_block(node.body), node.manner and node.manner.type
                return n.ForEach(at, cites, gens, where, manner == "AS_REACHED", body, manner == "AT_ONCE")
            case tree.Repeat():
                until = self.lower_expr(node.until) if node.until is not None else None
                return n.RepeatLoop(at, cites, self.lower_expr(node.count), until, self.lower_block(node.body))
            case tree.Rounds():
                gen = self.lower_generator(node.binder) if node.binder is not None else None
                until = self.lower_expr(node.until) if node.until is not None else None
                return n.RoundsLoop(at, cites, gen, self.lower_conjuncts(node.where), until, self.lower_block(node.body))
        raise AssertionError(node)

    def lower_bag_assignment(self, node: tree.Assign, at: n.RuleSpan, cites: tuple[str, ...]) -> n.Stmt:
        """Returns the core of `place += bag` or `place -= bag`: `for kind in bag: place[kind] += bag[kind]`."""
        op: Any = str(node.op)
        place = self.type(node.target)
        gen, count = self.lower_bag_generator(node.value, place)
        return n.ForEach(at, cites, (gen,), (), False, (n.Store(at, (), op, self.lower_count(node.target, place, gen.local), count),))

    def lower_bag_move(self, node: tree.Move, amount: tree.ExactAmount, at: n.RuleSpan, cites: tuple[str, ...]) -> n.Stmt:
        """Returns the core of `move bag from source to target`: `for kind in bag: repeat bag[kind]: move kind from source to target`."""
        bag, here = amount.value, self.span_at(amount)
        gen, count = self.lower_bag_generator(bag, self.type(bag))
        thing = n.MoveAmount(here, n.LocalRef(here, gen.local.type, gen.local))
        step = n.MoveStmt(at, (), thing, self.lower_target(node.source), self.lower_target(node.target))
        return n.ForEach(at, cites, (gen,), (), False, (n.RepeatLoop(at, (), count, None, (step,)),))

    def lower_call(self, node: tree.Node, at: n.RuleSpan, cites: tuple[str, ...]) -> n.CallProc:
        """Returns the procedure call of a statement or of an `after` expression."""
        family, given, arguments = self.found.calls[id(node)]
        case = self.lower_expr(given) if given is not None else None
        return n.CallProc(at, cites, family.name, case, self.lower_arguments(family, arguments))

    def lower_amount(self, node: Any, wanted: Type | None = None) -> n.MoveAmount:
        """Returns the amount of a `move` or `draw`."""
        value = None if isinstance(node, tree.Everything) else self.lower_expr(node.value, wanted)
        return n.MoveAmount(self.span_at(node), value, isinstance(node, tree.AtMost))

    def lower_if(self, node: tree.If_, at: n.RuleSpan) -> n.Stmt:
        """Returns an `if` with all its `elif` branches and its `else`."""
        test, cites, suite, *rest = node.parts
        arms = [n.IfBranch(self.span_at(test), self.lower_expr(test), self.full_clauses(cites), self.lower_block(suite))]
        other = None
        for part in rest:
            if isinstance(part, tree.Elif_):
                arms.append(
                    n.IfBranch(self.span_at(part), self.lower_expr(part.test), self.full_clauses(part.cites), self.lower_block(part.body))
                )
            elif part is not None:
                other = self.lower_block(part.body)
        return n.IfChain(at, self.full_clauses(cites), tuple(arms), other)

    def lower_decider(self, node: Any) -> n.Decider:
        """Returns the decider of a choice: a player or chance."""
        if isinstance(node, tree.BySeat):
            return n.SeatDecider(self.span_at(node), self.lower_expr(node.who))
        return n.ChanceDecider(self.span_at(node))

    def lower_cardinality(self, node: Any) -> n.ChoiceCardinality | None:
        """Returns how many things a choice takes. None means exactly one."""
        if node is None:
            return None
        kinds: dict[type, Any] = {tree.UpTo: "up to", tree.Exactly: "exactly", tree.Some: "some", tree.UpToTimes: "up to times",
                                  tree.ExactlyTimes: "exactly times"}
        return n.ChoiceCardinality(self.span_at(node), kinds[type(node)], self.lower_expr(node.count) if hasattr(node, "count") else None)

    def lower_choice(self, node: Any, at: n.RuleSpan) -> n.Stmt:
        """Returns the core of a choice, with or without a body, or of a menu."""
        cites = self.full_clauses(node.cites)
        by, how = self.lower_decider(self.found.deciders[id(node)]), self.lower_cardinality(node.how)
        if isinstance(node, tree.Menu):
            ways = tuple(
                n.ChoiceAlternative(
                    self.span_at(entry),
                    str(entry.name),
                    self.full_clauses(entry.cites),
                    (self.lower_generators(entry.binders),) if entry.binders else (),
                    self.lower_conjuncts(entry.where),
                    self.lower_block(entry.body),
                )
                for entry in node.entries
            )
        else:
            groups = tuple(map(self.lower_generators, node.slots))
            body = self.lower_block(node.body) if isinstance(node, tree.ChooseBlock) else None
            ways = (n.ChoiceAlternative(at, None, (), groups, self.lower_conjuncts(node.where), body),)
        other = getattr(node, "otherwise", None)
        otherwise = (
            n.OtherwiseBranch(self.span_at(other), self.full_clauses(other.cites), self.lower_block(other.body))
            if other is not None
            else None
        )
        result = self.found.results.get(id(node))
        return n.ChooseStmt(
            at, cites, ways, by, node.may is not None, how, str(node.label) if node.label is not None else None,
            self.lower_local(result) if result is not None else None, getattr(node, "or_stop", None) is not None, otherwise,
        )


def _name_token(node: Any) -> Any:
    """Returns the token with the name of a declaration."""
    parts = getattr(node, "parts", None)
    return node.name if parts is None else parts[1] if isinstance(node, tree.Goal) else parts[0]
