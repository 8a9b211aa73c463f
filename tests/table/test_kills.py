"""Kills running games and checks that nothing is lost, also if the save is cut in the middle of a line (bench/crash_saves.py)."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from ludoglot.engine.match.save_file import MatchSetup, read_save
from ludoglot.engine.match.table import MatchTable
from save_fixtures import chained, unchained
from tmp_files import bench

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes, and listens to them with select")


@pytest.fixture(scope="module")
def crash_driver():
    return bench("crash_saves")


def play_reference_game(kills, game, seats, path, decisions=1000):
    """Plays a game as the driver does, in this process: people take one of the first options in turn."""
    table = MatchTable.new(game, MatchSetup(game.ruleset.id, len(seats), 3, {}, [], [""] * len(seats), seats, [""] * len(seats)), path)
    for n in range(decisions):
        list(table.take_automatic())
        if table.over:
            break
        options = table.position.decision.options
        table.play(options[n % min(3, len(options))])
    assert table.save is not None
    table.save.close()
    return kills.Reference([], read_save(path)[1], path.read_bytes())


@pytest.mark.long
@pytest.mark.parametrize("name, seats, decisions", [
    ("tic-tac-toe", ["human", "human"], 20), ("connect-four", ["human", "bot:random"], 20),
    pytest.param("evolution", ["human", "bot:random"], 5, marks=pytest.mark.long),
])
def test_save_cut_at_any_byte_is_resumed(game, crash_driver, tmp_path, name, seats, decisions):
    reference = play_reference_game(crash_driver, game(name, 2), seats, tmp_path / "whole", decisions)
    counted = crash_driver.cut_everywhere(reference, tmp_path / "cut")
    assert counted["headers"] > 150 and counted["lines"] > 200


def test_lost_decisions_are_detected(crash_driver, game, tmp_path):
    """Checks the comparison itself: it notices a save that lacks a decision or contains a different one."""
    path = tmp_path / "ludoglot" / "saves" / "g.ludoglot"
    reference = play_reference_game(crash_driver, game("tic-tac-toe"), ["human", "human"], path)

    class Seen:
        prompts, asides = 4, 0

    outcome = crash_driver.Outcome(crash_driver.Plan("tic-tac-toe"))
    parts = reference.raw.splitlines(keepends=True)
    path.write_bytes(b"".join(parts[:5]))
    crash_driver.compare(reference, tmp_path, 0, Seen, outcome)
    with pytest.raises(crash_driver.Lost, match="4 decisions were answered, but only 3"):
        crash_driver.compare(reference, tmp_path, 1, Seen, outcome)
    head, one, _, three, *_ = unchained(path)
    path.write_bytes(chained([head, one, three]))
    with pytest.raises(crash_driver.Lost, match="other decisions"):
        crash_driver.compare(reference, tmp_path, 0, Seen, outcome)
    path.write_bytes(parts[0][:20])
    with pytest.raises(crash_driver.Lost, match="no save"):
        crash_driver.compare(reference, tmp_path, 0, Seen, outcome)


@pytest.mark.long
def test_no_decision_is_lost_in_eighty_kills(crash_driver, tmp_path):
    """Kills two games at a time, to use two processors: an open game, and one with hidden hands and bots.

    bench/crash_saves.py does more of them."""
    plans = [
        (crash_driver.Plan("connect-four", "human,human", 1, 24), 40),
        (crash_driver.Plan("evolution", "human,bot:greedy,human", 2, 12), 40),
    ]
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(crash_driver.kill_often, plan, count, tmp_path / plan.game) for plan, count in plans]
        outcomes = [job.result() for job in jobs]
    assert sum(sum(outcome.kills.values()) for outcome in outcomes) == 80
    assert all(set(outcome.kills) == set(crash_driver.KINDS) and outcome.games > 1 for outcome in outcomes)
