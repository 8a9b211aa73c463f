"""Compares well-known games with independent engines, decision by decision, and with published perft numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game
from ludoglot.engine.testing.perft import count_perft
from shared_games import RULES, shared
from tmp_files import bench

from .oracles import Amazons, Corridors, DotsAndBoxes, Draughts, Go, Kalah, LinesOfAction, Morris, Oware, Reversi, compare_random_game

GAMES = {"amazons": Amazons, "corridors": Corridors, "dots-and-boxes": DotsAndBoxes, "english-draughts": Draughts, "go": Go, "kalah": Kalah,
         "lines-of-action": LinesOfAction, "nine-mens-morris": Morris, "oware": Oware, "reversi": Reversi}
# Options that match the rules of the independent engine.
OPTIONS = {"nine-mens-morris": {"patience": "long"}}
# By game, the numbers of lines after one decision, two decisions, and so on.
PERFT_COUNTS = {
    "amazons": [4, 80, 2176],
    "dots-and-boxes": [60, 3540],
    "english-draughts": [7, 49, 302, 1469],
    "kalah": [6, 35, 185, 942, 4690],
    "lines-of-action": [36, 1244],
    "nine-mens-morris": [24, 552],
    "oware": [6, 36, 190, 1014],
    "reversi": [4, 12, 56, 244, 1396],
}


@pytest.mark.long_cases("corridors", "lines-of-action")
@pytest.mark.parametrize("name", sorted(GAMES.keys() - {"go"}))      # go: see the small board below (its whole games are long)
def test_two_games_match_another_engine(name):
    assert sum(compare_random_game(shared(name, 2, OPTIONS.get(name)), GAMES[name](), seed) for seed in (101, 102)) > 20


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_twenty_games_match_another_engine(name):
    for seed in range(20):
        compare_random_game(shared(name, 2, OPTIONS.get(name)), GAMES[name](), seed)


def load_smaller_game(name: str, folder: Path, numbers: dict[str, int]) -> Game:
    """Returns the game with other numbers, changed by a pack of house rules."""
    pack = folder / "smaller.yaml"
    lines = [f"  {key}: {number}" for key, number in numbers.items()]
    pack.write_text("\n".join(["house: smaller", f"for: {name}", "set:", *lines, ""]), encoding="utf-8")
    return Game(load_ruleset(RULES / name, pack_sources=[pack]))


@pytest.mark.long
def test_oware_with_one_seed_per_house_matches_another_engine(tmp_path):
    """With one seed in each house, games reach repeated positions, grand slams, and sides that cannot be fed."""
    game = load_smaller_game("oware", tmp_path, {"seeds_each": 1})
    assert sum(compare_random_game(game, Oware(1), seed) for seed in range(8)) > 300


def test_corridors_on_a_small_board_match_another_engine():
    """With five squares a side, pawns meet often, also at the edges of the board and at walls."""
    game = shared("corridors", 2, {"squares_a_side": 5})
    assert sum(compare_random_game(game, Corridors(5, 3), seed) for seed in range(8)) > 300


@pytest.mark.long
def test_go_on_a_small_board_matches_another_engine(tmp_path):
    """If nobody passes while a point is free, captures reach the rule against repeated positions, beyond the simple ko."""
    game, repeated = load_smaller_game("go", tmp_path, {"board.columns": 3, "board.rows": 3}), 0
    for seed in range(5):
        oracle = Go(3)
        compare_random_game(game, oracle, seed, lambda rng, mine: rng.choice([option for option in mine if option != "pass"] or mine))
        repeated += oracle.repeated
    assert repeated > 10


@pytest.mark.long
@pytest.mark.parametrize("name", PERFT_COUNTS)
def test_perft_matches_published_counts(name):
    assert [count.lines for count in count_perft(shared(name).start(1), len(PERFT_COUNTS[name]))] == PERFT_COUNTS[name]


# Longer than expected by more than a fifth. bench/rule_sizes.py explains why.
LONGER_THAN_EXPECTED = {"backgammon": 64, "chess": 76, "corridors": 37, "cribbage": 108, "go": 38, "hearts": 73,
                        "international-draughts": 65, "liars-dice": 59, "lines-of-action": 37, "scopa": 104, "scopone": 104,
                        "snapszer": 122}


@pytest.mark.long
def test_rules_are_not_longer_than_expected():
    lengths = bench("rule_sizes")
    found = {name: lengths.lines(lengths.RULES / name) for name in lengths.EXPECTED}
    most = {name: LONGER_THAN_EXPECTED.get(name, lengths.most(name)) for name in found}
    assert {name: n for name, n in found.items() if n > most[name]} == {}
    assert found["chess"] < 80 and found["reversi"] < 20
    assert all(lengths.most(name) < n for name, n in LONGER_THAN_EXPECTED.items()), "an entry of LONGER_THAN_EXPECTED is obsolete"


@pytest.mark.long
def test_a_position_of_chess_is_small():
    assert len(shared("chess", 2).start(1).s) < 400
