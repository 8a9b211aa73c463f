"""Dominant Species on both sides: how the referee is set up from the engine's first position, and how positions are compared."""

from __future__ import annotations

import random
from typing import Any

from ludoglot.engine.position import Game, Position
from referee.dominant_species import Referee

from .duel import duel


def start_of(position: Position) -> dict[str, Any]:
    """What was dealt and shuffled at set-up, as the referee wants it."""
    return {
        "keeper": {animal: int(seat.split("_")[1]) - 1 for animal, seat in position["keeper"].items() if seat is not None},
        "stack": position["stack"],
        "open": position["open"],
        "deck": position["last_card"] + position["deck"],
        "market": position["market"],
        "tray": {action: tray for action, tray in position["tray"].items() if tray},
    }


def snapshot(position: Position) -> dict[str, Any]:
    """The normal form of tests/referee/README.md."""
    playing = [animal for animal, seat in position["keeper"].items() if seat is not None]
    cubes = position["cubes"]
    elements = position.game.model.enums["Element"].members
    bag = position["bag"]
    markers = position["marker"]
    return {
        **{name: {a: position[name][a] for a in playing} for name in ("pawns", "spare", "pool", "lost", "vp")},
        "pawn": {space: animal for space, animal in position["pawn"].items() if animal is not None},
        "cubes": {a: {tile: n for tile, n in cubes[a].items() if n} for a in playing},
        "terrain": {tile: name for tile, name in position["terrain"].items() if name is not None},
        "disc": {corner: name for corner, name in position["disc"].items() if name is not None},
        "bag": {element: bag.get(element, 0) for element in elements},
        "tray": {action: tray for action, tray in position["tray"].items() if tray},
        "open": {stack: name for stack, name in position["open"].items() if name is not None},
        "market": sorted(position["market"]),
        "added": {a: bag for a, bag in position["added"].items() if bag and a in playing},
        "initiative": [animal for animal in markers.values() if animal is not None],
        "glaciers": position["glaciers"],
        "last_turn": position["last_turn"],
    }


def leaning(position: Position, decision: Any, rng: random.Random) -> Any:
    """Random, but fond of living: uniform play kills every animal before the last card is taken. Every option stays possible."""
    options = decision.options
    if rng.random() < 0.25:
        return rng.choice(options)
    if decision.key == "planning.space":
        liked = [
            o for o in options if any(word in o.spelling for word in ("domination", "adaptation", "abundance", "speciation", "wanderlust"))
        ]
        return rng.choice(liked or options)
    if decision.key == "perform[speciation].n" or decision.key.endswith(".n"):
        return options[-1]
    real = [o for o in options if not o.declines]
    return rng.choice(real or options)


def play(game: Game, seed: int, limit: int = 4000) -> tuple[int, set[str], bool]:
    """One game on both sides; decisions made, keys seen, whether it ended."""
    position = game.start(seed)
    drawn: list[str] = []
    referee = Referee(start_of(position), lambda: drawn.pop(0))
    count, keys = duel(position, referee, drawn, snapshot, random.Random(seed), limit, leaning)
    if position.over:
        assert [rank.seat for rank in position.standing()] == referee.standing()
    return count, keys, position.over
