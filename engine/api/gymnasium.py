"""Matches in lockstep as a vector environment of Gymnasium, for self-play.

    from ludoglot.api.gymnasium import vector_environment

    env = vector_environment("connect-four", 64)
    observations, infos = env.reset(seed=1)
    for _ in range(100):
        actions = observations["action_mask"].argmax(axis=1)
        observations, rewards, terminations, truncations, infos = env.step(actions)

`pip install ludoglot[gymnasium]` installs the requirements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .loading import Game
from .returns import MAX_MATCH_DECISIONS
from .vector import vector

Observations = dict[str, npt.NDArray[Any]]
Infos = dict[str, Any]


def vector_environment(
    name: str | Path | Game,
    count: int,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    house: Iterable[str | Path] = (),
    lang: str = "en",
    limit: int = MAX_MATCH_DECISIONS,
    threads: int = 1,
) -> VectorEnvironment:
    """Returns matches of a game as a vector environment of Gymnasium. All seats of a match play through the same row.

    Arguments:
        name: A game that you have loaded, or its name or path as for `load`.
        count: The number of matches.
        players: The number of players, as for `load`.
        options: Values of the game's options, as for `load`.
        house: House-rule packs, as for `load`.
        lang: The language of error messages (default: "en").
        limit: The number of decisions after which a match is truncated (default: 10,000).
        threads: The number of threads that step the matches (default: 1).

    Raises:
        ApiError: The game cannot be loaded, its actions or positions do not fit into fixed numbers, or a number is too
            small.

    Example:

        env = vector_environment("connect-four", 64)
        observations, infos = env.reset(seed=1)"""
    return VectorEnvironment(name, count, players, options, house, lang, limit, threads)


class VectorEnvironment(VectorEnv[Observations, npt.NDArray[Any], npt.NDArray[Any]]):
    """The environment itself.

    `observations` has the keys `observation` (what the deciding seat may see) and `action_mask` (1 for each legal
    action). The reward of a step belongs to the seat that acted. `infos["rewards"]` has the rewards of all seats, and
    `infos["seat"]` the seat that decides next. A match that ends starts again in the same step.

    Attributes:
        matches: The matches, as `ludoglot.api.vector` returns them."""

    def __init__(self, name: str | Path | Game, count: int, players: int | None, options: Mapping[str, Any] | None,
                 house: Iterable[str | Path], lang: str, limit: int, threads: int) -> None:
        self.matches = matches = vector(name, count, players, options, house, lang, limit=limit, threads=threads)
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
