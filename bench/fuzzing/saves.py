"""Fuzzes saves: `saves` makes damage of every kind in both formats, and `flips` changes one byte in a save of every game."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

from ludoglot.api import load
from ludoglot.engine.match.line_checksums import add_checksum, checksum_of
from ludoglot.engine.match.save_reader import parse_save
from ludoglot.engine.match.setup import SaveError

from .judging import ROOT, Tally, watched

SAMPLES = ROOT / "tests" / "saves" / "format1"
GAMES = sorted(path for folder in (ROOT / "rules", ROOT / "tests" / "games") for path in folder.iterdir() if (path / "game.yaml").is_file())
PLAYED = 12                          # decisions in each save of `flips`
PLACE = Path("x")


def todays(raw: bytes) -> bytes:
    """Converts a save of the first format to the current format."""
    head, *lines = [json.loads(line) for line in raw.splitlines()]
    first = add_checksum(b"", {**head, "ludoglot": 2})
    parts = [first, first]
    for line in lines:
        parts.append(add_checksum(checksum_of(parts[-1]), line))
    return b"".join(parts)


def hurt(raw: bytes, rng: random.Random) -> tuple[str, bytes]:
    """Returns a kind of damage, and a save with it."""
    lines = raw.splitlines(keepends=True)
    kind = rng.choice(["byte", "bit", "run", "cut", "gone", "doubled", "swapped", "json", "json", "sealed", "sealed"])
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
    value = rng.choice([b"1e400", b"-1", b"[" * 3000, b"null", b'"\\ud800"', b"9" * 4000, b"{}", b"true", b'""', b"[[]]", b'"\\u0000"',
                        b"3000000000", b'"' + b"x" * 9000 + b'"', b'"~nobody"', b'"/dev/zero"', b'"../../x"', b"-0.0"])
    spot = [k for k in range(len(raw)) if raw[k : k + 1] == b":"]
    place = rng.choice(spot) + 1
    end = min((k for k in (raw.find(b",", place), raw.find(b"}", place)) if k >= 0), default=place)
    broken = raw[:place] + value + raw[end:]
    return (kind, broken) if kind == "json" else (kind, resealed(broken))


def resealed(raw: bytes) -> bytes:
    """Recomputes the checksums of a changed save, as an attacker who knows the format would do."""
    parts: list[bytes] = []
    for n, line in enumerate(raw.splitlines()):
        body = line.rpartition(b',"sum":"')[0] or line.rstrip(b"}")
        try:
            what = json.loads(body + b"}")
            parts.append(add_checksum(b"" if n < 2 else checksum_of(parts[-1]), what))
        except (ValueError, TypeError, RecursionError):
            parts.append(line + b"\n")
    return b"".join(parts)


def saves(rng: random.Random, tally: Tally) -> None:
    """Checks that Ludoglot notices all damage, or loses nothing by it. A forged save with valid checksums only must not do harm."""
    samples = {path.stem: path.read_bytes() for path in sorted(SAMPLES.glob("*.ludoglot"))}
    sound = {(name, old): raw if old else todays(raw) for name, raw in samples.items() for old in (True, False)}
    wholes = {key: parse_save(PLACE, raw) for key, raw in sound.items()}
    while tally.going:
        key = rng.choice(list(samples)), rng.random() < 0.15
        raw, whole, old = sound[key], wholes[key], key[1]
        kind, broken = hurt(raw, rng)
        tally.tried += 1
        if broken == raw:
            continue
        how = {"game": key[0], "format": 1 if old else 2, "kind": kind, "raw": broken.decode("latin-1")}
        record = None
        with watched(tally, "saves", how):
            try:
                record = parse_save(PLACE, broken, strict=False)
            except SaveError as fault:
                tally.kinds[f"{kind}: refused ({fault.key})"] += 1
        if record is None:
            if kind in ("byte", "bit") and not old:
                tally.found("saves", "one byte costs the game", how)
            continue
        if record.lines == whole.lines and record.setup == whole.setup:
            tally.kinds[f"{kind}: recovered whole" if record.restored_header else f"{kind}: nothing lost"] += 1
        elif record.damage:
            tally.kinds[f"{kind}: named, on from before it"] += 1
        elif old:
            tally.kinds[f"{kind}: left to the positions (first format)"] += 1
        elif kind == "sealed":
            tally.kinds[f"{kind}: forged, left to the positions"] += 1
        elif (kind in ("cut", "gone", "swapped") or not broken.endswith(b"\n")) and broken.startswith(raw[: record.ends[-1]]):
            tally.kinds[f"{kind}: an end cut off"] += 1
        else:
            tally.found("saves", "not noticed", how)
        if not old and not record.damage and record.lines != whole.lines[: len(record.lines)] and kind not in ("cut", "sealed"):
            states = [parse_save(PLACE, raw[:end]).lines for end in whole.ends]
            if record.lines not in states:
                tally.found("saves", "other decisions", how)


def flips(rng: random.Random, tally: Tally) -> None:
    """Changes one byte in a save of every game in turn, and checks that Ludoglot reports the damage or restores the header."""
    games = list(GAMES)
    each = max(1, tally.count // len(games))
    while tally.going and games:
        folder = games.pop(0)
        raw = short_game(folder, rng)
        whole = parse_save(PLACE, raw)
        for at in rng.sample(range(len(raw)), min(each + (not games) * tally.count, len(raw))):
            if not tally.going:
                break
            broken = raw[:at] + bytes([raw[at] ^ rng.randrange(1, 256)]) + raw[at + 1 :]
            how = {"game": folder.name, "kind": "byte", "at": at, "raw": broken.decode("latin-1")}
            tally.tried += 1
            with watched(tally, "flips", how):
                try:
                    record = parse_save(PLACE, broken, strict=False)
                except SaveError as fault:
                    tally.found("flips", f"one byte costs the game ({fault.key})", how)
                    continue
                if not (record.restored_header or record.damage):
                    tally.found("flips", "not noticed", how)
                elif record.lines != whole.lines[: len(record.lines)]:
                    tally.found("flips", "other decisions", how)
                elif record.lines == whole.lines and record.setup == whole.setup and record.raw == raw:
                    tally.kinds["recovered whole"] += 1
                else:
                    tally.kinds["named, on from before it"] += 1
        tally.kinds["games"] += 1


def short_game(folder: Path, rng: random.Random) -> bytes:
    """Returns a save of the first decisions of a game."""
    match = load(folder).start(seed=rng.getrandbits(30), names=["Anna"])
    for _ in range(PLAYED):
        if match.over:
            break
        match.play(rng.choice(match.options))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "one.ludoglot"
        match.save(path)
        return path.read_bytes()
