"""`ludoglot test`: the scenario tests of games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..find import Found, find, installed, shown
from .frame import argument, command, house_option, json_option, lang_option, option
from .loading import find_game
from .voice import Usage, Voice

if TYPE_CHECKING:
    from ..scenario import Failure, Result


@command("test")
@argument("games", nargs=-1)
@option("-k", "text", word="text")
@house_option
@json_option
@lang_option
@click.pass_obj
def test_command(voice: Voice, games: tuple[str, ...], text: str | None, houses: tuple[str, ...], as_json: bool) -> int:
    from ...dsl.diagnostics import Findings
    from ..scenario import Rules, read_scenarios
    from ..scenario_run import run_scenario
    from .rendering import data_of, rendered
    findings = Findings()
    results: list[Result] = []
    for house in houses:
        if not Path(house).exists():
            raise Usage("file.missing", file=house)
    for game, files in chosen(games):
        rules = Rules(game, [Path(house) for house in houses])
        for path in files:
            for scenario in read_scenarios(path, findings):
                if scenario.matches(text):
                    results.append(run_scenario(scenario, rules))
    failed = [result for result in results if not result.passed]
    if as_json:
        english = Voice("en")
        voice.data({"passed": len(results) - len(failed), "failed": len(failed), "tests": [as_data(english, result) for result in results],
                    "findings": [data_of(d) for d in findings.sorted()]})
        return 1 if failed or findings.errors else 0
    if findings.items:
        voice.warn(rendered(voice, findings.sorted()))
    for result in failed:
        for line in report(voice, result):
            voice.out(line)
    voice.say("test.passed", n=len(results) - len(failed))
    if failed:
        voice.say("test.failed", n=len(failed))
    return 1 if failed or findings.errors else 0


def chosen(names: tuple[str, ...]) -> list[tuple[Found, list[Path]]]:
    """Games with the scenario files to run: a game's own, or one file by its path."""
    from ..scenario import test_files
    out: list[tuple[Found, list[Path]]] = []
    for name in names or installed():
        path = Path(name)
        if path.suffix in (".yaml", ".yml") and path.is_file() and path.name != "game.yaml":
            out.append((find(str(path.resolve().parent.parent)), [path]))
        else:
            game = find_game(name)
            out.append((game, test_files(game)))
    return out


def report(voice: Voice, result: Result) -> list[str]:
    """A failed test: its name, and each thing that went otherwise, with its place."""
    from .rendering import rendered
    lines = [voice.text("test.fails", name=result.scenario.name)]
    for failure in result.failures:
        place = failure.place
        lines.append(f"  {shown(Path(place.path))}:{place.line}:{place.column}: {said(voice, failure)}")
        if failure.findings is not None:
            lines += ["    " + line for line in rendered(voice, failure.findings.sorted()).splitlines()]
    return lines


def said(voice: Voice, failure: Failure) -> str:
    return voice.message(failure.key, **failure.args)


def as_data(voice: Voice, result: Result) -> dict[str, Any]:
    """A result with the keys that programs read."""
    from .rendering import data_of
    failures = [{"line": failure.place.line, "column": failure.place.column, "message": said(voice, failure),
                 "expected": failure.args.get("expected"), "found": failure.args.get("found"),
                 "findings": [data_of(d) for d in failure.findings.sorted()] if failure.findings else []} for failure in result.failures]
    place = result.scenario.place()
    return {"name": result.scenario.name, "file": place.path, "line": place.line, "clauses": list(result.scenario.clauses),
            "passed": result.passed, "failures": failures}
