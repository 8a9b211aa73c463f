"""Misspelt names in shipped files, of every kind: `python bench/misspelt_names.py [--count 240] [--seed 1] [--games reversi,hex]
[--kind state]`.

A name gets one slip of a letter, somewhere in a copy of a game: a state, a procedure, an attribute, an option, a keyword, a clause in the
rules; a key of the data, of the table, of a scenario, of a pack; what scenarios name; a key or a field of a catalogue; a key of a lexicon.
Counted is how often the checker proposes the name that was meant. Where what is misspelt is the only place that makes a name known, the
name is missing elsewhere: then the proposal is the misspelt one for the other. What nothing is said about, is listed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import yaml
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic
from ludoglot.dsl.syntax.parse import keywords
from ludoglot.dsl.yaml.schema import load_schema

sys.path.insert(0, str(Path(__file__).parent))
from mutate_sources import HEAVY, RULES, WORD, Place, misspelt

Spot = tuple[Path, int, str]                                         # a file, where in it, the name that stands there
PROSE = ("name", "text", "house")                                    # what stands there is for people
KEYWORDS = {word for part in ("words", "soft") for word in keywords("en")[part].values()} | set(keywords("en")["folds"])


def spots(place: Place) -> dict[str, list[Spot]]:
    """Every name in a game's files, by its kind."""
    out: dict[str, list[Spot]] = defaultdict(list)
    known = declared(place)
    for path in [*place.files, *place.packs]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".rules":
            found = of_rules(text, known)
        elif path.suffix == ".po":
            found = of_catalogue(text)
        elif path in place.packs:
            found = ((f"pack: {kind}", at, name) for kind, at, name in of_yaml(text, keys_of("house"), known))
        elif "lexicon" in path.parts:
            found = (("lexicon", at, name) for kind, at, name in of_yaml(text, set(), known) if kind == "key")
        elif path.name == "messages.yaml":
            found = of_messages(text)
        elif path.parent.name == "tests":
            found = ((f"scenario: {kind}", at, name) for kind, at, name in of_yaml(text, keys_of("scenario"), known))
        else:
            found = of_yaml(text, keys_of("table" if path.name == "table.yaml" else "game"), known)
        for kind, at, name in found:
            if len(name) > 2 and not name.isdecimal():
                out[kind].append((path, at, name))
    return out


def keys_of(name: str) -> set[str]:
    """Every key that a schema knows."""
    found: set[str] = set()

    def look(node: object) -> None:
        if isinstance(node, dict):
            found.update(node["properties"]) if isinstance(node.get("properties"), dict) else None
            for value in node.values():
                look(value)
        elif isinstance(node, list):
            for value in node:
                look(value)

    look(load_schema(name))
    return found


def declared(place: Place) -> dict[str, str]:
    """The names of a game, each with its kind."""
    known: dict[str, str] = {}
    for path in place.folder.glob("*.rules"):
        for word, name in re.findall(r"^(state|phase|proc|def|law|always) +(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            known[name] = {"state": "state", "always": "law"}.get(word, "procedure")
    for path in place.folder.glob("*.yaml"):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for section, kind in (("numbers", "number"), ("options", "option"), ("tables", "table")):
            known |= {str(name): kind for name in (data or {}).get(section) or {}}
        for name, raw in ((data or {}).get("enums") or {}).items():
            known[str(name)] = "type"
            members = raw.get("members") or {} if isinstance(raw, dict) else raw
            known |= {str(member): "member" for member in members}
            known |= {str(attribute): "attribute" for attribute in (raw.get("attributes") or {})} if isinstance(raw, dict) else {}
    return known


def of_rules(text: str, known: dict[str, str]) -> Iterator[tuple[str, int, str]]:
    """The names in rules: no comments, no strings."""
    body = re.sub(r"#[^\n]*|\"[^\"\n]*\"", lambda found: " " * len(found[0]), text)
    for found in re.finditer(r"@?[A-Za-z_][\w-]*" if "@" in body else r"[A-Za-z_]\w*", body):
        name = found[0]
        if name[0] == "@":
            if name[1:2].isalpha():
                yield "clause", found.start() + 1, name[1:]
            continue
        name = re.match(r"\w+", name)[0]                             # type: ignore[index]
        if body[: found.start()].endswith("always "):                # a law may be called anything
            continue
        kind = "attribute" if body[found.start() - 1] == "." else "keyword" if name in KEYWORDS else known.get(name, "local")
        yield kind, found.start(), name


def of_yaml(text: str, keys: set[str], known: dict[str, str]) -> Iterator[tuple[str, int, str]]:
    """The keys of a YAML file: those of its schema, and names of the game among the others; names among the values."""
    left = [yaml.compose(text)]
    while left:
        node = left.pop()
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.style is None and isinstance(key.value, str):
                    name = key.value
                    kind = "key" if not keys or name in keys else known.get(name)
                    if kind is not None and WORD.fullmatch(name) or not keys:
                        yield str(kind), key.start_mark.index, name
                if not (isinstance(key, yaml.ScalarNode) and key.value in PROSE):
                    left.append(value)
        elif isinstance(node, yaml.SequenceNode):
            left += node.value
        elif isinstance(node, yaml.ScalarNode) and keys and node.style is None:
            for found in WORD.finditer(node.value):
                if found[0] in known and "\n" not in node.value and text[node.start_mark.index :].startswith(node.value):
                    yield known[found[0]], node.start_mark.index + found.start(), found[0]


def of_messages(text: str) -> Iterator[tuple[str, int, str]]:
    """The keys and the fields of a game's own texts."""
    for found in re.finditer(r"^([\w.]+):", text, re.MULTILINE):
        for part in re.finditer(r"\w+", found[1]):
            yield "catalogue: key", found.start() + part.start(), part[0]
    yield from of_fields(text)


def of_fields(text: str) -> Iterator[tuple[str, int, str]]:
    for found in re.finditer(r"^(?!#|msgid).*", text, re.MULTILINE):
        before = re.findall(r"^(\w+)", text[max(0, found.start() - 2000) : found.start()], re.MULTILINE)
        if found[0][:1] != '"' or before and before[-1] == "msgstr":
            for part in re.finditer(r"\{(\w+)", found[0]):
                yield "catalogue: field", found.start() + part.start(1), part[1]


def of_catalogue(text: str) -> Iterator[tuple[str, int, str]]:
    for found in re.finditer(r"^msgctxt \"([^\"]+)\"", text, re.MULTILINE):
        for part in re.finditer(r"\w+", found[1]):
            yield "catalogue: key", found.start(1) + part.start(), part[0]
    yield from of_fields(text)


def proposed(word: str, meant: str, items: list[Diagnostic]) -> bool:
    """Whether the name that was meant is proposed for the misspelt one, or, where it made the name known, the other way round."""
    ways = ((word, meant), (meant, word))
    for one in items:
        proposal = str(one.args.get("meant") or "")
        said = " ".join(str(value) for name, value in one.args.items() if name != "meant")
        if any(there in said and other in proposal for there, other in ways):
            return True
    return False


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=240)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--games", help="their ids, with commas between; else all but the heavy ones")
    arguments.add_argument("--kind", help="names of this kind only")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    every = [path.parent.name for path in sorted(RULES.glob("*/game.yaml")) if path.parent.name not in HEAVY]
    rng = random.Random(f"names {given.seed}")
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    missed = []
    with tempfile.TemporaryDirectory() as room:
        places: dict[str, tuple[Place, dict[str, list[Spot]]]] = {}
        tried = 0
        while tried < given.count:
            name = rng.choice(given.games.split(",") if given.games else every)
            if name not in places:
                (Path(room) / name).mkdir()
                place = Place(name, Path(room) / name)
                places[name] = place, spots(place)
            place, found = places[name]
            kinds = sorted(kind for kind in found if given.kind in (None, kind))
            if not kinds:
                continue
            kind = rng.choice(kinds)
            path, at, meant = rng.choice(found[kind])
            word = misspelt(meant, rng)
            if word == meant or word in place.words:
                continue
            tried += 1
            verdict, said = judged(place, path, at, meant, word)
            verdicts[kind][verdict] += 1
            if verdict != "proposed":
                where = f"{path.relative_to(place.folder.parent)}:{path.read_text(encoding='utf-8').count(chr(10), 0, at) + 1}"
                missed.append({"kind": kind, "verdict": verdict, "at": where, "word": word, "meant": meant, "said": said})
    if given.json:
        print(json.dumps({"kinds": verdicts, "missed": missed}, indent=2, ensure_ascii=False))
        return
    whole = sum(verdicts.values(), Counter())
    print(f"{tried} misspelt names, the right one proposed for {whole['proposed']}; "
          f"{whole['no proposal']} without, {whole['silent']} in silence")
    for kind, row in sorted(verdicts.items()):
        print(f"    {kind:<22}" + "  ".join(f"{row[verdict]:>4} {verdict}" for verdict in ("proposed", "no proposal", "silent")))
    for one in missed:
        print(f"  {one['verdict']}: {one['kind']} {one['at']} {one['word']} for {one['meant']}: {one['said'][:260]}")


def judged(place: Place, path: Path, at: int, meant: str, word: str) -> tuple[str, str]:
    """What becomes of a misspelt name, and what was said."""
    sound = path.read_bytes()
    text = sound.decode()
    assert text[at : at + len(meant)] == meant, (path, at, meant)
    pack = path if path in place.packs else None
    path.write_text(text[:at] + word + text[at + len(meant) :], encoding="utf-8")
    try:
        items = place.checked(pack)[0].items
    finally:
        path.write_bytes(sound)
    said = " | ".join(str(one) for one in items[:3])
    return ("proposed" if proposed(word, meant, items) else "no proposal" if items else "silent"), said


if __name__ == "__main__":
    main()
