"""The nodes of the core: expressions, statements and what they bind, resolved and typed.

All are frozen and compared by identity, so that a pass keeps what it finds out in tables beside them, with the node as the key. States
and families are named and looked up in the program; locals are objects, one for each place that binds one. What differs from one number
of players or setting to another (a number, an option, a table, an attribute) stays a name here and gets its value from the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..diagnostics.diagnostic import SourceSpan
from ..types.types import Type


@dataclass(frozen=True, slots=True)
class RuleSpan:
    """A stretch of a rule file, 1-based; `end_column` is the column after the last character."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def place(self) -> SourceSpan:
        """As a diagnostic shows it: what goes over several lines is marked on its first."""
        return SourceSpan(self.path, self.line, self.column, self.end_column if self.end_line == self.line else self.column + 1)


@dataclass(frozen=True, slots=True, eq=False)
class LocalVar:
    """A parameter, a `let`, or what a binder binds. `mutable`: assigned after it was made."""

    name: str
    type: Type
    mutable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Anything that stands at a place of a rule file."""

    at: RuleSpan


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, eq=False)
class Expr(Node):
    """An expression and the type of its value."""

    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Const(Expr):
    """A number as written, true or false (1 or 0), or a member by its place in the enumeration."""

    value: int


@dataclass(frozen=True, slots=True, eq=False)
class NamedConstant(Expr):
    """A number of the data, by its name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class OptionValue(Expr):
    """The value of an option that the game is played with."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class MemberConstant(Expr):
    """A number that only one member has."""

    domain: str
    member: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class EmptyLiteral(Expr):
    """`none`, `{}` or `[]`, in the type of the place where it stands; as it is written."""

    literal: Literal["none", "{}", "[]"]


@dataclass(frozen=True, slots=True, eq=False)
class AllMembers(Expr):
    """All members of an enumeration."""

    domain: str


@dataclass(frozen=True, slots=True, eq=False)
class LocalRef(Expr):
    """The value of a local."""

    local: LocalVar


@dataclass(frozen=True, slots=True, eq=False)
class StateRef(Expr):
    """One entry of a state, its index along every axis."""

    state: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OccupiedCells(Expr):
    """The cells of a board without an edge where a state holds something: for all members of its other axes, or for those given."""

    state: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CountOf(Expr):
    """How many of a kind are in a bag."""

    bag: Expr
    kind: Expr


@dataclass(frozen=True, slots=True, eq=False)
class ElementAt(Expr):
    """One thing of a list, counted from 1."""

    things: Expr
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class TableLookup(Expr):
    """A table of the data, read at an index."""

    table: str
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Attribute(Expr):
    """What is printed on a thing; of a thing that may be none, perhaps nothing."""

    thing: Expr
    domain: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class CallDef(Expr):
    """The value of a def: the entry for `case` where it has cases."""

    family: str
    case: Expr | None
    args: tuple[Expr, ...]
    bare: bool = False               # written without parentheses


@dataclass(frozen=True, slots=True, eq=False)
class PrimOp(Expr):
    """What the language itself can do: `op` is an operator or the name of a built-in function."""

    op: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CollectionLiteral(Expr):
    """A set or list written out."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CondExpr(Expr):
    """`value if test else other`"""

    test: Expr
    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class OrElse(Expr):
    """`value otherwise other`: the other where the value is none."""

    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class AfterCall(Expr):
    """`after call: value`: the value in the position that the call would leave; the position stays as it is."""

    call: CallProc
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Fold(Expr):
    """`kind(gens where ...: value)`; the conditions are those joined by `and`, in the order of the text."""

    kind: str
    gens: tuple[GeneratorBinding, ...]
    where: tuple[Expr, ...]
    value: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorBinding(Node):
    """`local in source`; `number` counts from 1."""

    local: LocalVar
    source: Expr
    number: LocalVar | None = None

    @property
    def locals(self) -> tuple[LocalVar, ...]:
        """What it binds, the number first."""
        return (self.local,) if self.number is None else (self.number, self.local)


# ---------------------------------------------------------------- statements

Target = StateRef | CountOf | LocalRef       # what can be changed: an entry, one count of a bag that is an entry, a mutable local


@dataclass(frozen=True, slots=True, eq=False)
class Stmt(Node):
    """Something a procedure does; `cites` are the clauses that it names itself."""

    cites: tuple[str, ...]


Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Let(Stmt):
    local: LocalVar
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Store(Stmt):
    """`target = value`, `+=` or `-=`."""

    op: Literal["=", "+=", "-="]
    target: Target
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class MoveAmount(Node):
    """How much is moved or drawn: a number or a thing, at most a number (`most`), or everything (no value)."""

    value: Expr | None
    most: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MoveStmt(Stmt):
    amount: MoveAmount
    source: Target
    target: Target


@dataclass(frozen=True, slots=True, eq=False)
class DrawStmt(Stmt):
    amount: MoveAmount
    source: Target
    target: Target


@dataclass(frozen=True, slots=True, eq=False)
class Shuffle(Stmt):
    target: Target


@dataclass(frozen=True, slots=True, eq=False)
class Swap(Stmt):
    one: Target
    other: Target


@dataclass(frozen=True, slots=True, eq=False)
class EmitEvent(Stmt):
    """An event for the log, with its named values; `named` is where its name stands."""

    event: str
    slots: tuple[tuple[str, Expr], ...]
    named: RuleSpan


@dataclass(frozen=True, slots=True, eq=False)
class StopProc(Stmt):
    """`stop`: the procedure ends."""


@dataclass(frozen=True, slots=True, eq=False)
class CallProc(Stmt):
    """A call of a procedure: the entry for `case` where it has cases."""

    family: str
    case: Expr | None
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IfBranch(Node):
    """One branch of an `if` that has a condition."""

    test: Expr
    cites: tuple[str, ...]
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class IfChain(Stmt):
    arms: tuple[IfBranch, ...]
    other: Block | None


@dataclass(frozen=True, slots=True, eq=False)
class ForEach(Stmt):
    """`for`: over what the sets hold before the first go, or (`reached`) what they hold when their turn comes."""

    gens: tuple[GeneratorBinding, ...]
    where: tuple[Expr, ...]
    reached: bool
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class RepeatLoop(Stmt):
    count: Expr
    until: Expr | None
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class RoundsLoop(Stmt):
    """`rounds of`: passes over the set until `until` holds or a whole pass found nobody; without a binder, again and again."""

    gen: GeneratorBinding | None
    where: tuple[Expr, ...]
    until: Expr | None
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class SeatDecider(Node):
    """Who decides: a player, or a thing for which a player decides."""

    who: Expr


@dataclass(frozen=True, slots=True, eq=False)
class ChanceDecider(Node):
    """Chance decides."""


Decider = SeatDecider | ChanceDecider


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceCardinality(Node):
    """How many are chosen. Of a set: `up to`, `exactly`, `some`; again and again with new options: `up to times`, `exactly times`."""

    kind: Literal["up to", "exactly", "some", "up to times", "exactly times"]
    count: Expr | None

    @property
    def is_set(self) -> bool:
        """Whether a set is chosen, thing by thing, and then the body runs once."""
        return not self.kind.endswith("times")


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceAlternative(Node):
    """One way to answer: an entry of a menu by its name, or the only one. The names of one group are chosen together, group after group.
    No body: what follows the choice in its block is what it leads to."""

    name: str | None
    cites: tuple[str, ...]
    groups: tuple[tuple[GeneratorBinding, ...], ...]
    where: tuple[Expr, ...]
    body: Block | None

    @property
    def gens(self) -> tuple[GeneratorBinding, ...]:
        """All that is chosen, whatever the group."""
        return tuple(gen for group in self.groups for gen in group)


@dataclass(frozen=True, slots=True, eq=False)
class OtherwiseBranch(Node):
    """What happens when nothing was chosen."""

    cites: tuple[str, ...]
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class ChooseStmt(Stmt):
    """A choice. `may`: it can be declined. `result`: the local that holds the chosen set. `stop`: where there is nothing to choose, the
    procedure ends."""

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
        """Whether the ways have names."""
        return self.ways[0].name is not None

    @property
    def is_chance(self) -> bool:
        return isinstance(self.by, ChanceDecider)
