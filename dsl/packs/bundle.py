"""The files of a pack, as texts: a single YAML file, a folder with the shape of a game, or the same out of a saved game. Whoever reads a
pack reads a bundle, so that a pack in a stranger's save goes through the same checks and the same limits as one from a disk."""

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
MAX_PACK_SIZE = 1_000_000                                               # characters of all files together


@dataclass(frozen=True)
class PackBundle:
    """The texts of a pack by the names of its files. `shown`: how messages write the pack; `single`: it is one file, called that."""

    shown: str
    files: dict[str, str]
    single: bool = True
    path: Path | None = None                                       # where it lies; None when it came out of a save
    given: PackBundle | None = None                                    # what it was, where clauses in it are called as they are called now

    def display_path(self, name: str) -> str:
        """A file of it as messages write it."""
        return self.shown if self.single else f"{self.shown}/{name}"

    @property
    def hash(self) -> str:
        """What it says, in sixteen characters."""
        if self.given is not None:
            return self.given.hash
        digest = hashlib.sha256()
        for name, text in sorted(self.files.items()):
            digest.update(f"{name}\0{len(text)}\0{text}".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(len(text.encode("utf-8", "surrogatepass")) for text in self.files.values())


def update_clause_names(bundle: PackBundle, now: Mapping[str, str], findings: DiagnosticList) -> PackBundle:
    """A pack in which clauses are called as they are called now; `now` has them by their earlier names."""
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
    return bundle if files == bundle.files else replace(bundle, files=files, given=bundle)


def read_bundle(pack: Path | PackBundle, findings: DiagnosticList, shown: str | None = None) -> PackBundle | None:
    """A pack's files; None with a finding when they cannot be read."""
    if isinstance(pack, PackBundle):
        return pack
    shown = shown or str(pack)
    files: dict[str, str] = {}
    try:
        if pack.is_dir() and not (pack / MAIN_FILE).is_file():
            findings.add("Y001", SourceSpan(shown), path=f"{shown}/{MAIN_FILE}")
            return None
        single = not pack.is_dir()
        for path, limit in () if single else find_unreadable_files(pack):
            findings.add_unreadable(f"{shown}/{path.relative_to(pack).as_posix()}", limit)
            return None
        found = [pack] if single else sorted(path for path in pack.rglob("*") if path.suffix in SOURCE_SUFFIXES and path.is_file())
        if len(found) > MAX_FILES or sum(path.stat().st_size for path in found) > MAX_PACK_SIZE:
            findings.add_unreadable(shown, MAX_PACK_SIZE)
            return None
        for path in found:
            files[MAIN_FILE if single else path.relative_to(pack).as_posix()] = read_text(path)
    except (OSError, ValueError):
        findings.add_unreadable(shown)
        return None
    return PackBundle(shown, files, single, pack)
