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

from ...dsl.backend_c.single_match import SingleMatch
from ..position.position import Position, RuleError
from ..position.seeds import Seed, new_secret_seed
from .bots import bots_of_game
from .encoding import GameEncodings
from .errors import raise_api_errors
from .fast_encoding import FastEncoder
from .fast_position import FastPosition
from .loading import Game, load
from .match import Match
from .returns import MAX_MATCH_DECISIONS

Observation = dict[str, Any]


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
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._zeros, self._nobody = dict.fromkeys(self.possible_agents, 0.0), dict.fromkeys(self.possible_agents, False)
        observer, count = self.tables.observer, len(self.tables.actions)
        low, high = np.array(observer.lows, np.int32), np.array(observer.highs, np.int32)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int32),
                                "action_mask": spaces.Box(0, 1, (count,), np.int8)})
            for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._seeds: random.Random | None = None                   # generates the seeds of later matches, once a seed was given
        self._encoder, self._bots = FastEncoder(self.tables), bots_of_game(game.loaded, "random")
        self._fast: FastPosition | None = None                     # the current position
        self._single: SingleMatch | None = None                    # the same in C, if C can encode it with the tables at `_address`
        self._address, self._is_cut = 0, False                     # `_is_cut`: whether the match is truncated
        self._match: Match | None = None                           # the same match with its history, up to `_told` actions
        self._seed: Seed = 0
        self._actions: list[int] = []
        self._told = self.decisions = 0

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
        self._current()
        if self._match is None:
            self._match, self._told = self.game.start(self._seed), 0
        for action in self._actions[self._told :]:
            self._match.play(self.tables.actions.spelling(action))
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
        last = self._fast
        runner = self._bots.find_runner(0 if last is None or last.native else self.decisions, wait=True)
        try:
            self._set_position(FastPosition.start(self._bots.game, runner, self._seed))
        except RuleError:
            with raise_api_errors(self.game.lang):
                raise
        self.agents = list(self.possible_agents)
        self.rewards, self._cumulative_rewards = self._zeros.copy(), self._zeros.copy()
        self.terminations, self.truncations = self._nobody.copy(), self._nobody.copy()
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.decisions, self._is_cut = 0, False
        self._update_status()

    def observe(self, agent: str) -> Observation:
        """Returns the observation of an agent and its action mask, which is empty while another agent decides.

        Arguments:
            agent: One of `possible_agents`."""
        single, seat = self._single, self._seats[agent]
        if single is None:
            columns, mask = self._encoder.observe(self._current(), seat)
        else:
            columns, mask = self._encoder.make_arrays()
            single.encode(self._address, seat, columns, mask)
        if self._is_cut:
            mask[:] = 0
        return {"observation": columns, "action_mask": mask}

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
        single = self._single
        if single is None or action is None or single.step_action(self._address, action) is None:
            self._step_checked(action)
        self._actions.append(int(action))  # type: ignore[arg-type]
        self.decisions += 1
        self._cumulative_rewards[agent] = 0.0
        self._update_status()

    def _step_checked(self, action: int | None) -> None:
        """Plays an action, in Python if C cannot. Raises ApiError."""
        fast = self._current()
        try:
            self._encoder.play_action(fast, action)
        except RuleError:
            with raise_api_errors(self.game.lang):
                raise
        self._set_position(fast)

    def _set_position(self, fast: FastPosition) -> None:
        """Sets the current position."""
        self._fast, self._address = fast, self._encoder.find_tables(fast)
        self._single = fast.single if self._address else None

    def _update_status(self) -> None:
        """Updates the deciding agent, and at the end the rewards of all agents, which are 0 before."""
        waiting = self._single or self._current()
        if not waiting.block:
            self.rewards = dict(zip(self.possible_agents, self._encoder.payoffs(self._current())))
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.decisions >= self.limit:
            self.truncations, self._is_cut = dict.fromkeys(self.agents, True), True
        self.agent_selection = self.possible_agents[waiting.seat if waiting.block else 0]

    def _current(self) -> FastPosition:
        """Returns the current position."""
        if self._fast is None:
            self.reset()
        assert self._fast is not None
        return self._fast

    def __getstate__(self) -> dict[str, Any]:
        """Returns what copies and pickles contain: the position instead of the match."""
        position = None if self._fast is None else self._fast.position.to_data()
        return {**self.__dict__, "_fast": None, "_single": None, "_match": None, "_bots": None, "_position": position}

    def __setstate__(self, state: dict[str, Any]) -> None:
        position = state.pop("_position")
        self.__dict__.update(state)
        self._bots = bots_of_game(self.game.loaded, "random")
        if position is not None:
            self._set_position(FastPosition.load(self._bots.find_runner(0, wait=True), Position.from_data(self._bots.game, position)))

    def render(self) -> str:
        """Returns the table as a spectator sees it, drawn with characters."""
        return self.match.table()
