"""Checks perft in C: the same counts as in Python and in publications, and the same errors."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from ludoglot.dsl.backend_c.toolchain import find_compiler
from ludoglot.engine.testing import native_perft
from ludoglot.engine.testing.native_perft import NativePerft, NativeRules, count_perft_fast
from ludoglot.engine.testing.perft import UnscriptedChanceError, count_perft
from shared_games import shared

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
# Published counts, by game and unit of depth.
PUBLISHED = {
    ("tic-tac-toe", "decision"): [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    ("connect-four", "decision"): [7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
    ("reversi", "decision"): [4, 12, 56, 244, 1396, 8200, 55092],
    ("english-draughts", "turn"): [7, 49, 302, 1469, 7361, 36768, 179740, 845931],
    ("international-draughts", "turn"): [9, 81, 658, 4265, 27117],
    ("chess", "decision"): [20, 400, 8902, 197281, 4865609],
}


def track(tasks):
    return nullcontext(lambda done: None)


def get_native_rules(name):
    native = NativeRules(shared(name, 2)).get_native(native_perft.MIN_COMPILED_LINES)
    assert native is not None
    return native


def check_published(name, unit):
    counts = count_perft_fast(shared(name, 2).start(1), len(PUBLISHED[name, unit]), unit == "turn", NativeRules(shared(name, 2)), track)
    assert [count.lines for count in counts] == PUBLISHED[name, unit]


def test_published_numbers_of_a_small_game():
    check_published("tic-tac-toe", "decision")


@pytest.mark.long
@pytest.mark.parametrize("name, unit", [key for key in PUBLISHED if key[0] != "tic-tac-toe"])
def test_published_numbers(name, unit):
    check_published(name, unit)


@pytest.mark.long
@pytest.mark.parametrize("name, turns", [
    *((name, False) for name in ("breakthrough", "kalah", "oware", "nine-mens-morris", "amazons", "hex", "trias")),
    *((name, True) for name in ("kalah", "oware", "nine-mens-morris")),
])
def test_counts_match_python(name, turns):
    position, native, depth = shared(name, 2).start(1), get_native_rules(name), 2
    assert [NativePerft(position, native, turns).count(n, track) for n in range(1, depth + 1)] == \
        [count.lines for count in count_perft(position, depth, turns)]


def test_chance_at_the_last_decision_is_refused(monkeypatch):
    """In backgammon, dice are rolled after a turn, so only a count with a script can be correct."""
    monkeypatch.setattr(native_perft, "MIN_NATIVE_LINES", 1)
    with pytest.raises(UnscriptedChanceError):
        list(count_perft_fast(shared("backgammon", 2).start(1), 3, True, NativeRules(shared("backgammon", 2)), track))


def test_an_interrupted_count_stops_at_once():
    counting = NativePerft(shared("tic-tac-toe", 2).start(1), get_native_rules("tic-tac-toe"), False)
    counting.stop[0] = 1
    assert counting.count(9, track) == 0
