"""What the analyses found out about a program, in one place, for the passes that come after them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..core.nodes import ChooseStmt, LocalVar, Stmt
from ..core.program import Program, Routine


@dataclass(slots=True)
class RoutineEffects:
    """What one routine does, itself and through what it calls: states by name. `looks`: of its own, without what it only sets."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    looks: set[str] = field(default_factory=set)
    calls: set[Routine] = field(default_factory=set)
    tries: set[Routine] = field(default_factory=set)               # what `after` calls: it only looks what would be
    asks: bool = False
    draws: bool = False


@dataclass(slots=True)
class EffectTable:
    """The effects of every routine, and all routines with callees before callers."""

    of: dict[Routine, RoutineEffects] = field(default_factory=dict)
    order: list[Routine] = field(default_factory=list)


# What names an entry; None where it cannot be told.
EntryOwner = tuple[Literal["local"], LocalVar] | tuple[Literal["state"], str] | tuple[Literal["member"], str, int]
EntryKey = EntryOwner | None


class Secret(NamedTuple):
    """A closed state that a value depends on, and whose entry of it was read (or who chose from it, where nobody may look)."""

    state: str
    owner: EntryKey


Secrets = frozenset[Secret]
NO_SECRETS: Secrets = frozenset()


@dataclass(frozen=True, slots=True)
class Audience:
    """What others may know of a choice: whether its options tell a secret, which hidden states they show to whoever decides, and the
    locals that are no secret any more when it has been made."""

    secret: bool
    shows: tuple[str, ...]
    told: frozenset[LocalVar]


@dataclass(slots=True)
class SecrecyTable:
    """Who may know what: the secrets that a local was made from, what others may hear of each choice, and the statements by which
    something closed may become known, with the one player who knew it already, where they tell nothing else."""

    secrets: dict[LocalVar, Secrets] = field(default_factory=dict)
    audiences: dict[ChooseStmt, Audience] = field(default_factory=dict)
    reveals: dict[Stmt, LocalVar | None] = field(default_factory=dict)

    def secrets_of(self, local: LocalVar) -> Secrets:
        return self.secrets.get(local, NO_SECRETS)


@dataclass(slots=True)
class AnalysisResults:
    """A program and the tables about it."""

    program: Program
    effects: EffectTable
    secrecy: SecrecyTable
    sizes: dict[Routine, int]                                      # of each routine, with the small defs opened up (cost.py)
    dear: frozenset[Routine]                                       # those that go over many things (cost.py)
    faulty: frozenset[Routine]                                     # those whose value can end in a fault (faults.py)
