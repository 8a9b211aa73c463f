"""`ludoglot explain`: what a diagnostic means, or what a clause says, which rules it stands behind and which tests show it."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import click

from ..cli.console import Usage, Voice
from ..cli.localized_click import argument, command, house_option, lang_option, option
from ..i18n.user_input import near
from ..library.find import MAIN, RULES, Found, find, installed, place_text

if TYPE_CHECKING:
    from ..narration.narrator import Teller
    from ..testing.traceability import Traced

CODE = re.compile(r"[A-Za-z][0-9]{3}")


@command("explain")
@argument("what")
@option("--game", word="game")
@house_option
@lang_option
@click.pass_obj
def explain_command(voice: Voice, what: str, game: str | None, houses: tuple[str, ...]) -> int:
    if CODE.fullmatch(what):
        lines = diagnostic(voice, what.upper())
    else:
        lines = clause(voice, what.upper(), game, houses)
    for line in lines:
        voice.out(line)
    return 0


def diagnostic(voice: Voice, code: str) -> list[str]:
    """A code with its message and its paragraph. Raises Usage."""
    from ...dsl.diagnostics.diagnostic import codes
    from ..cli.rendering import words_for
    if code not in codes():
        raise Usage("explain.unknown", name=code, meant=near(code, codes()))
    said = words_for(voice, f"diagnostic.{code}.message", {})
    more = words_for(voice, f"diagnostic.{code}.explain", {}) if "explain" in codes()[code] else ""
    out = textwrap.wrap(f"{code}: {said}", voice.width)
    for part in more.rstrip().split("\n\n"):
        example = part.startswith(" ")                             # rules or YAML: as they stand
        out += ["", *(part.splitlines() if example else textwrap.wrap(" ".join(part.split()), voice.width))]
    return out


def clause(voice: Voice, name: str, game: str | None, houses: tuple[str, ...] = ()) -> list[str]:
    """A clause, or all clauses of a family (an id without its number). Raises Usage."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ..cli.loading import find_game, load_game, packs_from
    from ..narration.narrator import Teller
    from ..testing.traceability import Traced, register_of, trace
    found = find_game(game) if game else game_of(name)
    if found is None:
        raise Usage("explain.unknown", name=name, meant="")
    loaded = load_game(voice, found.name, houses=packs_from(houses))
    teller = Teller(loaded.game, loaded.words(voice.lang))
    known = {clause.id: clause for clause in trace(found, loaded.game.ruleset.program, loaded.game.ruleset.source.laid).clauses}
    for key in teller.words.english:                               # a house-rule pack may bring sentences of its own
        if key.startswith("clause."):
            known.setdefault(key.removeprefix("clause."), Traced(key.removeprefix("clause.")))
    register = register_of(found, loaded.game.ruleset.source.laid, Findings())
    name = register.now.get(name, name) if register is not None else name            # it may be asked for as it was called before
    wanted = [name] if name in known else [key for key in known if key.startswith(f"{name}-")]
    if not wanted:
        raise Usage("explain.unknown", name=name, meant=near(name, known))
    out: list[str] = []
    for key in wanted:
        out += [""] if out else []
        out += one(voice, known[key], teller)
    return out


def one(voice: Voice, clause: Traced, teller: Teller) -> list[str]:
    """A clause: its sentence, or why no rule cites it and which clauses say it instead; its rules, its tests."""
    from .trace import INDENT, reason_lines, wrapped
    sentence = teller.clause(clause.id)
    out = textwrap.wrap(f"{clause.id}: {sentence}" if sentence else clause.id, voice.width, break_on_hyphens=False)
    if clause.clause is not None:
        for reason in reason_lines(voice, clause.clause):
            out += wrapped(reason, voice.width)
        for other in clause.clause.others:
            said = teller.clause(other)
            out += wrapped(f"[{other}] {said}" if said else f"[{other}]", voice.width)
    out += [f"{INDENT}{voice.text('why.rule', place=place_text(place.path, place.line))}" for place in clause.rules]
    return out + [f"{INDENT}{voice.text('explain.test', name=name)}" for name, _ in clause.tests]


def game_of(clause_name: str) -> Found | None:
    """The game whose clauses begin like this."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ...dsl.yaml.located_yaml import read_yaml
    for name in installed():
        document = read_yaml(RULES / name / MAIN, Findings())
        prefix = document.data.get("clauses") if document and isinstance(document.data, dict) else None
        if prefix and clause_name.split("-")[0] == prefix:
            return find(name)
    return None
