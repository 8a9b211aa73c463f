"""`ludoglot test`: the scenario tests of games."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..cli.console import Refusal, Usage, Voice
from ..cli.loading import find_game, packs_from
from ..cli.localized_click import WholeNumber, argument, command, house_option, json_option, lang_option, option
from ..i18n.user_input import near
from ..library.find import Found, UnknownGame, find, installed, shown

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic, Findings, Place
    from ...dsl.packs import Bundle
    from ...dsl.packs.overlay import Laid
    from ..testing.coverage import File
    from ..testing.pack_regressions import Verdict
    from ..testing.scenario import Failure, Result, Scenario


@command("test")
@argument("games", nargs=-1)
@option("-k", "text", word="text")
@option("--coverage", is_flag=True)
@option("--threshold", type=WholeNumber(0), word="percent")
@option("--game", "game", word="game")
@option("--mutants", type=WholeNumber(1), word="number")
@option("--seed", type=WholeNumber(), word="number", default=1)
@house_option
@json_option
@lang_option
@click.pass_obj
def test_command(voice: Voice, games: tuple[str, ...], text: str | None, coverage: bool, threshold: int | None, game: str | None,
                 mutants: int | None, seed: int, houses: tuple[str, ...], as_json: bool) -> int:
    from ...dsl.diagnostics.diagnostic import Findings
    from ..cli.rendering import data_of, rendered
    from ..testing.coverage import Coverage
    from ..testing.pack_regressions import CHANGED, DROPPED, verdict
    from ..testing.scenario import Rules, read_scenarios, scenarios_of_packs
    from ..testing.scenario_runner import run_scenario
    from .check import TRIALS, played
    if mutants is not None:
        from .mutation_report import tried
        if len(games) != 1 or houses:
            raise Usage("mutants.one_game")
        return tried(voice, find_game(games[0]), mutants, seed, as_json)
    findings = Findings()
    results: list[Result] = []
    written: list[Scenario] = []
    lines = Coverage() if coverage or threshold is not None else None
    packs = packs_from(houses)
    otherwise: list[tuple[Result, Verdict]] = []
    faults: list[Diagnostic] = []
    on_trial = packs and text is None                              # rules that nobody has played yet
    for found, files in chosen(games, game):
        rules, bare = Rules(found, packs), Rules(found)
        own = [scenario for path in files for scenario in read_scenarios(path, findings)]
        own += scenarios_of_packs(laid_over(found, packs, findings)) if packs else []
        written += own
        for scenario in own:
            if scenario.matches(text):
                result = run_scenario(scenario, rules, lines)
                if broken := rules_refused(result):                # no other scenario can be played either: told once
                    findings.items += [one for one in broken if one not in findings.items]
                    break
                judged = verdict(result, rules, bare)
                if judged.state in (DROPPED, CHANGED):
                    otherwise.append((result, judged))
                else:
                    results.append(result)
        if on_trial and not findings.errors:
            faults += played(voice, found.name, TRIALS, houses, packs)
    if text is not None and not results and not otherwise and not findings.errors:
        raise Refusal("test.none", text=text, meant=near(text, [name for one in written for name in (one.name, *one.clauses)]) or "")
    failed = [result for result in results if not result.passed]
    covered_files = lines.report() if lines else []
    low = threshold is not None and share(covered_files)["percent"] < threshold
    wrong = any(one.severity == "error" for one in faults)
    code = 1 if failed or wrong or findings.errors or low else 0
    if as_json:
        english = Voice("en")
        more = {"coverage": {"files": [file_as_data(file) for file in covered_files], **share(covered_files)}} if lines else {}
        voice.data({"passed": len(results) - len(failed), "failed": len(failed), "tests": [as_data(english, result) for result in results],
                    "otherwise": [{**as_data(english, result), "state": judged.state, "because": judged.name,
                                   "place": place_as_data(judged.place)} for result, judged in otherwise],
                    "findings": [data_of(d) for d in [*findings.sorted(), *faults]], **more})
        return code
    if findings.items:
        voice.warn(rendered(voice, findings.sorted()))
    for result in failed:
        for line in report(voice, result):
            voice.out(line)
    for line in told_of_others(voice, otherwise):
        voice.out(line)
    voice.say("test.passed", n=len(results) - len(failed))
    if failed:
        voice.say("test.failed", n=len(failed))
    if faults:
        voice.out(rendered(voice, faults))
    if on_trial and not wrong and not findings.errors:
        voice.say("test.games", n=TRIALS)
    for line in unwatched(voice, results):
        voice.out(line)
    for line in covered(voice, covered_files) if lines else ():
        voice.out(line)
    if low:
        voice.say("coverage.below", threshold=threshold)
    return code


def rules_refused(result: Result) -> list[Diagnostic]:
    """The errors for which no scenario can be played. One with house rules of its own speaks for itself alone."""
    told = [failure.findings for failure in result.failures if failure.key == "test.no_rules" and failure.findings is not None]
    return [one for findings in told for one in findings.items] if told and not result.scenario.data.get("house") else []


def unwatched(voice: Voice, results: list[Result], few: int = 3) -> list[str]:
    """Which tests begin where a law is broken already: by name where they are few."""
    found = [result for result in results if result.broken]
    if len(found) > few:
        return [voice.text("test.began_broken", n=len(found))]
    return [voice.text("test.laws_not_watched", name=result.scenario.name, laws=", ".join(result.broken)) for result in found]


def laid_over(game: Found, packs: list[Path | Bundle], findings: Findings) -> Laid | None:
    """The packs over a game; what is wrong with them each scenario that needs them says too."""
    from ...dsl.packs import lay_packs
    from ...dsl.packs.source import read_game
    source = read_game(game.folder, findings, game.shown)
    return source.laid if source is not None and lay_packs(source, packs, findings) else None


def told_of_others(voice: Voice, otherwise: list[tuple[Result, Verdict]]) -> list[str]:
    """Scenarios of the game that packs leave out or change, and because of what."""
    from ..testing.pack_regressions import CHANGED, DROPPED
    out: list[str] = []
    for state in (DROPPED, CHANGED):
        found = [(result, judged) for result, judged in otherwise if judged.state == state]
        if found:
            out.append(voice.text(f"test.{state}", n=len(found)))
        for result, judged in found:
            place = judged.place
            at = f"{shown(Path(place.path))}:{place.line}" if place is not None else ""
            out.append("  " + voice.text(f"test.{state}.because", name=result.scenario.name, what=judged.name, place=at))
    return out


def place_as_data(place: Place | None) -> dict[str, Any] | None:
    return {"file": place.path, "line": place.line} if place is not None else None


def chosen(names: tuple[str, ...], game: str | None = None) -> list[tuple[Found, list[Path]]]:
    """Games with the scenario files to run: a game's own, or files by their paths, of the game they lie in or of the one that is named."""
    from ..testing.scenario import test_files
    out: list[tuple[Found, list[Path]]] = []
    for name in names or ([game] if game else installed()):
        path = Path(name)
        if path.suffix in (".yaml", ".yml") and path.is_file() and path.name != "game.yaml":
            try:
                out.append((find_game(game) if game else find(str(path.resolve().parent.parent)), [path]))
            except UnknownGame:
                raise Usage("usage.test_file", file=name) from None
        else:
            found = find_game(name)
            out.append((found, test_files(found)))
    return out


def report(voice: Voice, result: Result) -> list[str]:
    """A failed test: its name, and each thing that went otherwise, with its place."""
    from ..cli.rendering import rendered
    lines = [voice.text("test.fails", name=result.scenario.name)]
    for failure in result.failures:
        place = failure.place
        lines.append(f"  {shown(Path(place.path))}:{place.line}:{place.column}: {said(voice, failure)}")
        if failure.findings is not None:
            lines += ["    " + line for line in rendered(voice, failure.findings.sorted()).splitlines()]
    return lines


def said(voice: Voice, failure: Failure) -> str:
    return voice.message(failure.key, **failure.args)


def covered(voice: Voice, files: list[File]) -> list[str]:
    """Which lines of the rules ran: the share of each file, what is missing, and the whole."""
    from ..testing.coverage import percent, ranges
    out = ["", voice.text("coverage.title")]
    for file in files:
        ran, lines = len(file.ran), len(file.lines)
        out.append(voice.text("coverage.file", file=file.name, percent=voice.words.number(percent(ran, lines), 1), ran=ran, lines=lines))
        for key, numbers in (("coverage.missed", file.missed), ("coverage.unmeasured", file.unmeasured)):
            if numbers:
                shown = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges(numbers))
                out += textwrap.wrap(voice.text(key, lines=shown), voice.width, initial_indent="  ", subsequent_indent="    ",
                                     break_on_hyphens=False)
    whole = share(files)
    return [*out, voice.text("coverage.total", percent=voice.words.number(whole["percent"], 1), ran=whole["ran"], lines=whole["lines"])]


def share(files: list[File]) -> dict[str, Any]:
    """How many lines of all files there are, how many ran, and the percentage."""
    from ..testing.coverage import percent
    lines, ran = sum(len(file.lines) for file in files), sum(len(file.ran) for file in files)
    return {"lines": lines, "ran": ran, "percent": percent(ran, lines)}


def file_as_data(file: File) -> dict[str, Any]:
    """The coverage of a file with the keys that programs read; lines as [first, last]."""
    from ..testing.coverage import ranges
    return {"file": file.name, **share([file]), "missed": [list(pair) for pair in ranges(file.missed)],
            "unmeasured": [list(pair) for pair in ranges(file.unmeasured)]}


def as_data(voice: Voice, result: Result) -> dict[str, Any]:
    """A result with the keys that programs read."""
    from ..cli.rendering import data_of
    failures = [{"line": failure.place.line, "column": failure.place.column, "message": said(voice, failure),
                 "expected": failure.args.get("expected"), "found": failure.args.get("found"),
                 "findings": [data_of(d) for d in failure.findings.sorted()] if failure.findings else []} for failure in result.failures]
    place = result.scenario.place()
    return {"name": result.scenario.name, "file": place.path, "line": place.line, "clauses": list(result.scenario.clauses),
            "passed": result.passed, "failures": failures, "broken": list(result.broken)}
