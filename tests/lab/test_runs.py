"""Checks the games of a plan: each is played once, with the same result for any worker and after any number of interruptions."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ludoglot.engine.lab import process_pool
from ludoglot.engine.lab.journal import GAMES_FILE, GameJournal, JournalError
from ludoglot.engine.lab.plan import LOADED_GAMES, GameKey, LabPlan, PlanChunk, RulesChangedError, play_chunk
from ludoglot.engine.lab.process_pool import process_workers
from ludoglot.engine.lab.runner import FinishedGames, PlanRun, WorkersLostError, WorkQueue, run_inline

from .conftest import load_rules


def run_plan(plan: LabPlan, folder: Path, workers=run_inline, tell=lambda count: None) -> bytes:
    """Returns the content of the file that a run writes."""
    journal = GameJournal(folder, plan)
    try:
        PlanRun(plan, workers, journal, tell).run_until([plan.games])
    finally:
        journal.close()
    return (folder / GAMES_FILE).read_bytes()


def run_in_reverse(plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
    yield from run_inline(plan, keys[::-1])


@pytest.fixture
def plan(market: Path) -> LabPlan:
    return LabPlan((load_rules(market, "days: 5"), load_rules(market)), 20, seed=3)


def test_journal_has_one_line_per_game(plan, tmp_path):
    lines = [json.loads(line) for line in run_plan(plan, tmp_path / "out").splitlines()]
    assert [(line["rules"], line["seed"]) for line in lines] == [(side, seed) for seed in range(3, 23) for side in (0, 1)]
    assert all(line["decisions"] == (10 if line["rules"] == 0 else 8) for line in lines)


def test_journal_is_independent_of_play_order(plan, tmp_path):
    assert run_plan(plan, tmp_path / "one") == run_plan(plan, tmp_path / "two", run_in_reverse)


@pytest.mark.parametrize("cut", [0, 1, 700, 1500, 2500, -1])
def test_interrupted_run_is_resumed(plan, tmp_path, cut):
    whole = run_plan(plan, tmp_path / "whole")
    part = tmp_path / "part"
    part.mkdir()
    (part / GAMES_FILE).write_bytes(whole[:cut] if cut >= 0 else whole[: len(whole) + cut])
    played = []
    assert run_plan(plan, part, tell=played.append) == whole
    kept = whole[:cut].count(b"\n") if cut >= 0 else 39
    assert sum(played) == 40 - kept


def test_finished_games_are_not_played_again(plan, tmp_path):
    whole = run_plan(plan, tmp_path)
    assert run_plan(plan, tmp_path, workers=lambda plan, keys: pytest.fail("played again")) == whole


def test_duplicate_line_counts_once(plan, tmp_path):
    whole = run_plan(plan, tmp_path)
    (tmp_path / GAMES_FILE).write_bytes(whole + whole[: whole.index(b"\n") + 1])
    assert run_plan(plan, tmp_path) == whole


def test_journal_rejects_games_of_a_different_plan(plan, market, tmp_path):
    run_plan(plan, tmp_path / "out")
    with pytest.raises(JournalError, match="other_run"):
        GameJournal(tmp_path / "out", LabPlan((load_rules(market, "days: 6"), plan.rules[1]), 20, seed=3))
    with pytest.raises(JournalError, match="other_run"):                                  # its interim analyses were planned for 20 games
        GameJournal(tmp_path / "out", LabPlan(plan.rules, 30, seed=3))


def test_games_can_be_added_to_a_plan_without_comparison(plan, tmp_path):
    few = run_plan(LabPlan(plan.rules[:1], 5), tmp_path / "out")
    more = run_plan(LabPlan(plan.rules[:1], 9), tmp_path / "out")
    assert more.startswith(few) and more == run_plan(LabPlan(plan.rules[:1], 9), tmp_path / "fresh")


def test_journal_folder_is_locked(plan, tmp_path):
    journal = GameJournal(tmp_path, plan)
    with pytest.raises(JournalError, match="in_use"):
        GameJournal(tmp_path, plan)
    journal.close()


def test_rules_changed_during_a_run_are_rejected(plan, market):
    LOADED_GAMES.clear()
    (market / "market.rules").write_text((market / "market.rules").read_text().replace("luck in 0..2", "luck in 0..3"))
    with pytest.raises(RulesChangedError):
        list(play_chunk(PlanChunk(plan, 0, (1,))))


@pytest.mark.parametrize(("pace", "left", "hands", "size"), [
    (None, 500, 2, 1), (0.1, 500, 2, 1), (40, 500, 2, 40), (4000, 500, 2, 125), (4000, 5000, 1, 1000), (40, 3, 2, 1)])
def test_chunk_size_is_about_one_second_of_work(plan, pace, left, hands, size):
    portions = WorkQueue(plan, [(0, seed) for seed in range(left)], hands)
    portions.pace = pace
    chunk = portions.take_next_chunk()
    assert chunk.seeds == tuple(range(size))
    portions.return_seeds(0, chunk.seeds[1:])
    assert portions.take_next_chunk().seeds[0] == (1 if size > 1 else size)


@pytest.mark.long
def test_killed_worker_loses_and_duplicates_no_game(plan, tmp_path):
    plan = replace(plan, games=200)
    whole = run_plan(plan, tmp_path / "alone")
    killed = []

    def kill(count: int) -> None:
        if not killed:
            killed.extend(multiprocessing.active_children()[:1])
            killed[0].kill()
    with process_workers(2) as workers:
        assert run_plan(plan, tmp_path / "two", workers, kill) == whole
    assert killed


@pytest.mark.long
def test_repeatedly_dying_workers_stop_the_run(plan, monkeypatch):
    monkeypatch.setattr(process_pool, "worker_main", os._exit)
    with pytest.raises(WorkersLostError), process_workers(2) as workers:
        list(workers(plan, plan.game_keys(20)))
