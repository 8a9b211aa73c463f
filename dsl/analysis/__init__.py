"""Static analyses of the core: effects, information flow, cost, faults. Each returns a table. None changes the
core."""

from __future__ import annotations

from ..core.program import Program
from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from .cost import find_costly_routines, inline_sizes
from .effects import find_effects
from .faults import find_faulty_routines
from .information_flow import find_secrecy
from .results import AnalysisResults
from .simultaneous import find_sealed_choices


def analyse(program: Program, findings: DiagnosticList) -> AnalysisResults | None:
    """Runs all analyses in order. Returns None if there are errors."""
    if findings.errors:
        return None
    try:
        effects = find_effects(program, findings)
        if findings.errors:
            return None
        secrecy = find_secrecy(program, effects, find_sealed_choices(program, findings), findings)
        found = AnalysisResults(program, effects, secrecy, inline_sizes(program, effects), find_costly_routines(program, effects),
                      find_faulty_routines(program, effects))
    except RecursionError:                                         # a call chain of hundreds of routines
        findings.add("R402", SourceSpan(program.model.path))
        return None
    return None if findings.errors else found
