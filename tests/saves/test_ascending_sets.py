"""Checks saves of earlier versions, which asked for the members of a set in ascending order and ended the set with its last member."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from ludoglot.engine.match.save_reader import read_contents
from ludoglot.engine.match.setup import ANY_ORDER, MatchSetup
from ludoglot.engine.match.table import MatchTable
from save_fixtures import chained, unchained

ASCENDING = Path(__file__).parent / "ascending" / "yacht.ludoglot"
KEY = "throw.again"


@pytest.fixture
def old_save(tmp_path):
    """A copy of a save in which two bots picked up dice in ascending order."""
    return Path(shutil.copy(ASCENDING, tmp_path / "yacht.ludoglot"))


def cut_save(path, count):
    """Cuts the save after this number of decisions."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: 2 + count]))
    return path


def test_an_ascending_save_is_replayed_and_verified(ludoglot):
    said = ludoglot("replay", ASCENDING, "--verify")
    assert said.code == 0 and "Every position matches" in said.out


@pytest.mark.long
def test_an_ascending_save_is_converted_on_resume(ludoglot, old_save):
    before = read_contents(old_save)
    assert before.setup.sets == "" and any(line.option == "again=die_5" for line in before.lines)
    said = ludoglot("play", "--resume", old_save)
    assert said.code == 0 and f"{old_save}~" in said.out + said.err
    after = read_contents(old_save)
    assert after.setup.sets == ANY_ORDER and len(after.lines) > len(before.lines)
    assert Path(f"{old_save}~").read_bytes() == ASCENDING.read_bytes()
    assert [line.option for line in after.lines if not (line.auto and line.option == "decline")] == [line.option for line in before.lines]
    again = ludoglot("replay", old_save, "--verify")
    assert again.code == 0 and "Every position matches" in again.out
    ends = [json.loads(ludoglot("replay", path, "--json").out)["standing"] for path in (ASCENDING, old_save)]
    assert ends[0] == ends[1]


@pytest.mark.long
def test_an_ascending_save_resumes_after_every_decision(game, old_save):
    """The match resumes after every decision, also within a set. There, any die that was not picked up may follow."""
    whole, amid = len(read_contents(old_save).lines), 0
    for count in range(whole):
        table = MatchTable.resume(game("yacht", 2), cut_save(Path(shutil.copy(ASCENDING, old_save)), count), reopen=False)
        decision = table.position.decision
        assert decision is not None and table.setup.sets == ""
        if decision.key != KEY:
            continue
        free = [f"again=die_{n + 1}" for n in range(5) if not decision.has_taken(n)]
        assert [option.spelling for option in decision.options] == [*free, "decline"]
        amid += len(free) < 5
    assert amid > 5


def test_further_members_can_be_answered_in_any_order(game, old_save):
    count = next(n for n, line in enumerate(read_contents(old_save).lines) if line.option == "again=die_3") + 1
    table = MatchTable.resume(game("yacht", 2), cut_save(old_save, count))
    free = [option.spelling for option in table.position.decision.options]
    assert "again=die_1" in free and "again=die_5" in free
    table.play("again=die_5")
    table.play("again=die_1")
    table.save.close()
    again = MatchTable.resume(game("yacht", 2), old_save)
    assert [step.option.spelling for step in again.steps[-2:]] == ["again=die_5", "again=die_1"] and again.position == table.position
    again.save.close()


@pytest.mark.long
def test_a_damaged_ascending_save_resumes_before_the_damage(ludoglot, old_save):
    lines = old_save.read_bytes().splitlines(keepends=True)
    lines[40] = b"?" * 60 + lines[40][60:]
    old_save.write_bytes(b"".join(lines))
    assert ludoglot("play", "--resume", old_save, "--mend").code == 0
    assert read_contents(old_save).setup.sets == ANY_ORDER and ludoglot("replay", old_save, "--verify").code == 0


def test_a_changed_hash_after_a_set_is_found(ludoglot, old_save):
    """Positions within a set had other options then, so their hashes cannot be compared. The positions after a set are compared."""
    record = read_contents(old_save)
    number = next(n for n, line in enumerate(record.lines) if line.key == KEY and line.option == "decline")
    lines = unchained(old_save)
    lines[1 + number]["hash"] = "0" * 32
    old_save.write_bytes(chained(lines))
    said = ludoglot("replay", old_save, "--verify")
    assert said.code == 1 and str(number + 1) in said.err


def test_new_saves_record_how_sets_are_chosen(game, tmp_path):
    for name, found in (("yacht", ANY_ORDER), ("hex", None)):
        setup = MatchSetup(name, 2, 1, names=["", ""], seats=["human", "human"], langs=["", ""])
        table = MatchTable.new(game(name, 2), setup, tmp_path / name)
        table.save.close()
        assert json.loads((tmp_path / name).read_text(encoding="utf-8").splitlines()[0]).get("sets") == found
