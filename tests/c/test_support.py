"""Checks each C support function of compiled rules against the same operation in Python."""

from __future__ import annotations

import ctypes
import random

import pytest
from ludoglot.dsl.backend_c.ffi import load_library
from ludoglot.dsl.backend_c.program import read_header
from ludoglot.dsl.backend_c.toolchain import NativeBuild, find_compiler

DIVISORS = (1, 2, 3, 7, 64, 100, -1, -2, -3)
DEFINED_NAMES = ("LG_WORDS", "LG_LONGEST", "LG_SUBSETS", "LG_BUDGET", "LG_SMALL")


@pytest.fixture(scope="module", params=["as it is", "four one by one"])
def library(request):
    assert find_compiler() is not None, "these tests need a C compiler, called cc"
    heads = [f"#define {name} {value}" for name, value in zip(DEFINED_NAMES, (1, 1 << 20, 1 << 10, 1 << 30, 1))]
    cases = [f"case {n}: out[0] = lg_div(&x, a, {by}), out[1] = lg_mod(&x, a, {by}); break;" for n, by in enumerate(DIVISORS)]
    text = "\n".join([
        *heads, read_header("support.h"),
        "#define LG_EXPORT __attribute__((visibility(\"default\")))",
        "LG_EXPORT void divided(i64 a, i64 by, i64 *out) { lg_x x = { 0 }; switch (by) {", *cases, "} }",
        "LG_EXPORT i64 pushed(u64 one, u64 two, i64 base, i64 *out) { static char room[1 << 16]; lg_x x = { 0 };",
        "x.room = (char *)(((uintptr_t)room + 15) & ~(uintptr_t)15), x.end = room + sizeof room; t_qw q = lg_roomy(&x);",
        "lg_push_members(&x, &q, base, one); lg_push_members(&x, &q, base + 64, two);",
        "memcpy(out, q.v, q.n * sizeof *out); return q.n; }",
        "LG_EXPORT int within(const u64 *sets, i64 count, u64 whole) { return lg_within_one(sets, count, whole); }",
    ])
    if request.param != "as it is":
        text = f"#undef __AVX512VBMI2__\n{text}"
    code = NativeBuild(text).library()
    assert code is not None
    found = load_library(code)
    found.pushed.restype = ctypes.c_int64
    return found


def to_c_array(values):
    """Returns numbers as C arrays. Keep a reference as long as C reads the arrays."""
    return (ctypes.c_uint64 * len(values))(*values)


def test_division_rounds_down_for_all_signs(library):
    out = (ctypes.c_int64 * 2)()
    for a in [*range(-130, 131), 1 << 62, -(1 << 63), (1 << 63) - 1]:
        for n, by in enumerate(DIVISORS):
            if (a, by) != (-(1 << 63), -1):
                library.divided(ctypes.c_int64(a), ctypes.c_int64(n), out)
                assert tuple(out) == divmod(a, by), (a, by)


def test_members_of_sets_of_any_size_are_in_order(library):
    rng = random.Random(3)
    out = (ctypes.c_int64 * 128)()
    for size in range(65):
        bits = sorted(rng.sample(range(64), size))
        other = sorted(rng.sample(range(64), rng.randrange(8)))
        one, two = (sum(1 << n for n in some) for some in (bits, other))
        count = library.pushed(ctypes.c_uint64(one), ctypes.c_uint64(two), ctypes.c_int64(640), out)
        assert out[:count] == [640 + n for n in bits] + [704 + n for n in other]


def test_subset_search_matches_python(library):
    rng = random.Random(4)
    seen = set()
    for _ in range(300):
        sets = [sum(1 << rng.randrange(64) for _ in range(3)) & (1 << 64) - 1 for _ in range(4 * rng.randrange(1, 6))]
        whole = rng.getrandbits(64) | rng.getrandbits(64)
        found = bool(library.within(to_c_array(sets), ctypes.c_int64(len(sets)), ctypes.c_uint64(whole)))
        assert found == any(one & whole == one for one in sets)
        seen.add(found)
    assert seen == {False, True}
