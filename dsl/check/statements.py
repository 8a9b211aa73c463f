"""Checks procedures: assignments, movement of things, control flow, and choices with their deciders."""

from __future__ import annotations

from math import comb
from typing import Any

from ..diagnostics.diagnostic import SourceSpan
from ..syntax import tree
from ..types.types import (
    BOOL,
    BROKEN,
    INT,
    BagOf,
    EmptyType,
    ErrorType,
    Int,
    ListOf,
    MemberOf,
    OptionalOf,
    PileOf,
    SetOf,
    Type,
    is_assignable,
)
from .expressions import ExpressionChecker
from .scope import LocalDecl, RoutineDecl, Scope

MAX_OPTION_BITS = 60                       # of an option's code: 63 bits fit in a machine word, and menus add some
MAX_OPTIONS_PER_DECISION = 65_536                 # beyond this, the rule must ask slot by slot (`then`)
CONTAINER_TYPES = (SetOf, BagOf, PileOf, ListOf, OptionalOf)


class StatementChecker:
    """Checks procedures. `_let`, `_move`, and so on are called by the class name of the syntax node."""

    def __init__(self, exprs: ExpressionChecker) -> None:
        self.x = exprs
        self.model, self.names, self.findings, self.found = exprs.model, exprs.names, exprs.findings, exprs.found

    def check_routine(self, routine: RoutineDecl) -> None:
        """Checks the body of a procedure or phase."""
        scope = Scope(routine.path, routine, {p.name: p for p in routine.params})
        if routine.case_local:
            scope.locals[routine.case_local.name] = routine.case_local
        assert routine.body is not None
        routine.assigned = routine.body.assigned_names
        if isinstance(routine.by, tree.BySeat):
            self.check_decider(routine.by.who, scope)
        self.check_suite(routine.body, scope)

    def check_suite(self, suite: tree.Suite, scope: Scope) -> None:
        """Checks the statements of a block."""
        for statement in suite:
            getattr(self, "_" + type(statement).__name__.lower().rstrip("_"))(statement, scope)

    def record_citations(self, cites: tree.Cites | None, scope: Scope) -> None:
        """Records the clauses that a statement cites. Later diagnostics in this scope refer to the first of them."""
        scope.clause = next(iter(scope.routine.cites), None)
        own = False
        for token in cites or []:
            text = str(token)[1:]
            if text.isdigit():
                if scope.routine.family is None:
                    self.findings.add("R104", SourceSpan.of_node(scope.path, token), cite=str(token))
                    continue
                text = f"{scope.routine.family}-{text}"
            scope.clause, own = (scope.clause if own else text), True
            self.x.program.cited.setdefault(text, []).append(SourceSpan.of_node(scope.path, token))

    # ------------------------------------------------------------ assignments and movement

    def check_target(self, node: tree.Expr, scope: Scope, counter: bool = False) -> Type:
        """Returns the type of an assignable expression: a state, an entry of one, a count in a bag, or a mutable `let`."""
        found = self.x.infer(node, scope)
        ref = self.found.ref(node)
        if isinstance(node, tree.At) and ref is None and isinstance(self.found.types.get(id(node.parts[0])), ListOf | PileOf):
            return self.x.error("R301", scope, node)               # list elements are not assignable
        if isinstance(found, ErrorType) or self.found.state_of(node) is not None:
            return found
        if isinstance(node, tree.Name) and ref is not None and ref.kind == "local" and ref.target.mutable:
            return found
        return self.x.error("R301", scope, node)

    def _let(self, node: tree.Let, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        found = self.x.infer(node.value, scope)
        if isinstance(found, EmptyType):
            found = self.x.error("R302", scope, node.value)
        name = str(node.name)
        mutable = name in scope.routine.assigned
        if mutable:
            found = _without_ranges(found)
        if name in scope.locals:
            self.x.error("R226", scope, node.name, name=name)
        self.found.locals[id(node)] = scope.locals[name] = LocalDecl(name, found, mutable)

    def _assign(self, node: tree.Assign, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        target = node.target
        if isinstance(target, tree.Name) and str(node.op) == "=" and self.names.resolve(str(target.name), scope.locals) is None:
            self.x.infer(node.value, scope)
            self.names.report_unknown(scope.path, target.name, scope.locals, "let_first")
            scope.locals[str(target.name)] = LocalDecl(str(target.name), BROKEN, True)         # its uses are no further mistakes
            return
        wanted = self.check_target(target, scope)
        if isinstance(wanted, BagOf):
            if str(node.op) == "=":
                self.x.error("R303", scope, node.target)
            else:
                self.x.expect(node.value, scope, wanted)
            return
        if isinstance(wanted, PileOf):
            wanted = ListOf(wanted.of)
        found = self.x.expect(node.value, scope, wanted)
        if str(node.op) != "=" and not isinstance(wanted, Int | SetOf | ListOf | ErrorType) and not isinstance(found, ErrorType):
            self.x.error("R211", scope, node, op=str(node.op), one=wanted, two=found)

    def check_amount(self, node: tree.Node, scope: Scope, wanted: Type) -> None:
        """Checks the amount of a `move` or `draw`."""
        if isinstance(node, tree.ExactAmount | tree.AtMost):
            self.x.expect(node.value, scope, wanted)

    def _move(self, node: tree.Move, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        source, target = self.check_target(node.source, scope), self.check_target(node.target, scope)
        if isinstance(source, ErrorType) or isinstance(target, ErrorType):
            return
        if isinstance(source, Int) and isinstance(target, Int):
            self.check_amount(node.amount, scope, INT)
            return
        if (
            not isinstance(source, CONTAINER_TYPES)
            or not isinstance(target, CONTAINER_TYPES)
            or not is_assignable(source.of, target.of, True)
        ):
            self.x.error("R304", scope, node, one=source, two=target)
            return
        if isinstance(node.amount, tree.ExactAmount):
            found = self.x.infer(node.amount.value, scope, source.of)
            if not is_assignable(found, source.of) and not (isinstance(found, SetOf | BagOf) and is_assignable(found.of, source.of)):
                self.x.error("R305", scope, node.amount.value, found=found, wanted=source.of)
        elif isinstance(node.amount, tree.AtMost):
            self.x.error("R306", scope, node.amount)

    def _draw(self, node: tree.Draw, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        source, target = self.check_target(node.source, scope), self.check_target(node.target, scope)
        if isinstance(source, ErrorType) or isinstance(target, ErrorType):
            return
        if (
            not isinstance(source, BagOf | PileOf | SetOf)
            or not isinstance(target, CONTAINER_TYPES)
            or not is_assignable(source.of, target.of, True)
        ):
            self.x.error("R304", scope, node, one=source, two=target)
        if isinstance(node.amount, tree.Everything):
            self.x.error("R306", scope, node.amount)
        self.check_amount(node.amount, scope, INT)

    def _shuffle(self, node: tree.Shuffle, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        found = self.check_target(node.target, scope)
        if not isinstance(found, PileOf | ListOf | ErrorType):
            self.x.error("R225", scope, node.target, found=found)

    def _swap(self, node: tree.Swap, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        one, two = self.check_target(node.one, scope), self.check_target(node.other, scope)
        if not isinstance(one, ErrorType) and not isinstance(two, ErrorType) and (one != two or isinstance(one, BagOf)):
            self.x.error("R304", scope, node, one=one, two=two)

    def _tell(self, node: tree.Tell, scope: Scope) -> None:
        name, *tellings, listeners, cites = node.parts
        self.record_citations(cites, scope)
        for listener in listeners or ():
            self.x.expect(listener, scope, MemberOf("Player"))
        slots: list[tuple[str, Type]] = []
        for telling in tellings:
            if telling is None:
                continue
            found = self.x.infer_non_optional(telling.value, scope)
            if telling.name is not None:
                slot = str(telling.name)
            elif isinstance(telling.value, tree.Name):
                slot = str(telling.value.name)
            else:
                self.x.error("R307", scope, telling.value)
                continue
            if any(slot == name for name, _ in slots):
                self.x.error("R103", scope, telling, name=slot)
            slots.append((slot, found))
        self.found.slots[id(node)] = slots

    def _stop(self, node: tree.Stop, scope: Scope) -> None:
        self.record_citations(node.cites, scope)

    def _call(self, node: tree.Call, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        self.x.check_procedure_call(node, node.target, scope)

    # ------------------------------------------------------------ blocks

    def _if(self, node: tree.If_, scope: Scope) -> None:
        test, cites, suite, *rest = node.parts
        self.record_citations(cites, scope)
        self.x.expect(test, scope, BOOL)
        self.check_suite(suite, scope.child_scope())
        for part in rest:
            if isinstance(part, tree.Elif_):
                self.record_citations(part.cites, scope)
                self.x.expect(part.test, scope, BOOL)
            if part is not None:
                self.check_suite(part.body, scope.child_scope())

    def _for(self, node: tree.For_, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        inner = scope.child_scope()
        self.x.check_binders(node.binders, inner)
        if node.where is not None:
            self.x.expect(node.where, inner, BOOL)
        if node.manner is not None and node.manner.type == "AT_ONCE":
            self.check_at_once(node, scope)
        self.check_suite(node.body, inner)

    def check_at_once(self, node: tree.For_, scope: Scope) -> None:
        """Checks that a loop `at once` has one name, and that it is a player."""
        first, *more = node.binders
        found = self.found.locals[id(first)].type
        enum = self.model.enum_of(found.name) if isinstance(found, MemberOf) else None
        if not isinstance(found, ErrorType) and (more or isinstance(first, tree.BinderNumbered) or enum is None or enum.kind != "player"):
            self.x.error("R336", scope, node.manner)

    def _repeat(self, node: tree.Repeat, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        found = self.x.expect(node.count, scope, INT)
        self.x.check_loop_count(found, node.count, scope)
        if node.until is not None:
            self.x.expect(node.until, scope, BOOL)
        inner = scope.child_scope()
        if isinstance(found, Int) and found.high is not None:
            self.x.enter_loop(max(1, found.high), node.count, inner)
        self.check_suite(node.body, inner)

    def _rounds(self, node: tree.Rounds, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        if scope.routine.kind != "phase":
            self.x.error("R311", scope, node, hint="in_a_phase")
        inner = scope.child_scope()
        if node.binder is not None:
            self.x.check_binder(node.binder, inner)
            if isinstance(node.binder, tree.BinderNumbered) or isinstance(self.found.type(node.binder.source), OptionalOf):
                self.x.error("R326", scope, node.binder)
            if node.where is not None:
                self.x.expect(node.where, inner, BOOL)
        elif node.until is None:
            self.x.error("R312", scope, node)
        if node.until is not None:
            self.x.expect(node.until, scope, BOOL)
        self.check_suite(node.body, inner)

    # ------------------------------------------------------------ choices

    def check_decider(self, who: tree.Expr, scope: Scope) -> None:
        """Checks `by x`: a player, or a member of an enumeration that declares who decides for it."""
        found = self.x.infer_non_optional(who, scope)
        if isinstance(found, ErrorType):
            return
        enum = self.model.enum_of(found.name) if isinstance(found, MemberOf) else None
        if enum is None or (enum.kind != "player" and not enum.decides):
            self.x.error("R313", scope, who, found=found)
        elif enum.decides and self.names.find_deciding_state(enum) is None:
            self.x.error("R314", scope, who, name=enum.decides, domain=enum.name)

    def resolve_decider(self, node: Any, scope: Scope) -> None:
        """Stores the decider of a choice: its own `by`, or else that of the routine."""
        own = node.by
        if isinstance(own, tree.BySeat):
            self.check_decider(own.who, scope)
        decider = own or scope.routine.by
        if decider is None:
            self.x.error("R315", scope, node)
        else:
            self.found.deciders[id(node)] = decider

    def check_cardinality(self, cardinality: tree.Node | None, scope: Scope) -> None:
        """Checks the count in `up to n` or `exactly n`."""
        if cardinality is not None and hasattr(cardinality, "count"):
            self.x.expect(cardinality.count, scope, INT)

    def _choose(self, node: tree.Choose, scope: Scope) -> None:
        self.check_choice(node, scope, scope)
        how = node.how
        if isinstance(how, tree.UpToTimes | tree.ExactlyTimes):
            self.x.error("R316", scope, node)
        sets = isinstance(how, tree.UpTo | tree.Exactly | tree.Some)
        if node.or_stop is None and not sets and (node.may is not None or not self.is_never_empty(node)):
            self.x.error("R317", scope, node)

    def _chooseblock(self, node: tree.ChooseBlock, scope: Scope) -> None:
        inner = scope.child_scope()
        self.check_choice(node, scope, inner)
        self.check_suite(node.body, inner)
        self.check_otherwise(node.otherwise, scope)

    def check_otherwise(self, node: tree.Otherwise | None, scope: Scope) -> None:
        """Checks the `otherwise` block of a choice."""
        if node is not None:
            self.record_citations(node.cites, scope)
            self.check_suite(node.body, scope.child_scope())

    def check_choice(self, node: Any, scope: Scope, after: Scope) -> None:
        """Checks a choice, and adds the names that it binds to `after`."""
        self.record_citations(node.cites, scope)
        self.check_cardinality(node.how, scope)
        inner = scope.child_scope()
        for group in node.slots:
            self.x.check_binders(group, inner, True)
        if node.where is not None:
            self.x.expect(node.where, inner, BOOL)
        self.resolve_decider(node, scope)
        sets = isinstance(node.how, tree.UpTo | tree.Exactly | tree.Some)
        binders = [b for group in node.slots for b in group]
        chance = isinstance(self.found.deciders.get(id(node)), tree.ByChance)
        whole = [binder for binder in binders if isinstance(self.found.locals[id(binder)].type, SetOf | BagOf)]
        if sets and (len(binders) != 1 or chance) or chance and whole:
            self.x.error("R318", scope, node)
        if chance and (node.how is not None or node.may is not None or len(node.slots) > 1):
            self.x.error("R319", scope, node)
        elif node.how is not None and (node.may or getattr(node, "otherwise", None) or sets and getattr(node, "or_stop", None)):
            self.x.error("R325", scope, node)
        for group in node.slots:
            self.check_option_count(group, scope, node)
        for binder in binders:
            if isinstance(binder, tree.BinderNumbered):
                self.x.error("R321", scope, binder)
                number = self.found.numbers[id(binder)]
                after.locals[number.name] = number
        if sets and len(binders) == 1:
            local = self.found.locals[id(binders[0])]
            result = LocalDecl(local.name, SetOf(local.type) if isinstance(local.type, MemberOf) else BROKEN)
            self.found.results[id(node)] = result
            enum = self.model.enum_of(local.type.name) if isinstance(local.type, MemberOf) else None
            if not isinstance(local.type, MemberOf | ErrorType) or enum is not None and enum.kind == "open":
                self.x.error("R229", scope, node, found=local.type)
            if isinstance(self.found.types.get(id(binders[0].source)), BagOf):
                self.findings.add("W110", SourceSpan.of_node(scope.path, binders[0]), clause=scope.clause, name=local.name)
            after.locals[local.name] = result
        else:
            for binder in binders:
                local = self.found.locals[id(binder)]
                after.locals[local.name] = local

    def check_option_count(self, binders: Any, scope: Scope, node: Any) -> None:
        """Reports a choice with more than `MAX_OPTIONS_PER_DECISION` options (R320).

        A chosen set counts as one option here. If there is one, R329 limits the bits of the option's code."""
        size = members = 1
        for binder in binders:
            found = self.found.locals[id(binder)].type
            many = self.domain_size(found, scope, binder)
            # optional: at most one value
            size *= 1 if isinstance(self.found.type(binder.source), OptionalOf) else max(1, many)
            enum = self.model.enum_of(found.of.name) if isinstance(found, SetOf) and isinstance(found.of, MemberOf) else None
            members <<= len(enum) if enum is not None else max(1, many).bit_length()
        if size > MAX_OPTIONS_PER_DECISION:
            self.x.error("R320", scope, node, found=size, limit=MAX_OPTIONS_PER_DECISION)
        if members.bit_length() > MAX_OPTION_BITS and any(isinstance(self.found.locals[id(binder)].type, SetOf) for binder in binders):
            self.x.error("R329", scope, node, limit=MAX_OPTION_BITS)

    def domain_size(self, found: Type, scope: Scope, node: Any) -> int:
        """Returns the number of values of a chosen name. An unbounded choice is an error."""
        if isinstance(found, ErrorType):
            return 1
        if isinstance(found, Int):
            if found.low is None or found.high is None:
                self.x.error("R322", scope, node, found=found)
                return 1
            return found.high - found.low + 1
        if isinstance(found, MemberOf):
            enum = self.model.enum_of(found.name)
            return len(enum or []) or 1
        if isinstance(found, SetOf) and isinstance(found.of, MemberOf):
            enum = self.model.enum_of(found.of.name)
            if enum is not None and enum.kind != "open":
                return 1
        if isinstance(found, BagOf):
            most = self.find_max_bag_size(node)
            if most is None:
                self.x.error("R330", scope, node)
                return 1
            kinds = len(self.model.enums[found.of.name])
            return comb(most + kinds, kinds)
        self.x.error("R323", scope, node, found=found)
        return 1

    def find_max_bag_size(self, binder: Any) -> int | None:
        """Returns the maximum size of the bags that a binder over `amounts` goes over. None if it is not known."""
        source = binder.source
        ref = self.found.ref(source) if isinstance(source, tree.Apply) else None
        if ref is None or (ref.kind, ref.target) != ("builtin", "amounts"):
            return None
        many = self.found.type(source.parts[2])
        many = many.of if isinstance(many, ListOf) else many
        if not isinstance(many, Int):
            return 0                                               # it has a diagnostic already
        return None if many.high is None else max(0, many.high)

    def is_never_empty(self, node: tree.Choose) -> bool:
        """Whether a forced choice has an option in every position: its source is a range such as `0..n`, or a type,
        without a condition."""
        if node.where is not None or node.may is not None:
            return False
        for group in node.slots:
            for binder in group:
                source = binder.source
                if isinstance(source, tree.Domain):
                    continue
                if isinstance(source, tree.Span):
                    one, two = self.found.type(source.low), self.found.type(source.high)
                    low, high = one.high if isinstance(one, Int) else None, two.low if isinstance(two, Int) else None
                    if low is not None and high is not None and low <= high:
                        continue
                return False
        return True

    def _menu(self, node: tree.Menu, scope: Scope) -> None:
        self.record_citations(node.cites, scope)
        self.check_cardinality(node.how, scope)
        self.resolve_decider(node, scope)
        if isinstance(self.found.deciders.get(id(node)), tree.ByChance):
            self.x.error("R319", scope, node)
        elif node.how is not None and (node.may or node.otherwise):
            self.x.error("R325", scope, node)
        seen: set[str] = set()
        for entry in node.entries:
            self.record_citations(entry.cites, scope)
            if str(entry.name) in seen:
                self.x.error("R103", scope, entry.name, name=str(entry.name))
            seen.add(str(entry.name))
            inner = scope.child_scope()
            if entry.binders is not None:
                self.x.check_binders(entry.binders, inner, True)
                self.check_option_count(entry.binders, scope, entry)
                for binder in entry.binders:
                    if isinstance(binder, tree.BinderNumbered):
                        self.x.error("R321", scope, binder)
            if entry.where is not None:
                self.x.expect(entry.where, inner, BOOL)
            self.check_suite(entry.body, inner)
        self.check_otherwise(node.otherwise, scope)


def _without_ranges(found: Type) -> Type:
    """Returns the type without the ranges of its numbers, because later assignments to the variable are not known
    yet."""
    if isinstance(found, Int):
        return INT
    if isinstance(found, OptionalOf | SetOf | ListOf):
        return type(found)(_without_ranges(found.of))
    return found
