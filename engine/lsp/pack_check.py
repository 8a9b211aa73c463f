"""Check a house-rule pack in the editor, together with its game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan
from ...dsl.game.variants import VariantChecker, list_variants
from ...dsl.packs.bundle import MAIN_FILE
from ..library.find import GameLocation
from ..project.game_check import GameCheck, read_with_packs
from ..project.incremental_check import GameCheckProgress
from ..project.passes import PASSES
from .overlay_fs import OverlayFolder


def check_pack(location: GameLocation, pack: Path) -> Iterator[GameCheckProgress | None]:
    """Checks a pack together with its game and yields the diagnostics that concern the pack.

    The game's own scenarios are not checked. The first result covers one variant only. The last one is complete."""
    findings = DiagnosticList()
    source = read_with_packs(location, [pack], findings)
    checking = VariantChecker(source, findings) if source is not None and not findings.errors else None
    if checking is not None:
        checking.check_variant(*list_variants(checking.source)[0])
    yield GameCheckProgress(diagnostics_for_pack(pack, findings.in_source_order()), False)
    yield None
    if checking is not None and not findings.errors:
        yield from GameCheck(location, checking, findings, quick=True).steps(PASSES)
    yield GameCheckProgress(diagnostics_for_pack(pack, findings.in_source_order()), True)


def diagnostics_for_pack(pack: Path, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics that the author of a pack can act on.

    These include errors that the pack causes in the game. They are moved to the pack line that is related to
    them, or to the beginning of the pack. Other diagnostics of the game are dropped."""
    def is_in_pack(place: SourceSpan) -> bool:
        return place.path == str(pack) or place.path.startswith(f"{pack}/")

    out = []
    for one in found:
        near = next((place for place in (one.place, *one.also) if is_in_pack(place)), None)
        if near is None and one.severity == "error":
            near = SourceSpan(str(pack if pack.is_file() else pack / MAIN_FILE), 1, 1, 2)
        if near is not None:
            also = tuple(dict.fromkeys(place for place in (one.place, *one.also) if place != near))
            out.append(replace(one, place=near, also=also))
    return out


def restore_paths(progress: GameCheckProgress, mirror: OverlayFolder) -> GameCheckProgress:
    """Returns the progress of a check in the copy of a pack, with the original paths."""
    def to_original(place: SourceSpan) -> SourceSpan:
        return replace(place, path=mirror.original_path(place.path).as_posix())

    findings = [replace(one, place=to_original(one.place), also=tuple(map(to_original, one.also))) for one in progress.findings]
    return replace(progress, findings=findings)
