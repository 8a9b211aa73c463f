"""Checks that games are the same on every processor target, and that a library with differences is never used.

Compilers generate different code for different processors.
"""

from __future__ import annotations

import ctypes
import os
import platform
import random
import subprocess
from functools import cache

import pytest
from c_comparison import GAMES, HEAVY, compare_random_game, compile_game
from ludoglot.dsl.backend_c import toolchain
from ludoglot.dsl.backend_c.ffi import NativeContext, build_library, load_library
from ludoglot.dsl.backend_c.program import CProgram
from ludoglot.dsl.backend_c.toolchain import COMPILE_FLAGS, WORKAROUND_FLAGS, NativeBuild, find_compiler, is_known
from ludoglot.engine.bots import native as natives
from ludoglot.engine.bots import selftest
from ludoglot.engine.bots.native import NativeGame
from shared_games import shared

TARGETS = ("native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "haswell", "skylake-avx512", "icelake-client", "rocketlake")
IGNORED_MACROS = {"__PKU__", "__SGX__"}                            # never used by a compiler automatically
SMALL_GAMES = ("orchard-floor", "oware", "yacht")                  # tried with every target
needs_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="these targets are for x86-64 processors")


@cache
def get_target_macros(target: str) -> frozenset[str] | None:
    """Returns the macros that a compiler defines for the instructions of a target, or None if the compiler does not know the target."""
    command = find_compiler()
    assert command is not None, "these tests need a C compiler, called cc"
    done = subprocess.run([*command, f"-march={target}", "-dM", "-E", "-x", "c", os.devnull], capture_output=True, text=True, check=False)
    return frozenset(line.split()[1] for line in done.stdout.splitlines()) if done.returncode == 0 else None


@cache
def can_run_target(target: str) -> bool:
    """Whether this processor can run code for a target."""
    wanted, here = get_target_macros(target), get_target_macros("native")
    return wanted is not None and here is not None and {name for name in wanted - here if name.isupper()} <= IGNORED_MACROS


@pytest.fixture
def any_target(monkeypatch):
    """Compiles for the target in the flags instead of this processor."""
    monkeypatch.setattr(toolchain, "processor_features", lambda: "")


def random_tables(rng: random.Random) -> list[list[int]]:
    """Returns lists of nearly equal numbers."""
    found = [[3, 3, 3, 0], [6, 3, 3, 3, 3, 3, 3, 0], [-5, -5, -5, -1]]
    for _ in range(60):
        value, end, size = rng.choice([3, -5, 1, -1, 255, 1 << 40]), rng.choice([0, -1]), rng.choice([2, 4, 6, 8, 12, 16])
        same = rng.randrange(1, size + 1)
        found.append([rng.choice([value, 9]) if not n else value if n < same else end for n in range(size)])
    return found


@pytest.mark.long
@needs_x86
@pytest.mark.parametrize("target", TARGETS)
def test_constants_are_copied_unchanged(target, any_target):
    """Covers a bug of GCC 12: it copied 3, 3, 3, 0 as 3, 3, 3, 3 if a processor can copy 32 bytes at once."""
    if not can_run_target(target):
        pytest.skip("this processor cannot run the target")
    every = random_tables(random.Random(1))
    text = ['#include <string.h>', '#define LG_EXPORT __attribute__((visibility("default")))']
    for n, one in enumerate(every):
        text += [f"static const long long t{n}[] = {{ {', '.join(f'{value}LL' for value in one)} }};",
                 f"LG_EXPORT void lg_copy{n}(long long *out) {{ memcpy(out, t{n}, sizeof t{n}); }}",
                 f"LG_EXPORT void lg_loop{n}(long long *out) {{ for (int n = 0; n < {len(one)}; n++) out[n] = t{n}[n]; }}"]
    code = NativeBuild("\n".join(text) + "\n", (*COMPILE_FLAGS, f"-march={target}")).library()
    assert code is not None
    found = load_library(code)
    for n, one in enumerate(every):
        for way in ("copy", "loop"):
            out = (ctypes.c_int64 * len(one))()
            getattr(found, f"lg_{way}{n}")(out)
            assert list(out) == one, way


def test_unknown_compiler_flags_are_left_out():
    assert not is_known("-mno-such-flag-at-all")
    assert not set(NativeBuild("int x;").flags) & {flag for flag in WORKAROUND_FLAGS if not is_known(flag)}


def game_target_pairs() -> list[tuple[str, str]]:
    """Returns pairs of a game and a target: small games with every target, heavy games with two, the others with one."""
    wide = TARGETS[::-1]
    found = [(name, target) for name in SMALL_GAMES for target in TARGETS]
    found += [(name, wide[n % len(wide)]) for n, name in enumerate(sorted(set(GAMES) - HEAVY - set(SMALL_GAMES)))]
    return found + [(name, target) for name in sorted(HEAVY) for target in ("rocketlake", "x86-64-v3")]


@needs_x86
@pytest.mark.long
@pytest.mark.parametrize(("name", "target"), game_target_pairs())
def test_games_match_python_on_every_target(name, target, any_target):
    if not can_run_target(target):
        pytest.skip("this processor cannot run the target")
    game = shared(GAMES[name])
    program = CProgram(game.module.machine, game.players)
    library = build_library(NativeBuild(program.write(), (*COMPILE_FLAGS, f"-march={target}")), program)
    assert library is not None
    c = NativeContext(library)
    assert [compare_random_game(game, c, seed, 40 if name in HEAVY else 150)[0] for seed in range(2)] == [None, None]


@pytest.fixture
def wrong_library(monkeypatch, tmp_path):
    """Compiles dice differently from the rules, with an empty cache."""
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "mine"))
    write, dice = CProgram.write, "0x9E3779B97F4A7C15ULL;\n    z = "
    monkeypatch.setattr(CProgram, "write", lambda self, more=(): write(self, more).replace(dice, "5;\n    z = "))


@pytest.mark.long
def test_a_library_that_plays_differently_is_not_used(wrong_library):
    native = NativeGame(shared(GAMES["yacht"]))
    native.wait()
    assert native.found is None and native.hindrance == "differs"
    assert native.building is not None and not native.building.is_proved()


@pytest.mark.long
def test_a_library_with_different_bots_is_not_used(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "mine"))
    monkeypatch.setitem(natives.C_DEFINES, "LG_GREEDY_BASE_STEPS", natives.C_DEFINES["LG_GREEDY_BASE_STEPS"] // 2)
    native = NativeGame(shared(GAMES["connect-four"]))
    native.wait()
    assert native.found is None and native.hindrance == "differs"


@pytest.mark.long
def test_a_library_is_verified_once_per_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "mine"))
    game = shared(GAMES["tic-tac-toe"])
    tried = []
    compare = selftest.find_difference
    monkeypatch.setattr(selftest, "find_difference", lambda *args: tried.append(1) or compare(*args))
    for _ in range(2):
        native = NativeGame(game)
        native.wait()
        assert native.found is not None
    assert tried == [1]
    monkeypatch.setattr(toolchain, "compiler_version", lambda: "another compiler")
    native = NativeGame(game)
    native.wait()
    assert native.found is not None and tried == [1, 1]


@pytest.mark.long
def test_a_fault_only_in_c_is_a_difference():
    game = shared(GAMES["oware"])
    c = compile_game(game)

    class FaultingContext(NativeContext):
        def step(self, code):
            raise selftest.NativeError("-5")
    odd = FaultingContext(c.library)
    wrong, _ = selftest.compare_random_game(game, odd, 0, 5)
    assert wrong is not None and "None in Python, -5 in C" in wrong
