"""The complete static check of a game: rules, data, texts, table, scenarios. `passes.py` lists its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...dsl.cache import cache_folder, cache_get, cache_key, cache_put, hash_files, package_hash
from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, Phrase, PhraseList, SourceSpan
from ...dsl.diagnostics.safe_read import find_unreadable_files
from ...dsl.packs import PackBundle, read_bundle
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
    from .game_check import GameCheck, read_files, read_with_packs
    from .pass_cache import StoredPassMemo, outline_rules
    from .passes import PASSES
    tests = DiagnosticList()
    scenarios = [scenario for path in list_scenario_files(location) for scenario in read_scenarios(path, tests)]
    source = read_with_packs(location, pack_sources, findings)
    checking = VariantChecker(source, findings) if source is not None else None
    check = GameCheck(location, checking, findings, scenarios, tests)
    for _ in check.check_variants():
        pass
    if checking is not None and checking.files and not pack_sources and cache_folder() is not None:
        check.memo, check.files, check.outline = StoredPassMemo(location), read_files(location.folder), outline_rules(checking.files)
    for _ in check.run_passes(PASSES):
        pass
    check.finish()
    if pack_sources and findings.errors:
        from .further_findings import find_further_findings
        findings.items += find_further_findings(location, pack_sources, findings.items)
        findings.items = join_removed_names(findings.without_duplicates())
    elif findings.errors and (checking is None or checking.files is None):
        from .hidden_rule_errors import find_hidden_rule_errors
        findings.items += find_hidden_rule_errors(location)
    elif findings.errors:
        from .further_rule_errors import find_further_rule_errors
        findings.items += find_further_rule_errors(location, findings.items)


def join_removed_names(findings: DiagnosticList) -> list[Diagnostic]:
    """Returns the findings with one about each name that a pack removes: at its first place, with the number of other places.

    A name that is used at many places would push other findings out of the list that is shown."""
    uses: dict[str, list[Diagnostic]] = {}
    for one in findings.in_source_order():
        if one.code == "H018":
            uses.setdefault(str(one.args["name"]), []).append(one)
    others = [one for one in findings.items if one.code != "H018"]
    for first, *more in uses.values():
        others.append(replace(first, hint="used_also", args={**first.args, "count": len(more)}) if more else first)
    return others
