"""Finds the other mistakes in packs with errors, so that one run shows all of them.

The damaged parts are taken out of the packs (dsl/packs/repair.py), and the rest is checked again. A finding about a name
from a part that was taken out may be a consequence of it, so it is not reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.variants import VariantChecker
from ...dsl.packs import PackBundle, apply_packs, read_bundle
from ...dsl.packs.overlay import UNKNOWN_NAME_CODES, PackOverlay
from ...dsl.packs.repair import PackRepair, RepairLog, list_head_names
from ...dsl.packs.source import DATA_SECTIONS, read_game
from ...dsl.syntax.lark_parser import find_declarations
from ...dsl.syntax.syntax_errors import find_correction
from ..library.find import GameLocation
from .game_check import NON_DATA_FILES, GameCheck
from .passes import LIMIT_PASSES, PASSES

MAX_REPAIRS = 6
APPLIED_CODES = ("H013", "H016", "H017", "T")                      # errors of parts that are applied all the same
CONFLICT_CODES = ("H003", "H024")                                   # of two changes, the first stays applied
MISSING_CODES = ("G009", "Y011")                                   # something is missing that may have been taken out
CITATION_CODES = ("C", "W3")                                       # findings about citations, which repaired lines keep
OTHER_ARGUMENTS = ("meant", "known", "wanted", "accepted", "english", "lang", "member")    # arguments that name something else
# these may be consequences for names of the game itself too
CONTEXT_CODES = ("H013", "C", "W1", "W209", "W3", "W401", "W405", "W406", "W407", "W41", *MISSING_CODES)
TEXT_KEY = re.compile(r"^[a-z_]+\.(?=\w)")                          # `event.` and the like, which every text has
WORD = re.compile(r"[^\W\d]\w*")


def find_further_findings(
    location: GameLocation, pack_sources: Sequence[Path | PackBundle], known: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """Returns the findings about packs that the errors in `known` hide."""
    reported = {(one.code, one.place) for one in known}
    errors = [one for one in known if one.severity == "error"]
    damaged: list[SourceSpan] = []
    superseded: set[SourceSpan] = set()
    fixes: dict[SourceSpan, tuple[str, str]] = {}
    completed: set[SourceSpan] = set()                             # places of what lacks something that was filled in
    lacking: dict[str, list[str]] = {}                             # members without a case, by procedure or def
    found: list[Diagnostic] = []
    files = {f"{location.shown}/{path.name}": read_lossy_text(path) for path in location.folder.iterdir()
             if path.suffix in (".rules", ".yaml") and path.name not in NON_DATA_FILES}
    of_game = {word for text in files.values() for word in WORD.findall(text)}
    bundles = [bundle for source in pack_sources if (bundle := read_bundle(source, DiagnosticList())) is not None]
    texts = {bundle.display_path(name): text for bundle in bundles for name, text in bundle.files.items()}
    for _ in range(MAX_REPAIRS):
        incomplete = {one.place for one in errors if one.code == "R114" or one.code == "G009" and not one.hint} - completed
        lacking.update({one.args["name"]: one.args["lacking"].split(", ") for one in errors if one.code == "R114"})
        fixes |= {one.place: find_correction(one, texts.get(one.place.path, "")) for one in errors if one.place not in fixes}
        wrong = [one for one in errors if not one.code.startswith(APPLIED_CODES) and one.place not in incomplete]
        superseded |= {one.place for one in wrong if one.code in CONFLICT_CODES}
        damaged += dict.fromkeys(place for one in wrong for place in (one.place, *(one.also if one.code not in CONFLICT_CODES else ())))
        completed |= incomplete
        own, repair = DiagnosticList(), PackRepair(damaged, superseded, fixes, lacking, completed)
        source = read_game(location.folder, DiagnosticList(), location.shown)
        if source is None:
            break
        kinds = {*source.data["enums"], *source.data["pieces"], *source.data["boards"], *DATA_SECTIONS}
        apply_packs(source, pack_sources, own, repair)
        if source.overlay is None:
            break
        findings = DiagnosticList()
        check = GameCheck(location, VariantChecker(source, findings), findings, tolerant=True)
        for _ in check.check_variants():
            pass
        errors = [one for one in (*own.errors, *findings.errors) if one.place not in repair.unread]
        for _ in check.run_passes([stage for stage in PASSES if stage is not LIMIT_PASSES]):
            pass
        check.finish()
        consequences = ConsequenceFilter(source.overlay, repair.log, files, of_game, kinds)
        new = [one for one in (*own.items, *findings.items) if (one.code, one.place) not in reported]
        reported |= {(one.code, one.place) for one in new}
        found += [replace(one, place=repair.log.restore_place(one.place)) for one in new if not consequences.is_consequence(one)]
        if all(one.code.startswith(APPLIED_CODES) for one in errors):
            break
    return found


@dataclass
class ConsequenceFilter:
    """Tells findings that are only consequences of parts that were taken out of packs.

        files    the texts of the game's files by displayed path
        of_game  all words in them
        kinds    the types and sections of the game"""

    overlay: PackOverlay
    log: RepairLog
    files: dict[str, str]
    of_game: set[str]
    kinds: set[str]

    def is_consequence(self, one: Diagnostic) -> bool:
        """Whether a finding may be a consequence of a part that was taken out, or is not about a pack."""
        if self.overlay.find_pack_of_file(one.place.path) is None and not self.is_caused_by_pack(one):
            return True
        if (one.place.path, one.place.line) in self.log.lines:
            return not one.code.startswith(CITATION_CODES)
        if self.overlay.is_incomplete and one.code in UNKNOWN_NAME_CODES and not one.hint:
            return True
        if one.code == "W401" and one.place in self.log.partial:   # a line that was replaced may cite the clause
            return True
        if one.code == "Y015" and one.args["found"] in ("{}", "[]"):     # all entries were taken out
            return True
        if one.code == "G004":                                     # too few players: some were taken out
            return "Player" in self.log.words
        if one.code in (*UNKNOWN_NAME_CODES, "R215"):
            return bool(self.log.introduced & set(iter_named_words(one)))
        suspects = self.log.words - self.kinds if one.code.startswith(CONTEXT_CODES) else self.log.introduced - self.of_game
        return bool(suspects & set(iter_named_words(one)))

    def is_caused_by_pack(self, one: Diagnostic) -> bool:
        """Whether an error in a file of the game comes from a pack, and no part that was taken out would have changed its line."""
        if one.severity != "error" or not any(self.overlay.find_pack_of_file(place.path) is not None for place in one.also):
            return False
        text = self.files.get(one.place.path, "")
        offset = sum(len(row) + 1 for row in text.split("\n")[: one.place.line - 1])
        head = next((text[start:end].partition("\n")[0] for start, end in find_declarations(text) if start <= offset < end), "")
        return not ({"", *list_head_names(head)} & self.log.declarations)


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
