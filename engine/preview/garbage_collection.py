"""A pause of Python's garbage collection while previews are computed."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_pauses = 0                                     # running pauses, of all threads
_was_enabled = True                             # before the first of them


@contextmanager
def pause_collection() -> Iterator[None]:
    """Pauses the garbage collection until the block ends.

    A lookahead creates hundreds of thousands of objects, nearly all without cycles. A full collection meanwhile visits all objects
    of the program, and takes longer than the lookahead itself."""
    global _pauses, _was_enabled
    with _lock:
        if not _pauses:
            _was_enabled = gc.isenabled()
        _pauses += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _was_enabled and not _pauses:
                gc.enable()
