"""Checks of binders and folds, and of the number of turns that loops can take.

`FoldChecker` is a mixin of `ExpressionChecker`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, assert_never

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..model.model import Enumeration, GameModel
from ..syntax import tree
from ..types.operations import parse_fold_kind
from ..types.types import (
    BOOL,
    BROKEN,
    INT,
    ErrorType,
    Int,
    ListOf,
    MemberOf,
    OptionalOf,
    PileOf,
    SetOf,
    Type,
    element_type,
    join_types,
)
from .scope import LocalDecl, Resolution, Scope

MAX_LOOP_TURNS = 1_000_000                # one loop over numbers
MAX_NESTED_LOOP_TURNS = 20_000_000              # nested loops


class FoldChecker:
    """Checks binders and folds. Mixin of `ExpressionChecker`."""

    if TYPE_CHECKING:
        model: GameModel
        findings: DiagnosticList
        found: Resolution

        def error(self, code: str, scope: Scope, node: Any, hint: str | None = None, **args: Any) -> Type: ...
        def infer(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type: ...
        def expect(self, node: tree.Expr, scope: Scope, wanted: Type, surely: bool = False, suggestion: str = "") -> Type: ...
        def require_type(
            self, node: tree.Expr, found: Type, scope: Scope, wanted: Type, surely: bool = False, suggestion: str = ""
        ) -> Type: ...
        def infer_non_optional(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type: ...

    def check_binders(self, binders: Any, scope: Scope, asked: bool = False) -> None:
        """Checks binders from left to right and adds their names to `scope`.

        `asked`: the values are options of a choice, not iterations of a loop."""
        for binder in binders:
            self.check_binder(binder, scope, asked)
            if not asked:
                self.enter_loop(self.max_iterations(binder.source), binder, scope)

    def max_iterations(self, source: tree.Expr) -> int:
        """Returns the maximum number of iterations over a source. 1 if unknown, because the step limit catches long
        loops at run time."""
        if isinstance(source, tree.Span):
            return max(1, self.span_length(source) or 1)
        found = self.found.type(source)
        enum = self.model.enum_of(found.of.name) if isinstance(found, SetOf) and isinstance(found.of, MemberOf) else None
        return max(1, len(enum)) if enum is not None and isinstance(source, tree.Domain) else 1

    def span_length(self, span: tree.Span) -> int | None:
        """Returns the maximum length of a range of numbers, or None if it is unknown."""
        low, high = self.found.type(span.low), self.found.type(span.high)
        if not isinstance(low, Int) or not isinstance(high, Int) or low.low is None or high.high is None:
            return None
        return high.high - low.low + 1

    def enter_loop(self, times: int, node: Any, scope: Scope) -> None:
        """Multiplies the iterations of `scope` by those of one more loop. Reports R234 if the product exceeds
        `MAX_NESTED_LOOP_TURNS`."""
        if times <= MAX_LOOP_TURNS and scope.turns <= MAX_NESTED_LOOP_TURNS < scope.turns * times:
            self.error("R234", scope, node, found=scope.turns * times, limit=MAX_NESTED_LOOP_TURNS)
        scope.turns *= times

    def check_loop_count(self, found: Type, node: tree.Expr, scope: Scope) -> None:
        """Reports R234 if a loop can have more than `MAX_LOOP_TURNS` iterations."""
        if isinstance(found, Int) and found.high is not None and found.high > MAX_LOOP_TURNS:
            self.error("R234", scope, node, found=found.high, limit=MAX_LOOP_TURNS)

    def check_binder(self, binder: Any, scope: Scope, asked: bool = False) -> LocalDecl:
        """Checks one binder, adds its names to `scope`, and returns its local."""
        found = self.infer(binder.source, scope)
        inner = element_type(found)
        if inner is None:
            inner = self.error("R213", scope, binder.source, found=found)
        if isinstance(binder.source, tree.Span) and not asked:
            self.check_loop_count(Int(None, self.span_length(binder.source)), binder.source, scope)
        if isinstance(binder, tree.BinderNumbered):
            if not isinstance(found, ListOf | PileOf | ErrorType):
                self.error("R225", scope, binder.source, found=found)
            number = LocalDecl(str(binder.number), Int(1, None))
            if number.name in scope.locals:
                self.error("R226", scope, binder.number, name=number.name)
            scope.locals[number.name] = number
            self.found.numbers[id(binder)] = number
        local = LocalDecl(str(binder.name), inner)
        if str(binder.name) in scope.locals and not isinstance(scope.locals[str(binder.name)].type, ErrorType):
            self.error("R226", scope, binder.name, name=str(binder.name))
        scope.locals[local.name] = local
        self.found.locals[id(binder)] = local
        return local

    def _fold(self, node: tree.Fold, scope: Scope, wanted: Type | None) -> Type:
        kind, value = parse_fold_kind(node.word), node.value
        if kind == "longest":
            start, *steps = node.binders.items
            return self.check_longest(node, start, steps, None, scope)
        inner = scope.child_scope()
        self.check_binders(node.binders, inner)
        if node.where is not None:
            self.expect(node.where, inner, BOOL)
        last = self.found.locals[id(node.binders.items[-1])]
        match kind:
            case "any" | "all":
                if value is not None:
                    self.expect(value, inner, BOOL)
                return BOOL
            case "count":
                if value is not None:
                    self.error("R227", inner, value, word=kind)
                return Int(0, None)
            case "sum" | "highest" | "lowest" | "best" | "ranked" | "tiers":
                if value is None:
                    return self.error("R228", scope, node, word=kind)
                return _number_fold_type(kind, self.expect(value, inner, INT), last.type)
            case "set" | "list" | "first" | "the":
                if value is None:
                    self.warn_if_binders_unrelated(node, scope)
                element = element_type(wanted) if wanted else None
                found = self.infer_non_optional(value, inner, element) if value is not None else last.type
                if isinstance(found, ErrorType):
                    return BROKEN
                if kind == "set" and not isinstance(found, MemberOf):
                    return self.error("R229", inner, value or node, found=found)
                return {"set": SetOf, "list": ListOf, "first": OptionalOf}[kind](found) if kind != "the" else found
            case "shortest":
                return self.error("R238", scope, node)
            case _:
                assert_never(kind)

    def _way(self, node: tree.Way, scope: Scope, wanted: Type | None) -> Type:
        """Returns the type of `shortest(here in starts to goal, there in next where condition: cost)`."""
        if parse_fold_kind(node.word) != "shortest":
            return self.error("R239", scope, node, word=str(node.word))
        inner = scope.child_scope()
        enum = self.check_place(node.start, self.check_binder(node.start, inner).type, scope)
        if enum is None:
            return BROKEN
        self.check_places(node.goal, SetOf(MemberOf(enum.name)), scope)
        high = self.check_step(node, node.binders.items, enum, inner)
        return high if isinstance(high, ErrorType) else OptionalOf(Int(0, None if high.high is None else high.high * (len(enum) - 1)))

    def _trail(self, node: tree.Trail, scope: Scope, wanted: Type | None) -> Type:
        """Returns the type of `longest(here in starts through places, ...)`."""
        if parse_fold_kind(node.word) != "longest":
            return self.error("R242", scope, node, word=str(node.word))
        return self.check_longest(node, node.start, node.binders.items, node.through, scope)

    def check_longest(self, node: tree.Trail | tree.Fold, start: Any, steps: list[Any], through: tree.Expr | None, scope: Scope) -> Type:
        """Returns the type of `longest(here in starts, edge in edges(here), there in ends(edge) where condition: cost)`."""
        inner = scope.child_scope()
        enum = self.check_place(start, self.check_binder(start, inner).type, scope)
        if not steps:
            return self.error("R243", scope, node)
        if enum is None:
            return BROKEN
        if through is not None:
            self.check_places(through, SetOf(MemberOf(enum.name)), scope)
        cost = self.check_step(node, steps, enum, inner)
        once = self.check_place(steps[0], self.found.locals[id(steps[0])].type, scope)
        if isinstance(cost, ErrorType) or once is None:
            return BROKEN
        return Int(0, None if cost.high is None else cost.high * (len(once) - (len(steps) == 1)))

    def check_place(self, binder: Any, found: Type, scope: Scope) -> Enumeration | None:
        """Returns the type of the things that a way visits. Reports other types than members of a bounded set."""
        if isinstance(found, ErrorType):
            return None
        enum = self.model.enum_of(found.name) if isinstance(found, MemberOf) else None
        if enum is None:
            self.error("R229", scope, binder.source, found=found)
        elif enum.kind == "open":
            self.error("R204", scope, binder.source, name=enum.name)
            return None
        return enum

    def check_places(self, node: tree.Expr, places: SetOf, scope: Scope) -> None:
        """Checks the expression after `to` or `through`: any container of places."""
        found = self.infer(node, scope, places)
        if element_type(found) != places.of:
            self.require_type(node, found, scope, places)

    def check_step(self, node: Any, binders: list[Any], place: Enumeration, scope: Scope) -> Int | ErrorType:
        """Checks the step of a way and returns the type of its cost. `scope` has the name of the place before it."""
        self.enter_loop(len(place), node, scope)
        self.check_binders(binders, scope)
        last, wanted = binders[-1], MemberOf(place.name)
        found = self.found.locals[id(last)].type
        if not isinstance(found, ErrorType) and found != wanted:
            self.error("R240", scope, last.source, name=str(last.name), found=found, wanted=wanted)
            return BROKEN
        if node.where is not None:
            self.expect(node.where, scope, BOOL)
        cost = self.expect(node.value, scope, INT) if node.value is not None else Int(1, 1)
        if not isinstance(cost, Int):
            return BROKEN
        if cost.low is None or cost.low < 0:
            self.error("R241", scope, node.value, found=cost)
            return BROKEN
        return cost

    def warn_if_binders_unrelated(self, node: tree.Fold, scope: Scope) -> None:
        """Warns (W109) of a fold that returns its last variable although the source of that does not depend on the
        earlier ones."""
        *before, last = node.binders.items
        names = {str(binder.name) for binder in before}
        if before and not any(isinstance(part, tree.Name) and str(part.name) in names for part in tree.walk(last.source)):
            self.findings.add("W109", SourceSpan.of_node(scope.path, node), clause=scope.clause, word=str(node.word), name=str(last.name),
                              other=str(before[0].name))


def _number_fold_type(kind: Literal["sum", "highest", "lowest", "best", "ranked", "tiers"], value: Type, thing: Type) -> Type:
    """Returns the type of a fold that takes a number from each combination. `thing` is the type of its last variable."""
    match kind:
        case "sum":
            return Int(0, None) if isinstance(value, Int) and value.low is not None and value.low >= 0 else INT
        case "highest" | "lowest":
            return join_types(value, Int(0, 0)) or INT
        case "best":
            return SetOf(thing)
        case "ranked":
            return ListOf(thing)
        case "tiers":
            return ListOf(SetOf(thing))
        case _:
            assert_never(kind)
