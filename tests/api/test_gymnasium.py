"""Checks the vector environment of Gymnasium against the matches that it contains."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from ludoglot.api import ApiError, load, vector
from ludoglot.api.gymnasium import VectorEnvironment

from .test_vector import without_c

__all__ = ["without_c"]
pytestmark = pytest.mark.usefixtures("shared_rules", "without_c")


def test_observations_and_actions_are_in_their_spaces():
    env, rng = VectorEnvironment(vector("liars-dice", 3)), np.random.default_rng(1)
    observations, infos = env.reset(seed=4)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and infos["seed"].tolist() == [4, 5, 6]
    for _ in range(30):
        assert observations in env.observation_space
        actions = env.matches.sample(rng)
        assert actions in env.action_space
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (3,)
        assert np.array_equal(infos["seat"], env.matches.seats) and infos["_seat"].all()


def test_the_reward_belongs_to_the_seat_that_acted():
    """In Tic-tac-toe, only the player who completes a line can win with a move."""
    env, rng, won = VectorEnvironment(vector("tic-tac-toe", 8)), np.random.default_rng(2), 0
    env.reset(seed=1)
    for _ in range(40):
        _, rewards, terminations, truncations, infos = env.step(env.matches.sample(rng))
        assert set(rewards) <= {0.0, 1.0} and not rewards[~terminations].any() and not truncations.any()
        assert np.array_equal(infos["rewards"].max(axis=1), rewards)
        won += int(rewards.sum())
    assert won > 10


def test_a_match_at_its_limit_is_truncated_and_not_terminated():
    env = VectorEnvironment(vector("tic-tac-toe", 2, limit=1))
    env.reset(seed=1)
    _, rewards, terminations, truncations, infos = env.step(np.array([0, 4]))
    assert truncations.all() and not terminations.any() and not rewards.any() and infos["seed"].tolist() == [3, 4]


def test_observations_are_not_changed_by_later_steps():
    env = VectorEnvironment(vector("tic-tac-toe", 2))
    first, _ = env.reset(seed=1)
    before = {key: array.copy() for key, array in first.items()}
    env.step(np.array([0, 1]))
    assert all(np.array_equal(first[key], before[key]) for key in first)
    with pytest.raises(ApiError):
        env.step(np.array([0, 0]))


def test_wrappers_of_gymnasium_accept_it():
    env, rng = RecordEpisodeStatistics(VectorEnvironment(vector(load("tic-tac-toe"), 4))), np.random.default_rng(3)
    env.reset(seed=1)
    lengths = []
    for _ in range(30):
        *_, infos = env.step(env.unwrapped.matches.sample(rng))
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert len(lengths) >= 8 and all(4 <= length <= 9 for length in lengths)
