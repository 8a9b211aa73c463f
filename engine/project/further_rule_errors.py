"""Finds the other errors in the rules of a game with syntax errors, so that one run shows all of them.

The damaged lines are corrected or replaced (dsl/syntax/line_repair.py), and the rules are checked again. An error about a
name that a replaced line may introduce is perhaps a consequence of it, so it is not reported. Without a whole declaration,
only unknown names and calls of states are certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.diagnostics.source_lines import normalize_source
from ...dsl.game.variants import VariantChecker, list_variants
from ...dsl.model.build_model import make_model
from ...dsl.packs.overlay import UNKNOWN_NAME_CODES
from ...dsl.packs.repair import RepairLog
from ...dsl.packs.source import read_game
from ...dsl.syntax.line_repair import DamagedText, find_declaration_rows, find_error_row, repair_lines
from ...dsl.syntax.parse import parse_cached, read_rule_files
from ...dsl.syntax.syntax_errors import find_correction
from ..library.find import GameLocation
from .further_findings import iter_named_words
from .game_check import NON_DATA_FILES, GameCheck

SYNTAX_CODES = ("R004", "R005", "R006", "R007", "R008", "R011", "R012", "R013", "R014", "R015", "R016", "R017", "R019", "R020")
CERTAIN_CODES = (*UNKNOWN_NAME_CODES, "R220")                   # errors that no missing line or declaration causes
MISSING_CASE_CODE = "R114"                                          # the case may be in a damaged declaration
TAB_WIDTHS = (4, 8)                                                # one of them may be what the author sees
UNCHECKED_CODES = ("R0", "Y", "G0")                                # other errors that keep a file or the data from being read


def find_further_rule_errors(location: GameLocation, known: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Returns the errors of a game without packs that its syntax errors hide. `known` has all findings so far."""
    errors = [one for one in known if one.severity == "error"]
    damage = [one for one in errors if one.code in SYNTAX_CODES]
    if not damage or any(one.code.startswith(UNCHECKED_CODES) and one.code not in SYNTAX_CODES
                         and not one.place.path.endswith(NON_DATA_FILES) for one in errors):
        return []
    ignored = DiagnosticList()
    source = read_game(location.folder, ignored, location.shown)
    model = make_model(source, *list_variants(source)[0], ignored) if source is not None else None
    if source is None or model is None:
        return []
    log = RepairLog()
    damaged: set[tuple[str, int]] = set()                          # lines of declarations with a replaced line
    source.files = []
    for _, shown, written in read_rule_files(source.folder, model.rule_files, source.shown, ignored):
        text, moved = normalize_source(written), dict[int, tuple[int, int]]()
        own = [one for one in damage if one.place.path == shown]
        mixed = [one.place.line - 1 for one in own if one.code == "R020"]
        if mixed:
            texts = [expand_indentation(text, width) for width in TAB_WIDTHS]
            text, moved = min(texts, key=lambda one: len(find_broken_rows(one[0], mixed)))
        damages = [DamagedText(one.place.line - 1, one.place.column - 1 + moved.get(one.place.line, (0, 0))[1], *find_correction(one, text))
                   for one in own if one.code != "R020"]
        # a row that occurs three times is replaced with its declaration
        repaired = repair_lines(text, [*damages, *(DamagedText(row, 0) for row in find_broken_rows(text, mixed) * 3)])
        log.add_repair(repaired, shown)
        for number, shift in moved.items():
            log.moved[shown, number] = [shift, *log.moved.get((shown, number), [])]
        for row in repaired.changed:
            damaged |= {(shown, line) for line in range(*(end + 1 for end in find_declaration_rows(repaired.text, row)))}
        source.files.append((shown, parse_cached(repaired.text, shown, ignored)))
    if ignored.errors:
        return []
    findings = DiagnosticList()
    for _ in GameCheck(location, VariantChecker(source, findings), findings, tolerant=True).check_variants():
        pass
    return [replace(one, place=log.restore_place(one.place)) for one in findings.errors
            if (one.place.path, one.place.line) not in log.lines and not log.introduced & set(iter_named_words(one))
            and (one.code in CERTAIN_CODES or not log.declarations and (one.place.path, one.place.line) not in damaged)
            and not (one.code == MISSING_CASE_CODE and log.declarations)]


def expand_indentation(text: str, width: int) -> tuple[str, dict[int, tuple[int, int]]]:
    """Returns a text with spaces for the tabs that indent its lines.

    Also returns, by the number of a changed line, the column where its code begins, and by how much the code has moved."""
    rows, moved = text.split("\n"), {}
    for number, row in enumerate(rows, 1):
        margin = row[: len(row) - len(row.lstrip(" \t"))]
        if "\t" in margin:
            spaces = margin.expandtabs(width)
            rows[number - 1] = spaces + row[len(margin):]
            moved[number] = len(spaces) + 1, len(spaces) - len(margin)
    return "\n".join(rows), moved


def find_broken_rows(text: str, rows: Sequence[int]) -> list[int]:
    """Returns those of the rows whose declaration has a syntax error."""
    spans, lines = {row: find_declaration_rows(text, row) for row in rows}, text.split("\n")
    return [row for row, (head, end) in spans.items() if find_error_row(lines[head:end]) < len(lines[head:end])]
