"""Find the clauses that only describe the set-up of a game, so that they no longer matter once it has begun.

A family of clauses is an id without its last part. It belongs to the set-up if rules before the first loop of
the game cite one of its clauses and no later rule cites that clause. A clause of such a family still counts
if a later rule cites it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ...dsl.core.nodes import CallDef, CallProc, ForEach, Node, RepeatLoop, RoundsLoop, Stmt
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import walk

LOOP_STATEMENTS = (ForEach, RepeatLoop, RoundsLoop)


@lru_cache(maxsize=8)
def setup_families(program: Program) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the families of clauses that belong to the set-up, and the clauses that later rules cite."""
    game = program.families["game"].routines[0]
    cut = next((n for n, statement in enumerate(game.body) if isinstance(statement, LOOP_STATEMENTS)), 0)
    later = find_reachable_routines(program, game.body[cut:])
    first = find_reachable_routines(program, game.body[:cut])
    begun = {
        one
        for routine in first
        if not any(routine is other for other in later) and routine.kind != "def"
        for one in collect_citations(routine)
    }
    lasting = {one for routine in later for one in collect_citations(routine)}
    return frozenset(clause_family(one) for one in begun - lasting), frozenset(lasting)


def is_setup_only(program: Program, clause: str) -> bool:
    """Whether a clause only describes how a game begins."""
    families, lasting = setup_families(program)
    return clause_family(clause) in families and clause not in lasting


def clause_family(clause: str) -> str:
    """Returns the family of a clause: DS-EXE for DS-EXE-01."""
    return clause.rpartition("-")[0]


def find_reachable_routines(program: Program, statements: Iterable[Stmt]) -> list[Routine]:
    """Returns the routines that these statements call, directly or indirectly."""
    found: list[Routine] = []
    waiting: list[Node] = list(statements)
    names: set[str] = set()
    while waiting:
        for node in walk([waiting.pop()]):
            if isinstance(node, CallDef | CallProc) and node.family not in names:
                names.add(node.family)
                routines = program.families[node.family].routines
                found += routines
                waiting += [part for routine in routines for part in routine.parts]
    return found


def collect_citations(routine: Routine) -> set[str]:
    """Returns the clauses that a routine cites, in its head and in its statements."""
    inside = {one for node in walk(routine.parts) if isinstance(node, Stmt) for one in node.cites}
    return inside | {*routine.cites, *routine.value_cites}
