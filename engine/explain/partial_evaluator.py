"""Evaluates expressions of the rules at the current decision without running rules, for the sentences of `why`.

Constants, attributes, visible states, visible names and simple arithmetic can be evaluated. Everything else
raises NotEvaluableError, and the caller then writes no sentence about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ...dsl.core.nodes import (
    Attribute,
    CallDef,
    CollectionLiteral,
    Const,
    CountOf,
    EmptyLiteral,
    Expr,
    Fold,
    LocalRef,
    LocalVar,
    MemberConstant,
    NamedConstant,
    PrimOp,
    StateRef,
)
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import split_conjuncts, walk
from ...dsl.types.types import BagOf, ListOf, OptionalOf, PileOf, SetOf
from ..position.inspect import evaluate_def
from ..position.observation import visible_names
from ..position.position import Decision
from ..position.visibility import can_see

COLLECTION_TYPES = SetOf | ListOf | PileOf | BagOf


class NotEvaluableError(Exception):
    """Raised for an expression whose value is unknown without running a rule."""


class PartialEvaluator:
    """Evaluates expressions as the deciding seat sees the position, with the values that an option would choose.

    `seen` maps expressions to values that the explain form has computed already."""

    def __init__(self, decision: Decision, chosen: Mapping[str, Any], seen: Mapping[Expr, Any]) -> None:
        self.decision, self.position, self.seen = decision, decision.position, seen
        self.game = decision.position.game
        self.program = self.game.ruleset.program
        self.named = {name: raw for name, (_, raw) in visible_names(decision).items()} | dict(chosen)
        self.bound: dict[LocalVar, Any] = {}

    def evaluate(self, node: Expr | None) -> Any:
        """Returns the raw value of an expression. Raises NotEvaluableError."""
        if node is not None and node in self.seen:
            return self.seen[node]
        match node:
            case Const(value=value):
                return value
            case EmptyLiteral(type=found):
                return self.game.codec(found).default
            case NamedConstant(name=name):
                return self.game.model.numbers[name]
            case MemberConstant(domain=domain, member=member, name=name):
                enum = self.game.model.enums[domain]
                return enum.own[enum.members[member], name]
            case LocalRef(local=local):
                return self.evaluate_local(local)
            case StateRef(state=state, index=index):
                return self.read_state(state, [self.evaluate(at) for at in index])
            case CountOf(bag=bag, kind=kind):
                return self.evaluate(bag)[self.evaluate_member(kind)]
            case Attribute(thing=thing, domain=domain, name=name):
                return self.game.model.enums[domain].values[name][self.evaluate_member(thing)]
            case CallDef(family=family, args=args, case=None) if family in self.game.module.shown:
                found = evaluate_def(self.game.module.shown[family][1], self.position, *map(self.evaluate, args))
                if found is not None:
                    return found
            case PrimOp(op="+" | "-" as op, args=(left, right)) if not isinstance(left.type, COLLECTION_TYPES):
                one, other = self.evaluate(left), self.evaluate(right)
                return one + other if op == "+" else one - other
            case CollectionLiteral(parts=parts, type=found):
                return self.game.codec(found).pack(map(self.evaluate, parts))
            case PrimOp(op="size", args=(things,)):
                return self.game.codec(things.type).size(self.evaluate(things))
        raise NotEvaluableError

    def is_evaluable(self, node: Expr | None) -> bool:
        """Whether an expression can be evaluated."""
        try:
            self.evaluate(node)
        except NotEvaluableError:
            return False
        return True

    def evaluate_local(self, local: LocalVar) -> Any:
        """Returns the raw value of a local variable or a name of the decision. Raises NotEvaluableError."""
        if local in self.bound:
            return self.bound[local]
        if local in find_inner_locals(self.program) or local.name not in self.named:
            raise NotEvaluableError
        return self.named[local.name]

    def read_state(self, state: str, index: list[int]) -> Any:
        """Returns the raw value of a state entry that the deciding seat may see. Raises NotEvaluableError."""
        cell = self.game.cells[state]
        if -1 in index[: len(cell.sizes)] or not can_see(self.position, cell, index, self.decision.seat):
            raise NotEvaluableError
        return self.position.raw_at(cell, index)

    def evaluate_member(self, node: Expr) -> int:
        """Returns the member number that an expression evaluates to. Raises NotEvaluableError if the value is empty."""
        found = int(self.evaluate(node))
        if isinstance(node.type, OptionalOf) and not self.game.codec(node.type).size(found):
            raise NotEvaluableError
        return found

    def bind_names(self, node: Expr | None, value: Any = None) -> None:
        """Binds the local names of the defs and sets within a part of a rule to their values. `value` is the
        candidate member of the set, if `node` is a set."""
        match node:
            case CallDef(family=family, case=case, args=args):
                if case is not None and not self.is_evaluable(case):
                    return
                routine = self.program.families[family].entry(None if case is None else self.evaluate(case))
                if routine is not None:
                    self.bind_parameters(routine, case, args)
                    for part in (routine.value, *(condition.test for condition in routine.conditions)):
                        self.bind_names(part, value)
            case Fold(kind="set" | "list", gens=(gen,), where=where) if value is not None:
                self.bound[gen.local] = value
                for part in where:
                    self.bind_names(part)
            case PrimOp(op="in", args=(item, group)):
                self.bind_names(group, self.evaluate(item) if self.is_evaluable(item) else None)
            case PrimOp(op="and"):
                for part in split_conjuncts(node):
                    self.bind_names(part)
            case PrimOp(op="&" | "-" | "+", args=(left, right)) if value is not None:
                self.bind_names(left, value)
                self.bind_names(right, value)

    def bind_parameters(self, routine: Routine, case: Expr | None, args: tuple[Expr, ...]) -> None:
        """Binds the parameters of a routine, and its case, to those arguments that can be evaluated."""
        given = list(zip(routine.params, args)) + ([(routine.case, case)] if routine.case is not None and case is not None else [])
        self.bound |= {param: self.evaluate(argument) for param, argument in given if self.is_evaluable(argument)}


@lru_cache(maxsize=8)
def find_inner_locals(program: Program) -> frozenset[LocalVar]:
    """Returns the locals that have a meaning only inside an expression or a def, so they cannot be names of a
    decision."""
    params = {param for family in program.families.values() if family.kind == "def" for routine in family.routines
              for param in (*routine.params, *([routine.case] if routine.case is not None else []))}
    folds = (node for routine in program.routines for node in walk(routine.parts) if isinstance(node, Fold))
    return frozenset(params.union(local for fold in folds for gen in fold.gens for local in gen.locals))
