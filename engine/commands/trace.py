"""`ludoglot trace`: traces each clause to its rules and scenario tests, and reports gaps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ..cli.console import LocalizedConsole, UsageError
from ..cli.loading import load_game, print_findings
from ..cli.localized_click import argument, command, json_option, lang_option, option, pack_option
from ..i18n.text_layout import wrap_cells
from ..library.find import format_place
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import SourceSpan
    from ...dsl.yaml.clause_index import Clause
    from ..narration.narrator import Narrator
    from ..testing.traceability import ClauseTrace, TraceReport

INDENT = "  "


@command("trace")
@argument("game")
@option("--gaps", is_flag=True)
@option("--family", word="clause")
@pack_option
@json_option
@lang_option
@click.pass_obj
def trace_command(
    console: LocalizedConsole, game: str, gaps: bool, family: str | None, pack_sources: tuple[str, ...], as_json: bool
) -> int:
    from ...dsl.yaml.clause_index import clause_families
    from ..narration.narrator import Narrator
    from ..testing.traceability import trace_clauses
    loaded = load_game(console, game, pack_sources=locate_packs(pack_sources))
    found = trace_clauses(loaded.found, loaded.game.ruleset.program, loaded.game.ruleset.source.overlay)
    if found.findings.errors:                                      # an unreadable clause index cannot be traced
        print_findings(console, found.findings.in_source_order())
        return 1
    if family is not None:
        ids = [clause.id for clause in found.clauses]
        wanted = family.upper().removeprefix("@")
        wanted = found.register.current_names.get(wanted, wanted) if found.register is not None else wanted
        if wanted not in {*ids, *clause_families(ids)}:
            meant = did_you_mean(wanted, [*clause_families(ids), *ids], LENIENT_CUTOFF)
            raise UsageError("trace.family", game=loaded.game.model.title, name=family, meant=meant)
        found = found.select_family(wanted)
    narrator = Narrator(loaded.game, loaded.localizer("en" if as_json else console.lang))
    if as_json:
        console.print_json(trace_data(found, narrator, gaps))
    else:
        for line in trace_lines(console, found, narrator, gaps):
            console.print_line(line)
    return 1 if found.gaps else 0


def trace_lines(console: LocalizedConsole, report: TraceReport, narrator: Narrator, gaps: bool) -> list[str]:
    """Returns each clause with its state, sentence or reason, rules, and tests, followed by a summary."""
    out: list[str] = []
    for clause in report.gaps if gaps else report.clauses:
        out += [*clause_state_lines(console, clause, narrator), ""]
    summary = console.text("trace.summary" if report.register else "trace.unregistered", **report.summary())
    return [*out, *wrap_cells(summary, console.width)]


def clause_state_lines(console: LocalizedConsole, clause: ClauseTrace, narrator: Narrator) -> list[str]:
    """Returns the lines about one clause."""
    out = [f"{clause.id}  {console.text(f'trace.{clause.state}')}"]
    said = [console.text(f"trace.gap.{gap}") for gap in clause.gaps]
    if sentence := narrator.clause_text(clause.id):
        said.append(sentence)
    if clause.clause is not None:
        said += reason_lines(console, clause.clause)
    if clause.rules:
        said.append(f"{console.text('column.rules')}: {', '.join(format_places(clause.rules))}")
    said += [f"{console.text('explain.test', name=name)} ({format_place(place.path, place.line)})" for name, place in clause.tests]
    return out + [line for text in said for line in wrap_indented(text, console.width)]


def reason_lines(console: LocalizedConsole, clause: Clause) -> list[str]:
    """Returns a sentence why no rule cites a clause, or why no scenario tests it; empty if no reason is given."""
    kind = clause.excuse or clause.untested
    if kind is None:
        return []
    from ...dsl.yaml.clause_index import list_reasons
    others = list(clause.others)
    reason = console.text(f"reason.{kind}", clauses=others)
    if others and kind not in list_reasons("leaning"):                           # these name the clauses themselves
        reason += " " + console.text("reason.see", clauses=others)
    return [console.text("reason.excuse" if clause.excuse else "reason.untested", reason=reason)]


def format_places(places: Iterable[SourceSpan]) -> list[str]:
    """Returns places as `file:line`; after another place in the same file only the line."""
    out: list[str] = []
    last = ""
    for place in places:
        shown = format_place(place.path, place.line) if place.path != last else str(place.line)
        last = place.path
        if shown not in out and not (out and out[-1] == format_place(place.path, place.line)):
            out.append(shown)
    return out


def format_location(place: SourceSpan) -> str:
    return f"{place.path}:{place.line}"


def wrap_indented(text: str, width: int) -> list[str]:
    return wrap_cells(INDENT + text, width, INDENT, break_words=False)


def trace_data(report: TraceReport, narrator: Narrator, gaps: bool) -> dict[str, Any]:
    """Returns the trace as data for `--json`, with sentences in English."""
    rows = []
    for clause in report.gaps if gaps else report.clauses:
        entry = clause.clause
        rows.append(
            {
                "id": clause.id,
                "state": clause.state,
                "rules": list(dict.fromkeys(map(format_location, clause.rules))),
                "tests": [name for name, _ in clause.tests],
                "test_places": [format_location(place) for _, place in clause.tests],
                "sentence": narrator.clause_text(clause.id),
                "excuse": entry.excuse if entry else None,
                "untested": entry.untested if entry else None,
                "as": list(entry.others) if entry else [],
                "gaps": list(clause.gaps),
            }
        )
    return {"game": narrator.game.model.game, "register": report.register is not None, "clauses": rows, "summary": report.summary()}
