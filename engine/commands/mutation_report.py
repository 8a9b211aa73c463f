"""`ludoglot test GAME --mutants N`: whether the scenario tests notice small mistakes in the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..cli.console import Refusal, Usage, Voice

if TYPE_CHECKING:
    from ..library.find import Found
    from ..testing.mutants import Mutant


def tried(voice: Voice, found: Found, many: int, seed: int, as_json: bool) -> int:
    """Put so many mistakes into a game, one at a time; tell which ones no test notices."""
    from ..cli.rendering import rendered
    from ..testing.mutants import drawn
    from ..testing.mutation_testing import EQUIVALENT, NOTICED, REFUSED, SURVIVED, VERDICTS, Jury
    from ..testing.scenario import test_files
    if not test_files(found):
        raise Usage("test.no_files", game=found.shown)
    jury = Jury(found)
    if jury.findings.items:
        voice.warn(rendered(voice, jury.findings.sorted()))
    if not jury.sound:
        raise Refusal("mutants.failing", game=found.shown)
    mutants, possible = drawn(found, many, seed)
    verdicts = [(mutant, jury.judge(mutant)) for mutant in mutants]
    count = {word: sum(verdict == word for _, verdict in verdicts) for word in VERDICTS}
    survivors = sorted((mutant for mutant, verdict in verdicts if verdict == SURVIVED), key=lambda one: (one.file, one.line, one.column))
    if as_json:
        told = [as_data(found, one) for one in survivors]
        voice.data({"game": found.shown, "seed": seed, "possible": possible, **count, "survivors": told})
        return 0
    voice.say("mutants.drawn", n=len(mutants), possible=possible, seed=seed)
    if count[REFUSED]:
        voice.say("mutants.refused", n=count[REFUSED])
    voice.say("mutants.noticed", n=count[NOTICED])
    if count[EQUIVALENT]:
        voice.say("mutants.equivalent", n=count[EQUIVALENT])
    if survivors:
        voice.say("mutants.survived", n=len(survivors))
    for mutant in survivors:
        for line in of_survivor(voice, found, mutant):
            voice.out(line)
    return 0


def of_survivor(voice: Voice, found: Found, mutant: Mutant) -> Iterator[str]:
    """A mistake that nobody noticed: its place, what it is, the clauses of the line."""
    yield f"  {found.shown}/{mutant.file}:{mutant.line}:{mutant.column}  {voice.text(f'mutant.{mutant.kind}')}"
    new = " ".join(mutant.new.split())
    said = voice.text("mutant.instead", old=mutant.old, new=new) if new else voice.text("mutant.gone", old=mutant.old)
    clauses = clauses_at(found, mutant)
    yield f"    {said}" + (f" [{', '.join(clauses)}]" if clauses else "")


def clauses_at(found: Found, mutant: Mutant) -> list[str]:
    """The clauses cited on its line."""
    from ..testing.mutation_testing import cited_near
    return sorted(cited_near(found.folder / mutant.file, mutant.line)) if mutant.file.endswith(".rules") else []


def as_data(found: Found, mutant: Mutant) -> dict[str, Any]:
    return {"file": mutant.file, "line": mutant.line, "column": mutant.column, "kind": mutant.kind, "old": mutant.old_text,
            "new": mutant.new, "clauses": clauses_at(found, mutant)}
