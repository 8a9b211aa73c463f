"""Fuzzes each reader of files and typed text separately, many inputs per second.

The readers are: rules in any language (also formatted, or translated to another language), YAML, catalogues, templates of sentences,
lines of saves, typed input, and screen output.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any

from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList, did_you_mean
from ludoglot.dsl.diagnostics.render import message_text
from ludoglot.dsl.diagnostics.sanitize import escape_json, is_control_or_bidi, sanitize
from ludoglot.dsl.syntax.format import format_text
from ludoglot.dsl.syntax.parse import parse
from ludoglot.dsl.syntax.translate_keywords import translate_rules
from ludoglot.dsl.yaml.located_yaml import parse_yaml
from ludoglot.engine.cli.console import UsageError
from ludoglot.engine.cli.input_values import decode_line, parse_path, shorten_value
from ludoglot.engine.i18n import readers as readers_of_words
from ludoglot.engine.i18n import template
from ludoglot.engine.i18n.user_input import normalize, parse_int
from ludoglot.engine.match.save_schema import SaveSchemaError, parse_line

from .files import BYTES, LANGUAGES, TOKENS, by_letters, by_tokens, by_values
from .judging import ROOT, Tally, watched
from .saves import SAMPLES, todays
from .sessions import PIECES

SHARES = {"rules": 14, "laid out": 2, "other words": 2, "yaml": 10, "catalogue": 4, "template": 24, "save": 24, "typed": 20}
A_SECOND = 8000                      # bytes that a busy machine reads several times in a second
LARGEST = 1500                       # length of a piece of a file


class Sound:
    """The valid files from which the inputs are made."""

    def __init__(self) -> None:
        rules = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("rules/*/*.rules"))]
        self.rules = [part for text in rules for part in re.split(r"\n(?=[a-z])", text) if part.strip() and len(part) < LARGEST]
        self.yaml = [piece(path.read_text(encoding="utf-8")) for path in
                     sorted([*ROOT.glob("rules/*/*.yaml"), *ROOT.glob("rules/*/tests/*.yaml"), *ROOT.glob("docs/examples/packs/*.yaml")])]
        catalogues = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("locale/*/LC_MESSAGES/*.po"))]
        self.catalogues = [text.split("\n\n", 1)[0] + "\n\n" + part + "\n" for text in catalogues for part in text.split("\n\n")[1:40:4]]
        self.templates = [str(line) for text in catalogues for line in re.findall(r'(?m)^msgstr "(.*\{.*)"$', text)]
        self.saves = [line for path in sorted(SAMPLES.glob("*.ludoglot")) for line in todays(path.read_bytes()).splitlines()[:20]]


def piece(text: str) -> str:
    """Returns the beginning of a file, cut at the end of a line."""
    return text if len(text) < LARGEST else text[:LARGEST].rsplit("\n", 1)[0] + "\n"


def readers(rng: random.Random, tally: Tally) -> None:
    """Checks that each reader returns diagnostics or its result, and never raises."""
    sound, kinds = Sound(), [kind for kind, share in SHARES.items() for _ in range(share)]
    with tempfile.TemporaryDirectory() as place:
        while tally.going:
            kind = rng.choice(kinds)
            raw = made(kind, sound, rng)
            how = {"reader": kind, "lang": rng.choice(LANGUAGES), "raw": raw.decode("latin-1")}
            tally.tried += 1
            with watched(tally, "readers", how, usual=len(raw) / A_SECOND):
                tally.kinds[f"{kind}: {read(kind, raw, how['lang'], Path(place))}"] += 1


def made(kind: str, sound: Sound, rng: random.Random) -> bytes:
    """Returns an input for a reader."""
    if kind in ("rules", "laid out", "other words"):
        text = "\n".join(rng.choice(sound.rules) for _ in range(rng.randrange(1, 3))).encode()
        if kind == "rules" and rng.random() < 0.08:
            return " ".join(rng.choice(TOKENS) for _ in range(rng.randrange(1, 200))).encode()
        raw = by_tokens(text, rng) if rng.random() < 0.7 or kind == "other words" else by_letters(text, rng)
        return raw if rng.random() < 0.9 else raw + rng.choice(BYTES) * rng.randrange(1, 40) + b"\n"
    if kind == "yaml":
        raw = rng.choice(sound.yaml).encode()
        return by_values(raw, rng) if rng.random() < 0.3 else by_letters(by_letters(raw, rng) or b"x", rng)
    if kind == "catalogue":
        return by_letters(rng.choice(sound.catalogues).encode(), rng)
    if kind == "template":
        return by_letters(rng.choice(sound.templates).encode(), rng) + rng.choice([b"", b"", b"{", b"}", b"{a}~the.", b"{a|b}", b"~",
         b"{ }~"])
    if kind == "save":
        return by_letters(rng.choice(sound.saves), rng)
    return rng.choice(["", " ", ","]).join(rng.choice(PIECES) for _ in range(rng.randrange(1, 6))).encode("utf-8", "surrogatepass")


def read(kind: str, raw: bytes, lang: str, place: Path) -> str:
    """Passes an input to a reader, and returns the outcome."""
    text = raw.decode("utf-8", "surrogateescape")
    findings = DiagnosticList()
    if kind == "rules":
        parse(text, "x.rules", findings, lang if len(raw) % 5 == 0 else "en")
    elif kind == "laid out":
        overlay = format_text(text)
        assert format_text(overlay) == overlay, "laid out twice it is another text"
    elif kind == "other words":
        parse(text, "x.rules", findings)
        if not findings.errors:
            translate_rules(text, "x.rules", "en", lang)
    elif kind == "yaml":
        parse_yaml(text, "x.yaml", findings)
    elif kind == "catalogue":
        (place / "x.po").write_bytes(raw)
        return "read" if readers_of_words.read_catalogue(place / "x.po") else "empty"
    elif kind == "template":
        return "faulty" if template.parse_template(text).faults else "read"
    elif kind == "save":
        try:
            parse_line(raw)
        except SaveSchemaError:
            return "refused"
    else:
        typed(text)
    told(findings)
    return "refused" if findings.errors else "read"


def told(findings: DiagnosticList) -> None:
    """Checks that each diagnostic can be rendered, and contains no harmful characters."""
    for one in findings.in_source_order()[:3]:
        said = sanitize(message_text(one))
        assert not any(is_control_or_bidi(char) for char in said if char not in "\n\t"), "something harmful reaches the screen"


def typed(text: str) -> None:
    """Checks that typed text passes all input functions, is harmless on the screen, and is exact in JSON."""
    line = decode_line(text)
    for reader in (parse_int, shorten_value):
        reader(line)
    parse_int(line, signed=True)
    did_you_mean(line[:200], ["board", "log", "a1"])
    assert normalize(normalize(line)) == normalize(line) or not line.isascii(), "folded twice it is another text"
    with contextlib.suppress(UsageError):
        parse_path(line)
    assert not any(is_control_or_bidi(char) for char in sanitize(text) if char not in "\n\t"), "something harmful reaches the screen"
    data: Any = escape_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(data) == text, "JSON is another text"
