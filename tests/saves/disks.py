"""A simulated file system that can fail or lose power at any call.

It records which calls have reached the disk (`sync`, `sync_folder`). After a power cut, the disk may contain any number of the later
calls, and only half of the last one."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from pathlib import Path


class PowerCut(BaseException):
    """The machine has lost power."""


@dataclass(eq=False)
class Inode:
    """A file: its content on the disk, and the calls since then."""

    disk: bytes = b""
    calls: list[tuple[str, object]] = field(default_factory=list)
    locked: bool = False

    def after(self, count: int, torn: int | None = None) -> bytes:
        """Returns the content if `count` calls have reached the disk, the last one with only `torn` bytes."""
        held = self.disk
        for n, (call, what) in enumerate(self.calls[:count], start=1):
            part = what if torn is None or n < count or call == "cut" else what[:torn]
            held = held[:part] if call == "cut" else held + part
        return held

    @property
    def now(self) -> bytes:
        return self.after(len(self.calls))


class Handle:
    def __init__(self, disk: SimDisk, inode: Inode) -> None:
        self.disk, self.inode, self.mine = disk, inode, False

    def try_lock(self):
        if self.inode.locked:
            return False
        self.inode.locked = self.mine = True
        return True

    def read(self):
        return self.inode.now

    def size(self):
        return len(self.inode.now)

    def write(self, raw):
        count = self.disk.call("write")
        if count:                                                  # it fails after it has written a part
            self.inode.calls.append(("write", raw[: len(raw) // 2]))
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.inode.calls.append(("write", raw))
        self.disk.done()
        return len(raw)

    def truncate(self, end):
        self.disk.may_fail("cut")
        self.inode.calls.append(("cut", end))
        self.disk.done()

    def sync(self):
        self.disk.may_fail("sync")
        self.inode.disk, self.inode.calls = self.inode.now, []
        self.disk.done()

    def is_at(self, path):
        return self.disk.names.get(path) is self.inode

    def close(self):
        if self.mine:
            self.inode.locked = False


class SimDisk:
    """A disk that can fail or stop. `fail` is the number of the call that fails.

    `stop` is the number of the call at which the power goes: before the call, or right after it with `late`."""

    def __init__(self, fail: int = 0, stop: int = 0, late: bool = False) -> None:
        self.fail, self.stop, self.late = fail, stop, late
        self.count = 0
        self.names: dict[Path, Inode] = {}
        self.durable: dict[Path, Inode] = {}
        self.kinds: list[str] = []

    def call(self, kind: str) -> bool:
        """Counts one call. Returns whether it fails."""
        self.count += 1
        self.kinds.append(kind)
        if self.count == self.stop and not self.late:
            raise PowerCut
        return self.count == self.fail

    def done(self) -> None:
        if self.count == self.stop and self.late:
            raise PowerCut

    def may_fail(self, kind: str) -> None:
        if self.call(kind):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    # ------------------------------------------------------------ the interface of Disk

    def open(self, path, new=False):
        self.may_fail("open")
        if path not in self.names:
            if not new:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            self.names[path] = Inode()
        self.done()
        return Handle(self, self.names[path])

    def exists(self, path):
        return path in self.names

    def read(self, path):
        if path not in self.names:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return self.names[path].now

    def make_folder(self, path):
        self.may_fail("mkdir")
        self.done()

    def rename(self, old, new):
        self.may_fail("rename")
        self.names[new] = self.names.pop(old)
        self.done()

    def remove(self, path):
        self.may_fail("remove")
        self.names.pop(path, None)
        self.done()

    def sync_folder(self, folder):
        if self.call("sync_folder"):
            return                                                 # as on a real disk: the system writes the rest later
        self.durable = dict(self.names)
        self.done()

    # ------------------------------------------------------------ after a power cut

    def worlds(self):
        """Yields every possible state of the disk: names as synced or as current, contents cut anywhere."""
        for names in (self.durable, self.names):
            for inode in set(names.values()):
                for count in range(len(inode.calls) + 1):
                    last = inode.calls[count - 1] if count else None
                    sizes = {None, *((0, 1, len(last[1]) // 2, len(last[1]) - 1) if last and last[0] == "write" else ())}
                    for torn in sizes:
                        yield {path: found.after(count, torn) if found is inode else found.now for path, found in names.items()}
