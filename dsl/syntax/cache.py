"""What was worked out before, kept in the user's cache folder. It is found again by the content of all that it was made from, never by a
time; nothing depends on it: what is odd, too old or not to be read is as if it were not there.

The folder is for its owner alone (0700). A file is written aside and renamed, so nobody reads half of one. What is read back may only be
made of the classes that the caller names: nothing is run. Each kind keeps at most MANY files; those not used for longest go first.
"""

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

MAX_FILES_PER_KIND = 300                            # files of one kind
MAX_CACHE_FILE_BYTES = 32_000_000                  # bytes of one file
CACHE_ENV = "LUDOGLOT_CACHE"                # set to `off`, nothing is kept; else the folder to use
PACKAGE_ROOT = Path(__file__).resolve().parent.parent.parent


def cache_folder() -> Path | None:
    """Where things are kept; None when nothing is to be."""
    given = os.environ.get(CACHE_ENV, "")
    if given == "off":
        return None
    if given:
        return Path(given).absolute()
    found = Path(platformdirs.user_cache_dir("ludoglot", appauthor=False))
    return found if found.is_absolute() else None                  # a relative XDG_CACHE_HOME counts as none, by its specification


def cache_key(*parts: str | bytes) -> str:
    """One key for what something was made from."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(f"{len(raw)}:".encode() + raw)
    return digest.hexdigest()


@cache
def package_hash(*rooms: str) -> str:
    """A hash of the program itself: every file below these folders of the package (`dsl/syntax`, `locale`, ...)."""
    return hash_files(path for room in rooms for path in sorted((PACKAGE_ROOT / room).rglob("*")) if path.suffix != ".pyc")


def hash_files(paths: Iterable[Path]) -> str:
    """A hash of files: their names and all that is in them. Raises OSError, also for a file that is too large to be one of a game."""
    digest = hashlib.sha256()
    for path in paths:
        if path.is_file():
            raw = read_bytes(path, MAX_CACHE_FILE_BYTES)
            digest.update(f"{path.name}\0{len(raw)}\0".encode("utf-8", "surrogatepass") + raw)
    return digest.hexdigest()


def cache_get(kind: str, key: str, allowed: Collection[Callable[..., Any]]) -> Any:
    """What was kept under this key, made of plain data and the `allowed` classes and functions; None when there is nothing."""
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
    except Exception:                                              # whatever is wrong with it, it can be made again
        return None


def cache_put(kind: str, key: str, value: Any, reducers: dict[type, Callable[[Any], Any]] | None = None) -> None:
    """Keep something, if that can be done; `reducers` say how to write what does not write itself in full."""
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
        except OSError:                                            # a full disk, for one
            Path(aside).unlink(missing_ok=True)
            raise
        _prune(room)
    except (OSError, pickle.PicklingError, RecursionError, TypeError, AttributeError):
        return


def _prune(room: Path) -> None:
    found = sorted(room.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in found[: max(0, len(found) - MAX_FILES_PER_KIND)]:
        path.unlink(missing_ok=True)


class _SafeUnpickler(pickle.Unpickler):
    """Reads only what it was told to expect."""

    def __init__(self, file: io.BytesIO, allowed: Collection[Callable[..., Any]]) -> None:
        super().__init__(file)
        self.allowed = {(one.__module__, one.__qualname__): one for one in allowed}

    def find_class(self, module: str, name: str) -> Any:
        found = self.allowed.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return found
