"""Checks that a match that plays ahead in C is the match that Python plays, with its history, texts and saves."""

from __future__ import annotations

import random

import pytest
from c.c_comparison import GAMES as FOLDERS
from c.c_comparison import HEAVY, compile_rules
from ludoglot.api import ApiError, Game, Match, load, resume
from ludoglot.dsl.backend_c.ffi import NativeContext, NativeError
from ludoglot.engine.api import bots, match

pytestmark = pytest.mark.usefixtures("shared_rules")


@pytest.fixture
def in_c(monkeypatch):
    """Lets matches run in C after a few decisions."""
    libraries = {}

    def find(loaded):
        if loaded not in libraries:
            libraries[loaded] = compile_rules(loaded.game)
        return libraries[loaded]
    monkeypatch.setattr(match, "find_played_library", find)


def play(game: Game, seed: int, count: int, look: int = 0) -> Match:
    """Returns a match after random decisions. After each `look` decisions, the program looks at its position."""
    found, rng = game.start(seed), random.Random(seed)
    for number in range(1, count + 1):
        if found.over:
            break
        assert found.seat is not None and found.decision
        found.play(rng.choice(found.options))
        if look and number % look == 0:
            found.digest()
    return found


def compare(name: str, monkeypatch: pytest.MonkeyPatch, count: int, seeds: range) -> None:
    """Plays matches in C, with and without looks at them, and compares them with Python."""
    game, ahead = load(str(FOLDERS[name])), 0
    for seed in seeds:
        with monkeypatch.context() as patch:
            patch.setattr(match, "NATIVE_STREAK", 10**9)
            wanted = play(game, seed, count)
        for look in (0, 7):
            found = play(game, seed, count, look)
            ahead = max(ahead, len(found._ahead))
            assert (found.over, found.seat, found.decision, found.rounds) == (wanted.over, wanted.seat, wanted.decision, wanted.rounds)
            assert found.options == wanted.options and repr(found) == repr(wanted)
            assert (found.digest(), found.standing) == (wanted.digest(), wanted.standing)
            assert (found.log(), found.decisions()) == (wanted.log(), wanted.decisions())
    assert ahead or not wanted.decisions()                         # two toys end with their set-up


def test_a_match_in_c_is_that_of_python(in_c, monkeypatch):
    compare("connect-four", monkeypatch, 30, range(3))


@pytest.mark.long
@pytest.mark.parametrize("name", FOLDERS)
def test_matches_of_every_game_are_those_of_python(name, in_c, monkeypatch):
    compare(name, monkeypatch, 40 if name in HEAVY else 120, range(2 if name in HEAVY else 10))


@pytest.mark.long
def test_a_match_that_c_cannot_continue_goes_on_in_python(in_c, monkeypatch):
    step, count = NativeContext.step, 0

    def fail(context, code):
        nonlocal count
        count += 1
        if count % 9 == 0:
            raise NativeError("-2")
        step(context, code)
    monkeypatch.setattr(NativeContext, "step", fail)
    compare("liars-dice", monkeypatch, 60, range(3))


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
