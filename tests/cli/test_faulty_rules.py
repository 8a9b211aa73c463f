"""Checks that a scenario fails if a rule faults, and that the message names the line of the rule."""

from __future__ import annotations

import pytest
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.testing.mutants import draw_mutants
from ludoglot.engine.testing.mutation_testing import NOTICED, MutationRunner
from tmp_files import filled

GAME = "game: division\nname: Division\nplayers: 2\nrules: [division.rules]\nnumbers: {two: 2}\n"
RULES = """state n: 0..9
phase game:
    for player in Player:
        choose k in 0..1 by player
        n = n + k
standing player: 6 // {divisor}
"""
TESTS = "scenarios:\n  - {name: one, play: [k=0, k=0], expect: {n: 0, standing: [[player_1, player_2]]}}\n"


@pytest.fixture
def write_division_game(tmp_path):
    def made(divisor, tests=TESTS):
        return filled(tmp_path / "division", {"game.yaml": GAME, "division.rules": RULES.format(divisor=divisor), "tests/play.yaml": tests})
    return made


@pytest.mark.parametrize("expect, at, line", [
    ("expect: {standing: [player_1]}", "play.yaml:4:24", "division.rules:6:18"),
    ('expect: {"6 // n": 3}', "play.yaml:4:14", "play.yaml:4:14"),
    ('expect: {"size(list(p in Player)) // n": 0}', "play.yaml:4:14", "play.yaml:4:14"),
])
def test_a_division_by_zero_in_an_expectation_names_its_place(ludoglot, write_division_game, expect, at, line):
    said = ludoglot("test", write_division_game("n", f"scenarios:\n  - name: one\n    play: [k=0, k=0]\n    {expect}\n"))
    assert said.code == 1 and at in said.out and "error[F001]" in said.out and line in said.out, said.out + said.err


def test_a_faulting_standing_in_a_step_is_named(ludoglot, write_division_game):
    said = ludoglot("test", write_division_game("n", "scenarios:\n  - name: one\n    play: [k=0, {expect: {standing: [player_1]}}]\n"))
    assert said.code == 1 and "play.yaml:3:37" in said.out and "division.rules:6" in said.out, said.out + said.err


def test_a_mutant_that_faults_is_noticed(write_division_game):
    found = find_game_location(str(write_division_game("(two - 1)")))
    jury, (mutants, _) = MutationRunner(found), draw_mutants(found, 40, 1)
    wrong = [mutant for mutant in mutants if (mutant.line, mutant.old_line, mutant.new) == (6, "1", "2")]
    assert wrong and [jury.classify_mutant(mutant) for mutant in wrong] == [NOTICED]


@pytest.mark.parametrize("command", [["check"], ["test"], ["test", "--mutants", "2"], ["show"], ["simulate", "--games", "2"], ["trace"],
                                     ["play", "--seats", "bot:random,bot:random", "--seed", "1"]])
@pytest.mark.parametrize("where, name", [(".", "."), ("tests", "..")])
def test_a_game_is_found_from_inside_its_folder(ludoglot, write_division_game, monkeypatch, command, where, name):
    monkeypatch.chdir(write_division_game("two") / where)
    said = ludoglot(command[0], name, *command[1:])
    assert said.code == 0, said.out + said.err


@pytest.mark.parametrize("goals", ["standing player: 6 // n", "standing player: 1\nestimate player: 6 // n",
                                   "standing player: 1\nalways sound: 6 // n > 0"])
@pytest.mark.parametrize("bots", ["bot:random,bot:random", "bot:greedy,bot:easy", "human,human"])
def test_a_faulting_goal_is_a_finding(ludoglot, tmp_path, goals, bots):
    rules = RULES.partition("standing")[0].replace("n = n + k", "n = n + k - k")
    folder = filled(tmp_path / "division", {"game.yaml": GAME, "division.rules": rules + goals + "\n"})
    said = ludoglot("play", folder, "--seats", bots, "--seed", "1", typed="0\nboard\n1\n")
    assert "Something went wrong" not in said.err and said.code in (0, 1), said.err
    assert ("error[F001]" in said.err) == goals.endswith("6 // n") or "estimate" in goals


@pytest.mark.long
def test_a_large_scenario_file_is_accepted(ludoglot, write_division_game):
    many = "".join(f"  - {{name: n{n}, expect: {{n: 0}}}}\n" for n in range(5500))
    said = ludoglot("test", write_division_game("two", "scenarios:\n" + many), "-k", "n17")
    assert said.code == 0 and "Y021" not in said.err + said.out, said.out
