"""The house-rule packs in a save. The save contains their full text, so the match can continue
if the pack files are missing or have changed.

Packs from a save are parsed, checked and limited in the same way as packs from the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.diagnostics.safe_read import SOURCE_SUFFIXES
from ...dsl.packs import PackBundle, read_bundle
from ...dsl.packs.bundle import MAIN_FILE, MAX_FILES

MAX_PACKS_BYTES = 64 * 1024                                                # all packs in a save together


def pack_entries(packs: Sequence[PackBundle], names: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the entries of packs for the header of a save: path, name, hash and, unless the packs are too large,
    their files."""
    carried = sum(pack.size for pack in packs) <= MAX_PACKS_BYTES
    return [{"path": str(pack.path.resolve()) if pack.path is not None else pack.shown, "name": name, "hash": pack.hash,
             **({"files": dict(pack.files)} if carried else {})} for pack, name in zip(packs, names)]


def restore_packs(house: Sequence[Mapping[str, Any]]) -> list[Path | PackBundle]:
    """Returns the packs of a save in order: their texts, or their paths if the save does not contain the texts.

    Raises TypeError and ValueError for entries that cannot be packs."""
    out: list[Path | PackBundle] = []
    size = 0
    for entry in house:
        files, shown = entry.get("files"), str(entry["path"])
        if files is None:
            out.append(Path(shown))
            continue
        if not isinstance(files, dict) or MAIN_FILE not in files or len(files) > MAX_FILES:
            raise TypeError("house")
        for name, text in files.items():
            if (
                not isinstance(text, str)
                or not name.endswith(SOURCE_SUFFIXES)
                or "\\" in name
                or ".." in name.split("/")
                or name.startswith("/")
            ):
                raise TypeError("house")
            size += len(text.encode("utf-8", "surrogatepass"))
        out.append(PackBundle(Path(shown).name, dict(files), set(files) == {MAIN_FILE} and Path(shown).suffix != ""))
    if size > MAX_PACKS_BYTES:
        raise ValueError(size)
    return out


def find_changed_packs(house: Sequence[Mapping[str, Any]]) -> list[str]:
    """Returns the names of the packs whose files differ now from what the save contains. Missing files do not count."""
    out = []
    for entry in house:
        path = Path(str(entry["path"]))
        found = read_bundle(path, DiagnosticList()) if path.exists() else None
        if found is not None and found.hash != entry.get("hash"):
            out.append(str(entry["name"]))
    return out
