"""`ludoglot check GAME --watch`: the game is checked again whenever one of its files changes; told is what is new and what is mended."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..cli.console import Voice
from ..library.find import RULES, Found

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic
    from ...dsl.packs import Bundle

PAUSE = 0.25                           # seconds between two looks at the files
Stamps = dict[str, tuple[int, int]]


def watch(voice: Voice, found: Found, packs: Sequence[Path | Bundle]) -> int:
    """Check until somebody presses Ctrl-C; 1 when something is wrong then."""
    from .check import found_in
    from .incremental_check import Warm
    warm = Warm(found) if not packs else None
    before: list[Diagnostic] | None = None
    stamps: Stamps | None = None
    voice.say("watch.begun", game=found.shown)
    try:
        while True:
            now = stamps_of(found, packs)
            if now != stamps:
                try:
                    told = warm.check() if warm is not None else found_in(found, packs)
                except FileNotFoundError:                          # an editor that writes a file aside and renames it
                    time.sleep(PAUSE)
                    continue
                stamps = now
                tell(voice, before, told)
                before = told
            time.sleep(PAUSE)
    except KeyboardInterrupt:
        return 1 if any(one.severity == "error" for one in before or []) else 0


def tell(voice: Voice, before: list[Diagnostic] | None, now: list[Diagnostic]) -> None:
    """What is new and what is mended, and what there is in all."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ..cli.rendering import rendered
    new, mended = left_of(now, before or []), left_of(before or [], now)
    if not new and not mended and before is not None:
        return
    for one in mended:
        voice.say("watch.mended", code=one.code, place=f"{one.place.path}:{one.place.line}")
    if new:
        voice.out(rendered(voice, Findings(new).sorted()))
    if now:
        errors = sum(one.severity == "error" for one in now)
        voice.out(voice.text("check.summary", errors=errors, warnings=len(now) - errors))
    else:
        voice.say("watch.clean")
    sys.stdout.flush()


def left_of(some: list[Diagnostic], others: list[Diagnostic]) -> list[Diagnostic]:
    """Those that are not among the others, wherever in their files these stand now."""
    many = Counter(map(likeness, others))
    out = []
    for one in some:
        many[likeness(one)] -= 1
        if many[likeness(one)] < 0:
            out.append(one)
    return out


def likeness(found: Diagnostic) -> tuple[str, str, str]:
    """What makes two findings the same, though lines were put in above."""
    return found.code, found.place.path, repr(sorted((name, str(value)) for name, value in found.args.items()))


def stamps_of(found: Found, packs: Sequence[Path | Bundle]) -> Stamps:
    """When each file that matters was written last, and how large it is."""
    folders = [found.folder, *(pack for pack in packs if isinstance(pack, Path))]
    files = [path for folder in folders for path in (folder.rglob("*") if folder.is_dir() else [folder])]
    if found.folder.resolve().is_relative_to(RULES):               # its translations lie beside those of the program
        files += (RULES.parent / "locale").glob(f"*/*/{found.folder.resolve().name}.*")
    out: Stamps = {}
    for path in files:
        try:
            stat = path.stat()
        except OSError:
            continue
        if not os.path.isdir(path):
            out[str(path)] = (stat.st_mtime_ns, stat.st_size)
    return out
