"""Checks the tables of docs/project/strength.md, and the script that writes them."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from ludoglot.engine.library.find import list_game_ids
from tmp_files import BENCH, bench


@pytest.fixture(scope="module")
def script():
    return bench("strength_table")


def test_the_page_has_a_row_for_each_bot_of_each_game(script):
    page = script.PAGE.read_text(encoding="utf-8")
    for name in list_game_ids():
        rows = [line for line in page.splitlines() if line.startswith(f"| {name} | ")]
        assert len(rows) >= len(script.BOTS) - 1, name
        assert all("%" in row or "(" in row or script.NOT_MEASURED in row for row in rows)


def test_pairs_without_games_are_shown_as_not_measured(script):
    pairings = [script.Pairing("chess", ("greedy", "random"), [1.0, 0.5]), script.Pairing("chess", ("hard", "random"))]
    rows = script.duels_table(["chess"], pairings)
    assert any(row.startswith("| chess | greedy | 75% (") and row.endswith("), 2 |  |  |  |") for row in rows)
    assert rows[-1].startswith("| chess | hard | not measured | not measured |")


def test_the_time_is_shared_between_all_pairs(script):
    class FakeContest:
        def play(self, bots, number, until):
            played.append((bots, number))
            time.sleep(0.001)
            return 1.0

    played: list[tuple[tuple[str, ...], int]] = []
    pairings = [script.Pairing("toy", (bot, "random")) for bot in ("greedy", "easy", "hard")]
    script.play_all({"toy": FakeContest()}, pairings, time.monotonic() + 3600, 4)
    assert [len(one.results) for one in pairings] == [4, 4, 4]
    assert {bots for bots, _ in played[:6]} == {one.bots for one in pairings}, "each pair first gets two games"
    assert sorted(number for bots, number in played if bots[0] == "hard") == [0, 1, 2, 3]
    script.play_all({"toy": FakeContest()}, [fresh := script.Pairing("toy", ("hard", "random"))], time.monotonic(), 4)
    assert not fresh.results, "nothing is played if there is no time"


@pytest.mark.long
def test_the_script_stops_after_its_time_and_prints_the_tables():
    run = subprocess.run([sys.executable, BENCH / "strength_table.py", "--minutes", "0.05", "--dry", "--game", "tic-tac-toe"],
                         capture_output=True, text=True, timeout=300, check=True)
    assert "| chess | hard | not measured | " in run.stdout and " pairs measured" in run.stdout
    assert any(line.startswith("| tic-tac-toe | hard | ") and "%" in line for line in run.stdout.splitlines())
