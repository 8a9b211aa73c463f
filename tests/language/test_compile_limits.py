"""Checks that small rule files with exponential or endless work are compiled quickly, or are rejected.

A compiler that analyses a routine again for each call would never finish them.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import try_load_ruleset
from ludoglot.dsl.packs.source import read_game
from ludoglot.engine.position.position import Game, RuleError
from tmp_files import filled

YAML = "game: g\nname: G\nplayers: 2\nrules: [g.rules]\n"
MANY_NUMBERS = YAML + "numbers:\n" + "".join(f"  n{n}: {n}\n" for n in range(8000))
END = "standing player: n\n"
MAX_SECONDS = 10                     # of CPU time on a busy machine (earlier versions needed minutes or all memory)


def doubling_defs(levels: int, one: str) -> str:
    """Returns defs that each use the previous one twice."""
    return "".join(one.replace("#", str(n)).replace("@", f"d{n - 1}") + "\n" for n in range(1, levels))


GAMES = {
    "procedures": "state n: 0..\nphase game: p39()\nproc p0(): n += 1\n" + "".join(
        f"proc p{n}():\n    if n > 5:\n        p{n - 1}()\n        p{n - 1}()\n" for n in range(1, 40)) + END,
    "procedures that ask": "state n: 0..\nphase game: p39()\nproc p0():\n    choose k in 0..1 by player_1\n    n += k\n" + "".join(
        f"proc p{n}():\n    p{n - 1}()\n    p{n - 1}()\n" for n in range(1, 40)) + END,
    "defs": "state n: 0..\nphase game: n = d39 if n > 5 else 1\ndef d0 = n\n" + doubling_defs(40, "def d# = @ + @") + END,
    "defs of a thing": "state n: 0..\nstate x[Player]: 0..9\nphase game:\n    for p in Player where d39(p): n += 1\n"
                       "def d0(player) = x[player] == 1\n" + doubling_defs(40, "def d#(player) = @(player) and @(player)") + END,
    "a set of them": "state n: 0..\nstate x[Player]: 0..9\nphase game: n = size(set(p in Player where d39(p)))\n"
                     "def d0(player) = x[player] == 1\n" + doubling_defs(40, "def d#(player) = @(player) and @(player)") + END,
    "defs in the standing": "state n: 0..\nphase game: n = 1\ndef d0 = n\n" + doubling_defs(40, "def d# = @ + @")
                            + "standing player: d39\n",
}


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_repeated_calls_are_analysed_only_once(tmp_path: Path, name: str):
    filled(tmp_path, {"game.yaml": YAML, "g.rules": GAMES[name]})
    findings, before = DiagnosticList(), time.process_time()
    try_load_ruleset(tmp_path, findings)
    assert time.process_time() - before < MAX_SECONDS
    assert not findings.errors, [str(one) for one in findings.errors]


@pytest.mark.long
def test_thousands_of_numbers_load_quickly(tmp_path: Path):
    filled(tmp_path, {"game.yaml": MANY_NUMBERS, "g.rules": "state n: 0..\nphase game: n = n7\n" + END})
    findings, before = DiagnosticList(), time.process_time()
    assert try_load_ruleset(tmp_path, findings) is not None
    assert time.process_time() - before < MAX_SECONDS


@pytest.mark.long
def test_thousands_of_unused_numbers_are_checked_quickly(tmp_path: Path):
    """Each number gives a finding, and is compared with few others."""
    from ludoglot.engine.project.check_unused import check_unused
    filled(tmp_path, {"game.yaml": MANY_NUMBERS, "g.rules": "state n: 0..\nphase game: n = n7\n" + END})
    findings = DiagnosticList()
    source = read_game(tmp_path, findings)
    assert source is not None
    before = time.process_time()
    check_unused(source, (), findings)
    assert time.process_time() - before < 2 and len(findings.items) == 7999


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("name", ["game.yaml", "g.rules"])
def test_a_pipe_is_rejected_as_a_game_file(tmp_path: Path, name: str):
    filled(tmp_path, {"game.yaml": YAML, "g.rules": "state n: 0..\nphase game: n = 1\n" + END})
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    findings = DiagnosticList()
    assert try_load_ruleset(tmp_path, findings) is None and findings.errors


# Each game runs (nearly) forever. The fault must come soon, with the rule line.
ENDLESS = {
    "numbers in each other": "state n: 0..\nphase game:\n    n = 90000\n    repeat n:\n        for a in 1..n, b in 1..n: n += 0\n" + END,
    "a count in a count": "state n: 0..\nphase game:\n    n = 9999\n    n = count(a in 1..n, b in 1..n where a == b)\n" + END,
    "counts through defs": "state n: 0..\nphase game:\n    n = 9999\n    n = rows()\ndef row(a) = count(b in 1..n where a == b)\n"
                           "def rows() = sum(a in 1..n: row(a))\n" + END,
    "repeats": "state n: 0..\nphase game:\n    n = 90000\n    repeat n:\n        repeat n: n += 0\n" + END,
    "procedures that call two": "state n: 0..\nphase game: p39()\nproc p0(): n += 1\n" + "".join(
        f"proc p{n}():\n    p{n - 1}()\n    p{n - 1}()\n" for n in range(1, 40)) + END,
    "defs that ask two": "state n: 0..\nstate x[Player]: 0..9\nphase game: n = sum(p in Player: d39(p))\n"
                         "def d0(player) = x[player] + 1\n" + doubling_defs(40, "def d#(player) = @(player) + @(player)") + END,
    "rounds without an end": "state n: 0..9\nphase game:\n    rounds until n == 1: n = 2\n" + END,
    "a list that grows": "state l: list of Player\nstate n: 0..\nphase game:\n    n = 90000\n    repeat n: l += [player_1]\n" + END,
    "a list that doubles":
        "state l: list of Player\nstate n: 0..\nphase game:\n    n = 90000\n    l = [player_1]\n    repeat n: l += l\n" + END,
    "rounds that ask in vain":
        "state n: 0..9\nphase game:\n    rounds of player in Player until n == 1:\n        if n == 5: choose k in 0..1 by player\n" + END,
}


@pytest.mark.long
@pytest.mark.parametrize("name", ENDLESS)
def test_endless_rules_are_stopped_quickly(tmp_path: Path, name: str):
    filled(tmp_path, {"game.yaml": YAML, "g.rules": ENDLESS[name]})
    findings, before = DiagnosticList(), time.process_time()
    ruleset = try_load_ruleset(tmp_path, findings)
    if ruleset is None:
        assert findings.errors
    else:
        with pytest.raises(RuleError) as stopped:
            Game(ruleset).start()
        assert stopped.value.diagnostic.code == "F009"
        assert stopped.value.diagnostic.place.path.endswith("g.rules")
    assert time.process_time() - before < MAX_SECONDS
