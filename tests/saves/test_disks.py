"""Checks a save on a disk that fails or stops at any call. Accepted decisions are saved, and rejected decisions are not played."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.engine.match.save_file import MatchSetup, SavedDecision, SaveError, SaveFile
from ludoglot.engine.match.save_reader import parse_save

from .disks import PowerCut, SimDisk

PLACE = Path("/saves/game.ludoglot")


def decision(n):
    return SavedDecision(n % 2, "turn.spot", f"spot={n}", f"{n:032x}")


def setup():
    return MatchSetup("game", 2, 1, {}, [], ["Anna", "Béla"], ["human", "human"], ["en", "hu"], "r", True, "en")


class Play:
    """A game with undo and changes of language.

    `told` holds the decisions that the players know to be saved. `begun` holds the decisions that the interrupted call would have saved."""

    def __init__(self, disk):
        self.disk = disk
        self.told: list[SavedDecision] | None = None
        self.begun: list[SavedDecision] = []
        self.save: SaveFile | None = None

    def run(self):
        self.save = SaveFile.create(PLACE, setup(), self.disk)
        self.told = []
        for n in range(4):
            self.add(n)
        self.drop(1)
        self.add(5)
        self.save.set_language(1, "it")
        self.add(6)
        self.drop(2)
        self.add(7)

    def add(self, n):
        self.begun = [*self.told, decision(n)]
        self.save.add_decision(decision(n))
        self.told = self.begun

    def drop(self, count):
        self.begun = self.told[:-count]
        self.save.undo_decisions(count)
        self.told = self.begun


def lines_of(raw):
    record = parse_save(PLACE, raw)
    assert not record.restored_header
    return record.lines


def calls():
    disk = SimDisk()
    Play(disk).run()
    return disk.count


def test_the_game_itself_goes_through():
    play = Play(SimDisk())
    play.run()
    assert lines_of(play.disk.names[PLACE].now) == play.told == [*map(decision, (0, 1, 2, 7))]
    assert {"open", "write", "cut", "sync", "mkdir", "sync_folder"} <= set(play.disk.kinds)


@pytest.mark.long
@pytest.mark.parametrize("late", [False, True])
def test_power_may_go_at_any_call(late):
    tried = 0
    for stop in range(1, calls() + 1):
        play = Play(SimDisk(stop=stop, late=late))
        with pytest.raises(PowerCut):
            play.run()
        for world in play.disk.worlds():
            tried += 1
            if play.told is None:                                  # nobody knows that the game is saved
                continue
            assert lines_of(world[PLACE]) in (play.told, play.begun), (stop, world)
            again = SimDisk()
            again.names = {path: type(play.disk.names[path])(raw) for path, raw in world.items()}
            save, record = SaveFile.reopen(PLACE, disk=again)
            save.add_decision(decision(9))
            assert lines_of(again.names[PLACE].disk) == [*record.lines, decision(9)]
    assert tried > 60


def test_any_call_may_fail():
    for fail in range(1, calls() + 1):
        play = Play(SimDisk(fail=fail))
        try:
            play.run()
        except SaveError as fault:
            assert fault.key == "file.unwritable"
        if play.told is None:
            continue
        assert lines_of(play.disk.names[PLACE].now) == play.told, fail
        play.save.close()
        save, record = SaveFile.reopen(PLACE, disk=play.disk)      # the save continues if there is space again
        save.add_decision(decision(9))
        assert lines_of(play.disk.names[PLACE].disk) == [*record.lines, decision(9)]


def test_a_full_disk_that_stays_full_keeps_what_was_accepted():
    """Half-written data cannot be cut off either."""
    play = Play(SimDisk())
    play.save = SaveFile.create(PLACE, setup(), play.disk)
    play.told = []
    play.add(0)
    play.disk.fail = play.disk.count + 1
    play.save.handle.truncate = lambda end: (_ for _ in ()).throw(OSError(5, "input/output error"))
    with pytest.raises(SaveError):
        play.add(1)
    assert lines_of(play.disk.names[PLACE].now) == [decision(0)]


def test_a_file_that_was_moved_away_is_written_again():
    play = Play(SimDisk())
    play.save = SaveFile.create(PLACE, setup(), play.disk)
    play.told = []
    play.add(0)
    play.disk.names.clear()                                        # together with its folder
    play.add(1)
    assert lines_of(play.disk.names[PLACE].disk) == [decision(0), decision(1)]
    play.disk.names[PLACE] = type(play.disk.names[PLACE])(b"another file")
    play.add(2)
    assert play.disk.names[PLACE].now == b"another file" and play.save.path != PLACE
    assert lines_of(play.disk.names[play.save.path].disk) == [decision(0), decision(1), decision(2)]
    play.add(3)
    assert lines_of(play.disk.names[play.save.path].disk) == play.told


@pytest.mark.long
@pytest.mark.parametrize("late", [False, True])
def test_mending_survives_a_loss_of_power_at_any_call(late):
    """The place holds the damaged file or its repaired part, and the damaged file is never lost."""
    play = Play(SimDisk())
    play.run()
    raw = play.disk.names[PLACE].now
    parts = raw.splitlines(keepends=True)
    damaged = b"".join([*parts[:4], b"x" * 60 + b"\n", *parts[5:]])
    good = parse_save(PLACE, damaged, strict=False).lines
    assert good == [decision(0), decision(1)]
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
