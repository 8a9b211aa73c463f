"""Checks that matches in lockstep are the matches that `Game.start` starts, in C and in Python."""

from __future__ import annotations

import copy
import pickle
import random
import tracemalloc

import numpy as np
import pytest
from c.c_comparison import GAMES as FOLDERS
from c.c_comparison import HEAVY, OPEN_BOARDS, compile_rules
from language.random_bags import DATA as BAG_DATA
from language.random_bags import RandomBagRules
from ludoglot.api import ApiError, load, vector
from ludoglot.dsl.backend_c import lockstep
from ludoglot.dsl.ir.value_types import UnsupportedConstructError
from ludoglot.engine.api import vector_matches
from ludoglot.engine.api.native_tables import NativeTableBuilder
from ludoglot.engine.api.returns import payoffs
from ludoglot.engine.api.vector_matches import Vector
from tmp_files import filled

pytestmark = pytest.mark.usefixtures("shared_rules")
ARRAYS = ("observations", "masks", "seats", "rewards", "done", "truncated", "decided", "seeds")


@pytest.fixture
def without_c(monkeypatch):
    """Lets all matches run in Python."""
    monkeypatch.setattr(vector_matches, "make_library", lambda loaded: None)


@pytest.fixture
def rules_in_c(monkeypatch):
    """Compiles the rules without the bots, which is faster."""
    monkeypatch.setattr(vector_matches, "make_library", lambda loaded: compile_rules(loaded.game))


def compare_with_positions(matches: Vector, steps: int, every: int = 5) -> int:
    """Plays random matches next to positions in Python that start from the same seeds. Returns how many have ended.

    At every step, it compares everything that the deciding seat gets. At one of `every` steps, it compares what each seat sees and the
    position itself."""
    inner, actions, observer = matches.game.loaded.game, matches.tables.actions, matches.tables.observer
    positions, rng, ended = [inner.start(int(seed)) for seed in matches.seeds], random.Random(7), 0
    for step in range(steps):
        legal = [actions.legal_actions(position) for position in positions]
        assert [np.flatnonzero(mask).tolist() for mask in matches.masks] == [sorted(numbers) for numbers in legal]
        seats = [-1 if position.over else position.decision.seat for position in positions]       # over: the set-up has ended the match
        assert matches.seats.tolist() == seats
        assert matches.observations.tolist() == [observer.encode_position(one, max(0, seat)) for one, seat in zip(positions, seats)]
        if step % every == 0:
            for seat in range(inner.players):
                assert matches.observe(seat).tolist() == [observer.encode_position(position, seat) for position in positions]
            assert [matches.position(n).digest() for n in range(matches.count)] == [position.digest() for position in positions]
        chosen = [rng.choice(list(numbers) or [0]) for numbers in legal]
        matches.step(np.array(chosen))
        for n, position in enumerate(positions):
            if not position.over:
                position.step(legal[n][chosen[n]])
            assert (matches.done[n], matches.truncated[n]) == (position.over, False)
            assert matches.rewards[n].tolist() == (payoffs(position) if position.over else [0.0] * inner.players)
            if position.over:
                positions[n] = inner.start(int(matches.seeds[n]))
                ended += 1
    return ended


def test_matches_in_c_are_those_of_python(rules_in_c):
    matches = vector("tic-tac-toe", 3, seed=1)
    assert matches.native and compare_with_positions(matches, 30) >= 6


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in FOLDERS if name not in OPEN_BOARDS])
def test_matches_of_every_game_are_those_of_python(name):
    """All games with fixed numbers run in C. 100 matches each begin, those of light games also end."""
    matches = vector(str(FOLDERS[name]), 4 if name in HEAVY else 100, seed=11)
    assert matches.native
    compare_with_positions(matches, 60 if name in HEAVY else 40, every=20)
    assert not matches._matches.positions, "C has given up"


@pytest.mark.long
@pytest.mark.parametrize("seed", [12, 60])
def test_matches_with_chosen_bags_are_those_of_python(seed, tmp_path, rules_in_c):
    """The matches keep bags in locals, also while somebody else decides."""
    matches = vector(str(filled(tmp_path, {"game.yaml": BAG_DATA, "toy.rules": RandomBagRules(seed).text})), 20, seed=3)
    assert matches.native
    compare_with_positions(matches, 60, every=4)
    assert not matches._matches.positions, "C has given up"


@pytest.mark.long
@pytest.mark.parametrize("name", ["backgammon", "brisca", "connect-four", "liars-dice", "oware", "yacht"])
def test_whole_matches_are_those_of_python(name):
    assert compare_with_positions(vector(name, 4, seed=3), 400, every=50) >= 4


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "options"), [
    ("liars-dice", 4, {}), ("yacht", 3, {}), ("hex", None, {"hexagons_a_side": 5}), ("evolution", 4, {})])
def test_players_and_options_are_those_of_the_game(name, players, options):
    matches = vector(name, 3, players, options, seed=2)
    assert matches.native and matches.rewards.shape == (3, matches.game.players)
    compare_with_positions(matches, 40)


def test_python_plays_if_c_cannot_encode_a_value(rules_in_c, monkeypatch):
    def refuse(self):
        raise UnsupportedConstructError("a value")
    monkeypatch.setattr(NativeTableBuilder, "build", refuse)
    matches = vector("tic-tac-toe", 2, seed=1)
    assert not matches.native and compare_with_positions(matches, 10) >= 1


def test_python_plays_without_a_compiler(without_c):
    matches = vector("tic-tac-toe", 3, seed=1)
    assert not matches.native and compare_with_positions(matches, 20) >= 3


def test_sampled_actions_are_legal_and_all_of_them_occur(rules_in_c, monkeypatch):
    compiled = vector("tic-tac-toe", 50, seed=1)
    monkeypatch.setattr(vector_matches, "make_library", lambda loaded: None)
    plain, found = vector("tic-tac-toe", 50, seed=1), set()
    for number in range(40):
        actions = compiled.sample(np.random.default_rng(number))
        assert actions.tolist() == plain.sample(np.random.default_rng(number)).tolist()
        assert compiled.masks[np.arange(50), actions].all()
        found.update(actions.tolist())
        for matches in (compiled, plain):
            matches.step(actions)
    assert found == set(range(9))


@pytest.mark.long
@pytest.mark.parametrize("name", ["connect-four", "liars-dice"])
def test_limits_and_later_seeds_are_the_same_in_both(name, monkeypatch):
    """Matches are cut off, end, and begin again alike."""
    compiled = vector(name, 5, seed=9, limit=20)
    monkeypatch.setattr(vector_matches, "make_library", lambda loaded: None)
    plain = vector(name, 5, seed=9, limit=20)
    assert compiled.native and not plain.native
    rng, cut = np.random.default_rng(1), 0
    for _ in range(90):
        chosen = plain.sample(rng)
        for matches in (compiled, plain):
            matches.step(chosen)
        assert all(np.array_equal(getattr(compiled, key), getattr(plain, key)) for key in ARRAYS)
        cut += int(plain.truncated.sum())
    assert cut and plain.seeds.min() > 14


@pytest.mark.long
def test_a_match_that_does_not_fit_in_c_goes_on_in_python(monkeypatch):
    """With room for hardly any list, matches leave C at different steps, and return at their end."""
    monkeypatch.setattr(lockstep, "INITIAL_MATCH_BYTES", 256)
    monkeypatch.setattr(lockstep, "MAX_LOCKSTEP_BYTES", 256)
    matches, rng = vector("oware", 4, seed=1, limit=60), np.random.default_rng(1)
    left = []
    for _ in range(130):
        matches.step(matches.sample(rng))
        left.append(len(matches._matches.positions))
    assert matches.native and any(later < earlier for earlier, later in zip(left, left[1:]))
    matches.reset(5)
    compare_with_positions(matches, 50)
    assert matches._matches.positions


@pytest.mark.long
def test_lists_that_grow_get_more_room(monkeypatch):
    monkeypatch.setattr(lockstep, "INITIAL_MATCH_BYTES", 64)
    matches = vector("oware", 40, seed=1)
    compare_with_positions(matches, 30, every=10)
    assert 64 < matches._matches.native.room < 1 << 16 and not matches._matches.positions


@pytest.mark.long
def test_threads_give_the_same_matches():
    one, many = vector("connect-four", 50, seed=1), vector("connect-four", 50, seed=1, threads=3)
    rng = np.random.default_rng(1)
    for _ in range(80):
        chosen = one.sample(rng)
        one.step(chosen)
        many.step(chosen)
        assert all(np.array_equal(getattr(one, key), getattr(many, key)) for key in ARRAYS)


@pytest.mark.long
def test_steps_use_no_more_memory_over_time():
    """The room for lists depends on the longest match only. Here all matches reach the limit before the measurement."""
    matches, rng = vector("chess", 8, seed=1, limit=150), np.random.default_rng(1)
    for _ in range(400):
        matches.step(matches.sample(rng))
    room = matches._matches.native.room, [context.room for context in matches._matches.native.contexts]
    tracemalloc.start()
    first = tracemalloc.get_traced_memory()[0]
    for _ in range(2000):
        matches.step(matches.sample(rng))
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 50_000 and (matches._matches.native.room, [context.room for context in matches._matches.native.contexts]) == room


def test_a_row_is_the_match_of_its_seed(without_c):
    matches = vector("liars-dice", 3, seed=[4, 90, 7])
    game = load("liars-dice")
    assert matches.seeds.tolist() == [4, 90, 7]
    for n, seed in enumerate((4, 90, 7)):
        assert game.start(seed).digest() == matches.position(n).digest()
    matches.reset()
    assert matches.seeds.tolist() == [7, 93, 10]
    matches.reset(20)
    assert matches.seeds.tolist() == [20, 21, 22]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda matches: pickle.loads(pickle.dumps(matches))])
def test_a_copy_goes_on_by_itself(copied, rules_in_c):
    matches, rng = vector("tic-tac-toe", 3, seed=1, limit=7), np.random.default_rng(1)
    for _ in range(5):
        matches.step(matches.sample(rng))
    twin = copied(matches)
    assert twin.native and not twin._matches.positions
    before = {key: getattr(matches, key).copy() for key in ARRAYS}
    for number in range(20):
        assert all(np.array_equal(getattr(twin, key), array) for key, array in before.items())
        chosen = twin.sample(np.random.default_rng(number))
        twin.step(chosen)
        matches.step(chosen)
        before = {key: getattr(matches, key) for key in ARRAYS}


def test_an_illegal_action_changes_nothing(without_c):
    matches = vector("tic-tac-toe", 2, seed=1, lang="es")
    matches.step([4, 0])
    before = [getattr(matches, key).copy() for key in ARRAYS]
    for wrong in ([4, 1], [9, 1], [-1, 1]):
        with pytest.raises(ApiError, match="no está disponible ahora en la partida 0"):
            matches.step(wrong)
    for shape in ([1], [[1, 1]], [0.5, 1.0]):
        with pytest.raises(ApiError, match="2 en total"):
            matches.step(shape)
    assert all(np.array_equal(getattr(matches, key), array) for key, array in zip(ARRAYS, before))
    with pytest.raises(ValueError, match="read-only"):
        matches.masks[0, 0] = 1


@pytest.mark.parametrize(("wrong", "said"), [
    ({"count": 0}, "at least 1"), ({"count": 2, "threads": 0}, "at least 1"), ({"count": 2, "limit": 0}, "at least 1"),
    ({"count": 2, "seed": [1, 2, 3]}, "2 in all"), ({"count": 2, "seed": [0.5, 2]}, "2 in all"),
    ({"count": 2, "seed": 10**18}, "18 digits"), ({"count": 2, "seed": [1, -(10**18)]}, "18 digits"),
    ({"count": 2, "seed": [1, 10**30]}, "18 digits"), ({"count": 10**17}, "not enough memory")])
def test_wrong_numbers_are_refused_in_words(wrong, said, without_c):
    with pytest.raises(ApiError, match=said):
        vector("tic-tac-toe", **wrong)


def test_an_observation_is_that_of_the_deciding_seat(without_c):
    """A seat sees its own hand and not the hands of others."""
    matches = vector("brisca", 2, seed=1)
    assert matches.observations.tolist() == matches.observe(matches.seats).tolist()
    mine, theirs = matches.observe(0), matches.observe(1)
    assert (mine != theirs).any(axis=1).all()
    with pytest.raises(ApiError, match="no seat 2"):
        matches.observe(2)
