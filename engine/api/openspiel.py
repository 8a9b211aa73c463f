"""Every game as an OpenSpiel game, for search and learning programs.

    import pyspiel
    from ludoglot.api.openspiel import register

    game = pyspiel.load_game(register("liars-dice"))

A game with chance begins with one chance node, which selects one of a number of seeds. All later random
events follow from the seed, so the actions alone determine a line of play. `pip install ludoglot[openspiel]`
installs the requirements."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from ...dsl.backend_c.single_match import MatchRunner
from ..library.find import list_game_ids
from ..position.position import Position
from .bots import find_runner
from .encoding import GameEncodings
from .fast_encoding import FastEncoder
from .fast_position import FastPosition
from .loading import Game, load
from .returns import MAX_MATCH_DECISIONS, payoff_limits

CHANCE_SEEDS = 10_000                       # outcomes of the chance node
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def register(name: str | Path | Game, players: int | None = None, options: Mapping[str, Any] | None = None,
             house: Iterable[str | Path] = (), lang: str = "en", limit: int = MAX_MATCH_DECISIONS, seeds: int = CHANCE_SEEDS) -> str:
    """Returns the name of a game for `pyspiel.load_game`, after it has registered the game with OpenSpiel.

    The name is the same in every process. A game with different options, house rules, or limits gets a different
    name.

    Arguments:
        name: A game that you have loaded, or its name or path as for `load`.
        players: The number of players, as for `load`.
        options: Values of the game's options, as for `load`.
        house: House-rule packs, as for `load`.
        lang: The language of error messages (default: "en").
        limit: The number of decisions after which a match ends with 0 for every player (default: 10,000).
        seeds: The number of outcomes of the chance node (default: 10,000).

    Raises:
        ApiError: The game cannot be loaded, or its actions or positions do not fit into fixed numbers.

    Example:

        game = pyspiel.load_game(register("liars-dice"))"""
    game = name if isinstance(name, Game) else load(name, players, options, house, lang)
    short = build_short_name(game, limit, seeds)
    if short in REGISTERED_RULES:
        return short
    rules = REGISTERED_RULES[short] = RegisteredRules(game, short, limit, seeds)

    class RegisteredGame(LudoglotGame):
        """The game class that OpenSpiel instantiates."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(rules, params)

    pyspiel.register_game(rules.type, RegisteredGame)
    return short


def build_short_name(game: Game, limit: int, seeds: int) -> str:
    """Returns a name such as `ludoglot_kalah_2`, with a hash for everything but an unchanged game of Ludoglot's own
    library."""
    loaded = game.loaded
    short = f"ludoglot_{game.id.replace('-', '_')}_{game.players}"
    if (
        loaded.found.name in list_game_ids()
        and not loaded.pack_sources
        and not game.changed_options
        and (limit, seeds) == (MAX_MATCH_DECISIONS, CHANCE_SEEDS)
    ):
        return short
    told = repr((loaded.game.fingerprint, sorted(game.options.items()), limit, seeds))
    return f"{short}_{hashlib.blake2b(told.encode(), digest_size=4).hexdigest()}"


class RegisteredRules:
    """The data shared by all matches of a registered game."""

    def __init__(self, game: Game, short: str, limit: int, seeds: int) -> None:
        self.game, self.short, self.limit, self.tables = game, short, limit, GameEncodings(game)
        self.encoder, self.played = FastEncoder(self.tables), 0    # `played`: decisions in Python since the last start
        self.seeds = seeds if game.loaded.game.has_chance else 0
        hidden = any(cell.state.seen != "open" for cell in game.loaded.game.cells.values()) or \
            any(kind.secret for kind in game.loaded.game.module.decisions)
        kinds, sums = pyspiel.GameType, payoff_limits(game.loaded.game)
        self.type = kinds(
            short_name=short, long_name=f"{game.title('en')} (Ludoglot)", dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if self.seeds else kinds.ChanceMode.DETERMINISTIC,
            information=kinds.Information.IMPERFECT_INFORMATION if hidden or self.seeds else kinds.Information.PERFECT_INFORMATION,
            utility=getattr(kinds.Utility, sums.kind), reward_model=kinds.RewardModel.TERMINAL, max_num_players=game.players,
            min_num_players=game.players, provides_information_state_string=False, provides_information_state_tensor=False,
            provides_observation_string=True, provides_observation_tensor=True, parameter_specification={})
        self.info = pyspiel.GameInfo(num_distinct_actions=len(self.tables.actions), max_chance_outcomes=self.seeds,
                                     num_players=game.players, min_utility=sums.low, max_utility=sums.high,
                                     utility_sum=0.0 if sums.kind == "ZERO_SUM" else None, max_game_length=limit)

    def find_runner(self) -> MatchRunner | None:
        """Returns the runner that steps positions in C, or None."""
        played, self.played = self.played, 0
        return find_runner(self.game.loaded, played, wait=True)

    def start(self, seed: int) -> FastPosition:
        """Returns the first position of a match."""
        return FastPosition.start(self.game.loaded.game, self.find_runner(), seed)

    def __reduce__(self) -> Any:
        return find_registered, (self.short,)


REGISTERED_RULES: dict[str, RegisteredRules] = {}                                       # the registered games of this process, by name


def find_registered(short: str) -> RegisteredRules:
    """Returns the registered game of this name. Unpickled states find their rules through it."""
    return REGISTERED_RULES[short]


class LudoglotGame(pyspiel.Game):  # type: ignore[misc]
    """A Ludoglot game as an OpenSpiel game."""

    def __init__(self, rules: RegisteredRules, params: dict[str, Any] | None = None) -> None:
        super().__init__(rules.type, rules.info, params or {})
        self.rules = rules

    def new_initial_state(self) -> LudoglotState:
        return LudoglotState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> LudoglotObserver:
        return LudoglotObserver(self.rules)


class StateSnapshot:
    """The content of a state. OpenSpiel copies and pickles states with all their content, but the rules are shared."""

    __slots__ = ("decisions", "fast", "rules")

    def __init__(self, rules: RegisteredRules, fast: FastPosition | None, decisions: int = 0) -> None:
        self.rules, self.fast, self.decisions = rules, fast, decisions

    def __deepcopy__(self, memo: Any) -> StateSnapshot:
        return StateSnapshot(self.rules, None if self.fast is None else self.fast.copy(), self.decisions)

    def __reduce__(self) -> Any:
        return restore_snapshot, (self.rules, None if self.fast is None else self.fast.position.to_data(), self.decisions)


def restore_snapshot(rules: RegisteredRules, data: dict[str, Any] | None, decisions: int) -> StateSnapshot:
    """Returns the snapshot that was pickled."""
    if data is None:
        return StateSnapshot(rules, None, decisions)
    return StateSnapshot(rules, FastPosition.load(rules.find_runner(), Position.from_data(rules.game.loaded.game, data)), decisions)


class LudoglotState(pyspiel.State):  # type: ignore[misc]
    """A state of a match. Its position is None until the chance node has selected a seed."""

    def __init__(self, game: LudoglotGame) -> None:
        super().__init__(game)
        rules = game.rules
        self.held = StateSnapshot(rules, None if rules.seeds else rules.start(0))

    def current_player(self) -> int:
        held = self.held
        fast = held.fast
        if fast is None:
            return CHANCE
        return TERMINAL if not fast.block or held.decisions >= held.rules.limit else fast.seat

    def is_terminal(self) -> bool:
        held = self.held
        return held.fast is not None and (held.fast.over or held.decisions >= held.rules.limit)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = self.held.rules.seeds
        return [(seed, 1 / count) for seed in range(count)]

    def _legal_actions(self, player: int) -> list[int]:
        fast = self.held.fast
        return [] if fast is None or fast.seat != player else sorted(self.held.rules.encoder.list_actions(fast))

    def _apply_action(self, action: int) -> None:
        held = self.held
        fast, rules = held.fast, held.rules
        if fast is None:
            held.fast = rules.start(action)
            return
        rules.encoder.play_action(fast, action)
        held.decisions += 1
        rules.played += not fast.native

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed={action}" if player == CHANCE else self.held.rules.tables.actions.spelling(action)

    def returns(self) -> list[float]:
        fast = self.held.fast
        return [0.0] * self.held.rules.game.players if fast is None or not fast.over else self.held.rules.encoder.payoffs(fast)

    def __str__(self) -> str:
        return "" if self.held.fast is None else self.held.fast.position.digest()


class LudoglotObserver:
    """Encodes what a player may see as a tensor and as text. It has no memory of earlier observations."""

    def __init__(self, rules: RegisteredRules) -> None:
        self.rules = rules
        self.tensor = np.zeros(len(rules.tables.observer), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: LudoglotState, player: int) -> None:
        fast = state.held.fast
        self.tensor[:] = 0 if fast is None else self.rules.encoder.observe(fast, player)[0]

    def string_from(self, state: LudoglotState, player: int) -> str:
        fast = state.held.fast
        if fast is None:
            return ""
        rules = self.rules
        return "\n".join(f"{name}: {number}" for name, number in zip(rules.tables.observer.names, rules.encoder.observe(fast, player)[0]))
