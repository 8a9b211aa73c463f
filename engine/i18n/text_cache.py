"""A cache in the user's cache folder for data that was read from text files.

Parsing the catalogues and YAML files of a large game takes 0.1 seconds, loading the cache a few milliseconds.
The cache key is a hash of the file's content and of the program that reads it. Entries contain plain data. A
damaged entry counts as missing (dsl/syntax/cache.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.syntax.cache import cache_get, cache_key, cache_put, package_hash

CACHE_KIND = "words"
MAX_RECENT_READS = 60                           # results kept in memory
_recent: dict[str, Any] = {}


def read_cached(path: Path, read: Callable[[Path], Any]) -> Any:
    """Returns `read(path)`, or the cached result for the same file content.

    `read` must return plain data and depend on the file content only. Callers must not modify the result."""
    try:
        content = read_bytes(path)
    except OSError:
        return read(path)
    top, *rooms = read.__module__.split(".")[:-1] or [""]
    own = ["/".join(rooms)] if top == "ludoglot" else []           # package of the reader
    key = cache_key(package_hash("engine/i18n", *own), read.__module__, read.__qualname__, content)
    if key not in _recent:
        kept = cache_get(CACHE_KIND, key, ())
        if isinstance(kept, tuple) and len(kept) == 1:
            data = kept[0]
        else:
            data = read(path)
            cache_put(CACHE_KIND, key, (data,))
        while len(_recent) >= MAX_RECENT_READS:
            _recent.pop(next(iter(_recent)), None)
        _recent[key] = data
        return data
    return _recent[key]


def clear_recent_reads() -> None:
    """Clears the in-memory part of the cache."""
    _recent.clear()
