"""Checks that coverage.py measures the lines of rule files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GAME = "game: g\nname: G\nplayers: 2\nrules: [g.rules]\n"
RULES = "state n: 0..9\nphase game:\n    n = 4\n    if n > 5:\n        n = 2\n    n += 1\nstanding player: n\n"


@pytest.mark.long
def test_lines_of_rules_are_measured(tmp_path: Path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "g.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / ".coveragerc").write_text("[run]\ncore = ctrace\nplugins = ludoglot.engine.testing.coverage_plugin\n", encoding="utf-8")
    (tmp_path / "play.py").write_text(
        "from ludoglot.dsl.game.ruleset import load_ruleset\nfrom ludoglot.engine.position.position import Game\n"
        "Game(load_ruleset('.')).start()\n",
        encoding="utf-8",
    )

    def coverage(*words: str) -> str:
        done = subprocess.run([sys.executable, "-m", "coverage", *words], cwd=tmp_path, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        return done.stdout

    coverage("run", "--include=*.rules", "play.py")
    (row,) = [line.split() for line in coverage("report", "--show-missing").splitlines() if line.startswith("g.rules")]
    assert row == ["g.rules", "4", "1", "75%", "5"]
