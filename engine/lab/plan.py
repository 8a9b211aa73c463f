"""Plans: which rules, bots and seeds to play, as plain data that can be sent to any process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.game.ruleset import try_load_ruleset
from ..bots.greedy import BOTS
from ..bots.native import NativeGame
from ..errors import MessageError
from ..position.position import Game
from . import MAX_GAME_DECISIONS
from .playout import GameResult, play_game

COMPILE_MIN_RANDOM_GAMES = 50                            # from this number of random games on, compiling pays
COMPILE_MIN_SEARCH_GAMES = 3                              # the same for bots that search
GameKey: TypeAlias = tuple[int, int]     # a game of a plan: side (0, or 1 for the rules compared with) and seed


@dataclass(frozen=True)
class RulesetSpec:
    """The ruleset of a game, as files and options. `meaning` is the fingerprint of the rules, as saves have it."""

    folder: str
    players: int
    options: tuple[tuple[str, str], ...] = ()
    pack_sources: tuple[str, ...] = ()
    meaning: str = ""


@dataclass(frozen=True)
class LabPlan:
    """A plan to play `games` games with each ruleset. With two rulesets, both play the same seeds."""

    rules: tuple[RulesetSpec, ...]
    games: int
    seed: int = 1
    bots: tuple[str, ...] = ("random",)
    limit: int = MAX_GAME_DECISIONS

    @property
    def is_comparison(self) -> bool:
        return len(self.rules) > 1

    def game_keys(self, count: int) -> list[GameKey]:
        """Returns the first `count` games of each ruleset, in the order of play."""
        return [(side, self.seed + n) for n in range(count) for side in range(len(self.rules))]

    def data(self) -> dict[str, Any]:
        """Returns the plan as JSON data. It has the fingerprints of the rules and the names of folders, but no paths."""
        out = asdict(self)
        for rules, given in zip(out["rules"], self.rules):
            rules["folder"] = Path(given.folder).name
            rules["houses"] = [Path(pack).name for pack in given.pack_sources]
            rules["options"] = dict(given.options)
        return {**out, "rules": list(out["rules"]), "bots": list(self.bots)}


@dataclass(frozen=True)
class PlanChunk:
    """Some games of a plan with one of its rulesets, played in one go by one worker."""

    plan: LabPlan
    side: int
    seeds: tuple[int, ...]


LOADED_GAMES: dict[RulesetSpec, Game] = {}         # rules loaded in this process: those of one plan, so at most two
COMPILED_GAMES: dict[RulesetSpec, NativeGame] = {}   # the same rules compiled to C


def play_chunk(chunk: PlanChunk) -> Iterator[GameResult]:
    """Plays the games of a chunk one after the other. Every kind of worker uses it. Raises RulesChangedError."""
    rules, plan = chunk.plan.rules[chunk.side], chunk.plan
    game = get_loaded_game(rules)
    native = get_compiled_game(plan, chunk.side)
    for seed in chunk.seeds:
        yield play_game(game, seed, plan.bots, plan.limit, native)


def get_compiled_game(plan: LabPlan, side: int) -> NativeGame | None:
    """Returns the rules of a side compiled to C, which may still be in progress. None if the games are too few, or if
    a bot is not a built-in one."""
    rules = plan.rules[side]
    if not set(plan.bots) <= set(BOTS):                            # C has no bots that people wrote themselves
        return None
    if rules not in COMPILED_GAMES and plan.games >= (
        COMPILE_MIN_RANDOM_GAMES if set(plan.bots) == {"random"} else COMPILE_MIN_SEARCH_GAMES
    ):
        COMPILED_GAMES[rules] = NativeGame(get_loaded_game(rules))
    return COMPILED_GAMES.get(rules)


def get_loaded_game(rules: RulesetSpec) -> Game:
    """Returns the loaded rules. Raises RulesChangedError if the files changed since they were checked."""
    if rules not in LOADED_GAMES:
        LOADED_GAMES[rules] = load_unchanged(rules)
    return LOADED_GAMES[rules]


def unload_game(rules: RulesetSpec) -> None:
    """Removes these rules from memory."""
    LOADED_GAMES.pop(rules, None)
    COMPILED_GAMES.pop(rules, None)


def load_unchanged(rules: RulesetSpec) -> Game:
    """Returns the loaded rules. Raises RulesChangedError if their fingerprint differs from the plan."""
    made = try_load_ruleset(
        Path(rules.folder), DiagnosticList(), rules.players, dict(rules.options), [Path(pack) for pack in rules.pack_sources]
    )
    if made is None or (game := Game(made)).fingerprint != rules.meaning:
        raise RulesChangedError("simulate.changed", reason=rules.folder)
    return game


class RulesChangedError(MessageError):
    """Raised if the files of a game have changed since the plan was made."""
