"""A checked game as later passes see it: data, states, routines, and goals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ..diagnostics.diagnostic import SourceSpan
from ..model.model import GameModel
from ..types.types import MemberOf, Type
from .nodes import Block, Decider, Expr, LocalVar, Node, RuleSpan


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A variable of the position, declared by `state name[axes]: type`.

      - `seen`: "open" to all, "hidden" from all, or the index of the axis whose player may see an entry
      - `inverted`: the player of that axis is the only one who may not see an entry
      - `keeper`: if that axis is not a player, the state that names the player of a member
      - `start`: the initial value, if one is declared"""

    name: str
    axes: tuple[tuple[str, str], ...]                              # (axis name, enumeration)
    type: Type
    at: RuleSpan                                                       # span of its name
    saturating: bool = False
    seen: Literal["open", "hidden"] | int = "open"
    inverted: bool = False
    keeper: str | None = None
    start: Expr | None = None
    per: str | None = None                                         # the procedure that resets it
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class DefCondition(Node):
    """One line of a def that is a list of conditions."""

    test: Expr
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Routine(Node):
    """A named unit with a body: one entry of a def or procedure, an invariant (`always`), or a goal.

    `member` is the case that the entry is for. None means that there is no case, or that it is the default entry.
    A goal (`standing` or `estimate`) has a player as its parameter, and `values` that are compared from left to
    right. `at` is the span of the whole, and `named` is the span of the name."""

    kind: Literal["def", "proc", "phase", "law", "goal"]
    name: str
    key: str
    member: int | None
    params: tuple[LocalVar, ...]
    # default entry of a family with cases: the parameter for the member
    case: LocalVar | None
    named: RuleSpan
    cites: tuple[str, ...]
    value_cites: tuple[str, ...] = ()                              # defs: clauses cited after the value
    by: Decider | None = None
    value: Expr | None = None                                      # invariants, and defs that are one expression
    values: tuple[Expr, ...] = ()                                  # goals
    conditions: tuple[DefCondition, ...] = ()
    body: Block = ()
    type: Type | None = None                                       # defs: the result type
    resets: tuple[str, ...] = ()                                   # states that are reset whenever it begins
    family: str | None = None                                      # clause family that completes short citations

    @property
    def path(self) -> str:
        return self.at.path

    @property
    def place(self) -> SourceSpan:
        """The span of its name."""
        return self.named.place

    @property
    def parts(self) -> tuple[Node, ...]:
        """The trees that the routine consists of."""
        return tuple(part for part in (self.by, self.value, *self.values, *self.conditions, *self.body) if part is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """All entries of one def or procedure. `domain` is the enumeration of its cases, or None."""

    name: str
    kind: Literal["def", "proc"]
    domain: str | None
    entries: dict[int, Routine]
    default: Routine | None

    @property
    def routines(self) -> list[Routine]:
        return [*self.entries.values(), *([self.default] if self.default else [])]

    def entry(self, member: int | None) -> Routine | None:
        """Returns the entry that runs for a member, or the default entry. `member` is None for a family without cases."""
        return self.default if member is None else self.entries.get(member, self.default)

    @property
    def params(self) -> tuple[LocalVar, ...]:
        return self.routines[0].params if self.routines else ()


@dataclass(frozen=True)
class Team:
    """Seats that win together. `name` is a member of the type that `standing` compares. It is "" if a seat is its own team."""

    name: str
    seats: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Program:
    """A checked game in core form.

    `team_attribute` is the attribute of players that names their team, if `standing` compares teams."""

    model: GameModel
    states: dict[str, State] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)
    goals: dict[str, Routine] = field(default_factory=dict)
    always: list[Routine] = field(default_factory=list)
    cited: dict[str, list[SourceSpan]] = field(default_factory=dict)    # clause → places that cite it
    team_attribute: str | None = None

    @property
    def teams(self) -> list[Team]:
        """The teams that have players, in the order of their first seats. Without `standing team`, each seat is its own team."""
        players = self.model.enums["Player"]
        if self.team_attribute is None:
            return [Team("", (seat,)) for seat in range(len(players))]
        kind = players.attributes[self.team_attribute]
        assert isinstance(kind, MemberOf)
        seats: dict[int, tuple[int, ...]] = {}
        for seat, team in enumerate(players.values[self.team_attribute]):
            seats[team] = (*seats.get(team, ()), seat)
        return [Team(self.model.enums[kind.name].members[team], found) for team, found in seats.items()]

    @property
    def routines(self) -> Iterator[Routine]:
        """All entries of all defs and procedures, then the invariants, then the goals."""
        for family in self.families.values():
            yield from family.routines
        yield from self.always
        yield from self.goals.values()
