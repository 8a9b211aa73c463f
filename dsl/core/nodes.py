"""The nodes of the core: resolved and typed expressions, statements, and binders.

All nodes are frozen and compared by identity, so a pass can store its results in tables with nodes as keys.

  - States and families are referred to by name and looked up in the program.
  - Locals are objects, one for each place that binds one.
  - What differs between variants (a number, an option, a table, an attribute) stays a name here. Its value comes
    from the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..diagnostics.diagnostic import SourceSpan
from ..types.operations import FoldKind, Operation
from ..types.types import Type


@dataclass(frozen=True, slots=True)
class RuleSpan:
    """A range of a rule file. Lines and columns start at 1, and `end_column` is the column after the last character."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def place(self) -> SourceSpan:
        """The span as a diagnostic shows it. If it covers several lines, only its first character is marked."""
        return SourceSpan(self.path, self.line, self.column, self.end_column if self.end_line == self.line else self.column + 1)


@dataclass(frozen=True, slots=True, eq=False)
class LocalVar:
    """A local variable: a parameter, a `let`, or the variable of a binder. `mutable`: assigned after its
    declaration."""

    name: str
    type: Type
    mutable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """The base of all core nodes: something with a span in a rule file."""

    at: RuleSpan


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, eq=False)
class Expr(Node):
    """An expression with the type of its value."""

    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Const(Expr):
    """A constant: an integer, a truth value (0 or 1), or the index of a member in its enumeration."""

    value: int


@dataclass(frozen=True, slots=True, eq=False)
class NamedConstant(Expr):
    """A number of the game's data, by name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class OptionValue(Expr):
    """The chosen value of a game option."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class MemberConstant(Expr):
    """A number that the data give to one member only, by member and name."""

    domain: str
    member: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class EmptyLiteral(Expr):
    """An empty literal (`none`, `{}`, or `[]`) with the type that its context expects."""

    literal: Literal["none", "{}", "[]"]


@dataclass(frozen=True, slots=True, eq=False)
class AllMembers(Expr):
    """All members of an enumeration, as a set."""

    domain: str


@dataclass(frozen=True, slots=True, eq=False)
class LocalRef(Expr):
    """A reference to a local."""

    local: LocalVar


@dataclass(frozen=True, slots=True, eq=False)
class StateRef(Expr):
    """A reference to one entry of a state, with an index for each axis."""

    state: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OccupiedCells(Expr):
    """The cells of an open board where a state holds something (`cells(state)`).

    Without an index, it covers all members of the other axes. With an index, only the given members."""

    state: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CountOf(Expr):
    """The count of one kind in a bag."""

    bag: Expr
    kind: Expr


@dataclass(frozen=True, slots=True, eq=False)
class ElementAt(Expr):
    """One element of a list, with an index that starts at 1."""

    things: Expr
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class TableLookup(Expr):
    """A lookup in a table of the data."""

    table: str
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Attribute(Expr):
    """An attribute of a member. If `thing` is optional, so is the result."""

    thing: Expr
    domain: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class CallDef(Expr):
    """A call of a def. `case` selects the entry if the def has cases."""

    family: str
    case: Expr | None
    args: tuple[Expr, ...]
    bare: bool = False               # written without parentheses


@dataclass(frozen=True, slots=True, eq=False)
class PrimOp(Expr):
    """A primitive operation: `op` is an operator or the name of a built-in function."""

    op: Operation
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CollectionLiteral(Expr):
    """A set or list literal with at least one element."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CondExpr(Expr):
    """`value if test else other`."""

    test: Expr
    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class OrElse(Expr):
    """`value otherwise other`: `other` if the value is none."""

    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class AfterCall(Expr):
    """`after call: value`: the value in the position that the call would leave. The position itself does not change."""

    call: CallProc
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Fold(Expr):
    """`kind(gens where ...: value)`, such as `sum` or `any`. `where` holds the operands of `and` in source order.

    Only folds of ways have `places`. For `shortest(here in starts to places, there in next where ...: cost)`, these are
    the goals. For `longest(here in starts through places, ...)`, these are the places between the two ends."""

    kind: FoldKind
    gens: tuple[GeneratorBinding, ...]
    where: tuple[Expr, ...]
    value: Expr | None
    places: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorBinding(Node):
    """`local in source`, as in a loop, a fold, or a choice. `number` is a counter that starts at 1."""

    local: LocalVar
    source: Expr
    number: LocalVar | None = None

    @property
    def locals(self) -> tuple[LocalVar, ...]:
        """The locals that the generator binds, the counter first."""
        return (self.local,) if self.number is None else (self.number, self.local)


# ---------------------------------------------------------------- statements

Target = StateRef | CountOf | LocalRef       # assignable: an entry of a state, a count in a bag that is an entry, a mutable local


@dataclass(frozen=True, slots=True, eq=False)
class Stmt(Node):
    """A statement of a procedure. `cites`: the clauses cited on its own line."""

    cites: tuple[str, ...]


Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Let(Stmt):
    """`let local = value`: declares a local."""
    local: LocalVar
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Store(Stmt):
    """An assignment: `target = value`, `+=`, or `-=`."""

    op: Literal["=", "+=", "-="]
    target: Target
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class MoveAmount(Node):
    """The amount of a `move` or `draw`: a number or a thing, at most a number (`most`), or everything (no value)."""

    value: Expr | None
    most: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MoveStmt(Stmt):
    """`move amount from source to target`."""
    amount: MoveAmount
    source: Target
    target: Target


@dataclass(frozen=True, slots=True, eq=False)
class DrawStmt(Stmt):
    """`draw amount from source to target`: takes things one by one, at random or from the top of a pile."""
    amount: MoveAmount
    source: Target
    target: Target


@dataclass(frozen=True, slots=True, eq=False)
class Shuffle(Stmt):
    """`shuffle target`: puts a pile or list into random order."""
    target: Target


@dataclass(frozen=True, slots=True, eq=False)
class Swap(Stmt):
    """`swap one and other`: exchanges two values."""
    one: Target
    other: Target


@dataclass(frozen=True, slots=True, eq=False)
class EmitEvent(Stmt):
    """Emits an event with named values to the log (`tell`). `named` is the span of the event's name.

    `listeners` are the players who hear its hidden values. With None, it has none."""

    event: str
    slots: tuple[tuple[str, Expr], ...]
    named: RuleSpan
    listeners: tuple[Expr, ...] | None = None

    @property
    def values(self) -> tuple[Expr, ...]:
        """The values of the event, followed by its listeners."""
        return (*(value for _, value in self.slots), *(self.listeners or ()))


@dataclass(frozen=True, slots=True, eq=False)
class StopProc(Stmt):
    """`stop`: ends the procedure."""


@dataclass(frozen=True, slots=True, eq=False)
class CallProc(Stmt):
    """A call of a procedure. `case` selects the entry if the procedure has cases."""

    family: str
    case: Expr | None
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IfBranch(Node):
    """One branch of an `if` with a condition (`if` or `elif`)."""

    test: Expr
    cites: tuple[str, ...]
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class IfChain(Stmt):
    """`if`, `elif`, and `else`. `other` is the `else` branch."""
    arms: tuple[IfBranch, ...]
    other: Block | None


@dataclass(frozen=True, slots=True, eq=False)
class ForEach(Stmt):
    """A `for` loop.

    By default, all sources and the conditions are evaluated before the first iteration. With `reached`, only the
    first source is fixed, and inner sources and conditions are evaluated at each turn. With `at_once`, the decisions of
    the players do not depend on each other, so they may answer in any order."""

    gens: tuple[GeneratorBinding, ...]
    where: tuple[Expr, ...]
    reached: bool
    body: Block
    at_once: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RepeatLoop(Stmt):
    """`repeat count`: a loop with a fixed number of iterations that ends early if `until` holds."""
    count: Expr
    until: Expr | None
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class RoundsLoop(Stmt):
    """`rounds of`: passes over a set until `until` holds or a whole pass finds no element that meets `where`.

    Without a generator, the body repeats until `until` holds."""

    gen: GeneratorBinding | None
    where: tuple[Expr, ...]
    until: Expr | None
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class SeatDecider(Node):
    """A player decides. `who` is a player, or a thing for which a player decides."""

    who: Expr


@dataclass(frozen=True, slots=True, eq=False)
class ChanceDecider(Node):
    """Chance decides."""


Decider = SeatDecider | ChanceDecider


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceCardinality(Node):
    """How many things a choice takes.

      - a set, chosen thing by thing: `up to`, `exactly`, `some`
      - one thing several times, with new options each time: `up to times`, `exactly times`"""

    kind: Literal["up to", "exactly", "some", "up to times", "exactly times"]
    count: Expr | None

    @property
    def is_set(self) -> bool:
        """Whether the choice collects a set thing by thing and then runs its body once."""
        return not self.kind.endswith("times")


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceAlternative(Node):
    """One alternative of a choice: a named entry of a menu, or the single unnamed alternative of a plain choice.

    The names of one group are chosen together, group after group (`then`). Without a body, the rest of the
    enclosing block follows the choice."""

    name: str | None
    cites: tuple[str, ...]
    groups: tuple[tuple[GeneratorBinding, ...], ...]
    where: tuple[Expr, ...]
    body: Block | None

    @property
    def gens(self) -> tuple[GeneratorBinding, ...]:
        """The generators of all groups."""
        return tuple(gen for group in self.groups for gen in group)


@dataclass(frozen=True, slots=True, eq=False)
class OtherwiseBranch(Node):
    """The `otherwise` branch of a choice: runs if nothing was chosen."""

    cites: tuple[str, ...]
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class ChooseStmt(Stmt):
    """A choice or a menu.

    `may`: it can be declined. `result`: the local that holds the chosen set. `stop`: the procedure ends if there
    is nothing to choose."""

    ways: tuple[ChoiceAlternative, ...]
    by: Decider
    may: bool
    how: ChoiceCardinality | None
    label: str | None
    result: LocalVar | None
    stop: bool
    otherwise: OtherwiseBranch | None

    @property
    def is_menu(self) -> bool:
        """Whether this is a menu, whose alternatives have names."""
        return self.ways[0].name is not None

    @property
    def is_chance(self) -> bool:
        """Whether chance decides."""
        return isinstance(self.by, ChanceDecider)
