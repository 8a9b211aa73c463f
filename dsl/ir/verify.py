"""Whether a machine is sound: what must hold of every one that is written out, whatever the rules say. For tests, and for whoever writes
a pass.

A variable is set on every way before it is used; functions, tables and constants exist; what is left to be placed is placed; addresses that
are numbers lie in the position; a loop is left only from inside; nothing stands behind a step that leaves.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import nodes as m
from .builder import Code
from .infer import Kinds, Pass
from .program import Machine
from .value_types import EMPTY, WORD, Unknown

GIVEN = {"s", "dict"}                                              # the position, and what the runtime has for making things once


def verify(machine: Machine) -> list[str]:
    """What is wrong, a line each; nothing where all is well."""
    names = {code.name for code in (*machine.functions, *machine.blocks)} | machine.tables.keys()
    found = [f"{table} has no function {name}" for table, rows in machine.tables.items() for name in rows if name not in names]
    for code in (*machine.functions, *machine.blocks):
        found += [f"{code.name}: {line}" for line in _Function(machine, names, code).check()]
    return found


class _Function:
    """Looks at one function."""

    def __init__(self, machine: Machine, names: set[str], code: Code) -> None:
        self.machine, self.names, self.code = machine, names, code
        self.size = len(machine.initial)
        self.wrong: list[str] = []
        self.left: list[list[set[str]]] = []                       # for each loop around, what was set where it was left

    def check(self) -> list[str]:
        self.block(self.code.body, {*self.code.params, *GIVEN})
        return self.wrong

    def block(self, body: m.Body, known: set[str]) -> set[str] | None:
        """What is set behind a block; None where nothing gets there."""
        now: set[str] | None = known
        for node in body:
            if now is None:
                self.wrong.append(f"nothing gets to {type(node).__name__}")
                return None
            now = self.step(node, now)
        return now

    def step(self, node: m.Stmt, known: set[str]) -> set[str] | None:
        if not isinstance(node, m.For | m.While | m.If):
            for part in m.expressions(node):
                self.expression(part, known)
        match node:
            case m.Set(names=names):
                return known | set(names)
            case m.Change(target=m.Var(name=name)):
                self.expression(m.Var(name), known)
            case m.Recall(name=name):
                return known | {name} if name is not None else known
            case m.If(test=test, body=body, other=other):
                self.expression(test, known)
                known = known | set(given(test))
                ends = [end for end in (self.block(body, known), self.block(other, known)) if end is not None]
                return set.intersection(*ends) if ends else None
            case m.For(names=names, things=things, body=body, other=other):
                self.expression(things, known)
                self.left.append([])
                self.block(body, known | set(names))
                behind = self.block(other, known)
                ends = [*self.left.pop(), *([behind] if behind is not None else [])]
                return set.intersection(*ends) if ends else None
            case m.While(test=test, body=body):
                self.expression(test, known)
                self.left.append([])
                self.block(body, known)
                ends = self.left.pop() + ([] if test == m.Flag(True) else [known])
                return set.intersection(*ends) if ends else None
            case m.Break():
                if not self.left:
                    self.wrong.append("a break outside a loop")
                else:
                    self.left[-1].append(known)
                return None
            case m.Continue():
                if not self.left:
                    self.wrong.append("a continue outside a loop")
                return None
            case m.Return() | m.Raise():
                return None
            case m.Forget() | m.Writing() | m.Written():
                self.wrong.append(f"{type(node).__name__} was not written out")
        return known

    def expression(self, node: m.Expr, known: set[str]) -> None:
        match node:
            case m.Var(name=name) if name not in known:
                self.wrong.append(f"{name} is not set on every way")
            case m.Function(name=name) if name not in self.names and name != "first_key":
                self.wrong.append(f"there is no function {name}")
            case m.Table(name=name) if name not in self.machine.values and name != "FIRST":
                self.wrong.append(f"there is no constant {name}")
            case m.Frame() | m.Memo() | m.Kept():
                self.wrong.append(f"{type(node).__name__} has no place")
            case m.Get(at=m.Num(value=at)) if not 0 <= at < self.size:
                self.wrong.append(f"the position has no word {at}")
            case m.Listed(names=names, things=things, inner=inner):
                self.expression(things, known)
                known = known | set(names)
                if inner is not None:
                    self.expression(inner[1], known)
                    known = known | set(inner[0])
                for part in (node.value, *node.tests):
                    self.expression(part, known)
                return
            case m.Logic(parts=parts) | m.Tup(items=parts) | m.Lst(items=parts):
                for part in parts:
                    self.expression(part, known)
                    known = known | set(given(part))
                return
        for part in m.expressions(node):
            self.expression(part, known)


def verify_kinds(kinds: Kinds) -> list[str]:
    """What is wrong with the kinds that were found for a machine: whatever is used has one, but for what comes from where nobody ever puts
    anything, and going through it once more finds nothing new. (What is not known where it is used would be written out as a number.)"""
    found = []
    kinds.changed = False
    for name, function in kinds.functions.items():
        seen = Pass(kinds, function)
        try:
            seen.block(function.code.body)
            for step in m.steps(function.code.body):
                if isinstance(step, m.Set | m.For) and not never_filled(seen, step.value if isinstance(step, m.Set) else step.things):
                    found += [f"{name}: {one} has no kind" for one in step.names if function.variables.get(one, WORD) is None]
        except Unknown as unknown:
            found.append(f"{name}: {unknown}")
    return [*found, "the kinds are not settled"] if kinds.changed else found


def never_filled(seen: Pass, node: m.Expr) -> bool:
    """Whether a value comes from where nobody ever puts anything: an entry of a frame that is never written, an empty list."""
    match node:
        case m.Get(at=at):
            space, _ = seen.space(at)
            return space.kind in (None, EMPTY)
        case m.Var(name=name):
            return seen.f.variables.get(name) in (None, EMPTY)     # where that is wrong, it is told of that variable
        case m.At(things=things) | m.Bounded(things=things) | m.Call(args=(things, *_)):
            return never_filled(seen, things)
    return seen.of(node, {}) == EMPTY


def given(node: m.Expr) -> Iterator[str]:
    """The variables that an expression sets."""
    if isinstance(node, m.Also):
        yield node.name
    for part in m.expressions(node):
        yield from given(part)
