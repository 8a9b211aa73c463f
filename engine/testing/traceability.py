"""Traces each clause of the rulebook to its rules and scenarios, and reports what is missing.

The clause index (`clauses.yaml`, dsl/yaml/clause_index.py) lists the clauses. Rules cite them, and scenarios
name the clauses that they show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...dsl.core.program import Program
from ...dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan
from ...dsl.game.variants import Variant
from ...dsl.packs.overlay import PackOverlay
from ...dsl.yaml.clause_index import (
    Clause,
    ClauseIndex,
    check_clause_form,
    check_clause_index,
    check_option_clauses,
    check_scenario_clauses,
    clause_families,
    read_clause_index,
)
from ..library.find import GameLocation
from .scenario import Scenario, list_scenario_files, read_pack_scenarios, read_scenarios

CITED, EXCUSED, LEFT_OUT, GAP = "cited", "excused", "left_out", "gap"


@dataclass(frozen=True)
class ClauseTrace:
    """One clause: the rules that cite it, the scenarios that show it, its index entry, and what is
    missing."""

    id: str
    rules: tuple[SourceSpan, ...] = ()
    tests: tuple[tuple[str, SourceSpan], ...] = ()
    clause: Clause | None = None
    gaps: tuple[str, ...] = ()
    left_out: bool = False                                         # house-rule packs removed its rules

    @property
    def state(self) -> str:
        """The state of the clause: cited, excused, left_out, or gap."""
        if self.gaps:
            return GAP
        if self.left_out:
            return LEFT_OUT
        return EXCUSED if self.clause is not None and self.clause.excuse else CITED


@dataclass
class TraceReport:
    """The clauses of a game in the order of its clause index.

    Without an index, the clauses that are cited or shown, sorted."""

    clauses: list[ClauseTrace]
    register: ClauseIndex | None = None
    findings: DiagnosticList = field(default_factory=DiagnosticList)

    def select_family(self, family: str) -> TraceReport:
        """Returns the clauses of one family, or the single clause of that name."""
        inside = [clause for clause in self.clauses if clause.id == family or clause.id.startswith(f"{family}-")]
        return TraceReport(inside, self.register, self.findings)

    @property
    def gaps(self) -> list[ClauseTrace]:
        """The clauses with gaps."""
        return [clause for clause in self.clauses if clause.gaps]

    def summary(self) -> dict[str, int]:
        """Returns the numbers of clauses: all, cited, tested, excused, with gaps."""
        return {"clauses": len(self.clauses), "cited": sum(bool(c.rules) for c in self.clauses),
                "tested": sum(bool(c.tests) for c in self.clauses),
                "excused": sum(c.state == EXCUSED for c in self.clauses), "gaps": len(self.gaps)}


def trace_clauses(location: GameLocation, program: Program, overlay: PackOverlay | None = None) -> TraceReport:
    """Traces each clause of a game. The `findings` of the result are problems of the index and of the scenarios."""
    findings = DiagnosticList()
    register = read_clause_register(location, overlay, findings)
    cited, shown = (
        program.cited,
        scenarios_by_clause(
            [*read_all_scenarios(location, findings), *read_pack_scenarios(overlay)], register.current_names if register else {}
        ),
    )
    names = list(register.clauses) if register else []
    strangers = {*cited, *shown} - set(names)
    names += sorted(strangers - clause_families({*names, *strangers}))
    clauses = []
    for name in names:
        clause = register.clauses.get(name) if register else None
        rules, tests = tuple(sorted(cited.get(name, ()), key=_place_key)), tuple(shown.get(name, ()))
        gone = overlay is not None and not rules and name in overlay.left_out
        gaps = tuple(find_gaps(clause, bool(rules), bool(tests))) if register and not gone else ()
        clauses.append(ClauseTrace(name, rules, tests, clause, gaps, gone))
    return TraceReport(clauses, register, findings)


def find_gaps(clause: Clause | None, is_cited: bool, is_tested: bool) -> Iterator[str]:
    """Yields the gaps of a clause. Each has a text in the engine's catalogue (`trace.gap.…`)."""
    if clause is None:
        yield "unregistered"
    elif clause.excuse:
        if is_cited:
            yield "contradiction"
    elif not is_cited:
        yield "uncited"
    else:
        if not clause.text:
            yield "sentence"
        if not is_tested and not clause.untested:
            yield "untested"


def read_clause_register(location: GameLocation, overlay: PackOverlay | None, findings: DiagnosticList) -> ClauseIndex | None:
    """Returns the clause index of a game together with the clauses of its packs."""
    register = read_clause_index(location.folder, findings, location.shown)
    return register if overlay is None else overlay.merge_clauses(register)


def check_clauses(
    location: GameLocation, variant: Variant, written: list[Scenario], findings: DiagnosticList, overlay: PackOverlay | None = None
) -> None:
    """Checks the clause index against rules, options and scenarios (codes C… and W3…).

    Without an index, only the form of the citations is checked."""
    register = read_clause_register(location, overlay, findings)
    if register is None:
        check_clause_form(variant.program.cited, findings)
        return
    check_clause_index(register, variant.program.cited, findings)
    check_option_clauses(register, variant.source.data["options"], findings)
    check_scenario_clauses(register, [(name, s.place("clauses", n)) for s in written for n, name in enumerate(s.clauses)], findings)


def read_all_scenarios(location: GameLocation, findings: DiagnosticList) -> list[Scenario]:
    """Returns every scenario of a game."""
    return [scenario for path in list_scenario_files(location) for scenario in read_scenarios(path, findings)]


def scenarios_by_clause(scenarios: Iterable[Scenario], now: Mapping[str, str]) -> dict[str, list[tuple[str, SourceSpan]]]:
    """Returns the names and places of the scenarios that show each clause.

    `now` maps earlier clause names to current ones."""
    out: dict[str, list[tuple[str, SourceSpan]]] = {}
    for scenario in scenarios:
        for name in dict.fromkeys(now.get(name, name) for name in scenario.clauses):
            out.setdefault(name, []).append((scenario.name, scenario.key_place("name")))
    return out


def _place_key(place: SourceSpan) -> tuple[str, int, int]:
    return place.path, place.line, place.column
