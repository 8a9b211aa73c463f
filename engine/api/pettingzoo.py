"""Every game as a PettingZoo environment, for learning programs: one agent per seat, one step per decision.

    from ludoglot.api.pettingzoo import environment

    env = environment("connect-four")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))

`pip install ludoglot[pettingzoo]` installs the requirements."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ...dsl.backend_c.ffi import NO_LIMIT
from ..position.position import Position
from ..position.seeds import Seed, generator_from_seed, new_secret_seed
from .bots import find_library
from .encoding import GameEncodings
from .errors import ApiError, engine_sentence, raise_api_errors
from .loading import Game, load
from .lockstep_matches import LockstepMatches
from .match import Match
from .returns import MAX_MATCH_DECISIONS, payoffs

Observation = dict[str, Any]
COMPILE_AFTER_STEPS = 1000                  # an environment that is used so often profits from C


def environment(
    name: str | Path | Game,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    house: Iterable[str | Path] = (),
    lang: str = "en",
    limit: int = MAX_MATCH_DECISIONS,
    render_mode: str | None = None,
) -> AECEnv:
    """Returns a game as a PettingZoo environment, with the checks that PettingZoo's own environments have.

    Arguments:
        name: A game that you have loaded, or its name or path as for `load`.
        players: The number of players, as for `load`.
        options: Values of the game's options, as for `load`.
        house: House-rule packs, as for `load`.
        lang: The language of error messages and texts (default: "en").
        limit: The number of decisions after which a match is truncated (default: 10,000).
        render_mode: "ansi", or None. `render` returns text in both cases.

    Raises:
        ApiError: The game cannot be loaded, or its actions or positions do not fit into fixed numbers.

    Example:

        env = environment("connect-four")
        env.reset(seed=1)"""
    game = name if isinstance(name, Game) else load(name, players, options, house, lang)
    return wrappers.OrderEnforcingWrapper(Environment(game, limit, render_mode))


class Environment(AECEnv):  # type: ignore[misc]
    """The environment itself: `environment(...).unwrapped`.

    Attributes:
        game: The game.
        tables: The meaning of numbers. `tables.actions.spelling(number)` returns the spelling of an action, and
            `tables.observer.names` has the meaning of each number in an observation.
        decisions: The number of decisions so far.
        rewards: The payoff of each agent at the end (see `payoffs` in returns.py)."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False, "name": "ludoglot"}

    def __init__(self, game: Game, limit: int = MAX_MATCH_DECISIONS, render_mode: str | None = None) -> None:
        super().__init__()
        self.game, self.limit, self.render_mode = game, limit, render_mode
        self.metadata = {**type(self).metadata, "name": f"ludoglot_{game.id.replace('-', '_')}"}
        self.tables = GameEncodings(game)
        self.possible_agents = list(game.seats)
        observer, count = self.tables.observer, len(self.tables.actions)
        low, high = np.array(observer.lows, np.int32), np.array(observer.highs, np.int32)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int32),
                                "action_mask": spaces.Box(0, 1, (count,), np.int8)})
            for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._seeds: random.Random | None = None                   # generates the seeds of later matches, once a seed was given
        self._matches: LockstepMatches | None = None               # the current match, which is stepped without events
        self._match: Match | None = None                           # the same match with its history, up to `_told` actions
        self._seed: Seed = 0
        self._actions: list[int] = []
        self._told = self._steps = 0                               # `_steps`: of all matches

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's observations: an array of integers, and the action mask.

        Arguments:
            agent: One of `possible_agents`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's actions: numbers from 0.

        Arguments:
            agent: One of `possible_agents`."""
        return self.action_spaces[agent]

    @property
    def match(self) -> Match:
        """The current match with its history. It is played again from the actions when you ask for it."""
        if self._matches is None:
            self.reset()
        if self._match is None:
            self._match, self._told = self.game.start(self._seed), 0
        for action in self._actions[self._told :]:
            self._match.play(self.tables.find_option(self._match.position, action).spelling)
        self._told = len(self._actions)
        return self._match

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new match.

        Arguments:
            seed: The same seed gives the same match, and the same matches after it. Without any seed, each match gets
                a secret one.
            options: Not used. PettingZoo passes it."""
        if seed is not None:
            self._seeds = random.Random(seed)
        self._seed = new_secret_seed() if self._seeds is None else self._seeds.getrandbits(32)
        self._match, self._actions = None, []
        self._start()
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.decisions = 0
        self._update_status()

    def observe(self, agent: str) -> Observation:
        """Returns the observation of an agent and its action mask, which is empty while another agent decides.

        Arguments:
            agent: One of `possible_agents`."""
        matches, seat = self._current(), self.possible_agents.index(agent)
        decides = matches.seats[0] == seat and not self.truncations.get(agent, False)
        mask = matches.masks[0].copy() if decides else np.zeros(len(self.tables.actions), np.int8)
        return {"observation": matches.observe(np.array([seat]))[0], "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays the action of the current agent.

        Arguments:
            action: The number of a legal action. None after the end of the match.

        Raises:
            ApiError: The action is not legal. Then nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        matches = self._current()
        matches.chosen[0] = -1 if action is None else int(action)
        if matches.find_illegal() is not None:
            raise ApiError(engine_sentence(self.game.lang, "api.action", number=str(action)))
        with raise_api_errors(self.game.lang):
            matches.step()
        self._actions.append(int(matches.chosen[0]))
        self.decisions += 1
        self._steps += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._update_status()
        self._accumulate_rewards()

    def _update_status(self) -> None:
        """Updates the deciding agent, and at the end the rewards of all agents."""
        matches = self._current()
        seat = int(matches.seats[0])
        if seat < 0:
            self.rewards = dict(zip(self.possible_agents, payoffs(matches.position(0))))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.decisions >= self.limit:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[max(0, seat)]

    def _current(self) -> LockstepMatches:
        """Returns the current match, without its history."""
        if self._matches is None:
            self.reset()
        assert self._matches is not None
        return self._matches

    def _start(self) -> None:
        """Starts the current match. It runs in C if the game was compiled earlier, or since the environment has been used a lot."""
        if self._matches is None or self._matches.native is None:
            often = self._steps >= COMPILE_AFTER_STEPS
            library = find_library(self.game.loaded, make=often, wait=not often)
            if self._matches is None or library is not None:
                self._matches = LockstepMatches(self.tables, library, 1, NO_LIMIT, restarts=False)
        self._matches.set_generator(0, generator_from_seed(self._seed))
        with raise_api_errors(self.game.lang):
            self._matches.start_all()

    def __getstate__(self) -> dict[str, Any]:
        """Returns what copies and pickles contain: the position instead of the match."""
        position = None if self._matches is None else self._matches.position(0).to_data()
        return {**self.__dict__, "_matches": None, "_match": None, "_position": position}

    def __setstate__(self, state: dict[str, Any]) -> None:
        position = state.pop("_position")
        self.__dict__.update(state)
        if position is not None:
            self._start()
            self._current().continue_from(0, Position.from_data(self.game.loaded.game, position))

    def render(self) -> str:
        """Returns the table as a spectator sees it, drawn with characters."""
        return self.match.table()
