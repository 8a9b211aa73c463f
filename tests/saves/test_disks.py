"""Checks a save on a disk that fails or stops at any call. Accepted decisions are saved, and rejected decisions are not played."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ludoglot.engine.match.save_file import MatchSetup, SavedDecision, SaveError, SaveFile
from ludoglot.engine.match.save_reader import parse_save

from .disks import PowerCut, SimDisk

PLACE = Path("/saves/game.ludoglot")


def make_decision(n):
    return SavedDecision(n % 2, "turn.spot", f"spot={n}", f"{n:032x}")


def make_setup():
    return MatchSetup("game", 2, 1, {}, [], ["Anna", "Béla"], ["human", "human"], ["en", "hu"], "r", True, "en")


class SimulatedGame:
    """A game with undo and changes of language.

    `confirmed` holds the decisions that the players know to be saved. `attempted` holds the decisions that the interrupted call would have
    saved.
    """

    def __init__(self, disk):
        self.disk = disk
        self.confirmed: list[SavedDecision] | None = None
        self.attempted: list[SavedDecision] = []
        self.save: SaveFile | None = None

    def run(self):
        self.save = SaveFile.create(PLACE, make_setup(), self.disk)
        self.confirmed = []
        for n in range(4):
            self.add(n)
        self.drop(1)
        self.add(5)
        self.save.set_language(1, "it")
        self.add(6)
        self.drop(2)
        self.add(7)

    def add(self, n):
        self.attempted = [*self.confirmed, make_decision(n)]
        self.save.add_decision(make_decision(n))
        self.confirmed = self.attempted

    def drop(self, count):
        self.attempted = self.confirmed[:-count]
        self.save.undo_decisions(count)
        self.confirmed = self.attempted


def read_lines(raw):
    record = parse_save(PLACE, raw)
    assert not record.restored_header
    return record.lines


def count_calls():
    disk = SimDisk()
    SimulatedGame(disk).run()
    return disk.count


def test_the_simulated_game_is_saved():
    play = SimulatedGame(SimDisk())
    play.run()
    assert read_lines(play.disk.names[PLACE].now) == play.confirmed == [*map(make_decision, (0, 1, 2, 7))]
    assert {"open", "write", "cut", "sync", "mkdir", "sync_folder"} <= set(play.disk.kinds)


@pytest.mark.long
@pytest.mark.parametrize("late", [False, True])
def test_power_can_fail_at_any_call(late):
    tried = 0
    for stop in range(1, count_calls() + 1):
        play = SimulatedGame(SimDisk(stop=stop, late=late))
        with pytest.raises(PowerCut):
            play.run()
        for world in play.disk.worlds():
            tried += 1
            if play.confirmed is None:                             # nobody knows that the game is saved
                continue
            assert read_lines(world[PLACE]) in (play.confirmed, play.attempted), (stop, world)
            again = SimDisk()
            again.names = {path: type(play.disk.names[path])(raw) for path, raw in world.items()}
            save, record = SaveFile.reopen(PLACE, disk=again)
            save.add_decision(make_decision(9))
            assert read_lines(again.names[PLACE].disk) == [*record.lines, make_decision(9)]
    assert tried > 60


def test_any_call_can_fail():
    for fail in range(1, count_calls() + 1):
        play = SimulatedGame(SimDisk(fail=fail))
        try:
            play.run()
        except SaveError as fault:
            assert fault.key == "file.unwritable"
        if play.confirmed is None:
            continue
        assert read_lines(play.disk.names[PLACE].now) == play.confirmed, fail
        play.save.close()
        save, record = SaveFile.reopen(PLACE, disk=play.disk)      # the save continues if there is space again
        save.add_decision(make_decision(9))
        assert read_lines(play.disk.names[PLACE].disk) == [*record.lines, make_decision(9)]


def test_a_disk_that_stays_full_keeps_accepted_decisions():
    """Half-written data cannot be cut off either."""
    play = SimulatedGame(SimDisk())
    play.save = SaveFile.create(PLACE, make_setup(), play.disk)
    play.confirmed = []
    play.add(0)
    play.disk.fail = play.disk.count + 1
    play.save.handle.truncate = lambda end: (_ for _ in ()).throw(OSError(5, "input/output error"))
    with pytest.raises(SaveError):
        play.add(1)
    assert read_lines(play.disk.names[PLACE].now) == [make_decision(0)]


def test_a_file_that_was_moved_away_is_written_again():
    play = SimulatedGame(SimDisk())
    play.save = SaveFile.create(PLACE, make_setup(), play.disk)
    play.confirmed = []
    play.add(0)
    play.disk.names.clear()                                        # together with its folder
    play.add(1)
    assert read_lines(play.disk.names[PLACE].disk) == [make_decision(0), make_decision(1)]
    play.disk.names[PLACE] = type(play.disk.names[PLACE])(b"another file")
    play.add(2)
    assert play.disk.names[PLACE].now == b"another file" and play.save.path != PLACE
    assert read_lines(play.disk.names[play.save.path].disk) == [make_decision(0), make_decision(1), make_decision(2)]
    play.add(3)
    assert read_lines(play.disk.names[play.save.path].disk) == play.confirmed


@pytest.mark.long
@pytest.mark.parametrize("late", [False, True])
def test_mending_survives_a_loss_of_power_at_any_call(late):
    """The place holds the damaged file or its repaired part, and the damaged file is never lost."""
    play = SimulatedGame(SimDisk())
    play.run()
    raw = play.disk.names[PLACE].now
    parts = raw.splitlines(keepends=True)
    damaged = b"".join([*parts[:4], b"x" * 60 + b"\n", *parts[5:]])
    good = parse_save(PLACE, damaged, strict=False).lines
    assert good == [make_decision(0), make_decision(1)]
    tried = 0
    for stop in range(1, 40):
        disk = SimDisk(stop=stop, late=late)
        disk.names[PLACE] = type(play.disk.names[PLACE])(damaged)
        disk.durable = dict(disk.names)
        try:
            save, record = SaveFile.reopen(PLACE, mend=True, disk=disk)
        except PowerCut:
            for world in disk.worlds():
                tried += 1
                assert parse_save(PLACE, world[PLACE], strict=False).lines == good
                assert damaged in world.values()
        else:
            assert record.lines == good and disk.names[save.kept].now == damaged
            break
    assert tried > 10


def test_lines_of_bots_may_wait_until_the_save_is_closed():
    disk = SimDisk()
    save = SaveFile.create(PLACE, make_setup(), disk)
    save.sync_interval = 60.0
    synced = disk.kinds.count("sync")
    for n in range(4):
        save.add_decision(make_decision(n))
    assert disk.kinds.count("sync") == synced and read_lines(disk.names[PLACE].disk) == []
    save.close()
    assert read_lines(disk.names[PLACE].disk) == [*map(make_decision, range(4))]


def test_a_save_and_its_folder_are_forced_to_the_real_disk(tmp_path, monkeypatch):
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    save = SaveFile.create(tmp_path / "game.ludoglot", make_setup())
    created = list(synced)
    save.add_decision(make_decision(0))
    save.close()
    assert tmp_path.stat().st_ino in created and (tmp_path / "game.ludoglot").stat().st_ino in synced[len(created):]
