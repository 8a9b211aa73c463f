"""Makes typos in shipped files: `python bench/mutate_sources.py [--count 3000] [--seed 1] [--games reversi,hex] [--heavy 0.02] [--json]`.

Each typo is made alone in a copy of a game: in its data, rules, texts, table, clauses, catalogues, lexicons or scenarios, or in a pack for
it. The script checks the copy. If the checker accepts it, the script plays 20 decisions and checks every invariant.

A finding is an exception, or a diagnostic without a place or a cause. A check that takes over two seconds of processor time more than for
the unchanged game is also a finding. If a diagnostic reports a misspelt name as unknown, the script counts how often it suggests the right
name.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ludoglot.dsl.game.ruleset import try_load_ruleset
from ludoglot.engine.lab.playout import PlayoutRun
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.position.position import Game
from ludoglot.engine.project.check import check_game

ROOT = Path(__file__).parent.parent
RULES, PACKS, LOCALE = ROOT / "rules", ROOT / "docs" / "examples" / "packs", ROOT / "locale"
HEAVY = ("dominant-species", "evolution", "trias")
LIMIT = 2.0                          # seconds of processor time over the unchanged game
DECISIONS = 20
NOT_UNKNOWN = ("W202", "W301", "W302", "Y014", "W101", "W102", "W103")     # diagnostics about a new name, not about an unknown one
WORD = re.compile(r"[^\W\d]\w{2,}")
TOKEN = re.compile(r"\w+|[^\w\s]|[ \t]+|\n[ \t]*")
SIGNS = [*"()[]{}:,\"'#-&*!|=%@é\t \n\u202e", "=="]


@dataclass(frozen=True)
class Slip:
    """One change of one file. `word` and `meant` are set if a name was misspelt."""

    game: str
    file: str
    kind: str
    text: str
    line: int
    word: str = ""
    meant: str = ""


@dataclass
class Tally:
    tried: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[Slip, str]] = field(default_factory=list)
    proposed: int = 0
    misspelt: int = 0
    missed: list[tuple[Slip, str]] = field(default_factory=list)


class Place:
    """A copy of a game, with its texts and its packs."""

    def __init__(self, name: str, room: Path) -> None:
        self.name, self.folder = name, room / name
        shutil.copytree(RULES / name, self.folder)
        for found in sorted([*LOCALE.glob(f"*/LC_MESSAGES/{name}.po"), *LOCALE.glob(f"*/lexicon/{name}.yaml")]):
            copy = self.folder / "locale" / found.relative_to(LOCALE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, copy)
        self.packs = []
        for pack in sorted(PACKS.glob("*.yaml")):
            if yaml.safe_load(pack.read_text(encoding="utf-8"))["for"] == name:
                self.packs.append(room / pack.name)
                shutil.copy(pack, room / pack.name)
        self.files = [path for path in sorted(self.folder.rglob("*")) if path.suffix in (".yaml", ".rules", ".po")]
        self.words = {word for path in self.files if path.suffix != ".po" for word in WORD.findall(path.read_text(encoding="utf-8"))}
        check_game(find_game_location(str(self.folder)), [], DiagnosticList())         # fills the caches that all games share
        self.usual = {pack: self.checked(pack)[1] for pack in [None, *self.packs]}

    def checked(self, pack: Path | None) -> tuple[DiagnosticList, float]:
        """Returns the diagnostics of a check, and its processor time."""
        found, began = DiagnosticList(), time.process_time()
        check_game(find_game_location(str(self.folder)), [pack] if pack is not None else [], found)
        return found, time.process_time() - began


def slip(place: Place, rng: random.Random) -> tuple[Path, Slip]:
    """Makes a typo in one of the files."""
    main = [file for file in place.files if file.suffix == ".rules" or file.name == "game.yaml"]
    path = rng.choice([*place.files, *place.packs * 3, *main])
    text = path.read_text(encoding="utf-8")
    kind = rng.choice(["misspelt", "misspelt", "gone", "doubled", "swapped", "number", "sign", "line gone",
                       "line doubled", "indent", "cut"])
    tokens = list(TOKEN.finditer(text))
    one, other = rng.choice(tokens), rng.choice(tokens)
    new, at, word, meant = text, one.start(), "", ""
    if kind == "misspelt":
        body = re.sub(r"#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", lambda found: " " * len(found[0]), text) if path.suffix != ".po" else text
        names = list(WORD.finditer(body)) or [one]
        found = rng.choice(names)
        meant, at = found[0], found.start()
        word = misspelt(meant, rng)
        new = text[:at] + word + text[found.end():]
    elif kind == "gone":
        new = text[:at] + text[one.end():]
    elif kind == "doubled":
        new = text[: one.end()] + one[0] + text[one.end():]
    elif kind == "swapped":
        first, second = sorted((one, other), key=lambda token: token.start())
        if first is not second:
            new = text[: first.start()] + second[0] + text[first.end() : second.start()] + first[0] + text[second.end():]
        at = first.start()
    elif kind == "number":
        numbers = [token for token in tokens if token[0].isdecimal()] or [one]
        found = rng.choice(numbers)
        at = found.start()
        new = text[:at] + rng.choice(["0", "-1", "7", "1000000", "9" * 25, "x"]) + text[found.end():]
    elif kind == "sign":
        new = text[:at] + rng.choice(SIGNS) + text[at:]
    elif kind == "cut":
        new = text[:at]
    else:
        lines = text.split("\n")
        number = rng.randrange(len(lines))
        at = len("\n".join(lines[:number]))
        lines[number : number + 1] = {"line gone": [], "line doubled": [lines[number]] * 2, "indent": ["  " + lines[number]]}[kind]
        new = "\n".join(lines)
    return path, Slip(place.name, path.relative_to(place.folder.parent).as_posix(), kind, new, text.count("\n", 0, at) + 1, word, meant)


def misspelt(word: str, rng: random.Random) -> str:
    """Returns a word with two letters swapped, or one letter missing, doubled or replaced."""
    at = rng.randrange(len(word) - 1)
    return rng.choice([word[:at] + word[at + 1] + word[at] + word[at + 2 :], word[:at] + word[at + 1 :], word[: at + 1] + word[at:],
                       word[:at] + rng.choice("aeiourstn") + word[at + 1 :]])


def judge(place: Place, path: Path, hurt: Slip, tally: Tally) -> None:
    """Checks the copy with the typo, and plays it if the checker accepts it."""
    sound = path.read_bytes()
    pack = path if path in place.packs else None
    tally.tried += 1
    sort = "catalogue" if "locale" in hurt.file else "scenario" if "/tests/" in hurt.file else path.suffix[1:]
    sort = "pack" if pack is not None else sort
    path.write_text(hurt.text, encoding="utf-8")
    try:
        found, seconds = place.checked(pack)
        if seconds > place.usual[pack] + LIMIT:
            tally.findings.append((hurt, f"{seconds:.1f} s of processor, {place.usual[pack]:.1f} s when sound"))
        tally.findings += [(hurt, f"badly told: {one}") for one in found.items if not well_told(one)]
        propose(place, hurt, found, tally)
        if found.errors:
            tally.kinds[f"{sort}: refused"] += 1
        elif sort in ("catalogue", "scenario"):
            tally.kinds[f"{sort}: {'told' if found.items else 'let pass'}"] += 1
        else:
            tally.kinds[f"{sort}: {played(place, pack)}"] += 1
    except Exception as error:                                     # no exception should reach this line
        tally.findings.append((hurt, f"{type(error).__name__}: {error}"))
    finally:
        path.write_bytes(sound)


def well_told(one: Diagnostic) -> bool:
    """Whether a diagnostic has a place, and a sentence whose fields are filled."""
    return bool(one.place.path) and one.place.line >= 1 and one.place.column >= 1 and one.code not in ("F000", "") and bool(one.message())


def propose(place: Place, hurt: Slip, found: DiagnosticList, tally: Tally) -> None:
    """Counts whether a diagnostic about an unknown name suggests the right one."""
    if not hurt.word or hurt.word == hurt.meant or hurt.word in place.words:
        return
    written, file = re.compile(rf"(?<!\w){re.escape(hurt.word)}(?!\w)"), hurt.file.rpartition("/")[2]
    about = [one for one in found.items if one.code not in NOT_UNKNOWN and one.place.line == hurt.line and one.place.path.endswith(file)
             and any(written.search(str(one.args.get(name, ""))) for name in ("name", "found", "key", "fields"))]
    if about:
        tally.misspelt += 1
        if any(hurt.meant in str(one.args.get("meant", "")) for one in about):
            tally.proposed += 1
        else:
            tally.missed.append((hurt, str(about[0])))


def played(place: Place, pack: Path | None) -> str:
    """Plays a game that the checker accepts, and returns the outcome."""
    findings = DiagnosticList()
    ruleset = try_load_ruleset(place.folder, findings, pack_sources=[pack] if pack is not None else [])
    if ruleset is None:
        return "refused"
    playout = PlayoutRun(Game(ruleset), 1, ("random",), DECISIONS)
    playout.play_to_end()
    if playout.fault is None:
        return "played"
    if playout.fault.code == "F000":
        raise RuntimeError(str(playout.fault))
    return "a fault told in play"


def campaign(seed: int, count: int, games: list[str], heavy: float = 0.0) -> Tally:
    """Makes `count` typos from a seed. `heavy` is the share of typos in the heavy games."""
    tally, rng = Tally(), random.Random(f"hurt {seed}")
    with tempfile.TemporaryDirectory() as room:
        places: dict[str, Place] = {}
        while tally.tried < count:
            name = rng.choice(HEAVY) if rng.random() < heavy else rng.choice(games)
            if name not in places:
                (Path(room) / name).mkdir()
                places[name] = Place(name, Path(room) / name)
            path, hurt = slip(places[name], rng)
            if hurt.text != path.read_text(encoding="utf-8"):
                judge(places[name], path, hurt, tally)
    return tally


def shown(tally: Tally) -> dict[str, Any]:
    return {"tried": tally.tried, "kinds": dict(sorted(tally.kinds.items())), "misspelt": tally.misspelt, "proposed": tally.proposed,
            "findings": [{"file": hurt.file, "line": hurt.line, "kind": hurt.kind, "word": hurt.word, "what": what}
                         for hurt, what in tally.findings],
            "missed": [{"file": hurt.file, "line": hurt.line, "word": hurt.word, "meant": hurt.meant, "said": said}
                       for hurt, said in tally.missed]}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=3000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--games", help="their ids, with commas between; else all but the heavy ones")
    arguments.add_argument("--heavy", type=float, default=0.02, help="which part of the slips is in the heavy games")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    every = [path.parent.name for path in sorted(RULES.glob("*/game.yaml")) if path.parent.name not in HEAVY]
    began = time.monotonic()
    tally = campaign(given.seed, given.count, given.games.split(",") if given.games else every, given.heavy)
    found = shown(tally)
    if given.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        print(f"{tally.tried} slips, {len(tally.findings)} findings, {time.monotonic() - began:.0f} s; "
              f"{tally.proposed} of {tally.misspelt} misspelt names with the right proposal")
        for kind, many in found["kinds"].items():
            print(f"    {many:>6}  {kind}")
        for one in found["findings"]:
            print(f"  ! {one['file']}:{one['line']} {one['kind']}: {one['what'][:300]}")
        for one in found["missed"]:
            print(f"  ? {one['file']}:{one['line']} {one['word']} for {one['meant']}: {one['said'][:200]}")
    sys.exit(1 if tally.findings else 0)


if __name__ == "__main__":
    main()
