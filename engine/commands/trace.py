"""`ludoglot trace`: clause → rule → scenario test, with what is missing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ..cli.console import Usage, Voice
from ..cli.loading import load_game, packs_from, show_findings
from ..cli.localized_click import argument, command, house_option, json_option, lang_option, option
from ..i18n.user_input import near
from ..library.find import place_text

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Place
    from ...dsl.yaml.clause_index import Clause
    from ..narration.narrator import Teller
    from ..testing.traceability import Trace, Traced

INDENT = "  "


@command("trace")
@argument("game")
@option("--gaps", is_flag=True)
@option("--family", word="clause")
@house_option
@json_option
@lang_option
@click.pass_obj
def trace_command(voice: Voice, game: str, gaps: bool, family: str | None, houses: tuple[str, ...], as_json: bool) -> int:
    from ...dsl.yaml.clause_index import families
    from ..narration.narrator import Teller
    from ..testing.traceability import trace
    loaded = load_game(voice, game, houses=packs_from(houses))
    found = trace(loaded.found, loaded.game.ruleset.program, loaded.game.ruleset.source.laid)
    if found.findings.errors:                                      # of a register that cannot be read nothing can be said
        show_findings(voice, found.findings.sorted())
        return 1
    if family is not None:
        ids = [clause.id for clause in found.clauses]
        wanted = family.upper().removeprefix("@")
        wanted = found.register.now.get(wanted, wanted) if found.register is not None else wanted
        if wanted not in {*ids, *families(ids)}:
            raise Usage("trace.family", game=loaded.game.model.title, name=family, meant=near(wanted, [*families(ids), *ids]))
        found = found.only(wanted)
    teller = Teller(loaded.game, loaded.words("en" if as_json else voice.lang))
    if as_json:
        voice.data(as_data(found, teller, gaps))
    else:
        for line in as_text(voice, found, teller, gaps):
            voice.out(line)
    return 1 if found.gaps else 0


def as_text(voice: Voice, found: Trace, teller: Teller, gaps: bool) -> list[str]:
    """Each clause with its state, sentence or reason, rules and tests; then how many there are of each."""
    out: list[str] = []
    for clause in found.gaps if gaps else found.clauses:
        out += [*of_clause(voice, clause, teller), ""]
    summary = voice.text("trace.summary" if found.register else "trace.unregistered", **found.summary())
    return [*out, *textwrap.wrap(summary, voice.width)]


def of_clause(voice: Voice, clause: Traced, teller: Teller) -> list[str]:
    """One clause in words."""
    out = [f"{clause.id}  {voice.text(f'trace.{clause.state}')}"]
    said = [voice.text(f"trace.gap.{gap}") for gap in clause.gaps]
    if sentence := teller.clause(clause.id):
        said.append(sentence)
    if clause.clause is not None:
        said += reason_lines(voice, clause.clause)
    if clause.rules:
        said.append(f"{voice.text('column.rules')}: {', '.join(files(clause.rules))}")
    said += [f"{voice.text('explain.test', name=name)} ({place_text(place.path, place.line)})" for name, place in clause.tests]
    return out + [line for text in said for line in wrapped(text, voice.width)]


def reason_lines(voice: Voice, clause: Clause) -> list[str]:
    """Why no rule cites a clause, or why no scenario shows it, as one sentence; nothing where neither is said."""
    kind = clause.excuse or clause.untested
    if kind is None:
        return []
    from ...dsl.yaml.clause_index import reasons
    others = list(clause.others)
    reason = voice.text(f"reason.{kind}", clauses=others)
    if others and kind not in reasons("leaning"):                           # the sentence of a leaning one names them itself
        reason += " " + voice.text("reason.see", clauses=others)
    return [voice.text("reason.excuse" if clause.excuse else "reason.untested", reason=reason)]


def files(places: Iterable[Place]) -> list[str]:
    """Places as file:line; of the same file again, only the line."""
    out: list[str] = []
    last = ""
    for place in places:
        shown = place_text(place.path, place.line) if place.path != last else str(place.line)
        last = place.path
        if shown not in out and not (out and out[-1] == place_text(place.path, place.line)):
            out.append(shown)
    return out


def written(place: Place) -> str:
    return f"{place.path}:{place.line}"


def wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=INDENT, subsequent_indent=INDENT * 2, break_on_hyphens=False, break_long_words=False)


def as_data(found: Trace, teller: Teller, gaps: bool) -> dict[str, Any]:
    """The trace with the keys that programs read; sentences in English."""
    rows = []
    for clause in found.gaps if gaps else found.clauses:
        entry = clause.clause
        rows.append({
            "id": clause.id, "state": clause.state, "rules": list(dict.fromkeys(map(written, clause.rules))),
            "tests": [name for name, _ in clause.tests], "test_places": [written(place) for _, place in clause.tests],
            "sentence": teller.clause(clause.id), "excuse": entry.excuse if entry else None, "untested": entry.untested if entry else None,
            "as": list(entry.others) if entry else [], "gaps": list(clause.gaps),
        })
    return {"game": teller.game.model.game, "register": found.register is not None, "clauses": rows, "summary": found.summary()}
