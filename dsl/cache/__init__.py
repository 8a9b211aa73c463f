"""A cache of computed results in the user's cache directory, keyed by content and never by time.

Keys are hashes of all inputs, including the program itself. Nothing depends on the cache: an entry that is odd,
outdated or unreadable counts as a miss.

* The directory is private to its owner (0700).
* A file is written under a temporary name and renamed, so nobody reads half a file.
* An entry can only contain classes that the caller allows. Reading it runs no other code.
* Each kind keeps at most MAX_FILES_PER_KIND files. The least recently used ones are deleted first.

`read_cached` caches what was read from a text file. Parsing the catalogues and YAML files of a large game takes 0.1
seconds, loading the cache a few milliseconds."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import tempfile
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from ..diagnostics.safe_read import read_bytes

MAX_FILES_PER_KIND = 300
MAX_CACHE_FILE_BYTES = 32_000_000
CACHE_ENV = "LUDOGLOT_CACHE"                # `off` disables the cache; otherwise its directory
TEXTS = "words"                              # kind of entries for text files
MAX_RECENT_READS = 60                           # results of reading text files kept in memory
PACKAGE_ROOT = Path(__file__).resolve().parent.parent.parent
_recent_reads: dict[str, Any] = {}


def cache_folder() -> Path | None:
    """Returns the cache directory, or None if caching is disabled."""
    given = os.environ.get(CACHE_ENV, "")
    if given == "off":
        return None
    if given:
        return Path(given).absolute()
    found = Path(platformdirs.user_cache_dir("ludoglot", appauthor=False))
    return found if found.is_absolute() else None                  # the XDG specification ignores relative paths


def cache_key(*parts: str | bytes) -> str:
    """Returns the cache key of a result from all of its inputs."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(f"{len(raw)}:".encode() + raw)
    return digest.hexdigest()


@cache
def package_hash(*rooms: str) -> str:
    """Returns a hash of the program: every file below these directories of the package (`dsl/syntax`, `locale`, ...)."""
    return hash_files(path for room in rooms for path in sorted((PACKAGE_ROOT / room).rglob("*")) if path.suffix != ".pyc")


def hash_files(paths: Iterable[Path]) -> str:
    """Returns a hash of files: their names and contents. Raises OSError, also for files above MAX_CACHE_FILE_BYTES."""
    digest = hashlib.sha256()
    for path in paths:
        if path.is_file():
            raw = read_bytes(path, MAX_CACHE_FILE_BYTES)
            digest.update(f"{path.name}\0{len(raw)}\0".encode("utf-8", "surrogatepass") + raw)
    return digest.hexdigest()


def cache_get(kind: str, key: str, allowed: Collection[Callable[..., Any]]) -> Any:
    """Returns the cached value of a key, or None.

    The value consists of plain data and the `allowed` classes and functions."""
    place = cache_folder()
    if place is None:
        return None
    path = place / kind / key
    try:
        raw = read_bytes(path, MAX_CACHE_FILE_BYTES)
        if hashlib.sha256(raw[32:]).digest() != raw[:32]:
            return None
        os.utime(path)
        return _SafeUnpickler(io.BytesIO(raw[32:]), allowed).load()
    except Exception:                                              # any damaged entry is a miss
        return None


def cache_put(kind: str, key: str, value: Any, reducers: dict[type, Callable[[Any], Any]] | None = None) -> None:
    """Stores a value under a key, if possible.

    `reducers` pickle classes whose own pickling is incomplete."""
    place = cache_folder()
    if place is None:
        return
    try:
        room = place / kind
        room.mkdir(mode=0o700, parents=True, exist_ok=True)
        out = io.BytesIO()
        pickler = pickle.Pickler(out, protocol=5)
        pickler.dispatch_table = dict(reducers or {})
        pickler.dump(value)
        raw = out.getvalue()
        if len(raw) > MAX_CACHE_FILE_BYTES:
            return
        handle, aside = tempfile.mkstemp(dir=room)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(raw).digest() + raw)
            os.replace(aside, room / key)
        except OSError:                                            # for example, the disk is full
            Path(aside).unlink(missing_ok=True)
            raise
        _prune(room)
    except (OSError, pickle.PicklingError, RecursionError, TypeError, AttributeError):
        return


def read_cached(path: Path, load: Callable[[Path], Any]) -> Any:
    """Returns `read(path)`, or the cached result for the same file content.

    `load` must return plain data and depend on the file content only. Callers must not modify the result."""
    try:
        content = read_bytes(path)
    except OSError:
        return load(path)
    top, *rooms = load.__module__.split(".")[:-1] or [""]
    own = ["/".join(rooms)] if top == "ludoglot" else []           # package of the reader
    key = cache_key(package_hash("dsl/cache", *own), load.__module__, load.__qualname__, content)
    if key not in _recent_reads:
        kept = cache_get(TEXTS, key, ())
        if isinstance(kept, tuple) and len(kept) == 1:
            data = kept[0]
        else:
            data = load(path)
            cache_put(TEXTS, key, (data,))
        while len(_recent_reads) >= MAX_RECENT_READS:
            _recent_reads.pop(next(iter(_recent_reads)), None)
        _recent_reads[key] = data
        return data
    return _recent_reads[key]


def clear_recent_reads() -> None:
    """Clears the in-memory part of the cache."""
    _recent_reads.clear()


def _prune(room: Path) -> None:
    """Deletes the least recently used files above MAX_FILES_PER_KIND, once there are a quarter more than that."""
    if len(os.listdir(room)) <= MAX_FILES_PER_KIND * 5 // 4:       # sorting by time reads each file's data
        return
    found = sorted(room.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in found[: max(0, len(found) - MAX_FILES_PER_KIND)]:
        path.unlink(missing_ok=True)


class _SafeUnpickler(pickle.Unpickler):
    """Unpickles only allowed classes and functions."""

    def __init__(self, file: io.BytesIO, allowed: Collection[Callable[..., Any]]) -> None:
        super().__init__(file)
        self.allowed = {(one.__module__, one.__qualname__): one for one in allowed}

    def find_class(self, module: str, name: str) -> Any:
        found = self.allowed.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return found
