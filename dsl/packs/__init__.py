"""House-rule packs: what they say (reading.py), and how it is laid over a game, before the checker: over its data (data.py), over the
trees of its rules (rules.py, steps.py) and over its texts (words.py). Everything behind this room sees one game and knows nothing of packs;
each part keeps its place, so whatever is said of it names the pack's file and line.

    bundle_of(path)          the files of a pack: one YAML file, a folder, or what a save carries
    lay_packs(source, ...)   all packs in use, in their order, over a game that has been read
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..diagnostics.diagnostic import Findings
from .bundle import Bundle, bundle_of
from .source import Source

__all__ = ["Bundle", "bundle_of", "lay_packs"]


def lay_packs(source: Source, packs: Iterable[Path | Bundle], findings: Findings) -> bool:
    """Lay packs over a game that has been read; False with findings when that cannot be done. Without packs none of what lays them is
    even loaded."""
    before = len(findings.errors)
    bundles = [bundle for one in packs if (bundle := bundle_of(one, findings)) is not None]
    if not bundles:
        return len(findings.errors) == before
    from .apply import lay_bundles
    return lay_bundles(source, bundles, findings, before)
