"""`ludoglot test`: runs the scenario tests of games, with coverage, mutation testing, and house rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, did_you_mean
from ...dsl.diagnostics.render import diagnostic_data
from ..cli.console import CommandError, LocalizedConsole, UsageError, render_findings
from ..cli.localized_click import IntParam, argument, command, json_option, lang_option, option, pack_option
from ..i18n.text_layout import wrap_cells
from ..library.find import GameLocation, UnknownGameError, find_game_location, format_path, list_game_ids
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan
    from ...dsl.packs import PackBundle
    from ...dsl.packs.overlay import PackOverlay
    from ..testing.coverage import FileCoverage
    from ..testing.pack_regressions import PackVerdict
    from ..testing.scenario import Scenario, ScenarioFailure, ScenarioResult


@command("test")
@argument("games", nargs=-1)
@option("-k", "text", word="text")
@option("--coverage", is_flag=True)
@option("--threshold", type=IntParam(0), word="percent")
@option("--game", "game", word="game")
@option("--mutants", type=IntParam(1), word="number")
@option("--seed", type=IntParam(), word="number", default=1)
@pack_option
@json_option
@lang_option
@click.pass_obj
def test_command(
    console: LocalizedConsole,
    games: tuple[str, ...],
    text: str | None,
    coverage: bool,
    threshold: int | None,
    game: str | None,
    mutants: int | None,
    seed: int,
    pack_sources: tuple[str, ...],
    as_json: bool,
) -> int:
    from ..testing.coverage import RuleCoverage
    from ..testing.pack_regressions import CHANGED, DROPPED, classify_result
    from ..testing.scenario import read_pack_scenarios, read_scenarios
    from ..testing.scenario_rulesets import ScenarioRulesets
    from ..testing.scenario_runner import run_scenario
    from .check import TRIAL_GAMES, play_trial_games
    if mutants is not None:
        from .mutation_report import run_mutation_test
        if len(games) != 1 or pack_sources:
            raise UsageError("mutants.one_game")
        return run_mutation_test(console, find_game_location(games[0]), mutants, seed, as_json)
    findings = DiagnosticList()
    results: list[ScenarioResult] = []
    written: list[Scenario] = []
    lines = RuleCoverage() if coverage or threshold is not None else None
    packs = locate_packs(pack_sources)
    otherwise: list[tuple[ScenarioResult, PackVerdict]] = []
    faults: list[Diagnostic] = []
    on_trial = packs and text is None                              # untested house rules are also played by bots
    for found, files in select_scenario_files(games, game):
        rules, bare = ScenarioRulesets(found, packs), ScenarioRulesets(found)
        own = [scenario for path in files for scenario in read_scenarios(path, findings)]
        own += read_pack_scenarios(overlay_packs(found, packs, findings), findings) if packs else []
        written += own
        for scenario in own:
            if scenario.matches(text):
                result = run_scenario(scenario, rules, lines)
                if broken := ruleset_errors(result):                # report these errors once
                    findings.items += [one for one in broken if one not in findings.items]
                    break
                judged = classify_result(result, rules, bare)
                if judged.state in (DROPPED, CHANGED):
                    otherwise.append((result, judged))
                else:
                    results.append(result)
        if on_trial and not findings.errors:
            faults += play_trial_games(console, found.name, TRIAL_GAMES, pack_sources, packs)
    if text is not None and not results and not otherwise and not findings.errors:
        names = [name for one in written for name in (one.name, *one.clauses)]
        raise CommandError("test.none", text=text, meant=did_you_mean(text, names, LENIENT_CUTOFF))
    failed = [result for result in results if not result.has_passed]
    covered_files = lines.report() if lines else []
    low = threshold is not None and coverage_totals(covered_files)["percent"] < threshold
    wrong = any(one.severity == "error" for one in faults)
    code = 1 if failed or wrong or findings.errors or low else 0
    if as_json:
        english = LocalizedConsole("en")
        more = (
            {"coverage": {"files": [file_coverage_data(file) for file in covered_files], **coverage_totals(covered_files)}} if lines else {}
        )
        console.print_json(
            {
                "passed": len(results) - len(failed),
                "failed": len(failed),
                "tests": [result_data(english, result) for result in results],
                "otherwise": [
                    {**result_data(english, result), "state": judged.state, "because": judged.name, "place": place_data(judged.place)}
                    for result, judged in otherwise
                ],
                "findings": [diagnostic_data(d) for d in [*findings.in_source_order(), *faults]],
                **more,
            }
        )
        return code
    if findings.items:
        console.print_stderr(render_findings(console, findings.in_source_order()))
    for result in failed:
        for line in failure_lines(console, result):
            console.print_line(line)
    for line in lines_on_affected_scenarios(console, otherwise):
        console.print_line(line)
    console.print_message("test.passed", n=len(results) - len(failed))
    if failed:
        console.print_message("test.failed", n=len(failed))
    if faults:
        console.print_line(render_findings(console, faults))
    if on_trial and not wrong and not findings.errors:
        console.print_message("test.games", n=TRIAL_GAMES)
    for line in broken_invariant_lines(console, results):
        console.print_line(line)
    for line in coverage_lines(console, covered_files) if lines else ():
        console.print_line(line)
    if low:
        console.print_message("coverage.below", threshold=threshold)
    return code


def ruleset_errors(result: ScenarioResult) -> list[Diagnostic]:
    """Returns the errors of the rules because of which no scenario can run.

    None are returned for a scenario with house rules of its own: there only that scenario fails."""
    told = [failure.findings for failure in result.failures if failure.key == "test.no_rules" and failure.findings is not None]
    return [one for findings in told for one in findings.items] if told and not result.scenario.data.get("house") else []


def broken_invariant_lines(console: LocalizedConsole, results: list[ScenarioResult], limit: int = 3) -> list[str]:
    """Returns lines about tests that begin in a position which already violates an invariant.

    They are listed by name if there are few."""
    found = [result for result in results if result.broken]
    if len(found) > limit:
        return [console.text("test.began_broken", n=len(found))]
    return [console.text("test.laws_not_watched", name=result.scenario.name, laws=", ".join(result.broken)) for result in found]


def overlay_packs(game: GameLocation, packs: list[Path | PackBundle], findings: DiagnosticList) -> PackOverlay | None:
    """Returns the overlay of the packs on a game, or None if they have errors.

    Each scenario that needs the packs reports these errors too."""
    from ...dsl.packs import apply_packs
    from ...dsl.packs.source import read_game
    source = read_game(game.folder, findings, game.shown)
    return source.overlay if source is not None and apply_packs(source, packs, findings) else None


def lines_on_affected_scenarios(console: LocalizedConsole, otherwise: list[tuple[ScenarioResult, PackVerdict]]) -> list[str]:
    """Returns lines about scenarios of the game that packs drop or change, with the cause."""
    from ..testing.pack_regressions import CHANGED, DROPPED
    out: list[str] = []
    for state in (DROPPED, CHANGED):
        found = [(result, judged) for result, judged in otherwise if judged.state == state]
        if found:
            out.append(console.text(f"test.{state}", n=len(found)))
        for result, judged in found:
            place = judged.place
            at = f"{format_path(Path(place.path))}:{place.line}" if place is not None else ""
            out.append("  " + console.text(f"test.{state}.because", name=result.scenario.name, what=judged.name, place=at))
    return out


def place_data(place: SourceSpan | None) -> dict[str, Any] | None:
    """Returns a place as data for `--json`."""
    return {"file": place.path, "line": place.line} if place is not None else None


def select_scenario_files(names: tuple[str, ...], game: str | None = None) -> list[tuple[GameLocation, list[Path]]]:
    """Returns the games with the scenario files to run.

    These are all scenarios of a game, or single files given by path. A file belongs to the game whose folder
    contains it, or to `game` if that is given."""
    from ..testing.scenario import list_scenario_files
    out: list[tuple[GameLocation, list[Path]]] = []
    for name in names or ([game] if game else list_game_ids()):
        path = Path(name)
        if path.suffix in (".yaml", ".yml") and path.is_file() and path.name != "game.yaml":
            try:
                out.append((find_game_location(game) if game else find_game_location(str(path.resolve().parent.parent)), [path]))
            except UnknownGameError:
                raise UsageError("usage.test_file", file=name) from None
        else:
            found = find_game_location(name)
            out.append((found, list_scenario_files(found)))
    return out


def failure_lines(console: LocalizedConsole, result: ScenarioResult) -> list[str]:
    """Returns the lines about a failed test: its name, and each mismatch with its place."""
    lines = [console.text("test.fails", name=result.scenario.name)]
    for failure in result.failures:
        place = failure.place
        lines.append(f"  {format_path(Path(place.path))}:{place.line}:{place.column}: {failure_message(console, failure)}")
        if failure.findings is not None:
            lines += ["    " + line for line in render_findings(console, failure.findings.in_source_order()).splitlines()]
    return lines


def failure_message(console: LocalizedConsole, failure: ScenarioFailure) -> str:
    """Returns the message of a mismatch."""
    return console.words.message(failure.key, **failure.args)


def coverage_lines(console: LocalizedConsole, files: list[FileCoverage]) -> list[str]:
    """Returns the coverage report: the share of each file, the lines that never ran, and the total."""
    from ..testing.coverage import floor_percent, line_ranges
    out = ["", console.text("coverage.title")]
    for file in files:
        ran, lines = len(file.ran), len(file.lines)
        out.append(
            console.text(
                "coverage.file", file=file.name, percent=console.words.format_number(floor_percent(ran, lines), 1), ran=ran, lines=lines
            )
        )
        for key, numbers in (("coverage.missed", file.missing_lines), ("coverage.unmeasured", file.unmeasured)):
            if numbers:
                shown = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in line_ranges(numbers))
                out += wrap_cells(f"  {console.text(key, lines=shown)}", console.width, "  ")
    whole = coverage_totals(files)
    return [
        *out,
        console.text("coverage.total", percent=console.words.format_number(whole["percent"], 1), ran=whole["ran"], lines=whole["lines"]),
    ]


def coverage_totals(files: list[FileCoverage]) -> dict[str, Any]:
    """Returns the number of lines of all files, how many ran, and the percentage."""
    from ..testing.coverage import floor_percent
    lines, ran = sum(len(file.lines) for file in files), sum(len(file.ran) for file in files)
    return {"lines": lines, "ran": ran, "percent": floor_percent(ran, lines)}


def file_coverage_data(file: FileCoverage) -> dict[str, Any]:
    """Returns the coverage of a file as data for `--json`; line ranges are `[first, last]`."""
    from ..testing.coverage import line_ranges
    return {"file": file.name, **coverage_totals([file]), "missed": [list(pair) for pair in line_ranges(file.missing_lines)],
            "unmeasured": [list(pair) for pair in line_ranges(file.unmeasured)]}


def result_data(console: LocalizedConsole, result: ScenarioResult) -> dict[str, Any]:
    """Returns a test result as data for `--json`."""
    failures = [
        {
            "line": failure.place.line,
            "column": failure.place.column,
            "message": failure_message(console, failure),
            "expected": failure.args.get("expected"),
            "found": failure.args.get("found"),
            "findings": [diagnostic_data(d) for d in failure.findings.in_source_order()] if failure.findings else [],
        }
        for failure in result.failures
    ]
    place = result.scenario.place()
    return {"name": result.scenario.name, "file": place.path, "line": place.line, "clauses": list(result.scenario.clauses),
            "passed": result.has_passed, "failures": failures, "broken": list(result.broken)}
