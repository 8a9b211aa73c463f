"""Checks `test --coverage`: it reports exactly which lines of the rules ran."""

from __future__ import annotations

import json

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game
from ludoglot.engine.testing.coverage import RuleCoverage, floor_percent, line_ranges

RULES = """\
state apples[Player]: 0..99
state row: set of Card
state wet: bool

def ripe(player) where:
    not wet
    apples[player] < 50

phase game:
    row = set(card in Card)
    rounds of player in Player until any(p in Player where apples[p] >= 6):
        choose by player:
            pick(card in row) where ripe(player):
                effect[card](player)
            wait: wet = true
            sleep:
                wet = false
                for p in Player:
                    apples[p] += 1

proc effect[harvest](player):
    if apples[player] > 90:
        apples[player] = 0
    elif wet:
        wet = false
    else:
        apples[player] += harvest.apples
    if dry: wet = true
proc effect[rest](player): stop

standing player: apples[player]
"""
TESTS = """\
scenarios:
  - name: one pick
    play: ["ann: pick card=harvest", "bea: wait"]
    expect: {apples: {ann: 3}}
"""


@pytest.fixture
def rainy_orchard(orchard):
    (orchard / "orchard.rules").write_text(RULES, encoding="utf-8")
    game = orchard / "game.yaml"
    game.write_text(game.read_text(encoding="utf-8").replace("players: 2\n", "players: 2\noptions: {dry: {values: [true, false], "
                                                             "default: false}}\n"), encoding="utf-8")
    (orchard / "tests").mkdir()
    (orchard / "tests" / "one.yaml").write_text(TESTS, encoding="utf-8")
    return orchard


def run_coverage(ludoglot, rainy_orchard, *more):
    said = ludoglot("test", rainy_orchard, "--coverage", "--json", *more)
    (file,) = json.loads(said.out)["coverage"]["files"]
    return file, said


def test_missed_lines_are_exact(ludoglot, rainy_orchard):
    file, said = run_coverage(ludoglot, rainy_orchard)
    missed = {n for first, last in file["missed"] for n in range(first, last + 1)}
    # Not run: branches not taken, a menu entry that nobody chose, and lines that an option excludes.
    assert missed == {16, 17, 18, 19, 23, 25, 28, 29}
    assert said.code == 0 and file["lines"] - file["ran"] == len(missed) and file["unmeasured"] == []


@pytest.mark.long
def test_another_scenario_covers_more_lines(ludoglot, rainy_orchard):
    path = rainy_orchard / "tests" / "one.yaml"
    path.write_text(TESTS + """\
  - name: sleep after the rain
    options: {dry: true}
    play: ["ann: wait", "bea: sleep", "ann: pick card=rest", "bea: pick card=harvest"]
""", encoding="utf-8")
    file, _ = run_coverage(ludoglot, rainy_orchard)
    missed = {n for first, last in file["missed"] for n in range(first, last + 1)}
    assert missed == {23, 25}
    assert {16, 17, 18, 19, 23} <= {n for first, last in run_coverage(ludoglot, rainy_orchard, "-k", "one pick")[0]["missed"]
                                    for n in range(first, last + 1)}


def test_the_text_report(ludoglot, rainy_orchard):
    said = ludoglot("test", rainy_orchard, "--coverage")
    assert "orchard.rules: 55.5% (10 of 18)\n  Not run: 16-19, 23, 25, 28-29\nTotal: 55.5% (10 of 18)\n" in said.out
    assert ludoglot("test", rainy_orchard).out == "1 test passed\n"


@pytest.mark.parametrize("threshold, code", [("55", 0), ("56", 1), ("0", 0), ("100", 1)])
def test_coverage_below_the_threshold_fails(ludoglot, rainy_orchard, threshold, code):
    said = ludoglot("test", rainy_orchard, "--threshold", threshold)
    assert said.code == code and "55.5%" in said.out and (f"below {threshold}%" in said.out) == bool(code)
    assert ludoglot("test", rainy_orchard, "--threshold", threshold, "--json").code == code


def test_a_threshold_must_be_a_number(ludoglot, rainy_orchard):
    assert ludoglot("test", rainy_orchard, "--threshold", "most").code == 2


def test_coverage_watches_only_its_game(rainy_orchard):
    game, other = Game(load_ruleset(rainy_orchard)), Game(load_ruleset(rainy_orchard))
    coverage = RuleCoverage()
    coverage.watch(game)
    with coverage:
        position = game.start(1)
        seen = set(coverage.lines)
        other.start(1).play(0, "sleep")                            # not watched
        assert coverage.lines == seen
        position.play(0, "sleep")
    line = {line for _, line in coverage.lines - seen}
    assert {17, 18, 19} <= line and not {14, 15} & line
    before = set(coverage.lines)
    position.play(1, "wait")                                       # no longer in the context
    assert coverage.lines == before


def test_percentages_and_line_ranges():
    assert (floor_percent(0, 0), floor_percent(2, 3), floor_percent(999, 1000), floor_percent(9999, 10000)) == (100.0, 66.6, 99.9, 99.9)
    assert line_ranges({5, 1, 2, 3, 9}) == [(1, 3), (5, 5), (9, 9)]
