"""Does the checker still find what an earlier one found? `python bench/formerly.py REV [--count 200] [--seed 1] [--heavy 0.3] [--json]`.

The games of that revision are checked by its own checker and by today's, each time with one small slip in their rules or their data (as
in `hurt.py`). Counted is how many slips both let pass and both refuse, with an error on the same line of the same file or only on another
one; listed are those that only one of them refuses. Words and packs are left out: their forms have changed since.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from former import unpack
from hurt import HEAVY, WORD, Place, slip
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.project.check import check_game

Errors = set[tuple[str, int, str]]                                 # file, line, code
THEN = """
import json, sys
from pathlib import Path
from ludoglot.dsl.diagnostics import Findings
from ludoglot.engine.project.check import check_game
from ludoglot.engine.find import find
for line in sys.stdin:
    found = Findings()
    try:
        check_game(find(line.strip()), [], found)
        out = [[Path(one.place.path).name, one.place.line, one.code] for one in found.errors]
    except Exception as error:
        out = [["", 0, type(error).__name__]]
    print(json.dumps(out), flush=True)
"""


class Then:
    """The checker of that revision, in a process of its own."""

    def __init__(self, revision: str, room: Path) -> None:
        self.home = room / "then" / "ludoglot"
        self.home.mkdir(parents=True)
        unpack(revision, ["dsl", "engine", "locale", "rules"], self.home)
        self.process = subprocess.Popen([sys.executable, "-c", THEN], env={**os.environ, "PYTHONPATH": str(self.home.parent)}, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def errors(self, folder: Path) -> Errors:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        return {(file, line, code) for file, line, code in json.loads(self.process.stdout.readline())}


class Old(Place):
    """A copy of a game as it was, with the files in which slips are made; what is wrong with it to begin with, to each of the two."""

    def __init__(self, name: str, then: Then, room: Path) -> None:
        self.name, self.folder, self.packs = name, room / name, []
        shutil.copytree(then.home / "rules" / name, self.folder)
        self.files = [path for path in sorted(self.folder.iterdir()) if path.suffix == ".rules" or path.name == "game.yaml"]
        self.words = {word for path in self.files for word in WORD.findall(path.read_text(encoding="utf-8"))}
        self.usually = (now(self.folder), then.errors(self.folder))


def now(folder: Path) -> Errors:
    """What today's checker refuses."""
    found = DiagnosticList()
    check_game(find_game_location(str(folder)), [], found)
    return {(Path(one.place.path).name, one.place.line, one.code) for one in found.errors}


def verdict(ours: Errors, theirs: Errors) -> str:
    if not ours or not theirs:
        return "both let it pass" if not ours and not theirs else "only today's refuses it" if ours else "only the former refused it"
    if any(code[:1].isupper() and not code[1:].isdigit() for _, _, code in theirs):
        return "both refuse it, the former with an exception"
    same = {place[:2] for place in ours} & {place[:2] for place in theirs}
    return "both refuse it, on the same line" if same else "both refuse it, on other lines"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("revision")
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--heavy", type=float, default=0.3, help="which part of the slips is in the heavy games")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    rng, tally, listed = random.Random(f"formerly {given.seed}"), Counter[str](), []
    with tempfile.TemporaryDirectory() as room:
        then, places = Then(given.revision, Path(room)), dict[str, Old]()
        light = sorted(path.parent.name for path in then.home.glob("rules/*/game.yaml") if path.parent.name not in HEAVY)
        while tally.total() < given.count:
            name = rng.choice(HEAVY) if rng.random() < given.heavy else rng.choice(light)
            place = places.setdefault(name, places.get(name) or Old(name, then, Path(room)))
            path, hurt = slip(place, rng)
            sound = path.read_text(encoding="utf-8")
            if hurt.text == sound:
                continue
            path.write_text(hurt.text, encoding="utf-8")
            ours, theirs = now(place.folder) - place.usually[0], then.errors(place.folder) - place.usually[1]
            path.write_text(sound, encoding="utf-8")
            said = verdict(ours, theirs)
            tally[said] += 1
            if not said.startswith("both let") and "same line" not in said:
                told = {"what": said, "file": hurt.file, "line": hurt.line, "kind": hurt.kind, "text": hurt.text.split("\n")[hurt.line - 1],
                        "now": sorted(ours)[:4], "then": sorted(theirs)[:4]}
                listed.append(told)
                if not given.json:
                    print(*(f"{key}: {value}" for key, value in told.items()), sep=" | ", flush=True)
    if given.json:
        print(json.dumps({"slips": dict(tally), "listed": listed}, indent=2, ensure_ascii=False))
    else:
        for said, many in tally.most_common():
            print(f"{many:>6}  {said}")


if __name__ == "__main__":
    main()
