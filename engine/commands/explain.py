"""`ludoglot explain`: explains a diagnostic code, or a clause with its rules and tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, did_you_mean, load_codes
from ...dsl.yaml.located_yaml import read_yaml
from ..cli.console import LocalizedConsole, UsageError
from ..cli.localized_click import argument, command, lang_option, option, pack_option, report_local_namesakes
from ..i18n.text_layout import wrap_cells
from ..library.find import GAME_FILE, RULES_FOLDER, GameLocation, find_game_location, format_place, list_game_ids

if TYPE_CHECKING:
    from ..narration.narrator import Narrator
    from ..testing.traceability import ClauseTrace

DIAGNOSTIC_CODE = re.compile(r"[A-Za-z][0-9]{3}")


@command("explain")
@argument("what")
@option("--game", word="game", callback=report_local_namesakes)
@pack_option
@lang_option
@click.pass_obj
def explain_command(console: LocalizedConsole, what: str, game: str | None, pack_sources: tuple[str, ...]) -> int:
    if DIAGNOSTIC_CODE.fullmatch(what):
        lines = diagnostic_lines(console, what.upper())
    else:
        lines = clause_lines(console, what, game, pack_sources)
    for line in lines:
        console.print_line(line)
    return 0


def diagnostic_lines(console: LocalizedConsole, code: str) -> list[str]:
    """Returns a diagnostic code with its message and its explanation. Raises UsageError."""
    if code not in load_codes():
        raise UsageError("explain.unknown", name=code, meant=did_you_mean(code, load_codes(), LENIENT_CUTOFF))
    said = console.words.diagnostic_text(f"diagnostic.{code}.message")
    more = console.words.diagnostic_text(f"diagnostic.{code}.explain") if "explain" in load_codes()[code] else ""
    out = wrap_cells(f"{code}: {said}", console.width)
    for part in more.rstrip().split("\n\n"):
        example = part.startswith(" ")                             # rules or YAML are printed unwrapped
        out += ["", *(part.splitlines() if example else wrap_cells(" ".join(part.split()), console.width))]
    return out


def clause_lines(console: LocalizedConsole, typed: str, game: str | None, pack_sources: tuple[str, ...] = ()) -> list[str]:
    """Returns the lines for one clause, or for all clauses of a family (an id without number).

    Raises UsageError."""
    from ..cli.loading import load_game
    from ..library.load import locate_packs
    from ..narration.narrator import Narrator
    from ..testing.traceability import ClauseTrace, read_clause_register, trace_clauses
    name = typed.upper()
    found = find_game_location(game) if game else find_game_of_clause(name)
    if found is None:
        raise UsageError("explain.unknown", name=typed, meant="")
    loaded = load_game(console, found.name, pack_sources=locate_packs(pack_sources))
    narrator = Narrator(loaded.game, loaded.localizer(console.lang))
    known = {clause.id: clause for clause in trace_clauses(found, loaded.game.ruleset.program, loaded.game.ruleset.source.overlay).clauses}
    for key in narrator.words.english:                               # a pack may define its own clauses
        if key.startswith("clause."):
            known.setdefault(key.removeprefix("clause."), ClauseTrace(key.removeprefix("clause.")))
    register = read_clause_register(found, loaded.game.ruleset.source.overlay, DiagnosticList())
    name = register.current_names.get(name, name) if register is not None else name            # former ids work too
    wanted = [name] if name in known else [key for key in known if key.startswith(f"{name}-")]
    if not wanted:
        raise UsageError("explain.unknown", name=typed, meant=did_you_mean(name, known, LENIENT_CUTOFF))
    out: list[str] = []
    for key in wanted:
        out += [""] if out else []
        out += format_clause(console, known[key], narrator)
    return out


def format_clause(console: LocalizedConsole, clause: ClauseTrace, narrator: Narrator) -> list[str]:
    """Returns the lines for one clause: its sentence, why no rule cites it, related clauses, rules, and tests."""
    from .trace import INDENT, reason_lines, wrap_indented
    sentence = narrator.clause_text(clause.id)
    out = wrap_cells(f"{clause.id}: {sentence}" if sentence else clause.id, console.width)
    if clause.clause is not None:
        for reason in reason_lines(console, clause.clause):
            out += wrap_indented(reason, console.width)
        for other in clause.clause.others:
            said = narrator.clause_text(other)
            out += wrap_indented(f"[{other}] {said}" if said else f"[{other}]", console.width)
    out += [f"{INDENT}{console.text('why.rule', place=format_place(place.path, place.line))}" for place in clause.rules]
    return out + [f"{INDENT}{console.text('explain.test', name=name)}" for name, _ in clause.tests]


def find_game_of_clause(clause_name: str) -> GameLocation | None:
    """Returns the bundled game whose clause prefix this name has, or None."""
    for name in list_game_ids():
        document = read_yaml(RULES_FOLDER / name / GAME_FILE, DiagnosticList())
        prefix = document.data.get("clauses") if document and isinstance(document.data, dict) else None
        if prefix and clause_name.split("-")[0] == prefix:
            return find_game_location(name)
    return None
