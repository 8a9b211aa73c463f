"""Runs the test suites of PettingZoo and OpenSpiel on Ludoglot games."""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pyspiel
import pytest
from c.c_comparison import compile_rules
from ludoglot.api import ApiError, load
from ludoglot.api.openspiel import register
from ludoglot.api.pettingzoo import Environment, environment
from ludoglot.engine.api import openspiel
from ludoglot.engine.api.bots import GameBots
from ludoglot.engine.api.fast_position import make_runner
from pettingzoo.test import api_test, seed_test
from shared_games import shared

from .test_match import GAMES

pytestmark = pytest.mark.usefixtures("shared_rules")
SLOW = ("hearts", "chess")


def mark_slow(names: tuple[str, ...]) -> list:
    return [pytest.param(name, marks=pytest.mark.long if name in SLOW else ()) for name in names]


def mark_long_but_first(first: str, *others: str) -> list:
    return [first, *(pytest.param(name, marks=pytest.mark.long) for name in others)]


# ---------------------------------------------------------------- PettingZoo


@pytest.mark.long
@pytest.mark.parametrize("name", mark_slow(GAMES))
def test_pettingzoo_accepts_each_game(name: str):
    game = load(name)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation (is not|space for)|We recommend agents")      # observations include masks
        warnings.filterwarnings("error", message=".*(illegal|undefined|NaN).*")
        api_test(environment(game), num_cycles=200)
    seed_test(lambda: environment(game), num_cycles=100)


def play_random_match(env: Environment, seed: int) -> dict[str, float]:
    """Returns the reward of each agent in a random match."""
    env.reset(seed=seed)
    rng, got = random.Random(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(seen)
        got[agent] += reward
        env.step(None if terminated or truncated else rng.choice(list(map(int, np.flatnonzero(seen["action_mask"])))))
    return got


@pytest.mark.long
@pytest.mark.parametrize("name", ["tic-tac-toe", "liars-dice", "brisca"])
def test_rewards_follow_the_standing(name: str):
    env = Environment(load(name))
    for seed in range(4):
        got = play_random_match(env, seed)
        ranks = {env.possible_agents[rank.seat]: rank.rank for rank in env.match.standing}
        assert sum(got.values()) == pytest.approx(0)
        one, two = sorted(got, key=ranks.__getitem__)[:2]
        assert got[one] > got[two] or ranks[one] == ranks[two]


@pytest.mark.long
def test_an_illegal_action_is_rejected_and_changes_nothing():
    env = Environment(load("tic-tac-toe", lang="es"))
    env.reset(seed=1)
    env.step(4)
    before, agent = env.match.digest(), env.agent_selection
    for wrong in (4, 9, -1, None):
        with pytest.raises(ApiError, match="no está disponible"):
            env.step(wrong)
    assert (env.match.digest(), env.agent_selection) == (before, agent)
    assert env.observe(agent)["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert not env.observe(env.possible_agents[0])["action_mask"].any()


@pytest.mark.long
def test_a_match_stops_at_its_limit():
    env = Environment(load("tic-tac-toe"), limit=3)
    assert set(play_random_match(env, 1).values()) == {0.0}
    assert env.decisions == 3 and not env.match.over


def test_an_environment_can_print_its_match():
    env = Environment(load("tic-tac-toe"))
    play_random_match(env, 5)
    assert len(env.match.log("it")) >= 5 and env.render()


def list_observed(env: Environment, seed: int) -> list[Any]:
    """Returns everything that a random match gives to its agents, and the position at the end."""
    env.reset(seed=seed)
    rng, found = random.Random(seed), []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        seen = {name: env.observe(name) for name in env.possible_agents} | {agent: seen}
        found.append((agent, reward, terminated, truncated, [(one["observation"].tolist(), one["action_mask"].tolist())
                                                             for one in seen.values()]))
        env.step(None if terminated or truncated else rng.choice(list(map(int, np.flatnonzero(seen[agent]["action_mask"])))))
    return [*found, env.match.digest(), env.match.log()]


@pytest.mark.parametrize("name", mark_long_but_first("tic-tac-toe", "liars-dice", "scopa", "chess", "evolution"))
def test_an_environment_is_the_same_in_c(name: str, monkeypatch):
    game, runner = load(name), make_runner(shared(name), compile_rules(shared(name)))
    monkeypatch.setattr(GameBots, "find_runner", lambda game_bots, played=0, wait=False: None)
    plain = Environment(game, limit=100)
    wanted = [list_observed(plain, seed) for seed in range(2)]
    monkeypatch.setattr(GameBots, "find_runner", lambda game_bots, played=0, wait=False: runner)
    compiled = Environment(game, limit=100)
    assert [list_observed(compiled, seed) for seed in range(2)] == wanted
    compiled.reset(seed=1)
    twin = copy.deepcopy(compiled)
    for env in (compiled, twin):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert compiled.match.digest() == twin.match.digest() == compiled._fast.position.digest()
    assert compiled._fast.native and twin._fast.native and not plain._fast.native


# ---------------------------------------------------------------- OpenSpiel


@pytest.mark.long
@pytest.mark.parametrize("name", mark_slow(GAMES))
def test_openspiel_accepts_each_game(name: str):
    pyspiel.random_sim_test(pyspiel.load_game(register(load(name))), num_sims=1, serialize=name != "hearts", verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("name", ["tic-tac-toe", "liars-dice"])
def test_openspiel_playthroughs_are_repeatable(name: str):
    from open_spiel.python.algorithms.generate_playthrough import playthrough  # slow import (over a second): needs half of SciPy
    short = register(load(name))
    one, two = (playthrough(short, action_sequence=None, seed=3) for _ in range(2))
    assert one == two and "returns" in one.lower()


@pytest.mark.long
def test_openspiel_and_pettingzoo_agree_on_legal_actions():
    game = load("connect-four")
    env, state = Environment(game), pyspiel.load_game(register(game)).new_initial_state()
    env.reset(seed=1)
    rng = random.Random(8)
    while not state.is_terminal():
        mask = env.observe(env.agent_selection)["action_mask"]
        assert state.legal_actions() == np.flatnonzero(mask).tolist() == np.flatnonzero(state.legal_actions_mask()).tolist()
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(action) == env.tables.actions.spelling(action)
        state.apply_action(action)
        env.step(action)
    assert dict(zip(env.possible_agents, state.returns())) == env.rewards


@pytest.mark.long
def test_a_state_is_copied_and_pickled_without_its_rules():
    short = register(load("liars-dice"))
    state = pyspiel.load_game(short).new_initial_state()
    state.apply_action(77)
    state.apply_action(state.legal_actions()[0])
    again = pickle.loads(pickle.dumps(state))
    twin = state.clone()
    assert str(again) == str(twin) == str(state)
    twin.apply_action(twin.legal_actions()[-1])
    assert str(twin) != str(state) == str(again)


def list_states(short: str, seed: int) -> list[Any]:
    """Returns what OpenSpiel knows of the states of a random match and of their copies."""
    game, rng, found = pyspiel.load_game(short), random.Random(seed), []
    state, observer = game.new_initial_state(), game.make_py_observer()
    while not state.is_terminal():
        if not state.is_chance_node():
            observer.set_from(state, state.current_player())
            found.append((str(state), state.current_player(), state.legal_actions(), observer.tensor.tolist()))
        state = rng.choice([state, state.clone()])
        state.apply_action(rng.choice(state.legal_actions()))
    return [*found, str(state), state.returns()]


@pytest.mark.parametrize("name", mark_long_but_first("tic-tac-toe", "liars-dice", "hex"))
def test_openspiel_states_are_the_same_in_c(name: str, monkeypatch):
    runner = make_runner(shared(name), compile_rules(shared(name)))
    monkeypatch.setattr(openspiel, "find_runner", lambda loaded, played=0, wait=False: None)
    short = register(load(name))
    wanted = [list_states(short, seed) for seed in range(3)]
    monkeypatch.setattr(openspiel, "find_runner", lambda loaded, played=0, wait=False: runner)
    assert [list_states(short, seed) for seed in range(3)] == wanted and openspiel.find_registered(short).start(0).native


@pytest.mark.long
def test_adapters_apply_house_rules(tmp_path):
    pack = tmp_path / "few-seeds.yaml"
    pack.write_text("house: few-seeds\nfor: kalah\nset:\n  seeds_each: 2\n", encoding="utf-8")
    game = load("kalah", house=[pack])
    env, usual = Environment(game), Environment(load("kalah"))
    env.reset(seed=1)
    usual.reset(seed=1)
    south = env.possible_agents[0]
    seen = env.observe(south)["observation"]
    assert seen.tolist().count(2) == 12 and usual.observe(south)["observation"].tolist().count(4) == 12
    assert register(game) != register(load("kalah")) == "ludoglot_kalah_2"
    pyspiel.random_sim_test(pyspiel.load_game(register(game)), num_sims=1, serialize=True, verbose=False)


def test_a_registered_name_belongs_to_one_game():
    game = load("tic-tac-toe")
    assert register(game) == register(load("tic-tac-toe")) == "ludoglot_tic_tac_toe_2"
    assert register(game, limit=5) == register(game, limit=5) != register(game)
    state = pyspiel.load_game(register(game, limit=2)).new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [0.0, 0.0]
