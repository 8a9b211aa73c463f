"""One pack as read: its YAML with the place of every part, and where the texts in it that are rules stand in its files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.diagnostic import Findings, Place, did_you_mean
from ..diagnostics.source_lines import unified
from ..yaml.located_yaml import Document, parse_yaml
from ..yaml.schema import faults, validate
from .bundle import MAIN, Bundle

Path_ = tuple[Any, ...]
OPERATIONS = ("before", "after", "instead", "head", "drop")


@dataclass(frozen=True)
class Chunk:
    """Rules as they stand in a file: the text, the file, the line of its first line, how far in it stands."""

    text: str
    file: str
    line: int = 1
    column: int = 0


@dataclass(frozen=True)
class Move:
    """A change of a step: which of OPERATIONS, the step as the author addressed it, the new lines."""

    operation: str
    target: str
    place: Place
    chunk: Chunk | None


@dataclass
class Pack:
    """A pack. `further`: the documents beside its main file, by name."""

    bundle: Bundle
    document: Document
    further: dict[str, Document] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.document.data["house"])

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document.data
        return found

    def place(self, *path: Any) -> Place:
        return self.document.place(*path)

    def key_place(self, *path: Any) -> Place:
        return self.document.key_place(*path)

    def list_of(self, key: str) -> list[str]:
        """A key that takes one name or a list of names."""
        found = self.data.get(key) or []
        return [str(one) for one in found] if isinstance(found, list) else [str(found)]

    # ------------------------------------------------------------ rules

    def chunk(self, *path: Any) -> Chunk:
        """The rules in a text of the main file."""
        text, place = self.at(path), self.document.values[path]
        lines = unified(self.bundle.files[MAIN]).split("\n")
        first = lines[place.line - 1][place.column - 1 : place.column]
        if first not in "|>":
            return Chunk(text, place.path, place.line, place.column - 1 + (first in "'\""))
        below = (line for line in lines[place.line :] if line.strip())
        inside = next(below, "")
        return Chunk(text, place.path, place.line + 1, len(inside) - len(inside.lstrip()))

    def at(self, path: Path_) -> Any:
        found = self.document.data
        for part in path:
            found = found[part]
        return found

    def declared(self, section: str) -> Iterator[Chunk]:
        """What is declared under `rules` or `replace`, and in the rule files of a folder: those that `replace` names take the place of
        the game's declarations, all others are new."""
        given = self.data.get(section)
        if isinstance(given, str):
            yield self.chunk(section)
        named = self.data.get("replace")
        named = named if isinstance(named, list) else []
        for name, text in self.bundle.files.items():
            if name.endswith(".rules") and (name in named) == (section == "replace"):
                yield Chunk(text, self.bundle.place_of(name))

    def moves(self) -> Iterator[Move]:
        """Its changes of steps."""
        for n, given in enumerate(self.data.get("steps") or []):
            operation = next(word for word in OPERATIONS if word in given)
            chunk = self.chunk("steps", n, "rules") if "rules" in given else None
            yield Move(operation, str(given[operation]), self.place("steps", n, operation), chunk)

    # ------------------------------------------------------------ tests

    def below(self, key: str) -> str | None:
        """The lines below a key at the margin of the main file, as written; None where its value stands beside it."""
        rows = unified(self.bundle.files[MAIN]).split("\n")
        first = self.document.keys[key,].line
        if rows[first - 1].partition(":")[2].split("#")[0].strip():
            return None
        last = next((n for n, row in enumerate(rows[first:], first) if row[:1].strip() and row[0] not in "#-"), len(rows))
        return "\n".join(rows[first:last]).rstrip() + "\n"

    def tests(self) -> Iterator[Document]:
        """Its scenarios, each file as a document like one in the folder of a game."""
        if self.data.get("tests"):
            yield part_of(self.document, ("tests",), ("scenarios",))
        yield from (document for name, document in self.further.items() if name.startswith("tests/"))


def part_of(document: Document, path: Path_, under: Path_) -> Document:
    """A part of a document as a document of its own, below the keys `under`."""
    data: Any = document.data
    for key in path:
        data = data[key]
    moved = [{(*under, *at[len(path):]): place for at, place in places.items() if at[: len(path)] == path}
             for places in (document.keys, document.values)]
    for word in reversed(under):
        data = {word: data}
    return Document(data, document.path, moved[0], moved[1])


def go_on_without(document: Document, wrong: list[Path_]) -> bool:
    """Take what is not well written out of a pack, so that its other mistakes are told too. False if they would follow from that."""
    if any(not path or path[0] not in ("set", "fits", "place", "words", "nouns", "table", "tests") for path in wrong):
        return False
    for path in wrong:
        inside = document.data.get(path[0])
        if len(path) > 1 and isinstance(inside, dict):
            inside.pop(path[1], None)
        else:
            document.data.pop(path[0], None)
    return True


def read_pack(bundle: Bundle, findings: Findings) -> Pack | None:
    """A pack as written; None with findings when it is none."""
    if MAIN not in bundle.files:
        findings.add("Y001", Place(bundle.shown), path=bundle.place_of(MAIN))
        return None
    document = parse_yaml(bundle.files[MAIN], bundle.place_of(MAIN), findings)
    if document is None:
        return None
    wrong = faults(document, "house", findings)
    if wrong and not go_on_without(document, wrong):
        return None
    pack = Pack(bundle, document)
    before = len(findings.errors)
    if set(document.data) <= {"house", "for", "for_version", "text", "version"}:
        findings.add("H010", document.place("house"), name=pack.name)
    replaced = document.data.get("replace")
    for n, name in enumerate(replaced if isinstance(replaced, list) else ()):
        if name not in bundle.files:
            meant = did_you_mean(name, [file for file in bundle.files if file.endswith(".rules")])
            findings.slip("Y001", document.place("replace", n), meant, path=bundle.place_of(name))
    for n, given in enumerate(document.data.get("steps") or []):
        said = [word for word in OPERATIONS if word in given]
        if len(said) != 1 or ("rules" in given) == (said == ["drop"]):
            findings.add("H011", document.place("steps", n))
    for name, text in bundle.files.items():
        kind = {"messages.yaml": None, "clauses.yaml": "clauses"}.get(name, "scenario" if name.startswith("tests/") else "")
        if kind == "" or name == MAIN or not name.endswith(".yaml"):
            continue
        part = parse_yaml(text, bundle.place_of(name), findings)
        if part is not None and (kind is None or validate(part, kind, findings)):
            pack.further[name] = part
    if document.data.get("tests"):
        validate(part_of(document, ("tests",), ("scenarios",)), "scenario", findings)
    return pack if len(findings.errors) == before else None
