"""What expressions of the rules are at a decision that waits, as far as that takes no rule to be run: for the sentences of `why`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ...dsl.core.nodes import Ask, Attribute, Const, CountOf, Display, Expr, Fold, Load, Local, Nothing, Number, OwnNumber, Prim, Read
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import conjuncts, walk
from ...dsl.types.types import BagOf, ListOf, Maybe, PileOf, SetOf
from ..position.inspect import reckoned
from ..position.position import Decision
from ..position.visibility import in_sight, sees

GROUPS = SetOf | ListOf | PileOf | BagOf


class Unknown(Exception):
    """Nothing is known of an expression that a rule would have to work out."""


class Moment:
    """The position of a decision as the one who decides sees it, with what an option would choose. `seen`: what expressions are that have
    been worked out already."""

    def __init__(self, decision: Decision, chosen: Mapping[str, Any], seen: Mapping[Expr, Any]) -> None:
        self.decision, self.position, self.seen = decision, decision.position, seen
        self.game = decision.position.game
        self.program = self.game.ruleset.program
        self.named = {name: raw for name, (_, raw) in in_sight(decision).items()} | dict(chosen)
        self.bound: dict[Local, Any] = {}

    def of(self, node: Expr | None) -> Any:
        """The raw value of an expression. Raises Unknown."""
        if node is not None and node in self.seen:
            return self.seen[node]
        match node:
            case Const(value=value):
                return value
            case Nothing(type=found):
                return self.game.codec(found).default
            case Number(name=name):
                return self.game.model.numbers[name]
            case OwnNumber(domain=domain, member=member, name=name):
                enum = self.game.model.enums[domain]
                return enum.own[enum.members[member], name]
            case Read(local=local):
                return self.local(local)
            case Load(state=state, index=index):
                return self.entry(state, [self.of(at) for at in index])
            case CountOf(bag=bag, kind=kind):
                return self.of(bag)[self.member(kind)]
            case Attribute(thing=thing, domain=domain, name=name):
                return self.game.model.enums[domain].values[name][self.member(thing)]
            case Ask(family=family, args=args, case=None) if family in self.game.module.shown:
                found = reckoned(self.game.module.shown[family][1], self.position, *map(self.of, args))
                if found is not None:
                    return found
            case Prim(op="+" | "-" as op, args=(left, right)) if not isinstance(left.type, GROUPS):
                one, other = self.of(left), self.of(right)
                return one + other if op == "+" else one - other
            case Display(parts=parts, type=found):
                return self.game.codec(found).pack(map(self.of, parts))
            case Prim(op="size", args=(things,)):
                return self.game.codec(things.type).size(self.of(things))
        raise Unknown

    def known(self, node: Expr | None) -> bool:
        try:
            self.of(node)
        except Unknown:
            return False
        return True

    def local(self, local: Local) -> Any:
        if local in self.bound:
            return self.bound[local]
        if local in inner(self.program) or local.name not in self.named:
            raise Unknown
        return self.named[local.name]

    def entry(self, state: str, index: list[int]) -> Any:
        cell = self.game.cells[state]
        if -1 in index[: len(cell.sizes)] or not sees(self.position, cell, index, self.decision.seat):
            raise Unknown
        return self.position.at(cell, index)

    def member(self, node: Expr) -> int:
        """The member that an expression is; what is none has no place."""
        found = int(self.of(node))
        if isinstance(node.type, Maybe) and not self.game.codec(node.type).size(found):
            raise Unknown
        return found

    def open(self, node: Expr | None, value: Any = None) -> None:
        """Give the names in the defs and sets that lie below a part of a rule what they stand for; `value` is what a set is asked for."""
        match node:
            case Ask(family=family, case=case, args=args):
                if case is not None and not self.known(case):
                    return
                routine = self.program.families[family].entry(None if case is None else self.of(case))
                if routine is not None:
                    self.enter(routine, case, args)
                    for part in (routine.value, *(condition.test for condition in routine.conditions)):
                        self.open(part, value)
            case Fold(kind="set" | "list", gens=(gen,), where=where) if value is not None:
                self.bound[gen.local] = value
                for part in where:
                    self.open(part)
            case Prim(op="in", args=(item, group)):
                self.open(group, self.of(item) if self.known(item) else None)
            case Prim(op="and"):
                for part in conjuncts(node):
                    self.open(part)
            case Prim(op="&" | "-" | "+", args=(left, right)) if value is not None:
                self.open(left, value)
                self.open(right, value)

    def enter(self, routine: Routine, case: Expr | None, args: tuple[Expr, ...]) -> None:
        given = list(zip(routine.params, args)) + ([(routine.case, case)] if routine.case is not None and case is not None else [])
        self.bound |= {param: self.of(argument) for param, argument in given if self.known(argument)}


@lru_cache(maxsize=8)
def inner(program: Program) -> frozenset[Local]:
    """The names that mean something inside of an expression or a def only: no name of a decision."""
    params = {param for family in program.families.values() if family.kind == "def" for routine in family.routines
              for param in (*routine.params, *([routine.case] if routine.case is not None else []))}
    folds = (node for routine in program.routines for node in walk(routine.parts) if isinstance(node, Fold))
    return frozenset(params.union(local for fold in folds for gen in fold.gens for local in gen.locals))
