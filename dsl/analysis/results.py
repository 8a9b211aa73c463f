"""Results of the analyses, in one place for later passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..core.nodes import ChooseStmt, EmitEvent, LocalVar, Stmt
from ..core.program import Program, Routine


@dataclass(slots=True)
class RoutineEffects:
    """The effects of one routine, including its callees. States are given by name. `looks` are the states that the
    routine itself reads for more than to overwrite them."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    looks: set[str] = field(default_factory=set)
    calls: set[Routine] = field(default_factory=set)
    tries: set[Routine] = field(default_factory=set)               # called by `after`, on a copy of the position
    asks: bool = False
    draws: bool = False


@dataclass(slots=True)
class EffectTable:
    """The effects of every routine, and all routines with callees before callers."""

    of: dict[Routine, RoutineEffects] = field(default_factory=dict)
    order: list[Routine] = field(default_factory=list)


# The owner of an entry, or any player except some. None: unknown.
EntryOwner = (tuple[Literal["local"], LocalVar] | tuple[Literal["state"], str] | tuple[Literal["member"], str, int]
              | tuple[Literal["others"], frozenset["EntryOwner"]])
EntryKey = EntryOwner | None


class Secret(NamedTuple):
    """A hidden state that a value depends on, and the owner of the entry that was read. For a state that nobody
    sees, the owner is the seat that chose from it."""

    state: str
    owner: EntryKey


Secrets = frozenset[Secret]
NO_SECRETS: Secrets = frozenset()


@dataclass(frozen=True, slots=True)
class Audience:
    """The information that a choice gives away.

    `secret`: the options depend on hidden states. `shows`: the hidden states that the options reveal to the
    deciding seat. `revealed`: the locals that are public after the choice."""

    secret: bool
    shows: tuple[str, ...]
    revealed: frozenset[LocalVar]


@dataclass(slots=True)
class SecrecyTable:
    """The result of the information-flow analysis: the secrets of each local, the audience of each choice, and the
    statements that may reveal something hidden.

    A statement in `reveals` maps to the one player who already knew everything it reveals, or to None. `closed_slots` are
    the values of an event that only its listeners hear. `open_defs` are
    the defs with at most one parameter whose value is public. Texts and table layouts may use them."""

    secrets: dict[LocalVar, Secrets] = field(default_factory=dict)
    audiences: dict[ChooseStmt, Audience] = field(default_factory=dict)
    reveals: dict[Stmt, LocalVar | None] = field(default_factory=dict)
    closed_slots: dict[EmitEvent, frozenset[str]] = field(default_factory=dict)
    open_defs: Sequence[Routine] = ()

    def secrets_of(self, local: LocalVar) -> Secrets:
        """Returns the secrets that a local depends on."""
        return self.secrets.get(local, NO_SECRETS)


@dataclass(slots=True)
class AnalysisResults:
    """A program with the results of all analyses."""

    program: Program
    effects: EffectTable
    secrecy: SecrecyTable
    sizes: dict[Routine, int]                                      # of each routine after inlining (cost.py)
    dear: frozenset[Routine]                                       # routines with loops or trials (cost.py)
    faulty: frozenset[Routine]                                     # routines whose value may fault (faults.py)
