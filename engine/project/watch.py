"""`ludoglot check GAME --watch`: checks the game again whenever a file changes, and prints new and fixed
diagnostics."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ..cli.console import LocalizedConsole, render_findings
from ..library.find import RULES_FOLDER, GameLocation

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic
    from ...dsl.packs import PackBundle

POLL_SECONDS = 0.25
FileStamps = dict[str, tuple[int, int]]


def watch_game(console: LocalizedConsole, location: GameLocation, packs: Sequence[Path | PackBundle]) -> int:
    """Checks until the user presses Ctrl-C. Returns 1 if there are errors then."""
    from .check import check_game_cached
    from .incremental_check import IncrementalChecker
    warm = IncrementalChecker(location) if not packs else None
    before: list[Diagnostic] | None = None
    stamps: FileStamps | None = None
    console.print_message("watch.begun", game=location.shown)
    try:
        while True:
            now = read_file_stamps(location, packs)
            if now != stamps:
                try:
                    told = warm.check() if warm is not None else check_game_cached(location, packs)
                except FileNotFoundError:                          # an editor is replacing a file
                    time.sleep(POLL_SECONDS)
                    continue
                stamps = now
                print_changes(console, before, told)
                before = told
            time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        return 1 if any(one.severity == "error" for one in before or []) else 0


def print_changes(console: LocalizedConsole, before: list[Diagnostic] | None, now: list[Diagnostic]) -> None:
    """Prints the new and the fixed diagnostics, and the total."""
    new, mended = subtract_findings(now, before or []), subtract_findings(before or [], now)
    if not new and not mended and before is not None:
        return
    for one in mended:
        console.print_message("watch.mended", code=one.code, place=f"{one.place.path}:{one.place.line}")
    if new:
        console.print_line(render_findings(console, DiagnosticList(new).in_source_order()))
    if now:
        errors = sum(one.severity == "error" for one in now)
        console.print_line(console.text("check.summary", errors=errors, warnings=len(now) - errors))
    else:
        console.print_message("watch.clean")
    sys.stdout.flush()


def subtract_findings(previous: list[Diagnostic], others: list[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics of `previous` that are not in `others`, regardless of their lines."""
    many = Counter(map(finding_identity, others))
    out = []
    for one in previous:
        many[finding_identity(one)] -= 1
        if many[finding_identity(one)] < 0:
            out.append(one)
    return out


def finding_identity(diagnostic: Diagnostic) -> tuple[str, str, str]:
    """Returns what identifies a diagnostic even if its line number changes."""
    return diagnostic.code, diagnostic.place.path, repr(sorted((name, str(value)) for name, value in diagnostic.args.items()))


def read_file_stamps(location: GameLocation, packs: Sequence[Path | PackBundle]) -> FileStamps:
    """Returns the modification time and size of each file that the check depends on."""
    folders = [location.folder, *(pack for pack in packs if isinstance(pack, Path))]
    files = [path for folder in folders for path in (folder.rglob("*") if folder.is_dir() else [folder])]
    if location.folder.resolve().is_relative_to(RULES_FOLDER):               # its translations are in the program's locale folder
        files += (RULES_FOLDER.parent / "locale").glob(f"*/*/{location.folder.resolve().name}.*")
    out: FileStamps = {}
    for path in files:
        try:
            stat = path.stat()
        except OSError:
            continue
        if not os.path.isdir(path):
            out[str(path)] = (stat.st_mtime_ns, stat.st_size)
    return out
