"""What is to be played, as plain data that any process can be given: which rules, which bots, which seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.game.ruleset import try_load_ruleset
from ..bots.native import NativeGame
from ..position.position import Game
from .playout import MAX_GAME_DECISIONS, GameResult, play_game

COMPILE_MIN_RANDOM_GAMES = 50                            # random games that are worth compiling for
COMPILE_MIN_SEARCH_GAMES = 3                              # and games of bots that think
GameKey: TypeAlias = tuple[int, int]     # a game of a plan: its rules (0, or 1 for those compared with) and its seed


@dataclass(frozen=True)
class RulesetSpec:
    """The rules of a game as files: its folder, the number of players, options, packs of house rules. `meaning` is what saves call them."""

    folder: str
    players: int
    options: tuple[tuple[str, str], ...] = ()
    houses: tuple[str, ...] = ()
    meaning: str = ""


@dataclass(frozen=True)
class LabPlan:
    """So many games by these rules, and, where there are two, as many with the same seeds by the others."""

    rules: tuple[RulesetSpec, ...]
    games: int
    seed: int = 1
    bots: tuple[str, ...] = ("random",)
    limit: int = MAX_GAME_DECISIONS

    @property
    def is_comparison(self) -> bool:
        return len(self.rules) > 1

    def game_keys(self, count: int) -> list[GameKey]:
        """The first `count` games by each of the rules, in the order in which they are played."""
        return [(side, self.seed + n) for n in range(count) for side in range(len(self.rules))]

    def data(self) -> dict[str, Any]:
        """As JSON. Where the files lie is no part of it: what the rules mean is."""
        out = asdict(self)
        for rules, given in zip(out["rules"], self.rules):
            rules["folder"] = Path(given.folder).name
            rules["houses"] = [Path(pack).name for pack in given.houses]
            rules["options"] = dict(given.options)
        return {**out, "rules": list(out["rules"]), "bots": list(self.bots)}


@dataclass(frozen=True)
class PlanChunk:
    """Some games of a plan by one of its rules, played in one go by whoever is free."""

    plan: LabPlan
    side: int
    seeds: tuple[int, ...]


LOADED_GAMES: dict[RulesetSpec, Game] = {}         # rules that are ready in this process: those of a plan, so two at most
COMPILED_GAMES: dict[RulesetSpec, NativeGame] = {}   # the same as C


def play_chunk(chunk: PlanChunk) -> Iterator[GameResult]:
    """The one door through which games are played, whatever process stands behind it: one after the other. Raises ChangedRules."""
    rules, plan = chunk.plan.rules[chunk.side], chunk.plan
    game = get_loaded_game(rules)
    native = get_compiled_game(plan, chunk.side)
    for seed in chunk.seeds:
        yield play_game(game, seed, plan.bots, plan.limit, native)


def get_compiled_game(plan: LabPlan, side: int) -> NativeGame | None:
    """The rules of a side as C, or on their way there; None where the games are too few for that."""
    rules = plan.rules[side]
    if rules not in COMPILED_GAMES and plan.games >= (
        COMPILE_MIN_RANDOM_GAMES if set(plan.bots) == {"random"} else COMPILE_MIN_SEARCH_GAMES
    ):
        COMPILED_GAMES[rules] = NativeGame(get_loaded_game(rules))
    return COMPILED_GAMES.get(rules)


def get_loaded_game(rules: RulesetSpec) -> Game:
    """The rules ready to be played. They were checked before; who changed the files since then is told so."""
    if rules not in LOADED_GAMES:
        LOADED_GAMES[rules] = load_unchanged(rules)
    return LOADED_GAMES[rules]


def unload_game(rules: RulesetSpec) -> None:
    """These rules will not be played any more."""
    LOADED_GAMES.pop(rules, None)
    COMPILED_GAMES.pop(rules, None)


def load_unchanged(rules: RulesetSpec) -> Game:
    made = try_load_ruleset(Path(rules.folder), DiagnosticList(), rules.players, dict(rules.options), [Path(pack) for pack in rules.houses])
    if made is None or (game := Game(made)).fingerprint != rules.meaning:
        raise RulesChangedError(rules.folder)
    return game


class RulesChangedError(Exception):
    """The files of a game say something else than when the plan was made."""
