"""Checks `ludoglot check GAME --watch`."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from ludoglot.engine.project import watch

from .conftest import COMMAND, RULES


@pytest.fixture
def edits(monkeypatch: pytest.MonkeyPatch) -> list:
    """Runs one edit each time the watcher sleeps, then raises Ctrl-C."""
    todo: list = []

    def run_next_edit(_: float) -> None:
        if not todo:
            raise KeyboardInterrupt
        todo.pop(0)()

    monkeypatch.setattr(watch, "time", SimpleNamespace(sleep=run_next_edit))  # only in this module: other threads need the real sleep
    return todo


@pytest.mark.long
def test_new_and_fixed_findings_are_printed_once(ludoglot, orchard: Path, edits: list) -> None:
    path = orchard / "orchard.rules"
    wrong = RULES.replace("+= harvest.apples", "+= harvst.apples")
    edits += [lambda: None,
              lambda: path.write_text(wrong, encoding="utf-8"),
              lambda: path.write_text("# a remark\n" + wrong, encoding="utf-8"),             # the same mistake on another line
              lambda: path.write_text("# a remark\n" + wrong.replace("choose card", "chose card"), encoding="utf-8"),
              lambda: path.write_text(RULES + "\n", encoding="utf-8")]
    said = ludoglot("check", str(orchard), "--watch")
    assert said.code == 0 and said.err == ""
    assert said.out.count("error[R101]") == 1 and said.out.count("error[R006]") == 1
    assert [line for line in said.out.splitlines() if line.startswith(("Fixed:", "Watching ", "No problems"))] == [
        f"Watching {orchard}. To stop, press Ctrl-C.", "No problems left.",
        f"Fixed: R101 at {orchard}/orchard.rules:11.", f"Fixed: R006 at {orchard}/orchard.rules:8.", "No problems left."]


def test_the_exit_code_reports_remaining_findings(ludoglot, orchard: Path, edits: list) -> None:
    (orchard / "orchard.rules").write_text(RULES + "\nodd\n", encoding="utf-8")
    assert ludoglot("check", str(orchard), "--watch").code == 1


def test_a_pack_of_house_rules_is_watched_with_its_game(ludoglot, orchard: Path, richer_pack: Path, edits: list) -> None:
    text = richer_pack.read_text(encoding="utf-8")
    edits += [lambda: richer_pack.write_text(text.replace("harvest", "harvst"), encoding="utf-8"),
              lambda: richer_pack.write_text(text, encoding="utf-8")]
    said = ludoglot("check", str(orchard), "--watch", "--pack", str(richer_pack), "--lang", "hu")
    assert said.code == 0 and "Javítva: " in said.out and said.out.count("harvst") >= 1


@pytest.mark.parametrize(("given", "why"), [
    (["--watch"], "Name exactly one game"),
    (["hex", "chomp", "--watch"], "Name exactly one game"),
    (["hex", "--watch", "--json"], "--watch cannot be used together with --json."),
    (["hex", "--watch", "--games", "3"], "--watch cannot be used together with --games."),
])
def test_unwatchable_arguments_are_rejected(ludoglot, given: list[str], why: str) -> None:
    said = ludoglot("check", *given)
    assert said.code == 2 and why in said.err


@pytest.mark.long
def test_ctrl_c_exits_cleanly(orchard: Path) -> None:
    command = [*COMMAND, "check", str(orchard), "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stderr is not None
        assert "Ctrl-C" in running.stdout.readline()
        assert running.stdout.readline() == "No problems left.\n"
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 0
        assert running.stderr.read() == ""
