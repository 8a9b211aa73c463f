"""Locks a file so that only one program at a time writes it.

The lock belongs to the operating system and disappears with the process, even if the process is killed.
So no stale lock can keep the next program out."""

from __future__ import annotations

import os
import sys
from typing import Any

WINDOWS_LOCK_OFFSET = 0x7FFF0000                     # locked byte beyond the end of any save, because Windows blocks readers too


def try_lock(handle: Any) -> bool:
    """Locks an open file until it is closed. Returns False if another program has the lock. On a file
    system without locks the file counts as locked."""
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
