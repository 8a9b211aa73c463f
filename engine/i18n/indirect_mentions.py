"""Finds the clauses that describe a def or procedure although they are cited only where rules use it.

A pack that replaces such a def changes the meaning of these sentences, but no line that cites them."""

from __future__ import annotations

from collections.abc import Iterator

from ...dsl.core.nodes import CallDef, CallProc
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import walk
from ...dsl.packs.overlay import PackChange, PackOverlay


def find_indirect_clauses(overlay: PackOverlay, program: Program) -> Iterator[tuple[PackChange, str]]:
    """Yields each change of a def or procedure with each clause that is cited where the rules use it.

    If the def or procedure has clauses of its own, these describe it."""
    struck = {place for _, place in (*overlay.left_out.values(), *overlay.void.values())}
    for change in overlay.changes:
        name = changed_routine(change)
        family = program.families.get(name) if name else None
        if family is None or change.place in struck or any(is_cited(routine, program) for routine in family.routines):
            continue
        uses = {line for routine in program.routines if routine not in family.routines for line in iter_lines_of_uses(routine, name)}
        for clause, places in program.cited.items():
            if any((place.path, place.line) in uses for place in places):
                yield change, clause


def changed_routine(change: PackChange) -> str:
    """Returns the name of the def or procedure that a change replaces, or of the def of which it changes a condition. Otherwise ""."""
    if change.kind == "replace":
        kind, _, name = change.name.partition(" ")
        return name if kind in ("def", "proc") and "[" not in name else ""
    return change.name.partition(":")[0] if change.kind == "step" else ""


def is_cited(routine: Routine, program: Program) -> bool:
    """Whether a line of a routine cites a clause. Packs may have added lines from another file."""
    spans = [routine.at, *(node.at for part in routine.parts for node in walk(part))]
    lines = {(at.path, line) for at in spans for line in range(at.line, at.end_line + 1)}
    return any((place.path, place.line) in lines for places in program.cited.values() for place in places)


def iter_lines_of_uses(routine: Routine, name: str) -> Iterator[tuple[str, int]]:
    """Yields the lines, as file and number, on which a routine uses a def or procedure."""
    for part in routine.parts:
        for node in walk(part):
            if isinstance(node, CallDef | CallProc) and node.family == name:
                yield from ((node.at.path, line) for line in range(node.at.line, node.at.end_line + 1))
