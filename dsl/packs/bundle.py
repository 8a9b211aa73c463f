"""The files of a pack as texts: one YAML file, a directory with the layout of a game, or a copy in a saved game.

All code that reads packs uses this class. A pack from a save of unknown origin therefore passes the same checks and
limits as a pack on disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..diagnostics.safe_read import SOURCE_SUFFIXES, find_unreadable_files, read_text

MAIN_FILE = "house.yaml"
MAX_FILES = 200
MAX_PACK_SIZE = 1_000_000                                               # bytes, total over all files


@dataclass(frozen=True)
class PackBundle:
    """The texts of a pack by file name.

    `shown` is the path of the pack in messages. `single` means that the pack is one file with that path."""

    shown: str
    files: dict[str, str]
    single: bool = True
    path: Path | None = None                                       # location on disk, or None if it came from a save
    as_written: PackBundle | None = None                                    # the bundle as written, if clause names were updated

    def display_path(self, name: str) -> str:
        """Returns the path of one of its files, as messages write it."""
        return self.shown if self.single else f"{self.shown}/{name}"

    @property
    def hash(self) -> str:
        """A hash of the contents as written, with 16 characters."""
        if self.as_written is not None:
            return self.as_written.hash
        digest = hashlib.sha256()
        for name, text in sorted(self.files.items()):
            digest.update(f"{name}\0{len(text)}\0{text}".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    @property
    def size(self) -> int:
        """The size in bytes."""
        return sum(len(text.encode("utf-8", "surrogatepass")) for text in self.files.values())


def update_clause_names(bundle: PackBundle, now: Mapping[str, str], findings: DiagnosticList) -> PackBundle:
    """Returns a pack with earlier clause names replaced by the current ones, and reports each (W408).

    `now` maps earlier names to current ones."""
    found = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, now))})(?![\w-])")
    files: dict[str, str] = {}
    for name, text in bundle.files.items():
        told: set[str] = set()
        for number, line in enumerate(text.split("\n") if found.search(text) else (), 1):
            for old in found.finditer(line):
                if old[0] not in told:
                    told.add(old[0])
                    place = SourceSpan(bundle.display_path(name), number, old.start() + 1, old.end() + 1)
                    findings.add("W408", place, name=old[0], now=now[old[0]])
        files[name] = found.sub(lambda old: now[old[0]], text) if told else text
    return bundle if files == bundle.files else replace(bundle, files=files, as_written=bundle)


def read_bundle(pack: Path | PackBundle, findings: DiagnosticList, display_path: str | None = None) -> PackBundle | None:
    """Reads the files of a pack. Returns None, with a diagnostic, if they cannot be read."""
    if isinstance(pack, PackBundle):
        return pack
    display_path = display_path or str(pack)
    files: dict[str, str] = {}
    try:
        if pack.is_dir() and not (pack / MAIN_FILE).is_file():
            findings.add("Y001", SourceSpan(display_path), path=f"{display_path}/{MAIN_FILE}")
            return None
        single = not pack.is_dir()
        for path, limit in () if single else find_unreadable_files(pack):
            findings.add_unreadable(f"{display_path}/{path.relative_to(pack).as_posix()}", limit)
            return None
        found = [pack] if single else sorted(path for path in pack.rglob("*") if path.suffix in SOURCE_SUFFIXES and path.is_file())
        if len(found) > MAX_FILES or sum(path.stat().st_size for path in found) > MAX_PACK_SIZE:
            findings.add_unreadable(display_path, MAX_PACK_SIZE)
            return None
        for path in found:
            files[MAIN_FILE if single else path.relative_to(pack).as_posix()] = read_text(path)
    except (OSError, ValueError):
        findings.add_unreadable(display_path)
        return None
    return PackBundle(display_path, files, single, pack)
