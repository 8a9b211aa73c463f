"""Compares Trias with its referee on a seeded sample, and checks facts that hold in every game. `bench/duels.py` plays large numbers."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import yaml
from ludoglot.engine.position.position import Game, Position
from referee.ocean import POLE, Cell, around, continents, steps, straight, touches_outer_sea

from .trias import READINGS, choose_crowding_move, load_variant, play

COMMON_EVENTS = ["interim count", "union", "split", "split, joined to the Pole", "another colour", "meteorite in phase 1",
                 "meteorite in phase 4"]
RARE_EVENTS = [
    "overpopulation",
    "overpopulation left to others",
    "another colour, anywhere",
    "no drift at all",
    "drift onto swimmers",
    "split and union",
    "split without the Pole",
    "union with another continent",
    "rescue of another's herd",
]
ACTIONS = ["action: drift", "action: walk", "action: rescue", "action: breed"]


def play_sample(rules, tables, seeds) -> tuple[Counter[str], set[str], set[str]]:
    """Plays these seeds with each (players, reading). Returns counts of special events, the keys seen, and all keys."""
    happened: Counter[str] = Counter()
    keys: set[str] = set()
    every: set[str] = set()
    for players, reading in tables:
        game = load_variant(rules, players, reading)
        every |= {decision.key for decision in game.module.decisions}
        for seed in seeds:
            _, seen, rare = play(game, seed)
            keys |= seen
            happened += rare
    return happened, keys, every


@pytest.mark.long
def test_engine_and_referee_agree(rules):
    tables = [(players, READINGS[0]) for players in (2, 3, 4, 5)] + list(zip((4, 2, 3, 5), READINGS[1:]))
    happened, keys, every = play_sample(rules, tables, [1])
    assert keys == every
    assert [thing for thing in COMMON_EVENTS + ACTIONS if not happened[thing]] == []


@pytest.mark.long
def test_engine_and_referee_agree_in_every_reading(rules):
    tables = [(players, reading) for players in (2, 3, 4, 5) for reading in READINGS]
    happened, keys, every = play_sample(rules, tables, range(100, 106))
    assert keys == every
    assert [thing for thing in COMMON_EVENTS + ACTIONS + RARE_EVENTS if not happened[thing]] == []


def test_the_sample_has_every_value_of_every_option(rules):
    options = yaml.safe_load((rules / "trias" / "game.yaml").read_text(encoding="utf-8"))["options"]
    missed = {
        (name, value)
        for name, option in options.items()
        for value in option["values"]
        if value not in [reading.get(name, option["default"]) for reading in READINGS]
    }
    assert not missed


# ---------------------------------------------------------------- the engine alone


def read_tiles(position: Position) -> dict[Cell, str]:
    found = {}
    for name, land in position["tile"].items():
        if land == "pole":
            found[POLE] = land
        elif land:
            found[parse_cell(name)] = land
    return found


def parse_cell(name: str) -> Cell:
    q, r = (0, 0) if name == "south_pole" else map(int, name.split(","))
    return q, r


def count_herds(position: Position) -> Counter[Cell]:
    found: Counter[Cell] = Counter()
    for herds in position["herds"].values():
        found.update({parse_cell(name): count for name, count in herds.items()})
    return found


def check_step(before: tuple, after: tuple, far, pole_room: int) -> None:
    """At most one tile moves between two decisions, outward and along its continent. No action ever overcrowds a cell."""
    (old, crowd_before), (new, crowd_after) = before, after
    assert new[POLE] == "pole"  # TRI-DRIFT-25
    gone, come = set(old) - set(new), set(new) - set(old)
    assert len(gone) == len(come) <= 1
    for origin, target in zip(gone, come):
        whole = next(continent for continent in continents(old) if origin in continent)
        assert old[origin] == new[target]
        assert far(target) > far(origin)  # TRI-DRIFT-04
        assert touches_outer_sea(origin, old)  # TRI-DRIFT-01, 02
        assert set(around(target)) & (whole - {origin})  # TRI-DRIFT-11, 12, 13
        assert crowd_before[origin] >= crowd_after[origin]  # herds do not ride: TRI-DRIFT-15
    capacity = {"mountain": 2, "steppe": 3, "forest": 4, "pole": pole_room}
    for cell, count in crowd_after.items():
        if count > crowd_before[cell]:  # TRI-CAP-02. No herd enters water: TRI-MOVE-02
            assert count <= capacity[new[cell]]


@pytest.mark.long_cases("2-0", "3-1", "4-2", "5-3")
@pytest.mark.parametrize(
    ("players", "reading"), [(2, 0), (3, 1), (4, 2), (5, 3), *(pytest.param(n, 4, marks=pytest.mark.long) for n in (2, 3, 4, 5))]
)
def test_invariants_hold_at_every_step(rules, players, reading):
    game: Game = load_variant(rules, players, READINGS[reading])
    far = straight if READINGS[reading].get("farther") == "straight" else steps
    pole_room = {"unlimited": 99, "four": 4, "none_at_all": 0}[READINGS[reading].get("pole_room", "unlimited")]
    herds_each = 10 if players == 2 else 15  # TRI-SETUP-09, TRI-TWO-01
    for seed in range(2):
        rng = random.Random(seed)
        position = game.start(seed)
        before = read_tiles(position), count_herds(position)
        points = Counter(position["vp"])
        while not position.over:
            decision = position.decision
            position.play(decision.seat, rng.choice(decision.options) if seed % 2 else choose_crowding_move(position, decision, rng))
            after = read_tiles(position), count_herds(position)
            check_step(before, after, far, pole_room)
            for player, stock in position["stock"].items():  # on land, swimming, and in stock
                assert sum(position["herds"][player].values()) + stock == herds_each
            assert Counter(position["vp"]) >= points
            before, points = after, Counter(position["vp"])
