"""House-rule packs: reading them, and applying them to a game before the checker runs.

A pack can change the data of a game (data_patches.py), its rules (rule_patches.py, anchors.py) and its texts
(pack_texts.py). Everything after this package sees one ordinary game and knows nothing of packs. Each changed part
keeps its source span, so diagnostics about it name the file and line of the pack.

    read_bundle(path)          the files of a pack: one YAML file, a directory, or the copy in a save
    apply_packs(source, ...)   applies all packs in use, in their order, to a game that was read"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics.diagnostic import DiagnosticList
from .bundle import PackBundle, read_bundle
from .source import GameSource

if TYPE_CHECKING:
    from .repair import PackRepair

__all__ = ["PackBundle", "read_bundle", "apply_packs"]


def apply_packs(
    source: GameSource,
    packs: Iterable[Path | PackBundle],
    findings: DiagnosticList,
    repair: PackRepair | None = None,
) -> bool:
    """Applies packs to a game that was read. Returns False, with diagnostics, if that fails.

    `repair` takes known mistakes out of the packs first. Without packs, the modules that apply them are not even
    imported."""
    before = len(findings.errors)
    bundles = [bundle for one in packs if (bundle := read_bundle(one, findings)) is not None]
    if not bundles:
        return len(findings.errors) == before
    from .apply import apply_bundles
    return apply_bundles(source, bundles, findings, before, repair)
