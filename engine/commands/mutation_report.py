"""`ludoglot test GAME --mutants N`: mutation testing, whether the scenarios notice small mistakes in the
rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..cli.console import CommandError, LocalizedConsole, UsageError, render_findings

if TYPE_CHECKING:
    from ..library.find import GameLocation
    from ..testing.mutants import RuleMutant


def run_mutation_test(console: LocalizedConsole, location: GameLocation, many: int, seed: int, as_json: bool) -> int:
    """Tests a number of mutants, one at a time, and reports the ones that no scenario notices."""
    from ..testing.mutants import draw_mutants
    from ..testing.mutation_testing import EQUIVALENT, NOTICED, REFUSED, SURVIVED, VERDICTS, MutationRunner
    from ..testing.scenario import list_scenario_files
    if not list_scenario_files(location):
        raise UsageError("test.no_files", game=location.shown)
    jury = MutationRunner(location)
    if jury.findings.items:
        console.print_stderr(render_findings(console, jury.findings.in_source_order()))
    if not jury.sound:
        raise CommandError("mutants.failing", game=location.shown)
    mutants, possible = draw_mutants(location, many, seed)
    verdicts = [(mutant, jury.classify_mutant(mutant)) for mutant in mutants]
    count = {word: sum(verdict == word for _, verdict in verdicts) for word in VERDICTS}
    survivors = sorted((mutant for mutant, verdict in verdicts if verdict == SURVIVED), key=lambda one: (one.file, one.line, one.column))
    if as_json:
        told = [mutant_data(location, one) for one in survivors]
        console.print_json({"game": location.shown, "seed": seed, "possible": possible, **count, "survivors": told})
        return 0
    console.print_message("mutants.drawn", n=len(mutants), possible=possible, seed=seed)
    if count[REFUSED]:
        console.print_message("mutants.refused", n=count[REFUSED])
    console.print_message("mutants.noticed", n=count[NOTICED])
    if count[EQUIVALENT]:
        console.print_message("mutants.equivalent", n=count[EQUIVALENT])
    if survivors:
        console.print_message("mutants.survived", n=len(survivors))
    for mutant in survivors:
        for line in survivor_lines(console, location, mutant):
            console.print_line(line)
    return 0


def survivor_lines(console: LocalizedConsole, location: GameLocation, mutant: RuleMutant) -> Iterator[str]:
    """Yields the lines about a surviving mutant: its place, kind, change, and the clauses of its line."""
    yield f"  {location.shown}/{mutant.file}:{mutant.line}:{mutant.column}  {console.text(f'mutant.{mutant.kind}')}"
    new = " ".join(mutant.new.split())
    said = console.text("mutant.instead", old=mutant.old_line, new=new) if new else console.text("mutant.gone", old=mutant.old_line)
    clauses = clauses_cited_at(location, mutant)
    yield f"    {said}" + (f" [{', '.join(clauses)}]" if clauses else "")


def clauses_cited_at(location: GameLocation, mutant: RuleMutant) -> list[str]:
    """Returns the clauses cited at the line of a mutant."""
    from ..testing.mutation_testing import find_clauses_near
    return sorted(find_clauses_near(location.folder / mutant.file, mutant.line)) if mutant.file.endswith(".rules") else []


def mutant_data(location: GameLocation, mutant: RuleMutant) -> dict[str, Any]:
    """Returns a mutant as data for `--json`."""
    return {"file": mutant.file, "line": mutant.line, "column": mutant.column, "kind": mutant.kind, "old": mutant.old_text,
            "new": mutant.new, "clauses": clauses_cited_at(location, mutant)}
