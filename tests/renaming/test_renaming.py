"""Checks that a game plays the same after every identifier was replaced, some by words that would be code."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game, Position
from shared_games import shared

from .rename import rename_game

GAMES = [
    ("rules", "tic-tac-toe", 2),
    ("rules", "connect-four", 2),
    ("rules", "breakthrough", 2),
    ("rules", "hex", 2),
    ("rules", "reversi", 2),
    ("rules", "chess", 2),
    ("rules", "lines-of-action", 2),
    ("rules", "amazons", 2),
    ("rules", "english-draughts", 2),
    ("rules", "international-draughts", 2),
    ("rules", "nine-mens-morris", 2),
    ("rules", "kalah", 2),
    ("rules", "oware", 2),
    ("rules", "go", 2),
    ("rules", "backgammon", 2),
    ("rules", "yacht", 3),
    ("rules", "hearts", 4),
    ("rules", "cribbage", 2),
    ("rules", "liars-dice", 3),
    ("rules", "brisca", 2),
    ("rules", "scopa", 2),
    ("rules", "scopone", 4),
    ("rules", "dots-and-boxes", 2),
    ("rules", "corridors", 2),
    ("rules", "catan", 3),
    ("rules", "hanabi", 3),
    ("rules", "limit-holdem", 3),
    ("rules", "splendor", 2),
    ("rules", "mus", 4),
    ("rules", "gin-rummy", 2),
    ("rules", "snapszer", 2),
    ("rules", "ulti", 3),
    ("rules", "dominant-species", 4),
    ("rules", "dominant-species", 2),
    ("rules", "evolution", 3),
    ("rules", "evolution", 6),
    ("rules", "trias", 2),
    ("rules", "trias", 4),
    ("games", "parry", 3),
    ("games", "drift", 4),
    ("games", "food-chain", 3),
    ("games", "masquerade", 3),
    ("games", "foreheads", 3),
]
SHIPPED = [("rules", path.parent.name) for path in sorted((Path(__file__).parents[2] / "rules").glob("*/game.yaml"))]
HEAVY = ("dominant-species", "evolution", "trias")              # every commit tests the smallest table, and CI tests the others


def test_every_shipped_game_is_renamed():
    assert {game[:2] for game in GAMES} >= set(SHIPPED)


def play_without_names(game: Game, seed: int, limit: int) -> list[tuple]:
    """Returns the course of a game without any name. Each call uses the same dice and the same option indices."""
    position: Position = game.start(seed)
    rng = random.Random(seed)
    seen: list[tuple] = []
    while not position.over and len(seen) < limit:
        decision = position.decision
        index = rng.randrange(len(decision))
        seen.append((decision.seat, len(decision), decision.codes[index]))
        position.play(decision.seat, index)
    return [*seen, tuple((rank.seat, rank.rank, rank.values) for rank in position.standing())]


@pytest.mark.long
@pytest.mark.parametrize("where, name, players", [
    pytest.param(*one, marks=pytest.mark.long) if one[1] in HEAVY and one[2] > 2 else one for one in GAMES])
def test_a_renamed_game_plays_the_same(rules, toys, tmp_path, request, where, name, players):
    source = {"rules": rules, "games": toys}[where] / name
    rename_game(source, tmp_path / "copy")
    old, new = shared(source, players), Game(load_ruleset(tmp_path / "copy", players))
    long = request.node.get_closest_marker("long") is not None
    for seed in range(3 if long or name not in HEAVY else 1):
        assert play_without_names(old, seed, 400) == play_without_names(new, seed, 400)
