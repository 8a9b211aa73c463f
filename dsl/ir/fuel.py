"""Steps are counted where a rule may take very many of them, so that none goes on for ever.

What a function does at most follows from what it calls, callees first, each once. Loops over things that data bound (the cells of a board,
the members of a set) cost their size times their block; what is small so is never counted. Counted are loops over numbers and lists,
which the position decides about, those that cost much in spite of their bounds, loops without a bound, and functions that call much one
after the other: they charge what they do before they do it (`walked`, `charge` of the runtime). All share one budget from decision to
decision.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import nodes as m
from .builder import Code, call
from .limits import MUCH, SMALL

SETS = {"bits", "in_order", "sorted", "ordered", "regions", "regions_open"}    # what gives the things of a board or an enumeration
FLOODS = {"spread", "flooded", "regions", "rim", "coast", "within", "region_open", "regions_open", "rim_open", "coast_open", "within_open",
          "subsets", "subsets_of"}
FEW = 300                                                          # steps for each of a list that are not counted
THINGS = 64                                                        # how many those are, more or less


@dataclass
class Budget:
    """What is counted in one game: `functions` by name, `tables` of functions by member. `once` are functions that work out what then is
    kept for the rest of the game."""

    functions: dict[str, Code]
    tables: dict[str, list[str]]
    once: Collection[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)        # constants that loops may go over, where their size is to be looked at
    known: dict[str, int] = field(default_factory=dict)            # what a function costs whoever calls it
    counts: bool = False                                           # whether anything is counted at all
    again: bool = False                                            # and that more than once in a game
    game: Collection[str] = ()                                     # functions that are called once
    inside: tuple[str, int] = ("", 0)                              # the function that is looked at, and how many loops are around

    def watch(self) -> bool:
        """Put charges into all functions; True when there are any."""
        for name in self.functions:
            self.function(name)
        return self.counts

    def function(self, name: str) -> int:
        """What a call of this function costs, apart from what it charges itself. Its charges are put in."""
        if name not in self.known:
            self.known[name] = 1                                   # blocks go round in circles; each ends with a jump, which is counted
            code, around = self.functions[name], self.inside
            self.inside = name, 0
            cost = self.block(code.body)
            jumps = any(isinstance(node, m.Return) and node.value == m.Nil() for node in m.steps(code.body))
            if cost > MUCH or jumps and cost > SMALL:
                code.body.insert(0, self.charge(cost, code.body))
                cost = 1
            self.known[name], self.inside = cost, around
        return self.known[name]

    def charge(self, cost: int, body: m.Body) -> m.Stmt:
        self.found()
        return m.Do(call("charge", min(cost, 1 << 40)), origin=body[0].origin if body else None)

    def found(self) -> None:
        """Something is counted here."""
        self.counts = True
        self.again = self.again or self.inside[0] not in self.game or self.inside[1] > 0

    def looped(self, body: m.Body) -> int:
        """As block, for what is done again and again."""
        name, loops = self.inside
        self.inside = name, loops + 1
        cost = self.block(body)
        self.inside = name, loops
        return cost

    def block(self, body: m.Body) -> int:
        return sum(self.step(node) for node in body)

    def step(self, node: m.Stmt) -> int:
        match node:
            case m.If(test=test, body=body, other=other):
                return 1 + self.parts(test) + max(self.block(body), self.block(other))
            case m.While(test=test, body=body):
                inner = 1 + self.parts(test) + self.looped(body)
                if any(isinstance(one, m.Break) for one in body) and not any(isinstance(one, m.Continue) for one in m.steps(body)):
                    return inner                                   # left at the end of its first go
                if picks(body):
                    return inner                                   # with each decision all steps lie ahead again
                body.insert(0, self.charge(inner, body))
                self.again = True
                return 1
            case m.For(things=things, body=body, other=other):
                inner = 1 + self.looped(body)
                if picks(body):
                    return 1 + self.parts(things) + inner + self.block(other)
                bound = self.bound(things)
                if bound is None and inner <= FEW and not is_numbers(things):      # a list: a long one has cost much to make
                    bound = THINGS
                if bound is None or bound * inner > MUCH:
                    self.found()
                    node.things = self.walked(things, min(inner, 1 << 40))
                    return 1 + self.parts(things) + self.block(other)
                return 1 + self.parts(things) + bound * inner + self.block(other)
            case m.Return(value=m.Call(function=m.Function(name=name))) if name not in self.known:
                return 1                                           # on to another block
            case m.Recall(function=m.Call(function=m.Function(name=name))):     # at most once for each entry of a constant
                self.function(name)
                return 2
            case m.Recall(function=m.Function(name=name)):
                return 1 + (0 if name in self.once else self.function(name))
        return 1 + sum(self.parts(value) for value in m.expressions(node))

    def walked(self, things: m.Expr, cost: int) -> m.Expr:
        """What a loop goes over, with what each of them costs."""
        match things:
            case m.Call(function="enumerate", args=(inner, first)):
                return call("enumerate", self.walked(inner, cost), first)
            case m.Bounded(things=inner):
                return call("walked", inner, cost)
        return call("walked", things, cost)

    def bound(self, things: m.Expr) -> int | None:
        """How many things a loop goes over at most, as far as data say; None where the position decides."""
        match things:
            case m.Call(function="range", args=(m.Num(n),)) | m.Bounded(most=n):
                return n
            case m.At(things=m.Table(name=name)) if name in self.values and isinstance(self.values[name], tuple):
                return max((len(row) for row in self.values[name] if isinstance(row, tuple)), default=0)
            case m.Table(name=name) if name in self.values and isinstance(self.values[name], tuple):
                return len(self.values[name])
            case m.Call(function="enumerate" | "list" | "tuple", args=(inner, *_)):
                return self.bound(inner)
            case m.Call(function=str(name)) if name in SETS:
                return THINGS
            case m.Logic(parts=(m.Call(), m.Call(function="bits"))) | m.At() | m.Listed():
                return THINGS
            case m.Tup(items=items):
                return len(items)
        return None

    def parts(self, node: m.Expr) -> int:
        """What the signs and calls in an expression cost."""
        match node:
            case m.Call(function=m.Function(name=name), args=args):
                own = self.function(name) if name in self.functions else 1
                return own + sum(map(self.parts, args))
            case m.Call(function=m.At(things=m.Function(name=name)), args=args) if name in self.tables and name != "B":
                return max(map(self.function, self.tables[name]), default=1) + sum(map(self.parts, args))
            case m.Call(function=name, args=args):
                return (THINGS if name in FLOODS else 1) + sum(map(self.parts, args))
            case m.Method(name="copy", thing=thing):
                return THINGS + self.parts(thing)
            case m.Listed(value=value, things=things, tests=tests):
                return self.parts(things) + (self.bound(things) or THINGS) * (1 + self.parts(value) + sum(map(self.parts, tests)))
        own = 1 if isinstance(node, m.Op) else 0
        return own + sum(self.parts(part) for part in m.expressions(node))


def is_numbers(things: m.Expr) -> bool:
    """Whether a loop goes over a range of numbers."""
    match things:
        case m.Call(function="enumerate" | "tuple", args=(inner, *_)):
            return is_numbers(inner)
        case m.Call(function="range" | "span"):
            return True
    return False


def picks(body: m.Body) -> bool:
    """Whether every way through a block comes to a decision that is made on the spot, or leaves before it."""
    for node in body:
        match node:
            case m.Set(value=value) if picked(value):
                return True
            case m.For(things=m.Call(function="range", args=(m.Num(n),)), body=inner) if n > 0 and picks(inner):
                return True
        if turns(node):
            return False
    return False


def turns(node: m.Stmt) -> bool:
    """Whether a step may end a go of the loop around it."""
    match node:
        case m.Break() | m.Continue():
            return True
        case m.If(body=body, other=other):
            return any(map(turns, (*body, *other)))
        case m.For(other=other):
            return any(map(turns, other))
    return False


def picked(value: m.Expr) -> bool:
    """Whether a value comes from the random source of a simulation."""
    return value == m.Call(m.Var("pick")) or any(map(picked, m.expressions(value)))


def reached(functions: Mapping[str, Code], tables: Mapping[str, list[str]], roots: Iterable[str]) -> dict[str, Code]:
    """The functions that are called from `roots`, through others too, in their order."""
    found: set[str] = set()
    left = list(roots)
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        left += tables.get(name, ())
        if name in functions:
            left += [one for step in m.steps(functions[name].body) for value in m.expressions(step) for one in called(value)]
    return {name: code for name, code in functions.items() if name in found}


def called(value: m.Expr) -> Iterable[str]:
    """The functions, and tables of them, that an expression names."""
    if isinstance(value, m.Function):
        yield value.name
    for part in m.expressions(value):
        yield from called(part)
