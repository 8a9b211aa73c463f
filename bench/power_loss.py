"""Checks that accepted decisions survive disk errors and power loss: `python bench/power_loss.py [--count 200] [--seconds 60] [--seed 1]
[--json]`.

The script plays games of random decisions, undos and changes of language on the simulated disk of tests/saves/disks.py. On this disk each
system call can fail, or be the last one before a power loss. In each of `--count` games every call fails once, and the power fails once
before and once after each call. After a power loss, the script checks every possible state of the disk: names synced or not, contents cut
anywhere, the last write torn. The save must contain every accepted decision and no rejected one, and the game must continue from there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from ludoglot.engine.match.save_file import MatchSetup, SavedDecision, SaveError, SaveFile
from ludoglot.engine.match.save_reader import parse_save

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "saves"))
from disks import PowerCut, SimDisk

PLACE = Path("/saves/game.ludoglot")
Steps = list[tuple[str, int]]


def decision(n: int) -> SavedDecision:
    return SavedDecision(n % 2, "turn.spot", f"spot={n}", f"{n:032x}")


def steps_of(rng: random.Random) -> Steps:
    """Returns the steps of a random game: decisions, undos, and changes of language."""
    steps: Steps = [("add", 1)]
    for n in range(2, rng.randrange(4, 12)):
        kind = rng.choice(["add", "add", "add", "drop", "speak"])
        standing = sum({"add": 1, "drop": -many}.get(done, 0) for done, many in steps)
        if kind == "drop" and standing < 1:
            kind = "add"
        steps.append((kind, n if kind == "add" else rng.randint(1, standing) if kind == "drop" else rng.randrange(2)))
    return steps


class Play:
    """One game on one disk. `told`: the decisions reported as saved. `begun`: the decisions that the current call would leave."""

    def __init__(self, disk: SimDisk, steps: Steps) -> None:
        self.disk, self.steps = disk, steps
        self.told: list[SavedDecision] | None = None
        self.begun: list[SavedDecision] = []
        self.save: SaveFile | None = None

    def run(self) -> None:
        names = MatchSetup("game", 2, 1, {}, [], ["Anna", "Béla"], ["human", "human"], ["en", "hu"], "r", True, "en")
        self.save = SaveFile.create(PLACE, names, self.disk)
        self.told = []
        for kind, n in self.steps:
            if kind == "speak":
                self.save.set_language(n, "it")
                continue
            self.begun = [*self.told, decision(n)] if kind == "add" else self.told[:-n]
            if kind == "add":
                self.save.add_decision(decision(n))
            else:
                self.save.undo_decisions(n)
            self.told = self.begun


class Lost(AssertionError):
    """Raised if a disk does not hold the accepted decisions."""


def held(raw: bytes) -> list[SavedDecision]:
    record = parse_save(PLACE, raw)
    if record.restored_header:
        raise Lost("damage that was none")
    return record.lines


def goes_on(disk: SimDisk) -> None:
    """Checks that another decision can be added to the save."""
    save, record = SaveFile.reopen(PLACE, disk=disk)
    save.add_decision(decision(99))
    if held(disk.names[PLACE].disk) != [*record.lines, decision(99)]:
        raise Lost("it does not go on")


def faults(rng: random.Random, counted: Counter[str]) -> None:
    """Plays one game several times: every call fails once, and the power fails before and after each call."""
    steps = steps_of(rng)
    whole = Play(SimDisk(), steps)
    whole.run()
    counted["games"] += 1
    for fail in range(1, whole.disk.count + 1):
        play = Play(SimDisk(fail=fail), steps)
        counted["calls that failed"] += 1
        try:
            play.run()
        except SaveError:
            counted["said so"] += 1
        if play.told is not None and play.save is not None:
            if held(play.disk.names[PLACE].now) != play.told:
                raise Lost(f"{steps}, call {fail} fails: {held(play.disk.names[PLACE].now)} is not {play.told}")
            play.save.close()
            goes_on(play.disk)
    for late in (False, True):
        for stop in range(1, whole.disk.count + 1):
            play = Play(SimDisk(stop=stop, late=late), steps)
            counted["losses of power"] += 1
            try:
                play.run()
            except PowerCut:
                pass
            else:
                raise Lost(f"{steps}: the power did not go at {stop}")
            for world in play.disk.worlds():
                counted["states of the disk after it"] += 1
                if play.told is not None:
                    if held(world[PLACE]) not in (play.told, play.begun):
                        raise Lost(f"{steps}, power goes {'after' if late else 'before'} call {stop}: {held(world[PLACE])}")
                    again = SimDisk()
                    again.names = {path: type(play.disk.names[path])(raw) for path, raw in world.items()}
                    goes_on(again)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=100)
    arguments.add_argument("--seconds", type=float, default=float("inf"))
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    rng, counted, end = random.Random(given.seed), Counter[str](), time.monotonic() + given.seconds
    while counted["games"] < given.count and time.monotonic() < end:
        faults(rng, counted)
    print(json.dumps(counted) if given.json else "; ".join(f"{many} {what}" for what, many in counted.items()) + "; nothing lost")


if __name__ == "__main__":
    main()
