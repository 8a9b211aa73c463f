"""One program at a time writes a file. The lock is the system's own and goes with the process, also with one that is killed: nothing is
left behind that could keep the next one out."""

from __future__ import annotations

import os
import sys
from typing import Any

WINDOWS_LOCK_OFFSET = 0x7FFF0000                     # Windows locks bytes, for readers too: one that no file of ours reaches


def try_lock(handle: Any) -> bool:
    """Lock an open file until it is closed; False when somebody else has it. Where a file system knows no locks it counts as locked."""
    if sys.platform == "win32":
        import msvcrt
        at = os.lseek(handle.fileno(), 0, os.SEEK_CUR)
        os.lseek(handle.fileno(), WINDOWS_LOCK_OFFSET, os.SEEK_SET)
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle.fileno(), at, os.SEEK_SET)
    else:
        import fcntl
        try:
            fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
    return True
