"""House-rule packs: what they say (reading.py), and how it is laid over a game, before the checker: over its data (data.py), over the
trees of its rules (rules.py, steps.py) and over its texts (words.py). Everything behind this room sees one game and knows nothing of packs;
each part keeps its place, so whatever is said of it names the pack's file and line.

    bundle_of(path)          the files of a pack: one YAML file, a folder, or what a save carries
    lay_packs(source, ...)   all packs in use, in their order, over a game that has been read
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..diagnostics.diagnostic import DiagnosticList
from .bundle import PackBundle, read_bundle
from .source import GameSource

__all__ = ["PackBundle", "read_bundle", "apply_packs"]


def apply_packs(source: GameSource, packs: Iterable[Path | PackBundle], findings: DiagnosticList) -> bool:
    """Lay packs over a game that has been read; False with findings when that cannot be done. Without packs none of what lays them is
    even loaded."""
    before = len(findings.errors)
    bundles = [bundle for one in packs if (bundle := read_bundle(one, findings)) is not None]
    if not bundles:
        return len(findings.errors) == before
    from .apply import apply_bundles
    return apply_bundles(source, bundles, findings, before)
