"""Compares Trias with its referee: the referee's set-up from the first position, normal forms, and choices that lead to crowds."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

from ludoglot.engine.position.position import Game, Position
from referee.trias import Referee
from shared_games import shared

from .duel import duel

# The recommended readings, and settings that cover every other value.
READINGS: list[dict[str, Any]] = [
    {},
    {
        "starter": "first_seat",
        "second_lap": "backwards",
        "pole_room": "four",
        "fallback": "all_continents",
        "new_continents": "from_the_pole",
    },
    {"start_on_pole": False, "farther": "straight", "landing": "left_out", "rescue": "everybody", "last_points_for_two": "three"},
    {"pole_room": "none_at_all", "sea": "before", "rescue": "everybody", "last_swimmers": False, "pole_presence": "left_out"},
    {
        "second_lap": "backwards",
        "start_on_pole": False,
        "pole_room": "four",
        "farther": "straight",
        "sea": "before",
        "fallback": "all_continents",
        "landing": "left_out",
        "last_swimmers": False,
        "last_points_for_two": "three",
    },
]


def load_variant(rules: Path, players: int, reading: dict[str, Any]) -> Game:
    settings = {name: value for name, value in reading.items() if players == 2 or name != "last_points_for_two"}
    return shared(rules / "trias", players, settings)


def get_start(position: Position) -> dict[str, Any]:
    """Returns the random results of the set-up, in the form that the referee expects."""
    return {
        "tile": {cell: land for cell, land in position["tile"].items() if land},
        "deck": position["deck"],
        "hand": {player: card for player, card in position["hand"].items() if card},
        "placer": int(position["first_player"].split("_")[1]) - 1,
    }


def snapshot(position: Position) -> dict[str, Any]:
    """Returns the normal form of tests/referee/README.md."""
    return {
        "tile": {cell: land for cell, land in position["tile"].items() if land},
        "herds": {player: herds for player, found in position["herds"].items() if (herds := {c: n for c, n in found.items() if n})},
        "spent": {cell: count for cell, count in position["spent"].items() if count},
        "stock": {player: count for player, count in position["stock"].items() if count},
        "vp": {player: count for player, count in position["vp"].items() if count},
        "hand": {player: card for player, card in position["hand"].items() if card},
        "deck": position["deck"],
        "played": {card: count for card, count in position["played"].items() if count},
        "points": position["points"],
        "opener": position["opener"],
    }


def choose_crowding_move(position: Position, decision: Any, rng: random.Random) -> Any:
    """Chooses at random, with a preference for crowds: walks into them, sinks them, and lands small tiles under them.

    Each kind of action has the same chance. Every move stays possible.
    """
    options = decision.options
    real = [option for option in options if not option.declines]
    if rng.random() < 0.25:
        return rng.choice(options)
    crowd: Counter[str] = Counter()
    for herds in position["herds"].values():
        crowd.update(herds)
    tiles = position["tile"]
    afloat = max((count for cell, count in crowd.items() if not tiles.get(cell)), default=0)
    if decision.key == "act.action":
        kinds = sorted({option.entry for option in real})
        kind = "drift" if afloat > 2 and "drift" in kinds else rng.choice(kinds)
        real = [option for option in real if option.entry == kind]
    if decision.key.endswith(".origin") and afloat > 2:
        return rng.choices(real, [9 if tiles[target_cell(option)] == "mountain" else 1 for option in real])[0]
    return rng.choices(real, [1 + 5 * crowd[target_cell(option)] ** 3 for option in real])[0]


def target_cell(option: Any) -> str:
    """Returns the last cell that a move names."""
    return option.spelling.split("=")[-1]


def play(game: Game, seed: int, choose: Any = choose_crowding_move, limit: int = 4000) -> tuple[int, set[str], Counter[str]]:
    """Plays one game on both sides to its end. Returns the number of decisions, the keys seen, and counts of rare events."""
    position = game.start(seed)
    referee = Referee(game.players, game.ruleset.settings, get_start(position))
    count, keys = duel(position, referee, [], snapshot, random.Random(seed), limit, choose)
    assert position.over, f"no end after {count} decisions"
    assert snapshot(position) == referee.snapshot()
    ranks = position.standing()
    assert [rank.seat for rank in ranks] == referee.standing()
    assert [rank.values for rank in ranks] == [referee.score(rank.seat) for rank in ranks]
    return count, keys, referee.happened
