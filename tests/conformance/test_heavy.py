"""Compares Dominant Species with its referee on a seeded sample of player counts and options. `bench/duels.py` plays large numbers."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest
import yaml
from referee.components import ANIMALS, EYEBALLS, OPTIONS
from referee.dominant_species import Referee
from referee.selfplay import STIRRING

from .heavy import EXPECTED_IN_SAMPLE, OPTION_MIXES, SETTINGS, compare_standings, get_start, load_variant, play, settings_for

# Rare entries: they occur in only a few games of a hundred.
RARE_ENTRIES = (
    {"players tied", "lowest animals of a player tied", "ice_sheet.tile decline"}
    | {f"instinct.space {action}" for action, spaces in EYEBALLS.items() if spaces == 1}
    | {f"cubes asleep and awake: {card}" for card in STIRRING}
)

# Immigrants takes one pawn as printed. This question appears only with a pack that takes more pawns
# (the scenario card_limits.yaml plays it).
PACK_ONLY_KEYS = {"lose_further_pawns.loss"}


@pytest.mark.parametrize(("players", "table"), [
    (4, -1), (2, 0), *(pytest.param(*one, marks=pytest.mark.long) for one in ((3, 1), (5, 2), (6, 3), (3, 4), (2, 5)))])
def test_engine_and_referee_agree(rules, players, table):
    settings = dict(settings_for(players))[SETTINGS.index(OPTION_MIXES[table]) if table >= 0 else 0]
    play(load_variant(rules, players, settings), players, 500)


def test_the_sample_has_every_option_and_every_pair(rules):
    options = yaml.safe_load((rules / "dominant-species" / "game.yaml").read_text(encoding="utf-8"))["options"]
    assert {name: (option["default"], set(option["values"])) for name, option in options.items()} == {
        name: (values[0], set(values)) for name, values in OPTIONS.items()
    }
    tables = [{name: values[0] for name, values in OPTIONS.items()} | settings for settings in [{}, *OPTION_MIXES]]
    for one, other in combinations(OPTIONS, 2):
        assert {(table[one], table[other]) for table in tables} == set(product(OPTIONS[one], OPTIONS[other]))


@pytest.mark.long
@pytest.mark.parametrize(("players", "each"), [(2, "several"), (3, "several"), (6, "one")])
def test_engine_and_referee_agree_on_ties(rules, players, each):
    position = load_variant(rules, players, {"animals_each": each}).start(1)
    referee = Referee(get_start(position), lambda: "", {"animals_each": each})
    rng = random.Random(1)
    totals = position.game.cells["vp"]
    for _ in range(300):
        for number, animal in enumerate(ANIMALS):
            referee.vp[animal] = rng.randrange(3)
            position.set_raw(totals, [number], referee.vp[animal])
        compare_standings(position, referee)


@pytest.mark.long
def test_engine_and_referee_agree_to_the_end(rules):
    keys: set[str] = set()
    every: set[str] = set()
    found: Counter[str] = Counter()
    for players in (2, 3, 4, 5, 6):
        for number, settings in settings_for(players):
            game = load_variant(rules, players, settings)
            every |= {decision.key for decision in game.module.decisions}
            for seed in range(100 + number, 102 + number):
                keys |= play(game, seed, found=found)[1]
    assert keys == every - PACK_ONLY_KEYS
    assert EXPECTED_IN_SAMPLE - RARE_ENTRIES - set(found) == set()
