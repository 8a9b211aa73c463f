"""Changes letters, tokens or values of files: `files` of small games, `packs`, `words` (catalogues and lexicons), and `tests` (scenarios).

Each campaign loads the changed file. If it can be played, the campaign plays it and narrates it in every language.
"""

from __future__ import annotations

import copy
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml
from ludoglot.api import ApiError, load
from ludoglot.engine.match import save_index

from .judging import ROOT, Tally, judged, watched

TOYS = [ROOT / "tests" / "games" / "parry", ROOT / "tests" / "games" / "drift",
        *(ROOT / "rules" / name for name in ("tic-tac-toe", "hex", "kalah", "liars-dice", "oware", "brisca", "reversi"))]
PACKS = [(ROOT / "docs" / "examples" / "packs" / f"{pack}.yaml", game) for pack, game in (
    ("breakthrough-6", "breakthrough"), ("connect-five", "connect-four"), ("pie-rule", "hex"))]
LANGUAGES = ("en", "it", "es", "hu")
DECISIONS = 6                        # played if the changed game loads
THROUGH_COMMANDS = 0.08              # share of the inputs that also go through the commands
BYTES = [b"\0", b"\xff", b"\x1b[2J", "\u202e".encode(), b"\t", b"\r", b"&a", b"*a", b"!!python/x", b"{", b"[" * 200, b"9" * 5000, b"1e400",
         b"~", b"- ", b": ", b"#", b'"', b"'", b"(" * 300, b"not " * 300, b"- " * 100, b"\n" * 3000, "İ".encode(), "²".encode(),
         b"\xef\xbb\xbf",
         b"\x85", "\u2028".encode()]
TOKENS = ["if", "for", "def", "proc", "phase", "choose", "repeat", "until", "where", "any", "all", "count", "sum", "max", "min", "none",
         "stop",
          "by", "as", "and", "or", "not", "in", "let", "state", "standing", "estimate", "always", "draw", "shuffle", "move", "to", "from",
         "may",
          "0", "1", "-1", "99999999999", "==", "!=", "<", "+", "-", "*", "/", "%", "..", "[", "]", "(", ")", ":", ",", "=", "+=", "@A-B-01",
          "rounds", "of", "Player", "player", "?", "true", "false", "range", "size", "with", "hidden", "seen", "pile", "set", "bag", "list",
          "1..1000000", "while", "else", "chance", "\n    ", "\n", "list(n in 1..1000)", "x"]
VALUES: list[Any] = [None, True, -1, 0, 1, 3_000_000_000, 10 ** 40, 1.5, float("inf"), float("nan"), "", "x", "{", "{who}",
         "{who}~the.xx", "%s",
                     "\x1b[2J", "\u202eabc", "a" * 5000, [], {}, [[]], {"x": {}}, [None], ["x"] * 500, "1..99999999", "2..", "Player",
         "none",
                     "../../etc/passwd", "/dev/zero", "{a}" * 50, "=1+1", "no", "12:30", "0x10", {"one": "a", "other": "b"}, "é\u0301"]


# ------------------------------------------------------------ changes


def spoilt(raw: bytes, rng: random.Random, suffix: str = "") -> bytes:
    """Returns a text file with a random change."""
    way = rng.random()
    if suffix == ".yaml" and way < 0.5:
        return by_values(raw, rng)
    if suffix == ".rules" and way < 0.7:
        return by_tokens(raw, rng)
    for _ in range(rng.randrange(1, 4)):
        raw = by_letters(raw, rng)
        if not raw:
            break
    return raw


def by_letters(raw: bytes, rng: random.Random) -> bytes:
    """Inserts, removes or doubles a piece, flips a bit, exchanges two words, or cuts off the end."""
    at, end = sorted((rng.randrange(len(raw) + 1), rng.randrange(len(raw) + 1)))
    kind = rng.randrange(6)
    if kind == 0:
        return raw[:at] + rng.choice(BYTES) + raw[at:]
    if kind == 1:
        return raw[:at] + raw[min(end, at + 40) :]
    if kind == 2:
        return raw[:at] + raw[at : at + 60] * 2 + raw[at + 60 :]
    if kind == 3 and at < len(raw):
        return raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1 :]
    if kind == 4:
        words = raw.split(b" ")
        n, m = rng.randrange(len(words)), rng.randrange(len(words))
        words[n], words[m] = words[m], words[n]
        return b" ".join(words)
    return raw[:at] if rng.random() < 0.3 else raw


def by_tokens(raw: bytes, rng: random.Random) -> bytes:
    """Replaces, doubles, removes or exchanges a name, number or sign of the rules. Most results still parse."""
    parts = re.findall(r"\w+|\s+|[^\w\s]+", raw.decode("utf-8"))
    places = [n for n, part in enumerate(parts) if not part.isspace()]
    names = [part for part in parts if part.isidentifier()]
    for _ in range(rng.randrange(1, 3)):
        n, m = rng.choice(places), rng.choice(places)
        kind = rng.randrange(7)
        if kind < 3:
            parts[n] = rng.choice(names if kind else TOKENS)
        elif kind == 3:
            parts[n] = ""
        elif kind == 4:
            parts[n], parts[m] = parts[m], parts[n]
        elif kind == 5:
            parts[n] += f" {rng.choice(TOKENS)} "
        else:
            lines = "".join(parts).split("\n")
            at = rng.randrange(len(lines))
            lines[at : at + 1] = [] if rng.random() < 0.4 else [lines[at]] * rng.choice([2, 40])
            return "\n".join(lines).encode()
    return "".join(parts).encode()


def by_values(raw: bytes, rng: random.Random) -> bytes:
    """Replaces, removes, renames or repeats a value of a YAML file."""
    try:
        data = yaml.safe_load(raw)
    except yaml.YAMLError:
        return by_letters(raw, rng)
    holders: list[Any] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict | list) and value:
            holders.append(value)
            for inner in value.values() if isinstance(value, dict) else value:
                walk(inner)
    walk(data)
    if not holders:
        return by_letters(raw, rng)
    for _ in range(rng.randrange(1, 3)):
        holder = rng.choice(holders)
        if not holder:
            continue
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
        kind = rng.randrange(5)
        if kind < 2:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
        elif kind == 2:
            del holder[key]
        elif kind == 3 and isinstance(holder, dict):
            holder[rng.choice(["", "x", "none", "Player", "\x1b[2J", "a b", 1, "class", "é", "a" * 300])] = holder.pop(key)
        else:
            other = rng.choice(holders)
            where = rng.choice(list(other)) if isinstance(other, dict) and other else 0
            holder[key] = copy.deepcopy(other[where]) if other else None
    try:
        return yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode("utf-8", "surrogatepass")
    except (yaml.YAMLError, RecursionError):
        return by_letters(raw, rng)


# ------------------------------------------------------------ tried


def tried(tally: Tally, campaign: str, how: Any, folder: Path, rng: random.Random, usual: float, house: tuple[Path, ...] = ()) -> str:
    """Loads, starts, plays and narrates the game through the public API, and returns the furthest stage reached."""
    became = "refused"
    with watched(tally, campaign, how, usual):
        try:
            match = load(folder, house=house).start(seed=1)
            became = "begun"
            for n in range(DECISIONS):
                if match.over:
                    break
                lang = LANGUAGES[n % 4]
                match.question(lang)
                match.words(match.options[0], lang)
                match.view(n % 2)
                if n % 3 == 2:
                    match.table(lang, seat=0)
                match.play(rng.choice(match.options))
            match.log(rng.choice(LANGUAGES), seat=0)
            match.why("", rng.choice(LANGUAGES))
            if match.over:
                match.standing                                     # noqa: B018  the property computes it
            became = "played"
        except ApiError as error:
            assert str(error)
    return became


def usual_of(folder: Path, house: tuple[Path, ...] = ()) -> float:
    """Returns the processor time in seconds of the slowest step with the unchanged game."""
    tally = Tally()
    tried(tally, "sound", folder.name, folder, random.Random(1), 60.0, house)
    assert not tally.findings, tally.findings
    return tally.slowest


def copied(source: Path, place: Path) -> None:
    """Copies a game with its catalogues and lexicons, so that it looks like a game from outside the repository."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(source, place)
    for path in (ROOT / "locale").glob(f"*/*/{source.name}.*"):
        to = place / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)


def changing(campaign: str, wanted: Callable[[Path], bool], through: Callable[[Path], list[list[str]]]
             ) -> Callable[[random.Random, Tally], None]:
    """Returns a campaign over the files of small games that `wanted` accepts. `through` returns commands for a share of the inputs."""
    def run(rng: random.Random, tally: Tally) -> None:
        with tempfile.TemporaryDirectory() as outer, patch.object(save_index, "saves_folder", lambda: Path(outer) / "saves"):
            known: dict[Path, tuple[float, list[tuple[Path, bytes]]]] = {}
            while tally.going:
                source = rng.choice(TOYS)
                place = Path(outer) / source.name
                if source not in known:
                    copied(source, place)
                    files = [(path, path.read_bytes()) for path in sorted(place.rglob("*")) if path.is_file() and wanted(path)]
                    known[source] = usual_of(place), files
                usual, files = known[source]
                if not files:
                    continue
                target, raw = rng.choice(files)
                changed = spoilt(raw, rng, target.suffix)
                target.write_bytes(changed)
                how = {"game": source.name, "file": str(target.relative_to(place)), "raw": changed.decode("latin-1")}
                became = tried(tally, campaign, how, place, rng, usual)
                tally.kinds[f"{target.suffix}: {became}"] += 1
                tally.tried += 1
                for args in through(place) if rng.random() < THROUGH_COMMANDS else ():
                    judged(tally, campaign, {**how, "args": args[:1]}, args, "1\n1\nboard\n1\n", usual=usual * 8 + 1)
                    tally.kinds["through commands"] += 1
                target.write_bytes(raw)
    return run


def commands(place: Path) -> list[list[str]]:
    return [["check", str(place)], ["play", str(place), "--seats", "human,human", "--seed", "1", "--lang", "it"]]


files = changing("files", lambda path: path.suffix in (".rules", ".yaml") and path.parent.name not in ("tests", "lexicon"), commands)
words = changing("words", lambda path: path.suffix == ".po" or path.parent.name == "lexicon" or path.name == "messages.yaml",
                 lambda place: [["check", str(place)], ["words", "check", str(place)]])


def packs(rng: random.Random, tally: Tally) -> None:
    """Fuzzes house rules for three small games."""
    with tempfile.TemporaryDirectory() as outer, patch.object(save_index, "saves_folder", lambda: Path(outer) / "saves"):
        known = {}
        for path, game in PACKS:
            known[path] = usual_of(ROOT / "rules" / game, (path,))
        while tally.going:
            path, game = rng.choice(PACKS)
            target = Path(outer) / "house.yaml"
            changed = packed(path.read_bytes(), rng)
            target.write_bytes(changed)
            how = {"game": game, "file": "house.yaml", "raw": changed.decode("latin-1")}
            became = tried(tally, "packs", how, ROOT / "rules" / game, rng, known[path], (target,))
            tally.kinds[became] += 1
            tally.tried += 1
            if rng.random() < THROUGH_COMMANDS:
                for args in (["check", "--pack", str(target)], ["play", game, "--pack", str(target), "--seats", "human,human"]):
                    judged(tally, "packs", {**how, "args": args[:2]}, args, "1\n1\n", usual=known[path] * 8 + 1)
                    tally.kinds["through commands"] += 1


def packed(raw: bytes, rng: random.Random) -> bytes:
    """Returns a pack with a change of letters, values, or tokens anywhere in its text."""
    way = rng.random()
    return by_values(raw, rng) if way < 0.4 else by_tokens(raw, rng) if way < 0.7 else spoilt(raw, rng)


def tests(rng: random.Random, tally: Tally) -> None:
    """Fuzzes scenarios of small games."""
    with tempfile.TemporaryDirectory() as outer:
        sources = [path for path in TOYS if any((path / "tests").glob("*.yaml"))]
        for source in sources:
            copied(source, Path(outer) / source.name)
        known: dict[Path, float] = {}
        while tally.going:
            place = Path(outer) / rng.choice(sources).name
            if place not in known:
                sound = Tally()
                judged(sound, "sound", place.name, ["test", str(place)], usual=120.0)
                known[place] = sound.slowest
            target = rng.choice(sorted((place / "tests").glob("*.yaml")))
            raw = target.read_bytes()
            changed = by_values(raw, rng) if rng.random() < 0.7 else spoilt(raw, rng)
            target.write_bytes(changed)
            how = {"game": place.name, "file": f"tests/{target.name}", "raw": changed.decode("latin-1"), "args": ["test"]}
            code, _ = judged(tally, "tests", how, ["test", str(place)], usual=known[place])
            tally.kinds[f"exit code {code}"] += 1
            tally.tried += 1
            target.write_bytes(raw)


def reproduced(tally: Tally, how: dict[str, Any], place: Path) -> None:
    """Tries a finding again."""
    game = how["game"]
    source = next(path for path in (ROOT / "rules" / game, ROOT / "tests" / "games" / game) if path.is_dir())
    copied(source, place)
    target = place / how["file"]
    target.write_bytes(how["raw"].encode("latin-1"))
    house = (target,) if how["file"] == "house.yaml" else ()
    tried(tally, how["file"], how, ROOT / "rules" / game if house else place, random.Random(1), 5.0, house)
    for args in commands(place) if "args" in how and not house else ():
        judged(tally, how["file"], how, args, "1\n1\nboard\n1\n", usual=8.0)
    if target.parent.name == "tests":
        judged(tally, how["file"], how, ["test", str(place)], usual=8.0)
