"""Checks searches in several threads, and searches while people think."""

from __future__ import annotations

import random
import threading
from array import array
from typing import Any

import pytest
from c_comparison import GAMES, compile_game
from ludoglot.dsl.backend_c.ffi import NativeError
from ludoglot.dsl.backend_c.toolchain import find_compiler
from ludoglot.engine.bots import parallel_search, pondering
from ludoglot.engine.bots.greedy import BOTS
from ludoglot.engine.bots.native import NativeBots
from ludoglot.engine.bots.parallel_search import ParallelSearch, count_search_threads
from ludoglot.engine.bots.pondering import Ponderer
from ludoglot.engine.bots.search_tree import OptionStats, merge_option_stats
from ludoglot.engine.bots.table_bots import TableBots
from ludoglot.engine.position.determinize import determinize_position
from shared_games import shared

NEVER = 3600.0                                                     # seconds: a test that waits for them hangs


@pytest.fixture(autouse=True)
def require_compiler() -> None:
    assert find_compiler() is not None, "these tests need a C compiler, called cc"


def make_row(code: int, playouts: int, low: int = 0, high: int = 2, winning: bool = False) -> OptionStats:
    return OptionStats(code, playouts, playouts, 0.5, 1.0, winning, low, high)


def test_playouts_of_all_searches_are_added():
    merged = merge_option_stats([[make_row(1, 60), make_row(2, 40)], [make_row(2, 90), make_row(1, 10)]])
    assert [(row.code, row.playouts) for row in merged] == [(2, 130), (1, 70)]
    assert all((row.share, row.lead) == (0.5, 1.0) for row in merged)


def test_what_one_search_has_proven_is_certain():
    """A defeat that one search has proven is not chosen, and a win is, however often the others tried something else."""
    merged = merge_option_stats([[make_row(1, 60), make_row(2, 40)], [make_row(2, 50), make_row(1, 20, high=0)]])
    assert [row.code for row in merged] == [2, 1]
    merged = merge_option_stats([[make_row(1, 60), make_row(2, 4)], [make_row(2, 5, low=2, winning=True), make_row(1, 20)]])
    assert merged[0].code == 2 and merged[0].winning


def test_a_win_in_the_worlds_of_one_search_is_not_certain():
    merged = merge_option_stats([[make_row(1, 60), make_row(2, 4)], [make_row(2, 5, winning=True), make_row(1, 20)]])
    assert merged[0].code == 1 and not merged[1].winning


class FakeContext:
    """A native context that answers when another thread stops it, or without a search."""

    def __init__(self, rows: list[OptionStats], waits: bool = False, error: Exception | None = None) -> None:
        self.rows, self.waits, self.error = rows, waits, error
        self.generator: list[object] = []

    def weigh(self, position: Any, work: int, rng: random.Random, seconds: float, stop: array[int]) -> list[OptionStats]:
        self.generator.append(rng.random())
        while self.waits and not stop[0]:
            threading.Event().wait(0.001)
        if self.error is not None:
            raise self.error
        return self.rows


def search_with(*contexts: FakeContext) -> list[OptionStats]:
    return ParallelSearch(contexts).weigh(None, 100, random.Random(1), NEVER)  # type: ignore[arg-type]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("first", [0, 1])
def test_a_proof_ends_all_searches(first):
    """Only the first or the second thread proves something. The other would wait for ever."""
    contexts = [FakeContext([make_row(1, 9)], waits=True), FakeContext([make_row(1, 3, low=2)])]
    assert search_with(*(contexts if first else contexts[::-1]))[0].playouts == 12


def test_threads_use_different_generators_and_one_may_fail():
    contexts = [FakeContext([make_row(1, 9)]), FakeContext([make_row(1, 3)]), FakeContext([], error=NativeError("no room"))]
    assert search_with(*contexts)[0].playouts == 12
    assert len({context.generator[0] for context in contexts}) == 3


def test_a_failure_in_the_first_thread_is_reported_after_the_others_have_ended():
    contexts = [FakeContext([], error=NativeError("-5")), FakeContext([make_row(1, 3)], waits=True)]
    with pytest.raises(NativeError):
        search_with(*contexts)
    assert threading.active_count() == 1 or all("help_search" not in thread.name for thread in threading.enumerate())


def test_one_search_is_enough_if_no_thread_can_start(monkeypatch):
    def fail(thread):
        raise RuntimeError("can't start new thread")
    monkeypatch.setattr(threading.Thread, "start", fail)
    assert search_with(FakeContext([make_row(1, 9)]), FakeContext([make_row(1, 3)]))[0].playouts == 9


@pytest.mark.timeout(60)
def test_a_search_in_c_ends_when_it_is_told_to():
    game = shared(GAMES["connect-four"])
    rows = compile_game(game).weigh(game.start(1), 1 << 60, random.Random(1), NEVER, array("q", [1]))
    assert len(rows) == 7


def make_table(threads: int = 2, seconds: float = 0.01, name: str = "connect-four", **more: Any) -> TableBots:
    table = TableBots(shared(GAMES[name]), ["hard"], True, seconds, threads=threads, **more)
    assert table.native is not None
    table.native.wait()
    return table


def test_hard_at_the_table_searches_in_all_threads(monkeypatch):
    searched: set[int] = set()
    weigh = NativeBots.weigh
    monkeypatch.setattr(NativeBots, "weigh", lambda context, *given: (searched.add(id(context)), weigh(context, *given))[1])
    table, position = make_table(3), shared(GAMES["connect-four"]).start(1)
    assert table.choose("hard", position, 0, random.Random(1)) in position.decision.codes
    assert len(searched) == 3
    searched.clear()
    assert table.choose("easy", position, 0, random.Random(1)) == BOTS["easy"](position, 0, random.Random(1)) and not searched


def test_bots_without_people_use_one_thread_and_repeat_their_choice():
    game = shared(GAMES["connect-four"])
    table = TableBots(game, ["hard"], people=False, threads=4)
    assert table.native is not None
    table.native.wait()
    choices = {table.choose("hard", game.start(1), 0, random.Random(7)) for _ in range(2)}
    assert len(choices) == 1 and table.native.parallel is None


def test_the_number_of_threads_has_bounds(monkeypatch):
    monkeypatch.setattr(parallel_search.os, "sched_getaffinity", lambda process: range(64), raising=False)
    assert count_search_threads() == parallel_search.MAX_SEARCH_THREADS
    monkeypatch.setattr(parallel_search.os, "sched_getaffinity", lambda process: range(2), raising=False)
    assert (count_search_threads(), count_search_threads(spare=1)) == (2, 1)
    monkeypatch.setattr(parallel_search.os, "sched_getaffinity", lambda process: range(1), raising=False)
    assert count_search_threads(spare=1) == 1


# ---------------------------------------------------------------- pondering


def ponder(table: TableBots, position: Any, until: Any) -> Ponderer:
    """Ponders until a condition holds, and returns the ponderer after it has stopped."""
    with table.pondering(position):
        found = table.ponderer
        assert found is not None and found.thread is not None
        while found.thread.is_alive() and not until(found):
            found.thread.join(0.01)
    found.thread.join()
    return found


@pytest.mark.timeout(60)
def test_the_search_of_an_expected_reply_is_used_for_the_reply(monkeypatch):
    monkeypatch.setattr(pondering, "FIRST_SEARCH_SECONDS", 0.001)
    table, position = make_table(pondering_seats=[1]), shared(GAMES["connect-four"]).start(1)
    before = position.s.copy()
    found = ponder(table, position, lambda found: found.decision is not None and len(found.decision.after) == 7)
    assert position.s == before
    for code in position.decision.codes:
        after = position.copy()
        after.step(code)
        known = found.find_stats(after, 1)
        assert known is not None and {row.code for row in known} == set(after.decision.codes)
    # The bot adds these playouts to those of its own search.
    monkeypatch.setattr(table, "native", type("Native", (), {"made_now": True, "weigh": lambda *given: [
        make_row(row.code, 1) for row in reversed(known)]})())
    assert table.choose("hard", after, 1, random.Random(1)) == known[0].code


@pytest.mark.timeout(60)
def test_pondering_stops_when_the_question_is_left(monkeypatch):
    """Each search would take an hour. It stops at an answer and at an interrupt."""
    monkeypatch.setattr(pondering, "FIRST_SEARCH_SECONDS", NEVER)
    table, position = make_table(pondering_seats=[1]), shared(GAMES["connect-four"]).start(1)
    ponder(table, position, lambda found: found.decision is not None)
    with pytest.raises(KeyboardInterrupt), table.pondering(position):
        raise KeyboardInterrupt
    assert table.ponderer is not None and table.ponderer.thread is not None
    table.ponderer.thread.join()


def test_pondering_uses_only_the_knowledge_of_the_seat(monkeypatch):
    """The bot searches from a determinization of its own seat, and waits if the options of the person are secret."""
    seats: list[int] = []
    monkeypatch.setattr(pondering, "determinize_position",
                        lambda position, seat, rng: (seats.append(seat), determinize_position(position, seat, rng))[1])
    table, position = make_table(name="hearts", pondering_seats=[3]), shared(GAMES["hearts"]).start(3)
    assert position.decision.kind.secret and position.decision.seat != 3
    found = ponder(table, position, lambda found: False)
    assert found.decision is None and set(seats) == {3}


def test_a_changed_position_is_pondered_again(monkeypatch):
    monkeypatch.setattr(pondering, "FIRST_SEARCH_SECONDS", 0.001)
    table, position = make_table(pondering_seats=[1]), shared(GAMES["connect-four"]).start(1)
    other = position.copy()
    other.step(other.decision.codes[3])
    other.step(other.decision.codes[3])
    one = ponder(table, position, lambda found: found.decision is not None and found.decision.after).decision
    assert ponder(table, position, lambda found: found.decision is not None).decision is one, "a command keeps what is known"
    assert ponder(table, other, lambda found: found.decision is not None and found.decision is not one).decision is not one


@pytest.mark.parametrize("threads, seats", [(1, [1]), (2, [])])
def test_nothing_is_pondered_with_one_processor_or_if_it_is_switched_off(threads, seats):
    table = make_table(threads, pondering_seats=seats)
    with table.pondering(shared(GAMES["connect-four"]).start(1)):
        assert table.ponderer is None
