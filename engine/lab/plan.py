"""What is to be played, as plain data that any process can be given: which rules, which bots, which seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ...dsl.diagnostics.diagnostic import Findings
from ...dsl.game.ruleset import try_load
from ..bots.native import Native
from ..position.position import Game
from .playout import LIMIT, Played, play

MANY = 50                            # random games that are worth compiling for
FEW = 3                              # and games of bots that think
Key: TypeAlias = tuple[int, int]     # a game of a plan: its rules (0, or 1 for those compared with) and its seed


@dataclass(frozen=True)
class Rules:
    """The rules of a game as files: its folder, the number of players, options, packs of house rules. `meaning` is what saves call them."""

    folder: str
    players: int
    options: tuple[tuple[str, str], ...] = ()
    houses: tuple[str, ...] = ()
    meaning: str = ""


@dataclass(frozen=True)
class Plan:
    """So many games by these rules, and, where there are two, as many with the same seeds by the others."""

    rules: tuple[Rules, ...]
    games: int
    seed: int = 1
    bots: tuple[str, ...] = ("random",)
    limit: int = LIMIT

    @property
    def compares(self) -> bool:
        return len(self.rules) > 1

    def keys(self, count: int) -> list[Key]:
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
class Chunk:
    """Some games of a plan by one of its rules, played in one go by whoever is free."""

    plan: Plan
    side: int
    seeds: tuple[int, ...]


OPEN: dict[Rules, Game] = {}         # rules that are ready in this process: those of a plan, so two at most
COMPILED: dict[Rules, Native] = {}   # the same as C


def play_each(chunk: Chunk) -> Iterator[Played]:
    """The one door through which games are played, whatever process stands behind it: one after the other. Raises ChangedRules."""
    rules, plan = chunk.plan.rules[chunk.side], chunk.plan
    game = opened(rules)
    native = compiled(plan, chunk.side)
    for seed in chunk.seeds:
        yield play(game, seed, plan.bots, plan.limit, native)


def compiled(plan: Plan, side: int) -> Native | None:
    """The rules of a side as C, or on their way there; None where the games are too few for that."""
    rules = plan.rules[side]
    if rules not in COMPILED and plan.games >= (MANY if set(plan.bots) == {"random"} else FEW):
        COMPILED[rules] = Native(opened(rules))
    return COMPILED.get(rules)


def opened(rules: Rules) -> Game:
    """The rules ready to be played. They were checked before; who changed the files since then is told so."""
    if rules not in OPEN:
        OPEN[rules] = load(rules)
    return OPEN[rules]


def forget(rules: Rules) -> None:
    """These rules will not be played any more."""
    OPEN.pop(rules, None)
    COMPILED.pop(rules, None)


def load(rules: Rules) -> Game:
    made = try_load(Path(rules.folder), Findings(), rules.players, dict(rules.options), [Path(pack) for pack in rules.houses])
    if made is None or (game := Game(made)).meaning != rules.meaning:
        raise ChangedRules(rules.folder)
    return game


class ChangedRules(Exception):
    """The files of a game say something else than when the plan was made."""
