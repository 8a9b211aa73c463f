"""What strangers could send: `python bench/fuzz.py [--campaign saves] [--count 2000] [--seed 1] [--json]`.

Seeded campaigns, each a stream of inputs made from sound ones by accident or by malice:

    saves      bytes flipped, lines cut, doubled, swapped, rewritten in saves of both formats (tests/saves, and the same in today's)
    typed      lines at the prompts of games, with words, numbers, other scripts, control characters
    lines      command lines of every command
    files      rules, YAML, catalogues and scenarios of a small game, changed and then checked, tested and played

A finding is an internal error, a session that a line has ended, a save that does not verify afterwards, damage that nobody noticed, or
an input that took more than LIMIT seconds of processor. It is printed with what reproduces it; `--keep FOLDER` writes each there.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ludoglot.engine.cli.main import COMMANDS, main
from ludoglot.engine.playing import savelist
from ludoglot.engine.playing.records import read_record, record_of
from ludoglot.engine.playing.sealing import seal, sealed
from ludoglot.engine.playing.setup import SaveFault

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "tests" / "saves" / "format1"
TOY = ROOT / "tests" / "games" / "parry"
LIMIT = 2.0                          # seconds of processor that one input may take, beside what the sound one takes
PIECES = ["1", "2", "a1", "log", "board", "undo", "why", "?", "save", "news", "cards", "help", "lang", "hu", "it", "options", "²", "٣",
          "x", "*", ",", ";", "-1", "9" * 30, "9" * 5000, "\0", "\x1b[2J", "\u202e", "\ud800", "é", "日本", "~nobody", "/dev/null", "..",
          "", " ", "\t", "{who}", "%s", "'", '"', "\\", "(", ")", "pass", "x2", "1e9", "NaN", "none", "😀"]
OPTIONS = ["--players", "--seats", "--names", "--langs", "--option", "--house", "--seed", "--save", "--resume", "--max-rounds", "--no-auto",
           "--plain", "--json", "--lang", "--verify", "--view", "--html", "--svg", "--check", "--help", "--version", "--mend", "--"]
VALUES = ["2", "0", "-1", "99999999999999999999", "hex", "tic-tac-toe", "human,human", "bot:random,bot:random", "bot:greedy", "en",
          "xx", "a=b", "=", "", ",", "\udc80", "\x1b]0;x\x07", "~nobody/x", "/dev/null", "/dev/zero", "/proc/self/mem", ".", "x" * 5000,
          "é", "W102", "status"]


@dataclass
class Finding:
    campaign: str
    what: str
    how: Any                         # what reproduces it


@dataclass
class Tally:
    """Of one campaign: inputs tried, what became of them, and what was found."""

    tried: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0


def run(args: list[str], typed: str = "") -> tuple[int, str, str, float]:
    """A command in this process: its exit code, what it said, and the processor time it took."""
    out, err = io.StringIO(), io.StringIO()
    began = time.process_time()
    with patch.object(sys, "stdin", io.StringIO(typed)), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(args)
    return code, out.getvalue(), err.getvalue(), time.process_time() - began


def judged(tally: Tally, campaign: str, how: Any, args: list[str], typed: str = "") -> tuple[int, str]:
    """Run it; what is wrong with how it ended is noted."""
    try:
        code, out, err, seconds = run(args, typed)
    except BaseException as error:                                 # whatever comes through, it should not
        tally.findings.append(Finding(campaign, f"{type(error).__name__} came through", how))
        return 3, ""
    if code not in (0, 1, 2) or "inside Ludoglot" in err:
        tally.findings.append(Finding(campaign, err.strip()[-200:] or f"exit code {code}", how))
    elif seconds > LIMIT:
        tally.findings.append(Finding(campaign, f"{seconds:.1f} s of processor", how))
    return code, out


# ------------------------------------------------------------ saves


def todays(raw: bytes) -> bytes:
    """A save of the first format as today's would be."""
    head, *lines = [json.loads(line) for line in raw.splitlines()]
    first = sealed(b"", {**head, "ludoglot": 2})
    parts = [first, first]
    for line in lines:
        parts.append(sealed(seal(parts[-1]), line))
    return b"".join(parts)


def hurt(raw: bytes, rng: random.Random) -> tuple[str, bytes]:
    """A save with an accident."""
    lines = raw.splitlines(keepends=True)
    kind = rng.choice(["byte", "byte", "byte", "bit", "run", "cut", "gone", "doubled", "swapped", "json"])
    at = rng.randrange(len(raw))
    n, m = rng.randrange(len(lines)), rng.randrange(len(lines))
    if kind in ("byte", "bit"):
        other = raw[at] ^ (1 << rng.randrange(8) if kind == "bit" else rng.randrange(1, 256))
        return kind, raw[:at] + bytes([other]) + raw[at + 1 :]
    if kind == "run":
        length = rng.randrange(2, 300)
        return kind, raw[:at] + rng.randbytes(len(raw[at : at + length])) + raw[at + length :]
    if kind == "cut":
        return kind, raw[:at]
    if kind == "gone":
        return kind, b"".join(lines[:n] + lines[n + 1 :])
    if kind == "doubled":
        return kind, b"".join(lines[: n + 1] + lines[n:])
    if kind == "swapped":
        lines[n], lines[m] = lines[m], lines[n]
        return kind, b"".join(lines)
    value = rng.choice([b"1e400", b"-1", b"[" * 3000, b"null", b'"\\ud800"', b"9" * 4000, b"{}", b"true"])
    spot = [k for k in range(len(raw)) if raw[k : k + 1] == b":"]
    place = rng.choice(spot) + 1
    end = min((k for k in (raw.find(b",", place), raw.find(b"}", place)) if k >= 0), default=place)
    return kind, raw[:place] + value + raw[end:]


def saves(rng: random.Random, count: int) -> Tally:
    """Every accident must be noticed, or leave the game as it was; of today's format, one byte costs nothing."""
    tally = Tally()
    samples = [(path.stem, path.read_bytes()) for path in sorted(SAMPLES.glob("*.ludoglot"))]
    sound = {name: (raw, todays(raw)) for name, raw in samples}
    while tally.tried < count:
        name = rng.choice(list(sound))
        old = rng.random() < 0.15
        raw = sound[name][0 if old else 1]
        kind, broken = hurt(raw, rng)
        tally.tried += 1
        if broken == raw:
            continue
        whole = record_of(Path("x"), raw)
        how = {"game": name, "format": 1 if old else 2, "kind": kind, "raw": broken.decode("latin-1")}
        began = time.process_time()
        try:
            record = record_of(Path("x"), broken, strict=False)
        except SaveFault as fault:
            tally.kinds[f"{kind}: refused ({fault.key})"] += 1
            if kind in ("byte", "bit") and not old:
                tally.findings.append(Finding("saves", "one byte costs the game", how))
            continue
        except Exception as error:                                 # a finding, whatever it is
            tally.findings.append(Finding("saves", f"{type(error).__name__}: {error}", how))
            continue
        if time.process_time() - began > LIMIT:
            tally.findings.append(Finding("saves", "slow", how))
        if record.lines == whole.lines and record.setup == whole.setup:
            tally.kinds[f"{kind}: recovered whole" if record.repaired else f"{kind}: nothing lost"] += 1
        elif record.damage:
            tally.kinds[f"{kind}: named, on from before it"] += 1
        elif old:
            tally.kinds[f"{kind}: left to the positions (first format)"] += 1
        elif (kind in ("cut", "gone", "swapped") or not broken.endswith(b"\n")) and broken.startswith(raw[: record.ends[-1]]):
            tally.kinds[f"{kind}: an end cut off"] += 1
        else:
            tally.findings.append(Finding("saves", "not noticed", how))
        if not old and not record.damage and record.lines != whole.lines[: len(record.lines)] and kind != "cut":
            states = [record_of(Path("x"), raw[:end]).lines for end in whole.ends]
            if record.lines not in states:
                tally.findings.append(Finding("saves", "other decisions", how))
    return tally


# ------------------------------------------------------------ what is typed and passed


def typed(rng: random.Random, count: int) -> Tally:
    """Sessions of lines; after each the save must verify, and the session must have come to the end of its lines."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, patch.object(savelist, "saves_folder", lambda: Path(folder) / "saves"):
        while tally.tried < count:
            lines = [rng.choice(["", " ", ","]).join(rng.choice(PIECES) for _ in range(rng.randrange(1, 5))) for _ in range(20)]
            lines = [line for line in lines if line.strip().split(" ")[0].lower() not in ("quit", "q")]
            lines = [line for line in lines if not line.lstrip().startswith("save") or "dev" not in line and ".." not in line]
            game = rng.choice(["tic-tac-toe", "connect-four", str(TOY)])
            path = Path(folder) / "one.ludoglot"
            path.unlink(missing_ok=True)
            how = {"game": game, "lines": lines}
            lang = rng.choice(["en", "it", "es", "hu"])
            args = ["play", game, "--seats", "human,human", "--seed", "1", "--save", str(path), "--lang", lang]
            here = Path.cwd()
            os.chdir(folder)
            try:
                judged(tally, "typed", how, args, "\n".join(lines) + "\n")
                tally.kinds["sessions"] += 1
                try:
                    tally.kinds["decisions saved"] += len(read_record(path).lines)
                except SaveFault as fault:
                    tally.findings.append(Finding("typed", fault.key, how))
            finally:
                os.chdir(here)
            tally.tried += len(lines)
    return tally


def lines(rng: random.Random, count: int) -> Tally:
    """Command lines."""
    tally = Tally()
    commands = [*COMMANDS, "", "nothing"]
    with tempfile.TemporaryDirectory() as folder, patch.object(savelist, "saves_folder", lambda: Path(folder) / "saves"):
        shutil.copytree(TOY, Path(folder) / "toy")
        here = Path.cwd()
        os.chdir(folder)
        try:
            while tally.tried < count:
                command = rng.choice(commands)
                args = [command] if command else []
                for _ in range(rng.randrange(4)):
                    args.append(rng.choice(rng.choice([OPTIONS, VALUES, VALUES, ["toy"]])))
                if command in ("check", "test", "trace", "words", "games") and not {"toy", "hex", "tic-tac-toe"} & set(args):
                    args.append("toy")                             # not all games that there are
                if args[:2] == ["words", "update"] or "extract" in args:
                    continue
                tally.kinds[f"exit code {judged(tally, 'lines', args, args, 'quit' + chr(10))[0]}"] += 1
                tally.tried += 1
        finally:
            os.chdir(here)
    return tally


# ------------------------------------------------------------ files of a game


def files(rng: random.Random, count: int) -> Tally:
    """A small game with one of its files changed: checked, and played where it is sound."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, patch.object(savelist, "saves_folder", lambda: Path(folder) / "saves"):
        place = Path(folder) / "toy"
        while tally.tried < count:
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(TOY, place)
            catalogue = place / "locale" / "it" / "LC_MESSAGES" / "parry.po"
            catalogue.parent.mkdir(parents=True, exist_ok=True)
            catalogue.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgctxt "game.name"\nmsgid "Parry"\n'
                                 'msgstr "Parata"\n', encoding="utf-8")
            target = rng.choice(sorted(path for path in place.rglob("*") if path.is_file()))
            changed = spoilt(target.read_bytes(), rng)
            target.write_bytes(changed)
            how = {"file": str(target.relative_to(place)), "raw": changed.decode("latin-1")}
            kind = target.suffix
            code, _ = judged(tally, "files", how, ["check", str(place)])
            tally.kinds[f"{kind}: {'sound' if code == 0 else 'refused'}"] += 1
            if target.parent.name == "tests":
                judged(tally, "files", how, ["test", str(place)])
            code, _ = judged(tally, "files", how, ["play", str(place), "--seats", "human,human", "--seed", "1", "--lang", "it"],
                             "1\n1\nboard\n1\n")
            tally.kinds[f"{kind}: {'played' if code == 0 else 'not played'}"] += 1
            tally.tried += 1
    return tally


def spoilt(raw: bytes, rng: random.Random) -> bytes:
    """A text file with something else in it."""
    for _ in range(rng.randrange(1, 4)):
        at, end = sorted((rng.randrange(len(raw) + 1), rng.randrange(len(raw) + 1)))
        kind = rng.randrange(6)
        if kind == 0:
            raw = raw[:at] + rng.choice([b"\0", b"\xff", b"\x1b[2J", "\u202e".encode(), b"\t", b"\r", b"&a", b"*a", b"!!python/x", b"{",
                                         b"[" * 200, b"9" * 5000, b"1e400", b"~", b"- ", b": ", b"#", b'"', b"'"]) + raw[at:]
        elif kind == 1:
            raw = raw[:at] + raw[min(end, at + 40) :]
        elif kind == 2:
            raw = raw[:at] + raw[at : at + 60] * 2 + raw[at + 60 :]
        elif kind == 3 and at < len(raw):
            raw = raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1 :]
        elif kind == 4:
            words = raw.split(b" ")
            n, m = rng.randrange(len(words)), rng.randrange(len(words))
            words[n], words[m] = words[m], words[n]
            raw = b" ".join(words)
        else:
            raw = raw[:at]
        if not raw:
            return raw
    return raw


CAMPAIGNS = {"saves": (saves, 6_000), "typed": (typed, 6_000), "lines": (lines, 1_500), "files": (files, 300)}


def fuzz(names: list[str], seed: int, scale: float = 1.0, count: int | None = None) -> Iterator[tuple[str, Tally]]:
    for name in names:
        campaign, usual = CAMPAIGNS[name]
        began = time.monotonic()
        tally = campaign(random.Random(f"{name} {seed}"), count if count is not None else max(1, int(usual * scale)))
        tally.seconds = time.monotonic() - began
        yield name, tally


def shown() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--campaign", choices=CAMPAIGNS, action="append")
    arguments.add_argument("--count", type=int)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep", type=Path, help="write what reproduces each finding to this folder")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    found = 0
    table = []
    for name, tally in fuzz(given.campaign or list(CAMPAIGNS), given.seed, count=given.count):
        found += len(tally.findings)
        table.append({"campaign": name, "tried": tally.tried, "findings": len(tally.findings), "seconds": round(tally.seconds, 1),
                      "kinds": dict(sorted(tally.kinds.items()))})
        if not given.json:
            print(f"{name}: {tally.tried} inputs, {len(tally.findings)} findings, {tally.seconds:.0f} s")
            for kind, many in sorted(tally.kinds.items()):
                print(f"    {many:>6}  {kind}")
        for n, one in enumerate(tally.findings):
            if not given.json:
                print(f"  ! {one.what}: {json.dumps(one.how)[:300]}")
            if given.keep is not None:
                given.keep.mkdir(parents=True, exist_ok=True)
                kept = json.dumps({"campaign": name, "what": one.what, "how": one.how})
                (given.keep / f"{name}-{n}.json").write_text(kept, encoding="utf-8")
    if given.json:
        print(json.dumps(table, indent=2))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    shown()
