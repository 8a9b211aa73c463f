"""Checks that a match that plays ahead in C is the match that Python plays, with its history, texts and saves."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from c.c_comparison import GAMES as FOLDERS
from c.c_comparison import HEAVY, compile_rules
from ludoglot.api import ApiError, Game, Match, load, resume
from ludoglot.dsl.backend_c import ffi, single_match
from ludoglot.dsl.backend_c.single_match import MatchRunner
from ludoglot.dsl.backend_python import runtime
from ludoglot.engine.api import bots
from ludoglot.engine.api.fast_position import make_runner
from ludoglot.engine.position.position import Game as Rules

pytestmark = pytest.mark.usefixtures("shared_rules")


RUNNERS: dict[Rules, MatchRunner | None] = {}


@pytest.fixture
def in_c(monkeypatch):
    """Lets matches run in C from their first decision."""
    def find(game_bots, played=0, wait=False):
        if game_bots.game not in RUNNERS:
            RUNNERS[game_bots.game] = make_runner(game_bots.game, compile_rules(game_bots.game))
        return RUNNERS[game_bots.game]
    monkeypatch.setattr(bots.GameBots, "get_runner", find)


def play(game: Game, seed: int, count: int, look: int = 0) -> Match:
    """Returns a match after random decisions. After each `look` decisions, the program looks at its history."""
    found, rng = game.start(seed), random.Random(seed)
    for number in range(1, count + 1):
        if found.over:
            break
        found.play(rng.choice(found.options))
        if look and number % look == 0:
            found.log()
    return found


def describe(found: Match, number: int) -> list:
    """Returns what programs see of a match at a decision. Costly parts only at some decisions."""
    cheap = [found.over, found.seat, found.decision, found.rounds, found.options, found.option_count, repr(found)]
    if number % 10:
        return cheap
    return [*cheap, [one.values for one in found.options], found.question(), found.digest(), found.standing, found.estimate(0),
            [found.view(seat) for seat in (None, *range(len(found.seats())))], found.position.to_data(), found.copy().digest()]


def compare(name: str, monkeypatch: pytest.MonkeyPatch, count: int, seeds: range) -> None:
    """Plays matches in C and in Python, and compares them at each decision and in the end."""
    game = load(str(FOLDERS[name]))
    for seed in seeds:
        with monkeypatch.context() as patch:
            patch.setattr(bots.GameBots, "get_runner", lambda game_bots: None)
            slow = game.start(seed)
            slow._stays_in_python = True
        fast, rng = game.start(seed), random.Random(seed)
        assert fast._fast is not None and slow._fast is None
        for number in range(count):
            assert describe(fast, number) == describe(slow, number)
            if fast.over:
                break
            option = rng.choice(fast.options)
            fast.play(option)
            slow.play(rng.choice([option, option.spelling, slow.options.index(option)]))
        assert len(fast._ahead) == len(slow._table.steps)
        assert describe(fast, 0) == describe(slow, 0)
        assert (fast.log(), fast.decisions()) == (slow.log(), slow.decisions()) and not fast._ahead
        assert describe(fast, 0) == describe(slow, 0) and fast._fast is not None


def test_a_match_in_c_is_that_of_python(in_c, monkeypatch):
    compare("connect-four", monkeypatch, 50, range(2))


@pytest.mark.long
@pytest.mark.parametrize("name", FOLDERS)
def test_matches_of_every_game_are_those_of_python(name, in_c, monkeypatch):
    compare(name, monkeypatch, 40 if name in HEAVY else 120, range(2 if name in HEAVY else 10))


def test_a_match_that_c_cannot_continue_goes_on_in_python(in_c, monkeypatch):
    game = load("connect-four")
    wanted, found = play(game, 3, 12), play(game, 3, 6)

    monkeypatch.setattr(type(found._single), "step", lambda single, code: -2)
    monkeypatch.setattr(type(found._single), "step_nth", lambda single, n: None)
    for decision in wanted.decisions()[6:]:
        found.play(decision.option)
    assert found._fast is None and found.log() == wanted.log() and found.decisions() == wanted.decisions()


@pytest.mark.parametrize("seed", [0, 7, -1, -(1 << 63), (1 << 63) - 1, 1 << 63, -(1 << 63) - 1, 10**30, True, "0123456789abcdef" * 2])
def test_each_seed_starts_the_match_of_python(seed, in_c, monkeypatch):
    game = load("liars-dice")
    found = game.start(seed)
    assert found._single is not None
    monkeypatch.setattr(bots.GameBots, "get_runner", lambda game_bots: None)
    assert found.digest() == game.start(seed).digest()


def test_a_match_in_c_gives_back_what_it_holds(in_c):
    game = load("connect-four")
    runner = game.start(1)._runner
    count = sys.getrefcount(runner)
    held = [play(game, seed, 12) for seed in range(5)]
    copies = [one.copy() for one in held]
    assert sys.getrefcount(runner) > count + len(copies)
    del held, copies
    gc.collect()
    assert sys.getrefcount(runner) == count
    with pytest.raises(TypeError):
        runner.type()


def test_a_match_gets_more_memory_when_it_needs_it(in_c, monkeypatch):
    """Matches begin with room for one code and no list, and share a context that is too small for them."""
    game = load("liars-dice")
    wanted = play(game, 3, 60).digest()
    monkeypatch.setattr(single_match, "INITIAL_CODES", 1)
    monkeypatch.setattr(ffi, "INITIAL_CONTEXT_BYTES", 1 << 7)
    RUNNERS.pop(game.loaded.game)
    found = play(game, 3, 60)
    runner = RUNNERS.pop(game.loaded.game)
    assert found._single is not None and found.digest() == wanted
    assert runner.shared[1] and runner.shared[2] > 1 and runner.context.room > 1 << 7


def test_copies_samples_and_saves_follow_a_match_in_c(in_c, tmp_path):
    game = load("connect-four")
    first = play(game, 3, 12)
    assert first._ahead
    twin = first.copy()
    assert twin.digest() == first.digest() and twin.log() == first.log()
    twin.play(twin.options[0])
    assert twin.digest() != first.digest()
    world = play(game, 3, 12).view(0).sample()
    for _ in range(5):
        world.play(world.bot("random"))
    assert not first.is_sample and world.rounds >= first.rounds
    later = play(game, 3, 12)
    later.save(tmp_path / "game.ludoglot")
    assert resume(tmp_path / "game.ludoglot").digest() == first.digest()
    again = play(game, 3, 12)
    assert again._ahead and again.question() and again.words(again.options[0]) == first.words(first.options[0])


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda found: pickle.loads(pickle.dumps(found))])
def test_a_copy_of_a_match_in_c_is_independent(copied, in_c):
    found = play(load("connect-four"), 3, 12)
    twin, before = copied(found), found.digest()
    twin.play(0)
    assert twin.decisions()[:-1] == found.decisions() and found.digest() == before != twin.digest()


def test_matches_in_threads_do_not_disturb_each_other(in_c):
    game = load("connect-four")
    wanted = [play(game, seed, 20, look=10).digest() for seed in range(12)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert [*pool.map(lambda seed: play(game, seed, 20, look=seed % 3 * 5).digest(), range(12))] == wanted
    finally:
        sys.setswitchinterval(interval)


def test_threads_may_fill_the_tables_of_sets_together(monkeypatch):
    """All rules in Python read the members of sets from tables that are filled when they are needed."""
    sets, interval = [(1 << 45) + (n << 3) for n in range(8)], sys.getswitchinterval()
    wanted = [tuple(n for n in range(46) if one >> n & 1) for one in sets]
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(30):
            monkeypatch.setattr(runtime, "_CHUNKS", {})
            monkeypatch.setattr(runtime, "_BITS", {0: ()})
            with ThreadPoolExecutor(4) as pool:
                assert [*pool.map(runtime.bits, sets)] == wanted
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_match_goes_on_after_a_fork(in_c):
    found = play(load("connect-four"), 3, 12)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        found.play(0)
        os.write(writer, found.digest().encode())
        os._exit(0)
    os.close(writer)
    found.play(0)
    assert os.read(reader, 100).decode() == found.digest() and os.waitpid(child, 0)[1] == 0
    os.close(reader)


def test_an_illegal_option_changes_nothing_in_c(in_c):
    found = play(load("connect-four"), 1, 12)
    before = list(found._ahead)
    for wrong in ("cell=z9", -1, found.option_count):
        with pytest.raises(ApiError, match="not offered"):
            found.play(wrong)
    assert before == found._ahead != []


def test_an_index_plays_the_option_at_this_place(in_c):
    one, two = load("connect-four").start(seed=1), load("connect-four").start(seed=1)
    for number in range(20):
        assert one.option_count == len(two.options)
        two.play(two.options[number % one.option_count])
        one.play(number % one.option_count)
    assert one._ahead and one.log() == two.log()


@pytest.mark.long
def test_a_program_that_plays_much_gets_c(monkeypatch):
    """After many decisions in Python, the game is compiled, and later matches run in C."""
    monkeypatch.setattr(bots, "COMPILE_AFTER_PLAYED", 120)
    game = load("connect-four")
    for seed in range(10):
        play(game, seed, 20)
    native = bots.bots_of_game(game.loaded, "random").native
    assert native is not None
    native.wait()
    assert play(game, 1, 20)._ahead
