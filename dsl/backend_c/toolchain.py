"""C text to a library, by the C compiler of the machine, else by the one that the extra `c` installs beside Python. What was built is
kept by the content of all that it was made from.

Nobody hears of what does not work: no compiler, one that refuses, a folder that others may write to. There is None then, and the game is
played in Python.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import stat
import subprocess
import tempfile
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

from ..syntax.cache import cache_folder, cache_get, cache_key, cache_put

CACHE_KIND = "c"                                                         # the room in the cache folder
PROOF_SUFFIX = ".proved"                                                  # behind the name of a library: that it does what Python does
COMPILE_FLAGS = ("-O2", "-std=gnu11", "-shared", "-fPIC", "-fwrapv", "-ffp-contract=off", "-fvisibility=hidden", "-fno-tree-slp-vectorize",
         "-fpeel-loops", "-w")
# GCC 12 copies constants 32 or 64 bytes at a time where a processor can, and takes some for one number repeated that are not: of 3, 3, 3, 0
# in 64 bits each it forgets the last, since a number of 256 bits is kept without what its sign tells
# (`ix86_convert_const_wide_int_to_broadcast`). Copied 16 bytes at a time all is well. tests/c/test_targets.py has it in few lines.
WORKAROUND_FLAGS = ("-mstore-max=128",)
COMPILE_TIMEOUT_S = 120                                                         # seconds that a compiler may take
MAX_COMPILER_MEMORY_KB = 2_500_000                                                 # kilobytes that it may take
MAX_SOURCE_CHARS = 8_000_000                                           # characters that it is asked to compile: ten shipped games
COSTLY_SUFFIX = ".costly"                                                 # behind the name of a library: it cannot be made so
LIMITED_SHELL = (
    "/bin/sh",
    "-c",
    f'ulimit -v {MAX_COMPILER_MEMORY_KB} 2>/dev/null; ulimit -t {COMPILE_TIMEOUT_S} 2>/dev/null; exec "$@"',
    "sh",
)
OUT_OF_MEMORY_SIGNS = (b"out of memory", b"memory exhausted", b"Cannot allocate memory", b"Killed", b"fatal signal")
INSTALL_COMMAND = "pip install 'ludoglot[c]'"                              # brings a compiler where there is none
C_ENV = "LUDOGLOT_C"                                                 # set to `off`, nothing is compiled


def is_compiling_enabled() -> bool:
    """Whether rules may be compiled."""
    return os.environ.get(C_ENV) != "off"


@cache
def find_compiler() -> tuple[str, ...] | None:
    """The command of the C compiler; None where there is none, or none is wanted."""
    if os.name != "posix" or not is_compiling_enabled():
        return None
    path = shutil.which("cc")
    return (path,) if path is not None and read_version((path,)) else find_ziglang_compiler()


def find_ziglang_compiler() -> tuple[str, ...] | None:
    """The compiler in Python's package `ziglang` (the extra `c`). Its program is called by its path: `python -m ziglang` would look for
    the package in the folder where somebody plays, first of all."""
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).with_name("zig")
    return (str(path), "cc") if os.access(path, os.X_OK) else None


@cache
def is_known(flag: str) -> bool:
    """Whether the compiler knows a flag."""
    command = find_compiler()
    try:
        return command is not None and subprocess.run([*command, flag, "-E", "-x", "c", os.devnull], stdin=subprocess.DEVNULL,
                                                      capture_output=True, timeout=COMPILE_TIMEOUT_S, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


@cache
def compiler_version() -> str:
    """What the compiler says that it is."""
    command = find_compiler()
    return read_version(command) if command is not None else ""


def read_version(command: tuple[str, ...]) -> str:
    """What a compiler calls itself; nothing of one that does not work."""
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.partition("\n")[0].strip()


@cache
def processor_features() -> str:
    """What this processor can do, where that can be read: then code is made for it alone."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith(("flags", "Features"))), "")


class NativeBuild:
    """A library that is made of a C text, in a thread of its own if that is wanted: `stop` ends it from another. Not `make`: only one
    that was made before."""

    def __init__(self, text: str, flags: tuple[str, ...] = COMPILE_FLAGS, make: bool = True) -> None:
        self.text, self.make = text, make
        self.flags = (*flags, *(flag for flag in WORKAROUND_FLAGS if is_known(flag)), *(("-march=native",) if processor_features() else ()))
        self.process: subprocess.Popen[bytes] | None = None
        self.stopped = self.costly = False                         # costly: the compiler would take too much time or memory

    def library(self) -> bytes | None:
        """The library, made now or before; None where there is no way to it."""
        command = find_compiler()
        if command is None:
            return None
        found = cache_get(CACHE_KIND, self.key, ()) if is_cache_private() else None
        if isinstance(found, bytes) or not self.make:
            return found if isinstance(found, bytes) else None
        self.costly = (
            len(self.text) > MAX_SOURCE_CHARS or is_cache_private() and cache_get(CACHE_KIND, self.key + COSTLY_SUFFIX, ()) == self.key
        )
        made = None if self.costly else self.run_compiler(command)
        if made is not None:
            cache_put(CACHE_KIND, self.key, made)
        elif self.costly and not self.stopped:
            cache_put(CACHE_KIND, self.key + COSTLY_SUFFIX, self.key)
        return made

    @cached_property
    def key(self) -> str:
        """What the library is called where it is kept."""
        return cache_key(self.text, *self.flags, compiler_version(), processor_features(), os.uname().machine)

    def is_proved(self) -> bool:
        """Whether this library was compared with Python before, and did the same."""
        return is_cache_private() and cache_get(CACHE_KIND, self.key + PROOF_SUFFIX, ()) == self.key

    def note_proof(self) -> None:
        """Remember that it does the same as Python."""
        cache_put(CACHE_KIND, self.key + PROOF_SUFFIX, self.key)

    def run_compiler(self, command: tuple[str, ...]) -> bytes | None:
        """The library as this compiler makes it; None where it cannot."""
        try:
            with tempfile.TemporaryDirectory(prefix="ludoglot-") as room:
                source, out = Path(room) / "game.c", Path(room) / "game.so"
                source.write_text(self.text, encoding="utf-8")
                with (open(Path(room) / "said", "w+b") as said,
                      subprocess.Popen([*LIMITED_SHELL, *command, *self.flags, "-o", str(out), str(source)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=said, start_new_session=True,
                                       env={name: text for name, text in os.environ.items() if name != "LD_PRELOAD"}) as self.process):
                    if self.stopped:
                        self.kill_compiler()
                    try:
                        done = self.process.wait(COMPILE_TIMEOUT_S)
                    except subprocess.TimeoutExpired:
                        self.kill_compiler()
                        self.costly = True
                        return None
                    said.seek(0)
                    self.costly = done < 0 or done != 0 and is_out_of_memory(said.read(10_000))
                return out.read_bytes() if done == 0 else None
        except OSError:
            return None

    def stop(self) -> None:
        """Nobody wants it any more."""
        self.stopped = True
        self.kill_compiler()

    def kill_compiler(self) -> None:
        """The compiler ends, with all programs that it started."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def is_out_of_memory(said: bytes) -> bool:
    """Whether a compiler that failed says that it had too little memory or time."""
    return any(sign in said for sign in OUT_OF_MEMORY_SIGNS)


def has_cached_library() -> bool:
    """Whether any library was made before."""
    place = cache_folder()
    return place is not None and is_cache_private() and any((place / CACHE_KIND).iterdir())


def is_cache_private() -> bool:
    """Whether nobody else may write what lies in the cache folder: code is read from there."""
    place = cache_folder()
    if place is None:
        return False
    for one in (place, place / CACHE_KIND):
        try:
            found = one.stat()
        except OSError:
            return False
        if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o022:
            return False
    return True
