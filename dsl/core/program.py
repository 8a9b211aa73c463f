"""A checked game as later passes see it: its data, states, routines and goals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ..diagnostics.diagnostic import SourceSpan
from ..model.model import GameModel
from ..types.types import Type
from .nodes import Block, Decider, Expr, LocalVar, Node, RuleSpan


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """`state name[axes]: type`: what the position holds. `seen`: open to all, hidden from all, or the number of the axis that may look;
    where that axis is no player, `keeper` names the state with the player of a member. `start`: a first value of its own."""

    name: str
    axes: tuple[tuple[str, str], ...]                              # (axis name, enumeration)
    type: Type
    at: RuleSpan                                                       # where its name stands
    saturating: bool = False
    seen: Literal["open", "hidden"] | int = "open"
    keeper: str | None = None
    start: Expr | None = None
    per: str | None = None                                         # the procedure at whose beginning it is as at the start
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class DefCondition(Node):
    """One line of a def that is a list of conditions."""

    test: Expr
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Routine(Node):
    """One entry of a def or a procedure, a law (`always`), or a goal (`standing`, `estimate`: values of the player who is its parameter,
    compared from left to right): a name, the member it is for (None: no case, or every other one), its body. `at` is all of it, `named`
    where its name stands."""

    kind: Literal["def", "proc", "phase", "law", "goal"]
    name: str
    key: str
    member: int | None
    params: tuple[LocalVar, ...]
    # of an entry for every other member: the parameter that holds the member
    case: LocalVar | None
    named: RuleSpan
    cites: tuple[str, ...]
    value_cites: tuple[str, ...] = ()                              # of a def: the clauses named behind its value
    by: Decider | None = None
    value: Expr | None = None                                      # of a def that is one expression, and of a law
    values: tuple[Expr, ...] = ()                                  # of a goal
    conditions: tuple[DefCondition, ...] = ()
    body: Block = ()
    type: Type | None = None                                       # of a def: its result
    resets: tuple[str, ...] = ()                                   # states that are as at the start whenever it begins
    family: str | None = None                                      # the clause family that short citations complete

    @property
    def path(self) -> str:
        return self.at.path

    @property
    def place(self) -> SourceSpan:
        """Where its name stands."""
        return self.named.place

    @property
    def parts(self) -> tuple[Node, ...]:
        """The trees that make it up."""
        return tuple(part for part in (self.by, self.value, *self.values, *self.conditions, *self.body) if part is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """All entries of one name. `domain` is the enumeration of its cases, None when it has none."""

    name: str
    kind: Literal["def", "proc"]
    domain: str | None
    entries: dict[int, Routine]
    default: Routine | None

    @property
    def routines(self) -> list[Routine]:
        return [*self.entries.values(), *([self.default] if self.default else [])]

    def entry(self, member: int | None) -> Routine | None:
        """What runs for a member; None as a member: what has no case."""
        return self.default if member is None else self.entries.get(member, self.default)

    @property
    def params(self) -> tuple[LocalVar, ...]:
        return self.routines[0].params if self.routines else ()


@dataclass(slots=True, eq=False)
class Program:
    """A checked game."""

    model: GameModel
    states: dict[str, State] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)
    goals: dict[str, Routine] = field(default_factory=dict)
    always: list[Routine] = field(default_factory=list)
    cited: dict[str, list[SourceSpan]] = field(default_factory=dict)    # clause → where it is cited

    @property
    def routines(self) -> Iterator[Routine]:
        """Every entry of every def and procedure, then the laws, then the goals."""
        for family in self.families.values():
            yield from family.routines
        yield from self.always
        yield from self.goals.values()
