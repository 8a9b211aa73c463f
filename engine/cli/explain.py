"""`ludoglot explain`: what a diagnostic means, or what a clause says, which rules it stands behind and which tests show it."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import click

from ..find import MAIN, RULES, Found, find, installed
from .frame import argument, command, lang_option, near, option
from .voice import Usage, Voice

if TYPE_CHECKING:
    from .loading import Loaded

CODE = re.compile(r"[A-Za-z][0-9]{3}")


@command("explain")
@argument("what")
@option("--game", word="game")
@lang_option
@click.pass_obj
def explain_command(voice: Voice, what: str, game: str | None) -> int:
    if CODE.fullmatch(what):
        lines = diagnostic(voice, what.upper())
    else:
        lines = clause(voice, what.upper(), game)
    for line in lines:
        voice.out(line)
    return 0


def diagnostic(voice: Voice, code: str) -> list[str]:
    """A code with its message and its paragraph. Raises Usage."""
    from ...dsl.diagnostics import codes
    from .rendering import words_for
    if code not in codes():
        raise Usage("explain.unknown", name=code, meant=near(code, codes()))
    said = words_for(voice, f"diagnostic.{code}.message", {})
    more = words_for(voice, f"diagnostic.{code}.explain", {}) if "explain" in codes()[code] else ""
    out = textwrap.wrap(f"{code}: {said}", voice.width)
    for part in more.rstrip().split("\n\n"):
        example = part.startswith(" ")                             # rules or YAML: as they stand
        out += ["", *(part.splitlines() if example else textwrap.wrap(" ".join(part.split()), voice.width))]
    return out


def clause(voice: Voice, name: str, game: str | None) -> list[str]:
    """A clause, or all clauses of a family (an id without its number). Raises Usage."""
    from ..telling import Teller
    from .describe import clause_text
    from .loading import find_game, load_game
    found = find_game(game) if game else game_of(name)
    if found is None:
        raise Usage("explain.unknown", name=name, meant="")
    loaded = load_game(voice, found.name)
    teller = Teller(loaded.game, loaded.words(voice.lang))
    cited = loaded.game.ruleset.program.cited
    known = {*cited, *(key.removeprefix("clause.") for key in teller.words.english if key.startswith("clause."))}
    wanted = [name] if name in known else sorted(key for key in known if key.startswith(f"{name}-"))
    if not wanted:
        raise Usage("explain.unknown", name=name, meant=near(name, known))
    tests = tests_of(loaded)
    out: list[str] = []
    for key in wanted:
        sentence = clause_text(key, loaded.game, teller)
        out += [""] if out else []
        out += textwrap.wrap(f"{key}: {sentence}" if sentence else key, voice.width)
        out += [f"  {voice.text('why.rule', place=f'{place.path}:{place.line}')}" for place in cited.get(key, [])]
        out += [f"  {voice.text('explain.test', name=test)}" for test in tests.get(key, [])]
    return out


def game_of(clause_name: str) -> Found | None:
    """The game whose clauses begin like this."""
    from ...dsl.diagnostics import Findings
    from ...dsl.reading.yamlfile import read_yaml
    for name in installed():
        document = read_yaml(RULES / name / MAIN, Findings())
        prefix = document.data.get("clauses") if document and isinstance(document.data, dict) else None
        if prefix and clause_name.split("-")[0] == prefix:
            return find(name)
    return None


def tests_of(loaded: Loaded) -> dict[str, list[str]]:
    """By clause, the names of the scenario tests that show it."""
    from ...dsl.diagnostics import Findings
    from ..scenario import read_scenarios, test_files
    out: dict[str, list[str]] = {}
    for path in test_files(loaded.found):
        for scenario in read_scenarios(path, Findings()):
            for key in scenario.clauses:
                out.setdefault(key, []).append(scenario.name)
    return out
