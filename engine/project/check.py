"""The complete static check of a game: rules, data, texts, table, scenarios. `passes.py` lists its parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...dsl.cache import cache_get, cache_key, cache_put, hash_files, package_hash
from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, Phrase, PhraseList, SourceSpan
from ...dsl.diagnostics.safe_read import find_unreadable_files
from ...dsl.packs import PackBundle, apply_packs, read_bundle
from ...dsl.packs.source import read_game
from ...dsl.types import types
from ..library.find import GameLocation

# The compiler is imported in functions, because most diagnostics come from the cache.


def check_game_cached(location: GameLocation, pack_sources: Sequence[Path | PackBundle]) -> list[Diagnostic]:
    """Returns the diagnostics of a game. They come from the cache if nothing has changed that they depend on."""
    try:
        if any(find_unreadable_files(location.folder)):
            raise OSError
        files = sorted(path for path in location.folder.rglob("*") if path.is_file())
        key = cache_key(
            package_hash("dsl", "engine", "locale"),
            location.shown,
            str(location.folder.resolve()),
            *(map(str, files)),
            hash_files(files),
            *(part for house in pack_sources for part in pack_content(house)),
        )
    except OSError:
        key = ""                                                   # the reader reports the error
    allowed = [Diagnostic, Phrase, PhraseList, SourceSpan,
               *(kind for kind in vars(types).values() if isinstance(kind, type) and kind.__module__ == types.__name__)]
    known = cache_get("findings", key, allowed) if key else None
    if isinstance(known, list):
        return known
    findings = DiagnosticList()
    check_game(location, pack_sources, findings)
    findings = findings.without_duplicates()
    if key:
        cache_put("findings", key, findings.items)
    return findings.items


def pack_content(house: Path | PackBundle) -> tuple[str, str]:
    """Returns what the diagnostics of a pack depend on: its displayed path and the hash of its content. Raises
    OSError."""
    bundle = read_bundle(house, DiagnosticList())
    if bundle is None:
        raise OSError
    return bundle.shown, bundle.hash


def check_game(location: GameLocation, pack_sources: Sequence[Path | PackBundle], findings: DiagnosticList) -> None:
    """Checks a game: every variant, the texts in each language, and the scenarios without running them."""
    from ...dsl.game.variants import VariantChecker
    from ..testing.scenario import list_scenario_files, read_scenarios
    from .game_check import GameCheck, read_with_packs
    from .passes import PASSES
    tests = DiagnosticList()
    scenarios = [scenario for path in list_scenario_files(location) for scenario in read_scenarios(path, tests)]
    source = read_with_packs(location, pack_sources, findings)
    if source is None and pack_sources:
        findings.items += find_further_errors(location, pack_sources, findings)
    checking = VariantChecker(source, findings) if source is not None else None
    for _ in GameCheck(location, checking, findings, scenarios, tests).steps(PASSES):
        pass


def find_further_errors(location: GameLocation, pack_sources: Sequence[Path | PackBundle], known: DiagnosticList) -> list[Diagnostic]:
    """Returns the errors in the rules of packs that cannot be applied for other reasons, so that all errors are
    reported at once.

    Unknown names are left out, because they may follow from the other errors."""
    from ...dsl.game.variants import VariantChecker
    from ...dsl.packs.overlay import UNKNOWN_NAME_CODES
    from .game_check import GameCheck
    from .passes import LIMIT_PASSES, RULE_PASSES
    source = read_game(location.folder, DiagnosticList(), location.shown)
    if source is None or apply_packs(source, pack_sources, DiagnosticList()) or source.overlay is None:
        return []
    own = DiagnosticList()
    for _ in GameCheck(location, VariantChecker(source, own), own).steps([RULE_PASSES, LIMIT_PASSES]):
        pass
    told, overlay = {one.place for one in known.items}, source.overlay
    return [
        one
        for one in own.errors
        if overlay.find_pack_of_file(one.place.path) is not None and one.code not in UNKNOWN_NAME_CODES and one.place not in told
    ]
