"""`ludoglot words`: the catalogues, for translators: how far they are, bringing them up to date, what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.diagnostic import Findings
from ..cli.console import PSEUDO, Refusal, Usage, Voice, language_called
from ..cli.loading import find_game, load_game, show_findings
from ..cli.localized_click import WholeNumber, argument, command, json_option, lang_option, option

if TYPE_CHECKING:
    from ..i18n.message_sources import Domain

DEEDS = ("status", "extract", "update", "check", "sample", "new")
DRAWN = 100                          # lines, when nobody says how many


@command("words")
@argument("deed", type=click.Choice(DEEDS))
@argument("games", nargs=-1)
@option("--into", word="lang")
@option("--out", word="path")
@option("--count", type=WholeNumber(1), word="number", default=DRAWN)
@option("--seed", type=WholeNumber(0), word="number", default=1)
@option("--plant", type=WholeNumber(0), word="number", default=0)
@json_option
@lang_option
@click.pass_obj
def words_command(voice: Voice, deed: str, games: tuple[str, ...], into: str | None, out: str | None, count: int, seed: int,
                  plant: int, as_json: bool) -> int:
    """The catalogues of the named games; without a name those of the engine and of every game that ships with it. `into`: of one language
    that is here; without it, of the four of the house."""
    if deed == "sample":
        sample(voice, games, count, seed, (plant, out), as_json)
        return 0
    findings = Findings()
    domains = domains_of(games, deed == "new", findings)
    if findings.errors:                                            # a text that cannot be read must not cost its translations
        show_findings(voice, findings.sorted())
        return 1
    if deed == "new":
        begin_language(voice, into, out, domains)
        return 0
    from ..i18n import LANGUAGES, catalogue, check_texts
    from ..i18n.readers import catalogue_path
    languages = LANGUAGES if into is None else (language_called(into),)
    if not games and into is not None:                             # a package says as much as it likes
        domains = [domain for domain in domains if catalogue_path(domain.locale, languages[0], domain.name).is_file()]
    if deed in ("status", "update"):
        for domain in domains:
            for lang in languages:
                catalogue.check_readable(catalogue_path(domain.locale, lang, domain.name), findings)
        if findings.errors:                                        # nothing is written over a file that cannot be read
            show_findings(voice, findings.sorted())
            return 1
    if deed == "check" and into is not None:
        check_texts.check_language(languages[0], findings)
    rows = []
    for domain in domains:
        if deed == "extract":
            voice.out(str(catalogue.write_template(domain)))
        elif deed == "update":
            for path in catalogue.update(domain, languages):
                voice.out(str(path))
        elif deed == "check":
            check_texts.check(domain, findings, languages=languages)
        if deed == "status" or deed == "check" and into is not None:
            for lang in languages:
                state = catalogue.status(domain, lang)
                lists = {"missing": list(state.missing), "stale": list(state.stale), "gone": list(state.gone)}
                rows.append({"domain": domain.name, "language": lang, "total": state.total, "said": state.said, **lists})
    if as_json and deed == "status":
        voice.data(rows)
    else:
        for row in rows:
            voice.say("words.status", **{key: len(value) if isinstance(value, list) else value for key, value in row.items()})
    if findings.items:
        show_findings(voice, findings.sorted())
    return 1 if findings.items else 0


def domains_of(games: tuple[str, ...], with_engine: bool, findings: Findings) -> list[Domain]:
    """The texts of the named games, and those that players read of the engine if wished; without a name all that ships with it."""
    from ..i18n import message_sources
    from ..library.find import installed
    own = [message_sources.engine_domain(findings)] if with_engine or not games else []
    own += [] if games else [message_sources.diagnostics_domain(findings)]
    return own + [message_sources.game_domain(find_game(name).folder, findings) for name in games or installed()]


def begin_language(voice: Voice, into: str | None, out: str | None, domains: list[Domain]) -> None:
    """The package of a language that is not here yet."""
    from ...dsl.languages.registry import CODE
    from ..i18n.languages import own_names
    from ..i18n.new_language import write
    code = into or ""
    if not CODE.fullmatch(code) or code in (PSEUDO, *own_names()):
        raise Usage("words.new.code", name=code)
    folder = Path(out or f"language-{code}")
    if folder.exists():
        raise Refusal("new.exists", file=str(folder))
    try:
        write(folder, code, domains)
    except OSError as error:
        raise Refusal("file.unwritable", file=str(folder), reason=error.strerror or "") from error
    voice.say("words.new.made", folder=str(folder))
    for line in (f"pip install --no-deps -e {folder}", f"ludoglot words check --into {code}", f"ludoglot games --lang {code}"):
        voice.out(f"  {line}")


def sample(voice: Voice, games: tuple[str, ...], count: int, seed: int, plant: tuple[int, str | None], as_json: bool) -> None:
    """Lines as people read them, drawn by lot from whole games; without a name from every game, from help and findings too. `plant`: how
    many of them to spoil, and the file that tells which."""
    from ..library.find import installed
    from .words_sample import drawn, of_engine, of_game
    lines = [] if games else list(of_engine(voice.words))
    for name in games or installed():
        lines += of_game(load_game(voice, name), voice.lang, seed)
    found = drawn((line for line in lines if line.text), count, seed)
    many, file = plant
    if many:
        from ...dsl.languages.registry import language
        from .words_seeded_errors import planted
        if file is None:
            raise Usage("usage.plant_key")
        spoken = language(voice.lang)
        found, key = planted(found, many, seed, spoken.slips if spoken is not None else ())
        try:
            Path(file).write_text(json.dumps([vars(one) for one in key], ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise Refusal("file.unwritable", file=file, reason=error.strerror or "") from error
    if as_json:
        voice.data([vars(line) for line in found])
        return
    for line in found:
        voice.out(f"{line.kind} [{line.place}]")
        voice.out("  " + line.text)
