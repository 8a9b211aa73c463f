"""Fuel: inserts step counting where rules may take very many steps, so that no rule runs forever.

The maximal cost of a function follows from its callees, and each function is measured once. A loop over
data of fixed size (the cells of a board, the members of a set) costs its size times the cost of its body.
Small costs are never counted. These charge their steps before they run (`walked` and `charge` in the
runtime):

- loops over numbers and lists, whose length depends on the position
- loops that are expensive in spite of a fixed size
- loops without a bound
- functions that make many expensive calls

All share one budget from one decision to the next."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import nodes as m
from .builder import FunctionBuilder, call
from .limits import CHARGE_THRESHOLD, FREE_BLOCK_STEPS
from .traversal import child_expressions, iter_statements

# calls that yield set members
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
# with a cheaper body, a list counts as ASSUMED_ITEM_COUNT long
MAX_BODY_STEPS_FOR_ESTIMATE = 300
ASSUMED_ITEM_COUNT = 64                                                        # rough estimate of the length of a list or set


@dataclass
class StepBudget:
    """Inserts the charges into the functions of one game.

    `functions` maps names to functions, and `tables` maps names to lists of functions by member. `once` names
    the functions whose result is kept for the rest of the game."""

    functions: dict[str, FunctionBuilder]
    tables: dict[str, list[str]]
    once: Collection[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)        # constants whose size bounds a loop
    known: dict[str, int] = field(default_factory=dict)            # cost of a call of each function for its caller
    counts: bool = False                                           # whether anything is charged at all
    again: bool = False                                            # whether something is charged more than once in a game
    game: Collection[str] = ()                                     # functions that are called once in a game
    inside: tuple[str, int] = ("", 0)                              # the current function, and the number of enclosing loops

    def insert_charges(self) -> bool:
        """Inserts charges into all functions. Returns whether there are any."""
        for name in self.functions:
            self.function_cost(name)
        return self.counts

    def function_cost(self, name: str) -> int:
        """Returns the cost of a call in steps, without what the function charges itself. Inserts its charges on the
        first call."""
        if name not in self.known:
            self.known[name] = 1                                   # blocks jump to each other in cycles; each jump is counted
            code, around = self.functions[name], self.inside
            self.inside = name, 0
            cost = self.block_cost(code.body)
            jumps = any(isinstance(node, m.ReturnStmt) and node.value == m.NoneConst() for node in iter_statements(code.body))
            if cost > CHARGE_THRESHOLD or jumps and cost > FREE_BLOCK_STEPS:
                code.body.insert(0, self.build_charge(cost, code.body))
                cost = 1
            self.known[name], self.inside = cost, around
        return self.known[name]

    def build_charge(self, cost: int, body: m.Body) -> m.IrStmt:
        """Returns a statement that charges `cost` steps."""
        self.note_charge()
        return m.ExprStmt(call("charge", min(cost, 1 << 40)), origin=body[0].origin if body else None)

    def note_charge(self) -> None:
        """Records that steps are charged at the current location."""
        self.counts = True
        self.again = self.again or self.inside[0] not in self.game or self.inside[1] > 0

    def loop_body_cost(self, body: m.Body) -> int:
        """Returns the cost of a block that runs repeatedly."""
        name, loops = self.inside
        self.inside = name, loops + 1
        cost = self.block_cost(body)
        self.inside = name, loops
        return cost

    def block_cost(self, body: m.Body) -> int:
        """Returns the cost of a block in steps."""
        return sum(self.statement_cost(node) for node in body)

    def statement_cost(self, node: m.IrStmt) -> int:
        """Returns the cost of a statement in steps. Inserts charges if it is an expensive loop."""
        match node:
            case m.IfStmt(test=test, body=body, other=other):
                return 1 + self.expression_cost(test) + max(self.block_cost(body), self.block_cost(other))
            case m.WhileStmt(test=test, body=body):
                inner = 1 + self.expression_cost(test) + self.loop_body_cost(body)
                if any(isinstance(one, m.BreakStmt) for one in body) and not any(
                    isinstance(one, m.ContinueStmt) for one in iter_statements(body)
                ):
                    return inner                                   # the loop ends after its first iteration
                if always_picks(body):
                    return inner                                   # each decision refills the budget
                body.insert(0, self.build_charge(inner, body))
                self.again = True
                return 1
            case m.ForStmt(things=things, body=body, other=other):
                inner = 1 + self.loop_body_cost(body)
                if always_picks(body):
                    return 1 + self.expression_cost(things) + inner + self.block_cost(other)
                bound = self.max_iterations(things)
                # building a long list was already expensive
                if bound is None and inner <= MAX_BODY_STEPS_FOR_ESTIMATE and not is_number_range(things):
                    bound = ASSUMED_ITEM_COUNT
                if bound is None or bound * inner > CHARGE_THRESHOLD:
                    self.note_charge()
                    node.things = self.charge_per_item(things, min(inner, 1 << 40))
                    return 1 + self.expression_cost(things) + self.block_cost(other)
                return 1 + self.expression_cost(things) + bound * inner + self.block_cost(other)
            case m.ReturnStmt(value=m.CallExpr(function=m.FunctionRef(name=name))) if name not in self.known:
                return 1                                           # a jump to another block
            # computed at most once for each entry of a constant
            case m.LoadMemo(function=m.CallExpr(function=m.FunctionRef(name=name))):
                self.function_cost(name)
                return 2
            case m.LoadMemo(function=m.FunctionRef(name=name)):
                return 1 + (0 if name in self.once else self.function_cost(name))
        return 1 + sum(self.expression_cost(value) for value in child_expressions(node))

    def charge_per_item(self, things: m.IrExpr, cost: int) -> m.IrExpr:
        """Wraps the iterable of a loop in a runtime call that charges `cost` steps for each item."""
        match things:
            case m.CallExpr(function="enumerate", args=(inner, first)):
                return call("enumerate", self.charge_per_item(inner, cost), first)
            case m.BoundedIter(things=inner):
                return call("walked", inner, cost)
        return call("walked", things, cost)

    def max_iterations(self, things: m.IrExpr) -> int | None:
        """Returns the largest number of items that a loop goes through, or None if it depends on the position."""
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
        """Returns the cost of an expression: its operators and calls."""
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
        return own + sum(self.expression_cost(part) for part in child_expressions(node))


def is_number_range(things: m.IrExpr) -> bool:
    """Whether a loop goes over a range of numbers."""
    match things:
        case m.CallExpr(function="enumerate" | "tuple", args=(inner, *_)):
            return is_number_range(inner)
        case m.CallExpr(function="range" | "span"):
            return True
    return False


def always_picks(body: m.Body) -> bool:
    """Whether every path through a block reaches a random pick or leaves the block before it."""
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
    """Whether a statement may end an iteration of the enclosing loop."""
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
    return value == m.CallExpr(m.Var("pick")) or any(map(contains_pick, child_expressions(value)))


def reachable_functions(
    functions: Mapping[str, FunctionBuilder], tables: Mapping[str, list[str]], roots: Iterable[str]
) -> dict[str, FunctionBuilder]:
    """Returns the functions that are called from `roots`, directly or indirectly, in their original order."""
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
                for step in iter_statements(functions[name].body)
                for value in child_expressions(step)
                for one in iter_function_refs(value)
            ]
    return {name: code for name, code in functions.items() if name in found}


def iter_function_refs(value: m.IrExpr) -> Iterable[str]:
    """Yields the functions, and the tables of functions, that an expression names."""
    if isinstance(value, m.FunctionRef):
        yield value.name
    for part in child_expressions(value):
        yield from iter_function_refs(part)
