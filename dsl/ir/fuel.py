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
from .builder import FunctionBuilder, call
from .limits import CHARGE_THRESHOLD, FREE_BLOCK_STEPS

# what gives the things of a board or an enumeration
SET_ITERATION_CALLS = {"bits", "in_order", "sorted", "sort_values", "regions", "regions_open"}
FLOOD_CALLS = {
    "spread",
    "flooded",
    "regions",
    "rim",
    "coast",
    "within",
    "region_open",
    "regions_open",
    "rim_open",
    "coast_open",
    "within_open",
    "subsets",
    "subsets_of",
}
MAX_BODY_STEPS_FOR_ESTIMATE = 300                                                          # steps for each of a list that are not counted
ASSUMED_ITEM_COUNT = 64                                                        # how many those are, more or less


@dataclass
class StepBudget:
    """What is counted in one game: `functions` by name, `tables` of functions by member. `once` are functions that work out what then is
    kept for the rest of the game."""

    functions: dict[str, FunctionBuilder]
    tables: dict[str, list[str]]
    once: Collection[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)        # constants that loops may go over, where their size is to be looked at
    known: dict[str, int] = field(default_factory=dict)            # what a function costs whoever calls it
    counts: bool = False                                           # whether anything is counted at all
    again: bool = False                                            # and that more than once in a game
    game: Collection[str] = ()                                     # functions that are called once
    inside: tuple[str, int] = ("", 0)                              # the function that is looked at, and how many loops are around

    def insert_charges(self) -> bool:
        """Put charges into all functions; True when there are any."""
        for name in self.functions:
            self.function_cost(name)
        return self.counts

    def function_cost(self, name: str) -> int:
        """What a call of this function costs, apart from what it charges itself. Its charges are put in."""
        if name not in self.known:
            self.known[name] = 1                                   # blocks go round in circles; each ends with a jump, which is counted
            code, around = self.functions[name], self.inside
            self.inside = name, 0
            cost = self.block_cost(code.body)
            jumps = any(isinstance(node, m.ReturnStmt) and node.value == m.NoneConst() for node in m.iter_statements(code.body))
            if cost > CHARGE_THRESHOLD or jumps and cost > FREE_BLOCK_STEPS:
                code.body.insert(0, self.build_charge(cost, code.body))
                cost = 1
            self.known[name], self.inside = cost, around
        return self.known[name]

    def build_charge(self, cost: int, body: m.Body) -> m.IrStmt:
        self.note_charge()
        return m.ExprStmt(call("charge", min(cost, 1 << 40)), origin=body[0].origin if body else None)

    def note_charge(self) -> None:
        """Something is counted here."""
        self.counts = True
        self.again = self.again or self.inside[0] not in self.game or self.inside[1] > 0

    def loop_body_cost(self, body: m.Body) -> int:
        """As block, for what is done again and again."""
        name, loops = self.inside
        self.inside = name, loops + 1
        cost = self.block_cost(body)
        self.inside = name, loops
        return cost

    def block_cost(self, body: m.Body) -> int:
        return sum(self.statement_cost(node) for node in body)

    def statement_cost(self, node: m.IrStmt) -> int:
        match node:
            case m.IfStmt(test=test, body=body, other=other):
                return 1 + self.expression_cost(test) + max(self.block_cost(body), self.block_cost(other))
            case m.WhileStmt(test=test, body=body):
                inner = 1 + self.expression_cost(test) + self.loop_body_cost(body)
                if any(isinstance(one, m.BreakStmt) for one in body) and not any(
                    isinstance(one, m.ContinueStmt) for one in m.iter_statements(body)
                ):
                    return inner                                   # left at the end of its first go
                if always_picks(body):
                    return inner                                   # with each decision all steps lie ahead again
                body.insert(0, self.build_charge(inner, body))
                self.again = True
                return 1
            case m.ForStmt(things=things, body=body, other=other):
                inner = 1 + self.loop_body_cost(body)
                if always_picks(body):
                    return 1 + self.expression_cost(things) + inner + self.block_cost(other)
                bound = self.max_iterations(things)
                # a list: a long one has cost much to make
                if bound is None and inner <= MAX_BODY_STEPS_FOR_ESTIMATE and not is_number_range(things):
                    bound = ASSUMED_ITEM_COUNT
                if bound is None or bound * inner > CHARGE_THRESHOLD:
                    self.note_charge()
                    node.things = self.charge_per_item(things, min(inner, 1 << 40))
                    return 1 + self.expression_cost(things) + self.block_cost(other)
                return 1 + self.expression_cost(things) + bound * inner + self.block_cost(other)
            case m.ReturnStmt(value=m.CallExpr(function=m.FunctionRef(name=name))) if name not in self.known:
                return 1                                           # on to another block
            case m.LoadMemo(function=m.CallExpr(function=m.FunctionRef(name=name))):     # at most once for each entry of a constant
                self.function_cost(name)
                return 2
            case m.LoadMemo(function=m.FunctionRef(name=name)):
                return 1 + (0 if name in self.once else self.function_cost(name))
        return 1 + sum(self.expression_cost(value) for value in m.child_expressions(node))

    def charge_per_item(self, things: m.IrExpr, cost: int) -> m.IrExpr:
        """What a loop goes over, with what each of them costs."""
        match things:
            case m.CallExpr(function="enumerate", args=(inner, first)):
                return call("enumerate", self.charge_per_item(inner, cost), first)
            case m.BoundedIter(things=inner):
                return call("walked", inner, cost)
        return call("walked", things, cost)

    def max_iterations(self, things: m.IrExpr) -> int | None:
        """How many things a loop goes over at most, as far as data say; None where the position decides."""
        match things:
            case m.CallExpr(function="range", args=(m.IntConst(n),)) | m.BoundedIter(most=n):
                return n
            case m.IndexExpr(things=m.ConstantRef(name=name)) if name in self.values and isinstance(self.values[name], tuple):
                return max((len(row) for row in self.values[name] if isinstance(row, tuple)), default=0)
            case m.ConstantRef(name=name) if name in self.values and isinstance(self.values[name], tuple):
                return len(self.values[name])
            case m.CallExpr(function="enumerate" | "list" | "tuple", args=(inner, *_)):
                return self.max_iterations(inner)
            case m.CallExpr(function=str(name)) if name in SET_ITERATION_CALLS:
                return ASSUMED_ITEM_COUNT
            case m.BoolOp(parts=(m.CallExpr(), m.CallExpr(function="bits"))) | m.IndexExpr() | m.ListComp():
                return ASSUMED_ITEM_COUNT
            case m.TupleDisplay(items=items):
                return len(items)
        return None

    def expression_cost(self, node: m.IrExpr) -> int:
        """What the signs and calls in an expression cost."""
        match node:
            case m.CallExpr(function=m.FunctionRef(name=name), args=args):
                own = self.function_cost(name) if name in self.functions else 1
                return own + sum(map(self.expression_cost, args))
            case m.CallExpr(function=m.IndexExpr(things=m.FunctionRef(name=name)), args=args) if name in self.tables and name != "B":
                return max(map(self.function_cost, self.tables[name]), default=1) + sum(map(self.expression_cost, args))
            case m.CallExpr(function=name, args=args):
                return (ASSUMED_ITEM_COUNT if name in FLOOD_CALLS else 1) + sum(map(self.expression_cost, args))
            case m.MethodCall(name="copy", thing=thing):
                return ASSUMED_ITEM_COUNT + self.expression_cost(thing)
            case m.ListComp(value=value, things=things, tests=tests):
                return self.expression_cost(things) + (self.max_iterations(things) or ASSUMED_ITEM_COUNT) * (
                    1 + self.expression_cost(value) + sum(map(self.expression_cost, tests))
                )
        own = 1 if isinstance(node, m.BinaryOp) else 0
        return own + sum(self.expression_cost(part) for part in m.child_expressions(node))


def is_number_range(things: m.IrExpr) -> bool:
    """Whether a loop goes over a range of numbers."""
    match things:
        case m.CallExpr(function="enumerate" | "tuple", args=(inner, *_)):
            return is_number_range(inner)
        case m.CallExpr(function="range" | "span"):
            return True
    return False


def always_picks(body: m.Body) -> bool:
    """Whether every way through a block comes to a decision that is made on the spot, or leaves before it."""
    for node in body:
        match node:
            case m.AssignStmt(value=value) if contains_pick(value):
                return True
            case m.ForStmt(things=m.CallExpr(function="range", args=(m.IntConst(n),)), body=inner) if n > 0 and always_picks(inner):
                return True
        if may_end_iteration(node):
            return False
    return False


def may_end_iteration(node: m.IrStmt) -> bool:
    """Whether a step may end a go of the loop around it."""
    match node:
        case m.BreakStmt() | m.ContinueStmt():
            return True
        case m.IfStmt(body=body, other=other):
            return any(map(may_end_iteration, (*body, *other)))
        case m.ForStmt(other=other):
            return any(map(may_end_iteration, other))
    return False


def contains_pick(value: m.IrExpr) -> bool:
    """Whether a value comes from the random source of a simulation."""
    return value == m.CallExpr(m.Var("pick")) or any(map(contains_pick, m.child_expressions(value)))


def reachable_functions(
    functions: Mapping[str, FunctionBuilder], tables: Mapping[str, list[str]], roots: Iterable[str]
) -> dict[str, FunctionBuilder]:
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
            left += [
                one
                for step in m.iter_statements(functions[name].body)
                for value in m.child_expressions(step)
                for one in iter_function_refs(value)
            ]
    return {name: code for name, code in functions.items() if name in found}


def iter_function_refs(value: m.IrExpr) -> Iterable[str]:
    """The functions, and tables of them, that an expression names."""
    if isinstance(value, m.FunctionRef):
        yield value.name
    for part in m.child_expressions(value):
        yield from iter_function_refs(part)
