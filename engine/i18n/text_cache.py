"""What was read from a file, kept in the user's cache folder for as long as the file says the same.

Parsing the catalogues and the YAML of a large game takes a tenth of a second, the copy a few milliseconds. A copy is found by the content
of the file and of the program that reads it, and holds plain data; what is odd about it is as if it were not there (dsl/syntax/cache.py).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.syntax.cache import cache_get, cache_key, cache_put, package_hash

CACHE_KIND = "words"
MAX_RECENT_READS = 60                           # of what was read last is at hand in memory
_recent: dict[str, Any] = {}


def read_cached(path: Path, read: Callable[[Path], Any]) -> Any:
    """`read(path)`, or what it gave for the same content before. `read` must return plain data, and depend on the file's content alone;
    nobody may change what it gave."""
    try:
        content = read_bytes(path)
    except OSError:
        return read(path)
    top, *rooms = read.__module__.split(".")[:-1] or [""]
    own = ["/".join(rooms)] if top == "ludoglot" else []           # where the reader itself stands
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
    """Have nothing at hand in memory, as when the program begins."""
    _recent.clear()
