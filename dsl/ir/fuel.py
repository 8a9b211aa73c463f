"""Fuel: inserts step counting where rules may take very many steps, so that no rule runs forever.

The maximal cost of a function follows from its callees, and each function is measured once. A loop over
data of fixed size (the cells of a board, the members of a set) costs its size times the cost of its body.
Small costs are never counted. These charge their steps before they run (`charge_items` and `charge` in the
runtime):

- loops over numbers and lists, whose length depends on the position
- loops that are expensive in spite of a fixed size
- loops without a bound
- functions that make many expensive calls

All share one budget from one decision to the next."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

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
    "amounts",
    "longest_trail",
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
    known: dict[str, int] = field(default_factory=dict)            # cost of a call of each function for its caller
    counts: bool = False                                           # whether anything is charged at all

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
            code = self.functions[name]
            cost = self.block_cost(code.body)
            jumps = any(isinstance(node, m.ReturnStmt) and node.value == m.NoneConst() for node in iter_statements(code.body))
            if cost > CHARGE_THRESHOLD or jumps and cost > FREE_BLOCK_STEPS:
                code.body.insert(0, self.build_charge(cost, code.body))
                cost = 1
            self.known[name] = cost
        return self.known[name]

    def build_charge(self, cost: int, body: m.Body) -> m.IrStmt:
        """Returns a statement that charges `cost` steps."""
        self.counts = True
        return m.ExprStmt(call("charge", min(cost, 1 << 40)), origin=body[0].origin if body else None)

    def block_cost(self, body: m.Body) -> int:
        """Returns the cost of a block in steps."""
        return sum(self.statement_cost(node) for node in body)

    def statement_cost(self, node: m.IrStmt) -> int:
        """Returns the cost of a statement in steps. Inserts charges if it is an expensive loop."""
        match node:
            case m.IfStmt(test=test, body=body, other=other):
                return 1 + self.expression_cost(test) + max(self.block_cost(body), self.block_cost(other))
            case m.WhileStmt(test=test, body=body):
                inner = 1 + self.expression_cost(test) + self.block_cost(body)
                if any(isinstance(one, m.BreakStmt) for one in body) and not any(
                    isinstance(one, m.ContinueStmt) for one in iter_statements(body)
                ):
                    return inner                                   # the loop ends after its first iteration
                body.insert(0, self.build_charge(inner, body))
                return 1
            case m.ForStmt(things=things, body=body, other=other):
                inner = 1 + self.block_cost(body)
                bound = self.max_iterations(things)
                # building a long list was already expensive
                if bound is None and inner <= MAX_BODY_STEPS_FOR_ESTIMATE and not is_number_range(things):
                    bound = ASSUMED_ITEM_COUNT
                if bound is None or bound * inner > CHARGE_THRESHOLD:
                    self.counts = True
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
                return call("charge_items", inner, cost)
        return call("charge_items", things, cost)

    def max_iterations(self, things: m.IrExpr) -> int | None:
        """Returns the largest number of items that a loop goes through, or None if it depends on the position."""
        match things:
            case m.CallExpr(function="range", args=(m.IntConst(n),)) | m.BoundedIter(most=n):
                return n
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
