"""Checks that games play exactly as they were recorded, however their rules are compiled."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from shared_games import folder_of, shared

from traces import trace
from traces.trace import (
    GAMES,
    RECORDED,
    TracedGame,
    find_differences,
    find_traced_game,
    get_full_text,
    list_traced_games,
    make_trace,
    read_recorded,
    write_recorded,
)

QUICK_TEXTS = 40                     # texts of a game that every commit compares


def list_tables() -> list[tuple[str, int]]:
    """Returns each game with each number of players. It reads only the game file, because nothing should be compiled before a test runs."""
    out = []
    for name in GAMES:
        found = re.search(r"^players: (\d+)(?:\.\.(\d+))?$", (folder_of(name) / "game.yaml").read_text(encoding="utf-8"), re.M)
        assert found
        out += [(name, players) for players in range(int(found[1]), int(found[2] or found[1]) + 1)]
    return out


@pytest.mark.long_cases("chess", "dominant-species", "evolution", "food-chain", "go", "liars-dice", "lines-of-action", "reversi")
@pytest.mark.parametrize("name", GAMES)
def test_games_begin_like_their_traces(name: str, request: pytest.FixtureRequest):
    """Every variant has a trace. For default options and the fewest players, the first decisions are compared."""
    if request.config.getoption("--record"):
        write_recorded(name)
    assert list(read_recorded(name)) == [which.name for which in list_traced_games(name)]
    fewest = min(which.players for which in list_traced_games(name))
    usual = [which for which in list_traced_games(name) if which.players == fewest and not which.options]
    found = find_differences(usual, QUICK_TEXTS)
    assert usual and found == [], "\n".join(found)


@pytest.mark.long
@pytest.mark.parametrize("name, players", list_tables())
def test_games_match_their_traces(name: str, players: int):
    here = [which for which in list_traced_games(name) if which.players == players]
    assert here
    found = find_differences(here)
    assert found == [], "\n".join(found)


def test_nothing_else_is_recorded():
    assert sorted(path.name for path in RECORDED.iterdir()) == [f"{name}.txt" for name in GAMES]


@pytest.fixture
def replace_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], TracedGame]:
    """The flower stall with one sentence of its rules replaced."""
    def exchange(sentence: str, other: str) -> TracedGame:
        shutil.copytree(folder_of("flower-stall"), tmp_path / "flower-stall")
        rules = tmp_path / "flower-stall" / "stall.rules"
        text = rules.read_text(encoding="utf-8")
        assert text.count(sentence) == 1
        rules.write_text(text.replace(sentence, other), encoding="utf-8")
        which = TracedGame("flower-stall", 2)
        monkeypatch.setattr(trace, "shared", lambda name, *more: shared(tmp_path / name, *more))
        return which
    return exchange


@pytest.mark.long
def test_a_difference_is_found_at_its_decision(replace_rule):
    """A change of the rules shows at its decision: the first lily is bought before decision 2."""
    which = TracedGame("flower-stall", 2)
    before = [get_full_text(which, number) for number in range(3)]
    assert "takes lily" in before[2]
    replace_rule("coins[player] += lily.scent", "coins[player] += 2")
    assert [get_full_text(which, number) for number in range(2)] == before[:2]
    [said] = find_differences([which])
    assert "flower-stall 2; seed 1: decision 2 differs" in said
    assert "seat 1 takes lily" in said and "coins[bea] = 5" in said
    assert said.rstrip().endswith("python -m traces flower-stall 2 1 2")
    assert find_differences([which], 2) == [], "earlier decisions must not differ"


@pytest.mark.long
def test_a_fault_is_part_of_a_trace(replace_rule):
    which = replace_rule("coins[player] += lily.scent", "coins[player] -= 50")
    found = make_trace(which)
    assert found.stopped == "F003 at stall.rules:23"
    assert trace.Trace.read(found.line()) == found
    assert f"now {found.count}, {found.stopped}" in find_differences([which])[0]


def test_a_game_is_found_by_its_setting():
    which = find_traced_game("trias", "3 farther=straight", 1)
    assert (which.players, dict(which.options)) == (3, {"farther": "straight"})
    assert which.name in read_recorded("trias")
