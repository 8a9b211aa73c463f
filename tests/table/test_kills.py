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
def kills():
    return bench("crash_saves")


def played(kills, game, seats, path, decisions=1000):
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
def test_a_save_cut_at_any_byte_goes_on(game, kills, tmp_path, name, seats, decisions):
    reference = played(kills, game(name, 2), seats, tmp_path / "whole", decisions)
    counted = kills.cut_everywhere(reference, tmp_path / "cut")
    assert counted["headers"] > 150 and counted["lines"] > 200


def test_what_was_answered_and_is_not_saved_is_noticed(kills, game, tmp_path):
    """Checks the comparison itself: it notices a save that lacks a decision or contains a different one."""
    path = tmp_path / "ludoglot" / "saves" / "g.ludoglot"
    reference = played(kills, game("tic-tac-toe"), ["human", "human"], path)

    class Seen:
        prompts, asides = 4, 0

    outcome = kills.Outcome(kills.Plan("tic-tac-toe"))
    parts = reference.raw.splitlines(keepends=True)
    path.write_bytes(b"".join(parts[:5]))
    kills.compare(reference, tmp_path, 0, Seen, outcome)
    with pytest.raises(kills.Lost, match="4 decisions were answered, but only 3"):
        kills.compare(reference, tmp_path, 1, Seen, outcome)
    head, one, _, three, *_ = unchained(path)
    path.write_bytes(chained([head, one, three]))
    with pytest.raises(kills.Lost, match="other decisions"):
        kills.compare(reference, tmp_path, 0, Seen, outcome)
    path.write_bytes(parts[0][:20])
    with pytest.raises(kills.Lost, match="no save"):
        kills.compare(reference, tmp_path, 0, Seen, outcome)


@pytest.mark.long
def test_eighty_kills(kills, tmp_path):
    """Kills two games at a time, to use two processors: an open game, and one with hidden hands and bots.

    bench/crash_saves.py does more of them."""
    plans = [(kills.Plan("connect-four", "human,human", 1, 24), 40), (kills.Plan("evolution", "human,bot:greedy,human", 2, 12), 40)]
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(kills.kill_often, plan, count, tmp_path / plan.game) for plan, count in plans]
        outcomes = [job.result() for job in jobs]
    assert sum(sum(outcome.kills.values()) for outcome in outcomes) == 80
    assert all(set(outcome.kills) == set(kills.KINDS) and outcome.games > 1 for outcome in outcomes)
