"""Runs a sample of bench/mutate_sources.py: a small typo in a shipped file gives a finding with place and cause, or a playable game."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan
from tmp_files import bench


@pytest.fixture(scope="module")
def mutate_sources():
    return bench("mutate_sources")


@pytest.mark.parametrize("seed, count, games", [
    (3, 6, ["tic-tac-toe"]), pytest.param(5, 60, ["hex", "breakthrough", "reversi"], marks=pytest.mark.long)])
def test_a_sample_finds_nothing(mutate_sources, seed, count, games):
    tally = mutate_sources.campaign(seed, count, games)
    assert tally.tried == count and [(one.file, one.line, one.kind, what) for one, what in tally.findings] == []


@pytest.mark.long
def test_crashes_and_findings_without_place_are_noticed(mutate_sources, monkeypatch):
    def raise_error(found, pack_sources, findings: DiagnosticList) -> None:
        raise KeyError("inside")

    def add_finding_without_place(found, pack_sources, findings: DiagnosticList) -> None:
        findings.add("Y001", SourceSpan(""), path="x")

    usual = mutate_sources.check_game
    for wrong in (raise_error, add_finding_without_place):
        calls = iter([usual, usual])                               # the unchanged game
        monkeypatch.setattr(mutate_sources, "check_game", lambda *args, now=calls, wrong=wrong: next(now, wrong)(*args))
        assert len(mutate_sources.campaign(3, 2, ["tic-tac-toe"]).findings) == 2
