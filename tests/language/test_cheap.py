"""Small rule files that would cost much if what is called were looked at again for each call: they cost little, or are refused."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics import Findings
from ludoglot.dsl.ruleset import try_load

YAML = "game: g\nname: G\nplayers: 2\nrules: [g.rules]\n"
END = "standing player: n\n"
SECONDS = 10                         # of processor, on a busy machine; before, it took minutes or all memory


def defs(levels: int, one: str) -> str:
    """Defs that each use the last twice."""
    return "".join(one.replace("#", str(n)).replace("@", f"d{n - 1}") + "\n" for n in range(1, levels))


GAMES = {
    "procedures": "state n: 0..\nphase game: p39()\nproc p0(): n += 1\n" + "".join(
        f"proc p{n}():\n    if n > 5:\n        p{n - 1}()\n        p{n - 1}()\n" for n in range(1, 40)) + END,
    "procedures that ask": "state n: 0..\nphase game: p39()\nproc p0():\n    choose k in 0..1 by player_1\n    n += k\n" + "".join(
        f"proc p{n}():\n    p{n - 1}()\n    p{n - 1}()\n" for n in range(1, 40)) + END,
    "defs": "state n: 0..\nphase game: n = d39 if n > 5 else 1\ndef d0 = n\n" + defs(40, "def d# = @ + @") + END,
    "defs of a thing": "state n: 0..\nstate x[Player]: 0..9\nphase game:\n    for p in Player where d39(p): n += 1\n"
                       "def d0(player) = x[player] == 1\n" + defs(40, "def d#(player) = @(player) and @(player)") + END,
    "a set of them": "state n: 0..\nstate x[Player]: 0..9\nphase game: n = size(set(p in Player where d39(p)))\n"
                     "def d0(player) = x[player] == 1\n" + defs(40, "def d#(player) = @(player) and @(player)") + END,
    "defs in the standing": "state n: 0..\nphase game: n = 1\ndef d0 = n\n" + defs(40, "def d# = @ + @") + "standing player: d39\n",
}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_called_twice_is_not_looked_at_twice(tmp_path: Path, name: str):
    (tmp_path / "game.yaml").write_text(YAML, encoding="utf-8")
    (tmp_path / "g.rules").write_text(GAMES[name], encoding="utf-8")
    findings, before = Findings(), time.process_time()
    try_load(tmp_path, findings)
    assert time.process_time() - before < SECONDS
    assert not findings.errors, [str(one) for one in findings.errors]


def test_thousands_of_numbers(tmp_path: Path):
    (tmp_path / "game.yaml").write_text(YAML + "numbers:\n" + "".join(f"  n{n}: {n}\n" for n in range(8000)), encoding="utf-8")
    (tmp_path / "g.rules").write_text("state n: 0..\nphase game: n = n7\n" + END, encoding="utf-8")
    findings, before = Findings(), time.process_time()
    assert try_load(tmp_path, findings) is not None
    assert time.process_time() - before < SECONDS


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
@pytest.mark.parametrize("name", ["game.yaml", "g.rules"])
def test_a_pipe_is_no_file_of_a_game(tmp_path: Path, name: str):
    (tmp_path / "game.yaml").write_text(YAML, encoding="utf-8")
    (tmp_path / "g.rules").write_text("state n: 0..\nphase game: n = 1\n" + END, encoding="utf-8")
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    findings = Findings()
    assert try_load(tmp_path, findings) is None and findings.errors
