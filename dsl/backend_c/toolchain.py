"""Compiles C to a library, with the system's C compiler or with the one that the extra `c` installs. Libraries
are cached by the content of everything that they were built from.

Failures are silent: no compiler, a compiler error, a cache folder that others may write to. The result is
then None, and Python plays the game."""

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

from ..cache import cache_folder, cache_get, cache_key, cache_put

CACHE_KIND = "c"                                                         # subfolder of the cache
PROOF_SUFFIX = ".proved"                                                  # marks a library that matches Python
COMPILE_FLAGS = ("-O2", "-std=gnu11", "-shared", "-fPIC", "-fwrapv", "-ffp-contract=off", "-fvisibility=hidden", "-fno-tree-slp-vectorize",
         "-fpeel-loops", "-w")
# Works around a bug of GCC 12. It copies constants 32 or 64 bytes at a time if the processor supports it, and
# mistakes some constants for one repeated number. Of 3, 3, 3, 0 with 64 bits each it loses the 0: a 256-bit number
# is stored without the words that its sign implies (`ix86_convert_const_wide_int_to_broadcast`). Copies of 16 bytes
# are correct. tests/c/test_processor_targets.py reproduces it in a few lines.
WORKAROUND_FLAGS = ("-mstore-max=128",)
COMPILE_TIMEOUT_S = 120
MAX_COMPILER_MEMORY_KB = 2_500_000
MAX_SOURCE_CHARS = 8_000_000                                           # ten times the size of a shipped game
COSTLY_SUFFIX = ".costly"                                                 # marks a text that takes too long to compile
LIMITED_SHELL = (
    "/bin/sh",
    "-c",
    f'ulimit -v {MAX_COMPILER_MEMORY_KB} 2>/dev/null; ulimit -t {COMPILE_TIMEOUT_S} 2>/dev/null; exec "$@"',
    "sh",
)
OUT_OF_MEMORY_SIGNS = (b"out of memory", b"memory exhausted", b"Cannot allocate memory", b"Killed", b"fatal signal")
INSTALL_COMMAND = "pip install 'ludoglot[c]'"                              # installs a compiler
COMPILING_ENV_VAR = "LUDOGLOT_C"                                                 # `off` disables compiling


def is_compiling_enabled() -> bool:
    """Whether compiling rules is enabled."""
    return os.environ.get(COMPILING_ENV_VAR) != "off"


@cache
def find_compiler() -> tuple[str, ...] | None:
    """Returns the command of the C compiler. None if there is no compiler or compiling is disabled."""
    if os.name != "posix" or not is_compiling_enabled():
        return None
    path = shutil.which("cc")
    return (path,) if path is not None and read_version((path,)) else find_ziglang_compiler()


def find_ziglang_compiler() -> tuple[str, ...] | None:
    """Returns the compiler in the Python package `ziglang` (the extra `c`), or None.

    It is called by its path. `python -m ziglang` would first look for the package in the current directory."""
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).with_name("zig")
    return (str(path), "cc") if os.access(path, os.X_OK) else None


@cache
def is_known(flag: str) -> bool:
    """Whether the compiler supports a flag."""
    command = find_compiler()
    try:
        return command is not None and subprocess.run([*command, flag, "-E", "-x", "c", os.devnull], stdin=subprocess.DEVNULL,
                                                      capture_output=True, timeout=COMPILE_TIMEOUT_S, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


@cache
def compiler_version() -> str:
    """Returns the version line of the compiler."""
    command = find_compiler()
    return read_version(command) if command is not None else ""


def read_version(command: tuple[str, ...]) -> str:
    """Returns the version line that a compiler prints, or "" if it does not work."""
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.partition("\n")[0].strip()


@cache
def processor_features() -> str:
    """Returns the feature list of this processor, or "" if it cannot be read. If it is known, code is compiled for
    exactly this processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith(("flags", "Features"))), "")


class NativeBuild:
    """Builds a library from C text, also in a thread: `stop` cancels it from another thread. If `make` is False,
    it only uses the cache."""

    def __init__(self, text: str, flags: tuple[str, ...] = COMPILE_FLAGS, make: bool = True) -> None:
        self.text, self.make = text, make
        self.flags = (*flags, *(flag for flag in WORKAROUND_FLAGS if is_known(flag)), *(("-march=native",) if processor_features() else ()))
        self.process: subprocess.Popen[bytes] | None = None
        self.stopped = self.costly = False                         # costly: needs too much time or memory

    def library(self) -> bytes | None:
        """Returns the library, built now or cached. None if it is not available."""
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
        """The cache key of the library."""
        return cache_key(self.text, *self.flags, compiler_version(), processor_features(), os.uname().machine)

    def is_proved(self) -> bool:
        """Whether this library was already compared with Python and behaved the same."""
        return is_cache_private() and cache_get(CACHE_KIND, self.key + PROOF_SUFFIX, ()) == self.key

    def note_proof(self) -> None:
        """Records that the library behaves the same as Python."""
        cache_put(CACHE_KIND, self.key + PROOF_SUFFIX, self.key)

    def run_compiler(self, command: tuple[str, ...]) -> bytes | None:
        """Runs the compiler and returns the library. None if compiling fails."""
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
        """Cancels the build."""
        self.stopped = True
        self.kill_compiler()

    def kill_compiler(self) -> None:
        """Kills the compiler with all its child processes."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def is_out_of_memory(output: bytes) -> bool:
    """Whether the output of a failed compiler indicates too little memory or time."""
    return any(sign in output for sign in OUT_OF_MEMORY_SIGNS)


def has_cached_library() -> bool:
    """Whether the cache contains any library."""
    place = cache_folder()
    return place is not None and is_cache_private() and any((place / CACHE_KIND).iterdir())


def is_cache_private() -> bool:
    """Whether only this user may write to the cache folder. It contains code that will be executed."""
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
