"""What was read from a file, kept in the user's cache folder until the file changes.

Parsing the catalogues and the YAML of a large game takes a tenth of a second, the copy a few milliseconds. The copy is JSON, which
can be wrong but cannot do harm; a missing, stale, broken or unwritable one only costs the time to parse again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

FORMAT = 1                                                          # raise it when what the readers return changes its shape


@cache
def folder() -> Path | None:
    """Where the copies are kept, or None when there is no such place."""
    with suppress(ImportError, OSError, RuntimeError):
        import platformdirs

        place = Path(platformdirs.user_cache_dir("ludoglot", appauthor=False)) / "words"
        place.mkdir(parents=True, exist_ok=True)
        return place
    return None


def remembered(path: Path, read: Callable[[Path], Any]) -> Any:
    """`read(path)`, or what it gave when the file was last read. `read` must return what JSON can hold, and depend on the file alone."""
    try:
        status = path.stat()
    except OSError:
        return read(path)
    stamp = [FORMAT, read.__name__, status.st_size, status.st_mtime_ns]
    copy = _copy_of(path)
    if copy is not None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(copy.read_text(encoding="utf-8"))
            if kept["stamp"] == stamp:
                return kept["data"]
    data = read(path)
    if copy is not None:
        with suppress(OSError, ValueError, TypeError):
            _write(copy, json.dumps({"stamp": stamp, "data": data}, ensure_ascii=False))
    return data


def _copy_of(path: Path) -> Path | None:
    place = folder()
    return place / (hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:24] + ".json") if place else None


def _write(target: Path, text: str) -> None:
    """Whole or not at all: another process may be reading or writing the same copy."""
    handle, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
