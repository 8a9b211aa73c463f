"""From clause to rule to scenario: where each clause of the rulebook went, and what is missing.

The register (`clauses.yaml`, dsl/yaml/clause_index.py) says which clauses there are; the rules cite them; the scenarios name
those they show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...dsl.core.program import Program
from ...dsl.diagnostics.diagnostic import Findings, Place
from ...dsl.game.variants import Variant
from ...dsl.packs.overlay import Laid
from ...dsl.yaml.clause_index import Clause, Register, check_choices, check_register, check_shape, check_shown, families, read_register
from ..library.find import Found
from .scenario import Scenario, read_scenarios, scenarios_of_packs, test_files

CITED, EXCUSED, LEFT_OUT, GAP = "cited", "excused", "left_out", "gap"
# What can be missing, or wrong: each has a sentence in the engine's catalogue (trace.gap.…).
GAPS = ("uncited", "untested", "sentence", "contradiction", "unregistered")


@dataclass(frozen=True)
class Traced:
    """One clause: the rules that cite it, the scenarios that show it, its entry in the register, and what is missing (of GAPS)."""

    id: str
    rules: tuple[Place, ...] = ()
    tests: tuple[tuple[str, Place], ...] = ()
    clause: Clause | None = None
    gaps: tuple[str, ...] = ()
    left_out: bool = False                                         # packs of house rules have done away with its rules

    @property
    def state(self) -> str:
        """cited, excused, left_out, or gap."""
        if self.gaps:
            return GAP
        if self.left_out:
            return LEFT_OUT
        return EXCUSED if self.clause is not None and self.clause.excuse else CITED


@dataclass
class Trace:
    """The clauses of a game in the order of its register; without a register, those that are cited or shown, in order."""

    clauses: list[Traced]
    register: Register | None = None
    findings: Findings = field(default_factory=Findings)

    def only(self, family: str) -> Trace:
        """The clauses of one family, or the one clause of that name."""
        inside = [clause for clause in self.clauses if clause.id == family or clause.id.startswith(f"{family}-")]
        return Trace(inside, self.register, self.findings)

    @property
    def gaps(self) -> list[Traced]:
        return [clause for clause in self.clauses if clause.gaps]

    def summary(self) -> dict[str, int]:
        """How many clauses there are, and how many of them are cited, tested, excused, missing something."""
        return {"clauses": len(self.clauses), "cited": sum(bool(c.rules) for c in self.clauses),
                "tested": sum(bool(c.tests) for c in self.clauses),
                "excused": sum(c.state == EXCUSED for c in self.clauses), "gaps": len(self.gaps)}


def trace(found: Found, program: Program, laid: Laid | None = None) -> Trace:
    """Where each clause of a game went. `findings`: what is wrong with the register or the scenarios as written."""
    findings = Findings()
    register = register_of(found, laid, findings)
    cited, shown = program.cited, shown_by([*scenarios_of(found, findings), *scenarios_of_packs(laid)], register.now if register else {})
    names = list(register.clauses) if register else []
    strangers = {*cited, *shown} - set(names)
    names += sorted(strangers - families({*names, *strangers}))
    clauses = []
    for name in names:
        clause = register.clauses.get(name) if register else None
        rules, tests = tuple(sorted(cited.get(name, ()), key=_reading)), tuple(shown.get(name, ()))
        gone = laid is not None and not rules and name in laid.left_out
        gaps = tuple(missing(clause, bool(rules), bool(tests))) if register and not gone else ()
        clauses.append(Traced(name, rules, tests, clause, gaps, gone))
    return Trace(clauses, register, findings)


def missing(clause: Clause | None, cited: bool, shown: bool) -> Iterator[str]:
    """What keeps a clause from being accounted for (of GAPS)."""
    if clause is None:
        yield "unregistered"
    elif clause.excuse:
        if cited:
            yield "contradiction"
    elif not cited:
        yield "uncited"
    else:
        if not clause.text:
            yield "sentence"
        if not shown and not clause.untested:
            yield "untested"


def register_of(found: Found, laid: Laid | None, findings: Findings) -> Register | None:
    """The register of a game with the clauses of its packs."""
    register = read_register(found.folder, findings, found.shown)
    return register if laid is None else laid.register(register)


def check_clauses(found: Found, variant: Variant, written: list[Scenario], findings: Findings, laid: Laid | None = None) -> None:
    """All that can be wrong between a register, the rules, the options and the scenarios (codes C… and W3…); without a register only how
    clauses are cited."""
    register = register_of(found, laid, findings)
    if register is None:
        check_shape(variant.program.cited, findings)
        return
    check_register(register, variant.program.cited, findings)
    check_choices(register, variant.source.data["options"], findings)
    check_shown(register, [(name, s.place("clauses", n)) for s in written for n, name in enumerate(s.clauses)], findings)


def scenarios_of(found: Found, findings: Findings) -> list[Scenario]:
    """Every scenario of a game."""
    return [scenario for path in test_files(found) for scenario in read_scenarios(path, findings)]


def shown_by(scenarios: Iterable[Scenario], now: Mapping[str, str]) -> dict[str, list[tuple[str, Place]]]:
    """By clause, the names and places of the scenarios that show it; `now` has clauses by earlier names."""
    out: dict[str, list[tuple[str, Place]]] = {}
    for scenario in scenarios:
        for name in dict.fromkeys(now.get(name, name) for name in scenario.clauses):
            out.setdefault(name, []).append((scenario.name, scenario.key_place("name")))
    return out


def _reading(place: Place) -> tuple[str, int, int]:
    return place.path, place.line, place.column
