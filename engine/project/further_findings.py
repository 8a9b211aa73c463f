"""Finds the other mistakes in packs with errors, so that one run shows all of them.

The declarations, steps and entries of data with errors are left out, and the rest is checked again. A finding about a
name from a part that was left out may be a consequence of it, so it is not reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.variants import VariantChecker
from ...dsl.packs import PackBundle, apply_packs
from ...dsl.packs.bundle import MAIN_FILE
from ...dsl.packs.manifest import Pack, RuleSnippet
from ...dsl.packs.overlay import UNKNOWN_NAME_CODES, PackOverlay
from ...dsl.packs.source import DATA_SECTIONS, read_game
from ...dsl.syntax.parse import find_declarations
from ..library.find import GameLocation
from .game_check import NON_DATA_FILES, GameCheck
from .passes import PASSES

MAX_REPAIRS = 5
APPLIED_CODES = ("H013", "H016", "H017", "T")                      # errors of parts that are applied all the same
OTHER_ARGUMENTS = ("meant", "known", "wanted", "accepted", "english", "lang")    # arguments that name something else
# these may be consequences for names of the game itself too
CONTEXT_CODES = ("H013", "C", "W1", "W3", "W401", "W405", "W406", "W407", "W41")
TEXT_KEY = re.compile(r"^[a-z_]+\.(?=\w)")                          # `event.` and the like, which every text has
WORD = re.compile(r"[^\W\d]\w*")


def find_further_findings(
    location: GameLocation, pack_sources: Sequence[Path | PackBundle], known: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """Returns the findings about packs that the errors in `known` hide."""
    reported = {(one.code, one.place) for one in known}
    errors = [one for one in known if one.severity == "error"]
    ignored: set[tuple[str, int]] = set()
    damaged: set[str] = set()
    found: list[Diagnostic] = []
    files = [path for path in location.folder.iterdir() if path.suffix in (".rules", ".yaml") and path.name not in NON_DATA_FILES]
    of_game = {word for path in files for word in WORD.findall(read_lossy_text(path))}
    for repair in range(MAX_REPAIRS):
        places = [place for one in errors if not one.code.startswith(APPLIED_CODES) for place in (one.place, *one.also)]
        lines = {(place.path, place.line) for place in places}
        if repair and lines <= ignored:
            break
        ignored |= lines
        source, own = read_game(location.folder, DiagnosticList(), location.shown), DiagnosticList()
        if source is None:
            break
        kinds = {*source.data["enums"], *source.data["pieces"], *source.data["boards"], *DATA_SECTIONS}
        apply_packs(source, pack_sources, own, ignored or {("", 0)})
        overlay = source.overlay
        if overlay is None:
            break
        damaged |= {word for place in places for word in list_damaged_words(overlay, place)}
        findings = DiagnosticList()
        for _ in GameCheck(location, VariantChecker(source, findings), findings, tolerant=True).steps(PASSES):
            pass
        errors = [*own.errors, *findings.errors]
        new = [one for one in (*own.items, *findings.items) if (one.code, one.place) not in reported]
        reported |= {(one.code, one.place) for one in new}
        for one in new:
            if overlay.find_pack_of_file(one.place.path) is None:
                continue
            suspects = damaged - (kinds if one.code.startswith(CONTEXT_CODES) else of_game)
            is_of_missing_pack = overlay.is_incomplete and one.code in UNKNOWN_NAME_CODES and not one.hint
            if not (is_of_missing_pack or suspects & set(iter_named_words(one))):
                found.append(one)
    return found


def read_lossy_text(path: Path) -> str:
    """Returns the text of a file without characters that are not UTF-8, or "" if it cannot be read."""
    try:
        return read_text(path, errors="ignore")
    except (OSError, ValueError):
        return ""


def iter_named_words(found: Diagnostic) -> Iterable[str]:
    """Yields the words that name what a finding is about. Suggestions, languages, and heads of text keys do not count."""
    for name, value in found.args.items():
        if isinstance(value, str) and name not in OTHER_ARGUMENTS:
            yield from WORD.findall(TEXT_KEY.sub("", value, count=1))


def list_damaged_words(overlay: PackOverlay, place: SourceSpan) -> list[str]:
    """Returns the words of the declaration, the step, or the entry of data in a pack that contains a place.

    All words of another file with a damaged line count, because none of it may have been read."""
    pack = overlay.find_pack_of_file(place.path)
    if pack is None:
        return []
    texts = [text for chunk in pack.list_snippets() if chunk.file == place.path for text in iter_damaged_texts(chunk, place.line)]
    name, whole = next((name, text) for name, text in pack.bundle.files.items() if pack.bundle.display_path(name) == place.path)
    if not texts and name not in (MAIN_FILE, *pack.further):
        texts.append(whole)
    elif not texts:
        texts += find_block_rows(whole.splitlines(), place.line)
    entry = find_entry(pack, place) if name == MAIN_FILE else None
    if entry is not None and entry[0] == "add" and (removed := overlay.repaired.get((pack.name, str(entry[1])))) is not None:
        return removed                                             # the rest of this member exists
    if entry is not None:
        texts = [str(part) for part in iter_entry_parts(pack, entry)]
    return [word for text in texts for word in WORD.findall(text)]


def find_block_rows(rows: list[str], line: int) -> list[str]:
    """Returns a row of YAML with the rows that are nested below it."""
    if not 0 < line <= len(rows):
        return []
    first = rows[line - 1]
    depth = len(first) - len(first.lstrip())

    def is_nested(row: str) -> bool:
        deeper = len(row) - len(row.lstrip()) - depth
        return not row.strip() or deeper > 0 or deeper == 0 and row.lstrip().startswith("- ") and not first.lstrip().startswith("- ")
    return [first, *takewhile(is_nested, rows[line:])]


def iter_damaged_texts(chunk: RuleSnippet, line: int) -> Iterable[str]:
    """Yields the declaration of a snippet that contains a line, or the whole snippet if it has no declarations."""
    at, text = line - chunk.line, chunk.text.rstrip()
    if not 0 <= at <= text.count("\n"):
        return
    for start, end in find_declarations(text) or [(0, len(text))]:
        rows = text[start:end].rstrip().count("\n")
        if 0 <= at - text.count("\n", 0, start) <= rows:
            yield text[start:end]


def find_entry(pack: Pack, place: SourceSpan) -> tuple[Any, ...] | None:
    """Returns the path of the data at a place of the main file. None for steps, for whole sections, and between data."""
    for path, at in (*pack.document.keys.items(), *pack.document.values.items()):
        if (at.line, at.column) == (place.line, place.column) and len(path) > 1 and path[0] != "steps":
            return path
    return None


def iter_entry_parts(pack: Pack, path: tuple[Any, ...]) -> Iterable[Any]:
    """Yields the keys on the way to an entry of data, and all keys and values in it. `add` and the like are not among them."""
    yield from path[1:]
    for at in pack.document.keys:
        if at[: len(path)] == path:
            yield at[-1]
    value: Any = pack.document.data
    for part in path:
        value = value.get(part) if isinstance(value, dict) else value[part] if isinstance(value, list) and part < len(value) else None
    yield value
