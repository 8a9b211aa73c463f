"""Packs of house rules in a saved game: it carries their whole text, so that it goes on where their files are gone or have changed. What
comes out of a save is read, checked and limited as what comes from a disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import SOURCE_SUFFIXES
from ...dsl.packs import PackBundle
from ...dsl.packs.bundle import MAIN_FILE, MAX_FILES

MAX_PACKS_BYTES = 64 * 1024                                                # bytes of all packs in a save together


def pack_entries(packs: Sequence[PackBundle], names: Sequence[str]) -> list[dict[str, Any]]:
    """How a save names packs: what they are called, where they lie, what they say; with their texts, where these are not too large."""
    carried = sum(pack.size for pack in packs) <= MAX_PACKS_BYTES
    return [{"path": str(pack.path.resolve()) if pack.path is not None else pack.shown, "name": name, "hash": pack.hash,
             **({"files": dict(pack.files)} if carried else {})} for pack, name in zip(packs, names)]


def restore_packs(house: Sequence[Mapping[str, Any]]) -> list[Path | PackBundle]:
    """The packs of a save, in their order: their texts, or the files that it names where it has none. Raises TypeError and ValueError when
    they cannot be packs."""
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
    """The names of packs whose files say something else now than when the game was saved; files that are gone have not changed."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ...dsl.packs import read_bundle
    out = []
    for entry in house:
        path = Path(str(entry["path"]))
        found = read_bundle(path, DiagnosticList()) if path.exists() else None
        if found is not None and found.hash != entry.get("hash"):
            out.append(str(entry["name"]))
    return out
