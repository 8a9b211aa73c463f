"""Matches in lockstep as a vector environment of Gymnasium, for self-play.

    from ludoglot.api import vector
    from ludoglot.api.gymnasium import VectorEnvironment

    env = VectorEnvironment(vector("connect-four", 64))
    observations, infos = env.reset(seed=1)
    for _ in range(100):
        actions = observations["action_mask"].argmax(axis=1)
        observations, rewards, terminations, truncations, infos = env.step(actions)

`pip install ludoglot[gymnasium]` installs the requirements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .vector_matches import Vector

Observations = dict[str, npt.NDArray[Any]]
Infos = dict[str, Any]


class VectorEnvironment(VectorEnv[Observations, npt.NDArray[Any], npt.NDArray[Any]]):
    """Matches as a vector environment of Gymnasium. All seats of a match play through the same row.

    `observations` has the keys `observation` (what the deciding seat may see) and `action_mask` (1 for each legal
    action). The reward of a step belongs to the seat that acted. `infos["rewards"]` has the rewards of all seats, and
    `infos["seat"]` the seat that decides next. A match that ends starts again in the same step.

    Arguments:
        matches: The matches, as `ludoglot.api.vector` returns them. The environment steps and resets them.

    Example:

        env = VectorEnvironment(vector("connect-four", 64))
        observations, infos = env.reset(seed=1)"""

    def __init__(self, matches: Vector) -> None:
        self.matches, count = matches, matches.count
        observer, actions = matches.tables.observer, len(matches.tables.actions)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs = count
        low, high = np.array(observer.lows, np.int32), np.array(observer.highs, np.int32)
        self.single_observation_space = spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int32),
                                                     "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Starts all matches again, and returns the observations and infos.

        Arguments:
            seed: The seed of the first match, or one seed per match (default: the next seeds).
            options: Not used. Gymnasium passes it.

        Raises:
            ApiError: The seeds do not fit."""
        self.matches.reset(seed if seed is None or isinstance(seed, int) else [int(one or 0) for one in seed])
        return self._read_observations(), self._read_infos()

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Infos]:
        """Plays one action in each match. Returns observations, rewards, terminations, truncations, and infos.

        Arguments:
            actions: The number of a legal action for each match.

        Raises:
            ApiError: An action is not legal. Then nothing has changed."""
        matches, seats = self.matches, self.matches.seats.copy()
        matches.step(actions)
        rewards = matches.rewards[np.arange(matches.count), seats]
        return self._read_observations(), rewards, matches.done & ~matches.truncated, matches.truncated.copy(), self._read_infos()

    def _read_observations(self) -> Observations:
        """Returns a copy of the observations and masks."""
        return {"observation": self.matches.observations.copy(), "action_mask": self.matches.masks.copy()}

    def _read_infos(self) -> Infos:
        """Returns the infos of a step, each with the mask that Gymnasium expects."""
        everywhere = np.ones(self.num_envs, np.bool_)
        infos = {"seat": self.matches.seats.copy(), "rewards": self.matches.rewards.copy(), "seed": self.matches.seeds.copy()}
        return {**infos, **{f"_{key}": everywhere for key in infos}}
