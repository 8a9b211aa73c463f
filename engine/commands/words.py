"""`ludoglot words`: tools for translators.

Shows, updates, and checks catalogues, samples texts, adds a language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.languages.registry import CODE_PATTERN
from ..cli.console import PSEUDO_LANGUAGE, CommandError, LocalizedConsole, UsageError, parse_language
from ..cli.loading import load_game, print_findings
from ..cli.localized_click import IntParam, LocalizedGroup, argument, json_option, lang_option, option
from ..errors import unwritable_error
from ..i18n.languages import native_language_names
from ..i18n.readers import catalogue_path
from ..library.find import find_game_location, list_game_ids

if TYPE_CHECKING:
    from ..i18n.message_sources import TextDomain

DEFAULT_SAMPLE_LINES = 100                          # default of `--count`

words_command = LocalizedGroup("words")


@words_command.action("status")
@argument("games", nargs=-1)
@option("--into", word="lang")
@json_option
@lang_option
@click.pass_obj
def status_command(console: LocalizedConsole, games: tuple[str, ...], into: str | None, as_json: bool) -> int:
    return process_catalogues(console, "status", games, into, as_json)


@words_command.action("extract")
@argument("games", nargs=-1)
@lang_option
@click.pass_obj
def extract_command(console: LocalizedConsole, games: tuple[str, ...]) -> int:
    return process_catalogues(console, "extract", games, None)


@words_command.action("update")
@argument("games", nargs=-1)
@option("--into", word="lang")
@lang_option
@click.pass_obj
def update_command(console: LocalizedConsole, games: tuple[str, ...], into: str | None) -> int:
    return process_catalogues(console, "update", games, into)


@words_command.action("check")
@argument("games", nargs=-1)
@option("--into", word="lang")
@lang_option
@click.pass_obj
def check_command(console: LocalizedConsole, games: tuple[str, ...], into: str | None) -> int:
    return process_catalogues(console, "check", games, into)


@words_command.action("sample")
@argument("games", nargs=-1)
@option("--count", type=IntParam(1), word="number", default=DEFAULT_SAMPLE_LINES)
@option("--seed", type=IntParam(0), word="number", default=1)
@json_option
@lang_option
@click.pass_obj
def sample_command(console: LocalizedConsole, games: tuple[str, ...], count: int, seed: int, as_json: bool) -> int:
    print_sample(console, games, count, seed, as_json)
    return 0


@words_command.action("new")
@argument("games", nargs=-1)
@option("--into", word="lang", required=True)
@option("--out", word="path")
@lang_option
@click.pass_obj
def new_command(console: LocalizedConsole, games: tuple[str, ...], into: str, out: str | None) -> int:
    findings = DiagnosticList()
    domains = collect_domains(games, True, findings)
    if findings.errors:
        print_findings(console, findings.in_source_order())
        return 1
    create_language(console, into, out, domains)
    return 0


def process_catalogues(console: LocalizedConsole, deed: str, games: tuple[str, ...], into: str | None, as_json: bool = False) -> int:
    """Works on the catalogues of the named games, or of the engine and every bundled game.

    `into` selects one installed language; without it, the command uses the four built-in languages."""
    findings = DiagnosticList()
    domains = collect_domains(games, False, findings)
    if findings.errors:                                            # updating now would drop the translations of an unreadable text
        print_findings(console, findings.in_source_order())
        return 1
    from ..i18n import LANGUAGES, catalogue, check_texts
    languages = LANGUAGES if into is None else (parse_language(into),)
    if not games and into is not None:                             # a language package need not cover all domains
        domains = [domain for domain in domains if catalogue_path(domain.locale, languages[0], domain.name).is_file()]
    if deed in ("status", "update"):
        for domain in domains:
            for lang in languages:
                catalogue.check_readable(catalogue_path(domain.locale, lang, domain.name), findings)
        if findings.errors:                                        # never overwrite an unreadable file
            print_findings(console, findings.in_source_order())
            return 1
    if deed == "check" and into is not None:
        check_texts.check_language(languages[0], findings)
    rows = []
    for domain in domains:
        if deed == "extract":
            console.print_line(str(catalogue.write_template(domain)))
        elif deed == "update":
            for path in catalogue.update_catalogues(domain, languages):
                console.print_line(str(path))
        elif deed == "check":
            check_texts.check_domain(domain, findings, languages=languages)
        if deed == "status" or deed == "check" and into is not None:
            for lang in languages:
                state = catalogue.catalogue_status(domain, lang)
                lists = {"missing": list(state.missing), "stale": list(state.stale), "gone": list(state.gone)}
                rows.append({"domain": domain.name, "language": lang, "total": state.total, "said": state.translated, **lists})
    if as_json and deed == "status":
        console.print_json(rows)
    else:
        for row in rows:
            console.print_message("words.status", **{key: len(value) if isinstance(value, list) else value for key, value in row.items()})
    if findings.items:
        print_findings(console, findings.in_source_order())
    return 1 if findings.items else 0


def collect_domains(games: tuple[str, ...], with_engine: bool, findings: DiagnosticList) -> list[TextDomain]:
    """Returns the text domains of the named games, with the engine's if wanted; without names, all bundled
    domains."""
    from ..i18n import message_sources
    own = [message_sources.engine_domain(findings)] if with_engine or not games else []
    own += [] if games else [message_sources.diagnostics_domain(findings)]
    return own + [message_sources.game_domain(find_game_location(name).folder, findings) for name in games or list_game_ids()]


def create_language(console: LocalizedConsole, code: str, out: str | None, domains: list[TextDomain]) -> None:
    """Writes the package of a new language."""
    from ..i18n.new_language import write_package
    if not CODE_PATTERN.fullmatch(code) or code in (PSEUDO_LANGUAGE, *native_language_names()):
        raise UsageError("words.new.code", name=code)
    folder = Path(out or f"language-{code}")
    if folder.exists():
        raise CommandError("new.exists", file=str(folder))
    try:
        write_package(folder, code, domains)
    except OSError as error:
        raise unwritable_error(CommandError, folder, error) from error
    console.print_message("words.new.made", folder=str(folder))
    for line in (f"pip install --no-deps -e {folder}", f"ludoglot words check --into {code}", f"ludoglot games --lang {code}"):
        console.print_line(f"  {line}")


def print_sample(console: LocalizedConsole, games: tuple[str, ...], count: int, seed: int, as_json: bool) -> None:
    """Prints a random sample of the lines that players read, taken from whole games.

    Without a name it samples every game, and also help and diagnostics."""
    from .words_sample import draw_sample, iter_engine_lines, iter_game_lines
    lines = [] if games else list(iter_engine_lines(console.words))
    for name in games or list_game_ids():
        lines += iter_game_lines(load_game(console, name), console.lang, seed)
    found = draw_sample((line for line in lines if line.text), count, seed)
    if as_json:
        console.print_json([vars(line) for line in found])
        return
    for line in found:
        console.print_line(f"{line.kind} [{line.place}]")
        console.print_line("  " + line.text)
