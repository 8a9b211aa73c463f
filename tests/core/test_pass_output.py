"""Checks the exact output of each pass for one rule, and the Python tools that use the lines of rule files."""

from __future__ import annotations

import cProfile
import pstats
import random
import re
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from ludoglot.dsl.backend_python.runtime import RuleFault
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.lowering import calls
from ludoglot.dsl.tools.dump import STAGES
from ludoglot.engine.position.position import Game
from shared_games import shared
from tmp_files import filled

HERE = Path(__file__).parent / "stages"
DATA = "game: g\nname: G\nplayers: 2\nrules: [g.rules]\n"


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_prints_the_expected_text(stage: str, recorded):
    ruleset = shared("hex").ruleset
    (shown,) = {routine.path for routine in ruleset.program.routines}
    text = STAGES[stage](ruleset, (shown, 9)).replace(shown, "hex.rules") + "\n"
    recorded(HERE / f"{stage}.txt", text)


def test_tracebacks_and_profiles_name_lines_of_rules(tmp_path: Path):
    rules = "state n: 0..3\nphase game:\n    raise_it()\nproc raise_it():\n    n += 9\nstanding player: n\n"
    game = Game(load_ruleset(filled(tmp_path, {"game.yaml": DATA, "g.rules": rules})))
    profile = cProfile.Profile()
    with pytest.raises(RuleFault) as stopped:
        profile.runcall(game.new_position().step, 0)
    shown = "".join(traceback.format_exception(stopped.value))
    assert re.search(r'g\.rules", line 5, in p_raise_it\n    n \+= 9', shown), shown
    assert re.search(r'g\.rules", line 3, in', shown)
    functions = {(Path(path).name, line, name) for path, line, name in pstats.Stats(profile).stats}     # type: ignore[attr-defined]
    assert ("g.rules", 5, "p_raise_it") in functions


@pytest.mark.long
def test_a_debugger_stops_at_a_rule_line(tmp_path: Path):
    # Uses set_break instead of typing `break`: from Python 3.14 on, a file that you type there must end in .py.
    rules = "state n: 0..9\nphase game:\n    n = 4\n    n += 2\nstanding player: n\n"
    filled(tmp_path, {"game.yaml": DATA, "g.rules": rules})
    program = (f"from ludoglot.dsl.game.ruleset import load_ruleset\nfrom ludoglot.engine.position.position import Game\n"
               f"game = Game(load_ruleset({str(tmp_path)!r}))\nimport pdb\nstops = pdb.Pdb(nosigint=True, readrc=False)\n"
               f"assert stops.set_break({str((tmp_path / 'g.rules').resolve())!r}, 4, temporary=True) is None\n"
               f"stops.runcall(game.new_position().step, 0)\n")
    typed = "continue\nlist 4, 4\nquit\n"
    done = subprocess.run([sys.executable, "-c", program], input=typed, capture_output=True, text=True, timeout=60)
    assert "g.rules(4)" in done.stdout and "n += 2" in done.stdout, done.stdout + done.stderr


def test_unused_defs_do_not_change_the_fingerprint(tmp_path: Path):
    meanings = []
    for more in ("", "def twice = n * 2\n", "def once(player) = n\n"):
        rules = f"state n: 0..9\nphase game: n = 4\n{more}standing player: n\n"
        meanings.append(load_ruleset(filled(tmp_path / str(len(meanings)), {"game.yaml": DATA, "g.rules": rules})).rules_fingerprint())
    assert len(set(meanings)) == 1


@pytest.mark.long
def test_the_fingerprint_does_not_depend_on_the_compiler(monkeypatch: pytest.MonkeyPatch, rules: Path):
    """Compiling differently keeps the game: the hash of the rules and of each position stays the same."""

    def play_digests(game: Game) -> list[str]:
        position, rng = game.start(3), random.Random(5)
        out = [game.fingerprint, position.digest()]
        while (decision := position.decision) is not None and len(out) < 40:
            option = decision.options[rng.randrange(len(decision.options))]
            position.play(decision.seat, option)
            out.append(position.digest())
        return out

    for name in ("trias", "evolution"):
        before = Game(load_ruleset(rules / name))
        monkeypatch.setattr(calls, "MAX_INLINE_NODES", 0)
        after = Game(load_ruleset(rules / name))
        monkeypatch.undo()
        assert before.ruleset.layout_fingerprint != after.ruleset.layout_fingerprint, "the compiled layout did not change"
        assert play_digests(before) == play_digests(after)
