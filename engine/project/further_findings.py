"""Finds the other mistakes in packs with errors, so that one run shows all of them.

The declarations and steps with errors are left out, and the rest is checked again. A finding about a name from a part
that was left out may be a consequence of it, so it is not reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.variants import VariantChecker
from ...dsl.packs import PackBundle, apply_packs
from ...dsl.packs.manifest import Pack, RuleSnippet
from ...dsl.packs.overlay import UNKNOWN_NAME_CODES, PackOverlay
from ...dsl.packs.source import read_game
from ...dsl.syntax.parse import find_declarations
from ..library.find import GameLocation
from .game_check import GameCheck
from .passes import PASSES

MAX_REPAIRS = 5
APPLIED_CODES = ("H013", "H016", "H017")                           # errors of parts that are applied all the same
SUGGESTIONS = ("meant", "known", "wanted", "accepted", "english")        # arguments that name something else
CONTEXT_CODES = ("H", "C", "W1", "W3", "W4")                       # these may be consequences for names of the game itself too
TEXT_KEY = re.compile(r"[a-z_]+\.(?=\w)")                           # `event.` and the like, which every text has
WORD = re.compile(r"[^\W\d]\w*")


def find_further_findings(
    location: GameLocation, pack_sources: Sequence[Path | PackBundle], known: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """Returns the findings about packs that the errors in `known` hide."""
    reported = {(one.code, one.place) for one in known}
    is_incomplete = any(one.code == "H016" for one in known)
    errors = [one for one in known if one.severity == "error"]
    ignored: set[tuple[str, int]] = set()
    damaged: set[str] = set()
    found: list[Diagnostic] = []
    of_game = {word for path in location.folder.glob("*.rules") for word in WORD.findall(read_lossy_text(path))}
    for _ in range(MAX_REPAIRS):
        lines = {(one.place.path, one.place.line) for one in errors if one.code not in APPLIED_CODES}
        if ignored and lines <= ignored:
            break
        ignored |= lines
        source, own = read_game(location.folder, DiagnosticList(), location.shown), DiagnosticList()
        if source is None:
            break
        apply_packs(source, pack_sources, own, ignored or {("", 0)})
        overlay = source.overlay
        if overlay is None:
            break
        damaged |= {word for path, line in lines for word in list_damaged_words(overlay, path, line)}
        findings = DiagnosticList()
        for _ in GameCheck(location, VariantChecker(source, findings), findings).steps(PASSES):
            pass
        errors = [*own.errors, *findings.errors]
        for one in (*own.items, *findings.items):
            if (one.code, one.place) in reported or overlay.find_pack_of_file(one.place.path) is None:
                continue
            reported.add((one.code, one.place))
            suspects = damaged if one.code.startswith(CONTEXT_CODES) else damaged - of_game
            if not (is_incomplete and one.code in UNKNOWN_NAME_CODES or suspects & set(iter_named_words(one))):
                found.append(one)
    return found


def read_lossy_text(path: Path) -> str:
    """Returns the text of a file without characters that are not UTF-8, or "" if it cannot be read."""
    try:
        return read_text(path, errors="ignore")
    except (OSError, ValueError):
        return ""


def iter_named_words(found: Diagnostic) -> Iterable[str]:
    """Yields the words that name what a finding is about. Suggestions and heads of text keys do not count."""
    for name, value in found.args.items():
        if isinstance(value, str) and name not in SUGGESTIONS:
            yield from WORD.findall(TEXT_KEY.sub("", value, count=1))


def list_damaged_words(overlay: PackOverlay, path: str, line: int) -> list[str]:
    """Returns the words of the declaration, the step, or the entry of data in a pack that contains a line."""
    pack = overlay.find_pack_of_file(path)
    if pack is None:
        return []
    texts = [text for chunk in pack.list_snippets() if chunk.file == path for text in iter_damaged_texts(chunk, line)]
    rows = next(text for name, text in pack.bundle.files.items() if pack.bundle.display_path(name) == path).splitlines()
    texts += [rows[line - 1]] if not texts and 0 < line <= len(rows) else []
    return [word for text in (*texts, *iter_entry_keys(pack, line)) for word in WORD.findall(text)]


def iter_damaged_texts(chunk: RuleSnippet, line: int) -> Iterable[str]:
    """Yields the declaration of a snippet that contains a line, or the whole snippet if it has no declarations."""
    at = line - chunk.line
    if not 0 <= at <= chunk.text.count("\n"):
        return
    spans = find_declarations(chunk.text) or [(0, len(chunk.text))]
    for start, end in spans:
        if chunk.text.count("\n", 0, start) <= at <= chunk.text.count("\n", 0, end):
            yield chunk.text[start:end]


def iter_entry_keys(pack: Pack, line: int) -> Iterable[str]:
    """Yields the keys on the way to the data on a line of the main file. `add` and the like are not among them."""
    for path, place in (*pack.document.keys.items(), *pack.document.values.items()):
        if place.line == line and path[:1] not in (("rules",), ("replace",), ("steps",)):
            yield from map(str, path[1:])
