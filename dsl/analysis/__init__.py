"""What is found out about a program by reading its core: effects, secrecy, cost. Each analysis gives a table; none changes the core."""

from __future__ import annotations

from ..core.program import Program
from ..diagnostics.diagnostic import Findings, Place
from .cost import dear, sizes
from .effects import effects as find_effects
from .faults import faulty
from .information_flow import secrecy as find_secrecy
from .results import Facts


def analyse(program: Program, findings: Findings) -> Facts | None:
    """All analyses, one after the other; None when there are errors."""
    if findings.errors:
        return None
    try:
        effects = find_effects(program, findings)
        if findings.errors:
            return None
        secrecy = find_secrecy(program, effects, findings)
        found = Facts(program, effects, secrecy, sizes(program, effects), dear(program, effects),
                      faulty(program, effects))
    except RecursionError:                                         # hundreds of routines, each calling the next
        findings.add("R402", Place(program.model.path))
        return None
    return None if findings.errors else found
