"""Runs a sample of bench/mutate_sources.py: a small typo in a shipped file gives a finding with place and cause, or a playable game."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan
from tmp_files import bench


@pytest.fixture(scope="module")
def hurt():
    return bench("mutate_sources")


@pytest.mark.parametrize("seed, count, games", [
    (3, 6, ["tic-tac-toe"]), pytest.param(5, 60, ["hex", "breakthrough", "reversi"], marks=pytest.mark.long)])
def test_a_sample_finds_nothing(hurt, seed, count, games):
    tally = hurt.campaign(seed, count, games)
    assert tally.tried == count and [(one.file, one.line, one.kind, what) for one, what in tally.findings] == []


@pytest.mark.long
def test_what_comes_through_or_is_badly_told_is_noticed(hurt, monkeypatch):
    def crash(found, pack_sources, findings: DiagnosticList) -> None:
        raise KeyError("inside")

    def nowhere(found, pack_sources, findings: DiagnosticList) -> None:
        findings.add("Y001", SourceSpan(""), path="x")

    usual = hurt.check_game
    for wrong in (crash, nowhere):
        calls = iter([usual, usual])                               # the unchanged game
        monkeypatch.setattr(hurt, "check_game", lambda *args, now=calls, wrong=wrong: next(now, wrong)(*args))
        assert len(hurt.campaign(3, 2, ["tic-tac-toe"]).findings) == 2
