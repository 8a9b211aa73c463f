"""`ludoglot words`: the catalogues, for translators: how far they are, bringing them up to date, what is wrong with them."""

from __future__ import annotations

import click

from ...dsl.diagnostics import Findings
from .frame import argument, command, json_option, lang_option
from .loading import find_game, show_findings
from .voice import Voice

DEEDS = ("status", "extract", "update", "check")


@command("words")
@argument("deed", type=click.Choice(DEEDS))
@argument("games", nargs=-1)
@json_option
@lang_option
@click.pass_obj
def words_command(voice: Voice, deed: str, games: tuple[str, ...], as_json: bool) -> int:
    """The catalogues of the named games; without a name those of the engine and of every game that ships with it."""
    from ..shelf.find import installed
    from ..words import LANGUAGES, catalogue, check, sources
    findings = Findings()
    domains = [] if games else [sources.engine_domain(findings), sources.diagnostics_domain(findings)]
    domains += [sources.game_domain(find_game(name).folder, findings) for name in games or installed()]
    if findings.errors:                                            # a text that cannot be read must not cost its translations
        show_findings(voice, findings.sorted())
        return 1
    rows = []
    for domain in domains:
        if deed == "extract":
            voice.out(str(catalogue.write_template(domain)))
        elif deed == "update":
            for path in catalogue.update(domain):
                voice.out(str(path))
        elif deed == "check":
            check.check(domain, findings)
        else:
            for lang in LANGUAGES:
                state = catalogue.status(domain, lang)
                lists = {"missing": list(state.missing), "stale": list(state.stale), "gone": list(state.gone)}
                rows.append({"domain": domain.name, "language": lang, "total": state.total, "said": state.said, **lists})
    if deed == "status":
        if as_json:
            voice.data(rows)
        else:
            for row in rows:
                voice.say("words.status", **{key: len(value) if isinstance(value, list) else value for key, value in row.items()})
    if findings.items:
        show_findings(voice, findings.sorted())
    return 1 if findings.items else 0
